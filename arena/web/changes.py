"""What changed on a board between two publications, and a feed of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid5

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from arena import boards, changes, publishing
from arena.changes import Changes, Dated
from arena.publishing import PUBLISHED_METHODS, Published
from arena.roster import Axis
from arena.site import current_arena
from arena.web.page import cacheable, public

bp = Blueprint("changes", __name__)
MOST_MOVES = 20
IN_FEED = 20
NAMES = UUID("6f1d4c5e-3f0b-5f0e-9a53-7a0a6e9a1c11")
"""Under which the entries of the feed have their identifiers."""


@dataclass(frozen=True, slots=True)
class News:
    """One entry of the feed: a publication against the one before it."""

    id: str
    axis: Axis
    changes: Changes
    leader: str
    at: datetime
    address: str


@bp.get("/changes/<axis>")
def page(axis: str) -> AnyResponse:
    """Two publications compared; any two by plain links."""
    site = current_arena().site
    found = site.axis(axis)
    if found is None:
        abort(404, "There is no such board on this site.")
    method = request.args.get("method", found.method)
    if method not in PUBLISHED_METHODS:
        abort(404, "No board is published by that method.")
    listed = changes.dates(axis, method)
    pair = _pair(axis, method, listed)
    return public(
        "changes.html",
        axis=found,
        axes=site.axes,
        method=method,
        methods=PUBLISHED_METHODS,
        listed=listed,
        changes=None if pair is None else changes.between(*pair),
        most=MOST_MOVES,
        names={entry.slug: entry.name for entry in site.entries},
        figure=lambda value: boards.figure(method, value),
        signed=lambda value: _signed(method, value),
    )


@bp.get("/changes.atom")
def feed() -> Response:
    """The newest publications of every question's first method, as news."""
    site = current_arena().site
    news = sorted((it for axis in site.axes for it in _news(axis)), key=lambda it: it.at)
    text = render_template(
        "changes.atom",
        base=site.address or "",
        id=f"urn:uuid:{uuid5(NAMES, site.name)}",
        news=news[: -IN_FEED - 1 : -1],
        names={entry.slug: entry.name for entry in site.entries},
    )
    return cacheable(Response(text, mimetype="application/atom+xml"))


def _news(axis: Axis) -> list[News]:
    """Each publication against the one before, those left out in which nobody moved."""
    published = publishing.of_board(axis.slug, axis.method, IN_FEED + 1)
    found = []
    for before, after in pairwise(published):
        compared = changes.between(before, after)
        if not after.figures.board or not _is_news(compared):
            continue
        dates: dict[str, Any] = {"from": before.id, "to": after.id}
        address = url_for("changes.page", axis=axis.slug, **dates)
        found.append(
            News(
                id=f"urn:uuid:{uuid5(NAMES, f'{axis.slug}/{after.published_at.isoformat()}')}",
                axis=axis,
                changes=compared,
                leader=after.figures.board[0].entry,
                at=after.published_at,
                address=address,
            )
        )
    return found


def _is_news(compared: Changes) -> bool:
    return bool(
        compared.new_leader
        or compared.came
        or compared.left
        or any(it.places for it in compared.moves)
    )


def _pair(axis: str, method: str, listed: list[Dated]) -> tuple[Published, Published] | None:
    """The two publications that the address asks for, or the usual two; None without two."""
    asked = [request.args.get(name) for name in ("from", "to")]
    if asked == [None, None]:
        usual = changes.usual(listed)
        if usual is None:
            return None
        numbers = [str(it.id) for it in usual]
    else:
        numbers = [it or "" for it in asked]
    pair = [_publication(axis, method, it) for it in numbers]
    before, after = sorted(pair, key=lambda it: it.id)
    return before, after


def _publication(axis: str, method: str, number: str) -> Published:
    known = number.isascii() and number.isdigit() and len(number) < 10
    found = changes.publication(axis, method, int(number)) if known else None
    if found is None:
        abort(404, "There is no such publication of this board. The links below lead to all.")
    return found


def _signed(method: str, value: float) -> str:
    """A difference of scores with its sign."""
    text = boards.figure(method, abs(value))
    return f"{'−' if value < 0 else '+'}{text}" if float(text) else "±0"
