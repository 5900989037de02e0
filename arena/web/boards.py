"""The boards: one page an axis, and the same figures as JSON and CSV."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from arena import boards, charts, publishing, refits, takedowns
from arena.database import now
from arena.publishing import PUBLISHED_METHODS
from arena.ratings.methods import Standing
from arena.refits import RefitRecord
from arena.roster import Axis
from arena.site import current_arena
from arena.web.page import cacheable, public
from arena.web.pictures import Shown, shown

bp = Blueprint("boards", __name__)
STALE_REFITS = 2


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a board as drawn."""

    standing: Standing
    shown: Shown
    bar: charts.Bar


@bp.get("/leaderboard/<axis>")
def board(axis: str) -> AnyResponse:
    """The board of an axis."""
    found, method = _axis(axis), _method(axis)
    published = publishing.newest(axis, method)
    site, down = current_arena().site, takedowns.taken_down()
    standings = boards.rows(site, published)
    scale = scale_of(standings)
    return public(
        "board.html",
        axis=found,
        method=method,
        published=published,
        record=refits.record_of(axis, method),
        is_stale=is_stale(refits.record_of(axis, method)),
        scale=scale,
        rows=[
            Row(standing, shown(entry, down), bar_of(scale, standing))
            for standing in standings
            if (entry := site.entry(standing.entry)) is not None
        ],
        unrated=[
            shown(entry, down)
            for slug in boards.unpublished(site, published)
            if (entry := site.entry(slug)) is not None
        ],
    )


@bp.get("/leaderboard/<axis>.json")
def board_json(axis: str) -> Response:
    """The board of an axis as JSON."""
    _axis(axis)
    method = _method(axis)
    text = boards.as_json(current_arena().site, axis, method, publishing.newest(axis, method))
    return cacheable(Response(text, mimetype="application/json"))


@bp.get("/leaderboard/<axis>.csv")
def board_csv(axis: str) -> Response:
    """The board of an axis as CSV."""
    _axis(axis)
    text = boards.as_csv(current_arena().site, publishing.newest(axis, _method(axis)))
    return cacheable(Response(text, mimetype="text/csv"))


def scale_of(standings: tuple[Standing, ...]) -> charts.Scale:
    """The one scale on which a board's bars are drawn."""
    return charts.scale_over([end for row in standings for end in (row.lower, row.upper)])


def bar_of(scale: charts.Scale, standing: Standing) -> charts.Bar:
    """A standing as a bar; dashed while the prior does most of the work."""
    return charts.bar(
        scale, standing.lower, standing.score, standing.upper, dashed=standing.provisional
    )


def is_stale(record: RefitRecord | None) -> bool:
    """Whether refits have failed or stopped for so long that the page should say so."""
    if record is None:
        return False
    wait = timedelta(minutes=STALE_REFITS * current_arena().settings.refit_minutes)
    return record.succeeded_at is None or now() - record.succeeded_at > wait


def _axis(slug: str) -> Axis:
    axis = current_arena().site.axis(slug)
    if axis is None:
        abort(404, "There is no such board on this site.")
    return axis


def _method(axis: str) -> str:
    method = request.args.get("method", _axis(axis).method)
    if method not in PUBLISHED_METHODS:
        abort(404, "No board is published by that method.")
    return method
