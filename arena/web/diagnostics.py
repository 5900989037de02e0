"""How far a board may be trusted: every check of the engine with what to conclude from it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort
from werkzeug.wrappers import Response as AnyResponse

from arena import diagnostics, publishing, refits
from arena.plots import Plot
from arena.publishing import Published
from arena.ratings.diagnostics import COIN, SETTLED_SE, settled
from arena.ratings.figures import Evaluation
from arena.roster import Axis
from arena.site import current_arena
from arena.web import drawn
from arena.web.page import public

bp = Blueprint("diagnostics", __name__)
FEWEST_TO_JUDGE = 100
"""Decided votes under which a temperature says little."""
WARM, COOL = 1.1, 0.9
DOUBTFUL = 0.05
FEW_GROUPS = 12


@dataclass(frozen=True, slots=True)
class Skill:
    """How good forecasts were on held-out votes, and what to make of it.

    Attributes
    ----------
    verdict : `few`, `bold`, `timid` or `good`.
    """

    evaluation: Evaluation
    verdict: str
    curve: Plot


@bp.get("/diagnostics/<axis>")
def page(axis: str) -> AnyResponse:
    """All diagnostics of an axis."""
    site = current_arena().site
    found = site.axis(axis)
    if found is None:
        abort(404, "There is no such question on this site.")
    published = publishing.newest(axis, "versus")
    diagnosis = diagnostics.current(axis)
    names = {entry.slug: entry.name for entry in site.entries}
    return public(
        "diagnostics.html",
        axis=found,
        axes=site.axes,
        names=names,
        published=published,
        refusal=_refusal(found),
        skill=_skill(published),
        trace=drawn.trace(published.figures.trace if published else ()),
        diagnosis=diagnosis,
        about=_about(diagnosis, found),
        forecasts=drawn.calibration(diagnosis.log.forecasts) if diagnosis else None,
        ties=drawn.ties(diagnosis.counts.ties) if diagnosis else None,
        between=drawn.between,
        errors=drawn.errors(published.figures.board, SETTLED_SE) if published else None,
        settled=settled([it.se for it in published.figures.board]) if published else 0,
        settled_se=SETTLED_SE,
        coin=COIN,
        doubtful=DOUBTFUL,
        few_groups=FEW_GROUPS,
    )


def _skill(published: Published | None) -> Skill | None:
    evaluation = None if published is None else published.figures.held_out
    if evaluation is None or not evaluation.scores.decided:
        return None
    temperature = evaluation.scores.temperature
    if evaluation.scores.decided < FEWEST_TO_JUDGE or temperature is None:
        verdict = "few"
    elif temperature > WARM:
        verdict = "bold"
    else:
        verdict = "timid" if temperature < COOL else "good"
    return Skill(evaluation, verdict, drawn.calibration(evaluation.curve))


def _refusal(axis: Axis) -> str | None:
    """Why the newest `versus` refit was not published, if it was not."""
    record = refits.record_of(axis.slug, "versus")
    return None if record is None else record.fault


def _about(diagnosis: diagnostics.Diagnosis | None, axis: Axis) -> Published | None:
    """The publication that the diagnosis is about."""
    published = publishing.newest(axis.slug, diagnostics.METHOD)
    if diagnosis is None or published is None:
        return None
    return published if published.id == diagnosis.publication else None
