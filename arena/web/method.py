"""The page that explains the maths: all three methods, with live numbers and a worked example."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flask import Blueprint
from scipy.special import expit
from sqlalchemy import func, select
from werkzeug.wrappers import Response as AnyResponse

from arena import boards, measured, publishing, votes
from arena.ballots import LIFETIME
from arena.boards import Line
from arena.database import db
from arena.pairing import arena as arena_chooser
from arena.pairing import versus as versus_chooser
from arena.plots import Plot, plot, steps
from arena.publishing import PUBLISHED_METHODS, Published
from arena.ratings import davidson
from arena.ratings.calibration import HEAVIEST, LIGHTEST, MOST_COSTLY
from arena.ratings.elo import START, expected, moves
from arena.ratings.example import Example, example
from arena.ratings.methods import arena, preferences, versus
from arena.roster import Axis
from arena.site import current_arena
from arena.web.drawn import trace
from arena.web.page import public

bp = Blueprint("method", __name__)

LEAD = 150.0
"""Points by which the stronger side of the example of live ratings leads."""
WIDEST_GAP = 4.0
USUAL_NU = 0.6
"""Drawn while no publication has a tie affinity of its own."""


@dataclass(frozen=True, slots=True)
class AxisNumbers:
    """What one axis has come to."""

    axis: Axis
    published: Published | None


@dataclass(frozen=True, slots=True)
class Read:
    """The default axis as one method reads it now; no leader where nothing is published."""

    published: Published | None
    leader: Line | None
    winner: str | None = None


@bp.get("/method")
def page() -> AnyResponse:
    """How the maths works."""
    site, settings = current_arena().site, current_arena().settings
    reads = {method: _read(site.axes[0], method) for method in PUBLISHED_METHODS}
    published = reads["versus"].published
    nu = None if published is None else published.figures.model["nu"]
    return public(
        "method.html",
        numbers=[AxisNumbers(it, publishing.newest(it.slug, it.method)) for it in site.axes],
        axis=site.axes[0],
        reads=reads,
        votes=db.session.scalars(select(func.count(votes.Vote.number))).one(),
        refit_minutes=settings.refit_minutes,
        ballot_minutes=LIFETIME.seconds // 60,
        chooser=arena_chooser,
        versus_chooser=versus_chooser,
        arena=arena,
        preferences=preferences,
        versus=versus,
        anchors=(LIGHTEST, HEAVIEST, MOST_COSTLY),
        elo=_live_example(),
        example=example(),
        curve=_curve(example()),
        nu=USUAL_NU if nu is None else nu,
        equals_tie=davidson_ties(nu),
        ties=_ties(USUAL_NU if nu is None else nu),
        trace=trace(() if published is None else published.figures.trace),
        coverage=measured.coverage(),
    )


def _read(axis: Axis, method: str) -> Read:
    site = current_arena().site
    published = publishing.newest(axis.slug, method)
    lines = boards.ranked(boards.lines(site, published))
    first = preferences.winner([it.standing for it in lines]) if method == "preferences" else None
    return Read(
        published,
        lines[0] if lines else None,
        next((it.name for it in lines if it.standing.entry == first), None),
    )


def _live_example() -> dict[str, float]:
    """A newcomer that beats somebody stronger."""
    change, _ = moves(START, 0, START + LEAD, 0, "left")
    return {
        "start": START,
        "stronger": START + LEAD,
        "expected": expected(START, START + LEAD),
        "change": change,
    }


def davidson_ties(nu: float | None) -> float | None:
    """The chance that two equals tie; None where no tie affinity has been fitted."""
    return None if nu is None else nu / (2.0 + nu)


def _curve(found: Example) -> Plot:
    gaps = steps(-WIDEST_GAP, WIDEST_GAP)
    return plot(
        "The chance of winning rises with the gap in strength along an S from 0 to 1; "
        "at the gap ln 3 it is 75 %, at ln 9 it is 90 %.",
        across="Gap in strength, natural logarithm",
        up="Chance that the first wins",
        x=(-WIDEST_GAP, WIDEST_GAP),
        y=(0.0, 1.0),
        curves=[("main", [(gap, float(expit(gap))) for gap in gaps])],
        dots=[((gap, float(expit(gap))), None) for gap in (found.gap_near, found.gap_far)],
    )


def _ties(nu: float) -> Plot:
    gaps = steps(-WIDEST_GAP, WIDEST_GAP)
    chances = [[float(it) for it in davidson.chances(np.array(gap), nu)] for gap in gaps]
    wins, losses, ties = zip(*chances, strict=True)
    return plot(
        "Two S-shaped curves, the chances that the first and that the second wins, cross where "
        "the two are equal; the chance of a tie is a hill with its top there.",
        across="Gap in strength, natural logarithm",
        up="Chance that the first wins, loses (thin), or that they tie (dashed)",
        x=(-WIDEST_GAP, WIDEST_GAP),
        y=(0.0, 1.0),
        curves=[
            ("main", list(zip(gaps, wins, strict=True))),
            ("second", list(zip(gaps, losses, strict=True))),
            ("reference", list(zip(gaps, ties, strict=True))),
        ],
    )
