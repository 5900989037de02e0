"""Pages that explain: where figures and pictures come from, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint
from werkzeug.wrappers import Response as AnyResponse

from arena import takedowns
from arena.limits import WINDOW
from arena.roster import Entry, Fact
from arena.site import current_arena
from arena.web.page import public
from arena.web.pictures import shown

bp = Blueprint("explain", __name__)


@dataclass(frozen=True, slots=True)
class Source:
    """One source and every fact that rests on it."""

    name: str
    url: str
    facts: tuple[tuple[Entry, Fact], ...]


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
