"""Pages that explain: how the maths works, where figures and pictures come from, what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint
from sqlalchemy import func, select
from werkzeug.wrappers import Response as AnyResponse

from arena import publishing, takedowns, votes
from arena.ballots import LIFETIME
from arena.database import db
from arena.limits import WINDOW
from arena.pairing import arena as chooser
from arena.publishing import Published
from arena.ratings.elo import START, expected, moves
from arena.roster import Axis, Entry, Fact
from arena.site import current_arena
from arena.web.page import public
from arena.web.pictures import shown

bp = Blueprint("explain", __name__)


@dataclass(frozen=True, slots=True)
class AxisNumbers:
    """What one axis has come to, for the page about the method."""

    axis: Axis
    published: Published | None


@dataclass(frozen=True, slots=True)
class Source:
    """One source and every fact that rests on it."""

    name: str
    url: str
    facts: tuple[tuple[Entry, Fact], ...]


@bp.get("/method")
def method() -> AnyResponse:
    """How the maths works, with live numbers."""
    site = current_arena().site
    leader = START + 150.0
    change, _ = moves(START, 0, leader, 0, "left")
    return public(
        "method.html",
        numbers=[
            AxisNumbers(axis, publishing.newest(axis.slug, axis.method)) for axis in site.axes
        ],
        votes=db.session.scalars(select(func.count(votes.Vote.number))).one(),
        refit_minutes=current_arena().settings.refit_minutes,
        ballot_minutes=LIFETIME.seconds // 60,
        near=chooser.NEAR,
        uncertain_share=chooser.UNCERTAIN_SHARE,
        starved_share=chooser.STARVED_SHARE,
        elo={
            "start": START,
            "stronger": leader,
            "expected": expected(START, leader),
            "change": change,
        },
    )


@bp.get("/sources")
def sources() -> AnyResponse:
    """Every source with what rests on it, and the credit of every picture."""
    site, down = current_arena().site, takedowns.taken_down()
    return public(
        "sources.html",
        sources=_sources(site.entries),
        attributes={attribute.slug: attribute for attribute in site.attributes},
        pictures=[shown(entry, down) for entry in site.entries],
    )


@bp.get("/privacy")
def privacy() -> AnyResponse:
    """What is kept of a visitor, and for how long."""
    settings = current_arena().settings
    return public(
        "privacy.html",
        votes_per_minute=settings.votes_per_minute,
        ballots_per_minute=settings.ballots_per_minute,
        window=WINDOW,
    )


def _sources(entries: tuple[Entry, ...]) -> list[Source]:
    """Group all facts by their source, in the order of the sources' names."""
    resting: dict[tuple[str, str], list[tuple[Entry, Fact]]] = {}
    for entry in entries:
        for fact in entry.facts:
            resting.setdefault((fact.source_name, fact.source_url), []).append((entry, fact))
    return [
        Source(name, url, tuple(facts))
        for (name, url), facts in sorted(resting.items(), key=lambda item: item[0][0].casefold())
    ]
