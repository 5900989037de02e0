"""The boards: one page an axis and a method, and the same figures as JSON and CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from arena import boards, charts, publishing, refits, takedowns
from arena.boards import Line, View
from arena.database import now
from arena.publishing import PUBLISHED_METHODS, Published
from arena.ratings.methods import METHODS
from arena.ratings.methods.preferences import winner
from arena.refits import RefitRecord
from arena.roster import Attribute, Axis
from arena.site import current_arena
from arena.web.page import cacheable, public
from arena.web.pictures import Shown, shown

bp = Blueprint("boards", __name__)
STALE_REFITS = 2
SHOWN_FROM = 2
"""A value that fewer entries share is not worth a link of its own."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a board as drawn; no picture where it is a value of an attribute."""

    line: Line
    shown: Shown | None
    bar: charts.Bar


@dataclass(frozen=True, slots=True)
class Filter:
    """The values of one attribute that a board can be narrowed to: value, how many, address."""

    attribute: Attribute
    chosen: str | None
    values: list[tuple[str, int, str]]
    without: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Which board an address asks for.

    Attributes
    ----------
    by : the attribute whose values are the rows; None for the entries themselves.
    view : which rows, in which order.
    """

    axis: Axis
    method: str
    by: Attribute | None
    view: View

    def address(self, changes: Mapping[str, str | None], endpoint: str = "boards.board") -> str:
        """The address of the same board with something else asked for."""
        query: dict[str, str | None] = {
            "method": self.method if self.method != self.axis.method else None,
            "by": None if self.by is None else self.by.slug,
            "sort": self.view.sort,
            **self.view.having,
            **changes,
        }
        given: dict[str, Any] = {name: value for name, value in query.items() if value}
        return url_for(endpoint, axis=self.axis.slug, **given)


@bp.get("/leaderboard/<axis>")
def board(axis: str) -> AnyResponse:
    """The board of an axis."""
    asked = _asked(axis)
    published = publishing.newest(axis, asked.method)
    site, down = current_arena().site, takedowns.taken_down()
    lines = _lines(asked, published)
    scale = scale_of(asked.method, lines)
    record = refits.record_of(axis, asked.method)
    return public(
        "board.html",
        asked=asked,
        axis=asked.axis,
        methods=PUBLISHED_METHODS,
        published=published,
        figures=_figures(asked, published),
        record=record,
        is_stale=is_stale(record),
        scale=scale,
        filters=_filters(asked) if asked.by is None else [],
        groupings=site.categories,
        winner=_winner(asked, lines),
        rows=[
            Row(line, shown(line.entry, down) if line.entry else None, bar_of(scale, line))
            for line in boards.ranked(lines)
        ],
        waiting=[line for line in lines if line.standing.rank is None],
        unrated=[
            entry
            for slug in boards.unpublished(site, published)
            if (entry := site.entry(slug)) is not None
            and (published is None or published.standing(slug) is None)
        ],
    )


@bp.get("/leaderboard/<axis>.json")
def board_json(axis: str) -> Response:
    """The board of an axis as JSON."""
    asked = _asked(axis)
    published = publishing.newest(axis, asked.method)
    text = boards.as_json(
        current_arena().site, axis, asked.method, published, _lines(asked, published)
    )
    return cacheable(Response(text, mimetype="application/json"))


@bp.get("/leaderboard/<axis>.csv")
def board_csv(axis: str) -> Response:
    """The board of an axis as CSV."""
    asked = _asked(axis)
    lines = _lines(asked, publishing.newest(axis, asked.method))
    return cacheable(Response(boards.as_csv(lines), mimetype="text/csv"))


def scale_of(method: str, lines: list[Line]) -> charts.Scale:
    """The one scale on which a board's bars are drawn."""
    scale = METHODS[method].scale
    ends = [end for line in lines for end in (line.standing.lower, line.standing.upper)]
    return charts.scale_over(ends, scale.origin, charts.LEAST_SPAN * scale.unit, scale.ends)


def bar_of(scale: charts.Scale, line: Line) -> charts.Bar:
    """A row as a bar; dashed while the method calls it provisional."""
    it = line.standing
    label = f"{line.score}, between {line.lower} and {line.upper}"
    return charts.bar(scale, it.lower, it.score, it.upper, dashed=it.provisional, label=label)


def is_stale(record: RefitRecord | None) -> bool:
    """Whether refits have failed or stopped for so long that the page should say so."""
    if record is None:
        return False
    wait = timedelta(minutes=STALE_REFITS * current_arena().settings.refit_minutes)
    return record.succeeded_at is None or now() - record.succeeded_at > wait


def _lines(asked: Asked, published: Published | None) -> list[Line]:
    site = current_arena().site
    if asked.by is not None:
        return boards.value_lines(site, published, asked.by.slug, asked.view)
    return boards.lines(site, published, asked.view)


def _figures(asked: Asked, published: Published | None) -> object:
    """What the fit behind the rows had to say about itself."""
    if published is None or asked.by is None:
        return None if published is None else published.figures
    return boards.by_value(current_arena().site, published, asked.by.slug)


def _winner(asked: Asked, lines: list[Line]) -> str | None:
    """The name of the declared winner, where the whole board is shown and its method has one."""
    if asked.method != "preferences" or asked.view.having:
        return None
    by_rank = sorted(lines, key=lambda line: line.standing.rank or 0)
    first = winner([line.standing for line in by_rank])
    return next((line.name for line in lines if line.standing.entry == first), None)


def _filters(asked: Asked) -> list[Filter]:
    """Each categorical attribute with the values that several entries share."""
    site = current_arena().site
    found = []
    for attribute in site.categories:
        count = Counter(
            value for it in site.entries if (value := it.value(attribute.slug)) is not None
        )
        values = [
            (value, number, asked.address({attribute.slug: value}))
            for value, number in sorted(count.items(), key=lambda it: (-it[1], it[0].casefold()))
            if number >= SHOWN_FROM
        ]
        chosen = asked.view.having.get(attribute.slug)
        if values or chosen:
            without = asked.address({attribute.slug: None})
            found.append(Filter(attribute, chosen, values, without))
    return found


def _asked(slug: str) -> Asked:
    """Read the address, or say what is not to be had."""
    site = current_arena().site
    axis = site.axis(slug)
    if axis is None:
        abort(404, "There is no such board on this site.")
    method = request.args.get("method", axis.method)
    if method not in PUBLISHED_METHODS:
        abort(404, f"No board is published by that method; there are {_listed(PUBLISHED_METHODS)}.")
    sort = request.args.get("sort")
    if sort is not None and sort not in boards.SORTS:
        abort(404, f"A board can be sorted by {_listed(tuple(boards.SORTS))}.")
    by = request.args.get("by")
    attribute = None if by is None else site.attribute(by)
    if by is not None and (attribute is None or attribute.type != "category"):
        known = _listed(tuple(it.slug for it in site.categories))
        abort(404, f"A board can be read by {known}.")
    having = {it.slug: value for it in site.categories if (value := request.args.get(it.slug))}
    return Asked(axis, method, attribute, View(sort, {} if attribute else having))


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names)
