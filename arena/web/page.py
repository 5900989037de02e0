"""What every template may use: the site's words, addresses of files, and how figures read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from flask import Flask, Response, current_app, g, render_template, request, url_for
from sqlalchemy.exc import DBAPIError

from arena import publishing, simulation
from arena.database import db
from arena.site import current_arena
from arena.web.headers import IMMUTABLE, PUBLIC_PAGE

Answer = TypeVar("Answer")


def register(app: Flask) -> None:
    """Put the filters and the context of the layout on the application."""
    app.jinja_env.filters.update(
        moment=moment,
        day=day,
        score=score,
        percent=percent,
        thousands=thousands,
        ordinal=ordinal,
        opening=opening,
        running=running,
    )
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.context_processor(_layout)
    app.after_request(_cache_static)


def public(template: str, **context: object) -> Response:
    """A page that is the same for everybody: cacheable, and not sent again while unchanged."""
    return cacheable(Response(render_template(template, **context), mimetype="text/html"))


def cacheable(response: Response) -> Response:
    """Let caches keep an answer for a minute, and answer 304 to those who have it."""
    response.headers["Cache-Control"] = PUBLIC_PAGE
    response.add_etag()
    response.make_conditional(request)
    return response


def moment(value: datetime) -> str:
    """A time of day and date: 14:15 UTC, 30 November 2026."""
    return f"{value:%H:%M} UTC, {day(value)}"


def day(value: date) -> str:
    """A date in words: 30 November 2026."""
    return f"{value.day} {value:%B %Y}"


def score(value: float) -> str:
    """A rating without decimals."""
    return f"{value:.0f}"


def percent(value: float) -> str:
    """A share: 42 %."""
    return f"{100 * value:.0f} %"


def thousands(value: int) -> str:
    """A count with separators: 12,345."""
    return f"{value:,}"


def ordinal(value: int) -> str:
    """A place in an order: 1st, 2nd, 3rd, 11th, 21st."""
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10)
    return f"{value}{ending or 'th'}"


def opening(words: str) -> str:
    """Words at the start of a line: a capital first, and the others as their owner wrote them."""
    return words[:1].upper() + words[1:]


def running(words: str) -> str:
    """Words inside a sentence: a small first letter, save where a capital or a digit follows it."""
    second = words[1:2]
    return words if second.isupper() or second.isdigit() else words[:1].lower() + words[1:]


def asset(name: str) -> str:
    """Address of a static file with its content's hash, so that it may be cached for good."""
    return url_for("static", filename=name, v=static_hash(str(current_app.static_folder), name))


@lru_cache(maxsize=64)
def static_hash(folder: str, name: str) -> str:
    """First twelve hexadecimal digits of the SHA-256 of a static file."""
    return hashlib.sha256((Path(folder) / name).read_bytes()).hexdigest()[:12]


def _cache_static(response: Response) -> Response:
    """A static file under its content's hash never changes; under another it may."""
    if request.endpoint == "static" and response.status_code == 200:
        name = (request.view_args or {})["filename"]
        current = request.args.get("v") == static_hash(str(current_app.static_folder), name)
        response.headers["Cache-Control"] = IMMUTABLE if current else PUBLIC_PAGE
    return response


def _layout() -> dict[str, object]:
    site = current_arena().site
    return {
        "site": site,
        "noun": site.noun,
        "asset": asset,
        "simulated": _ask(simulation.is_simulated, otherwise=False),
        "board_time": _ask(_board_time, otherwise=None),
    }


def _board_time() -> datetime | None:
    axis = current_arena().site.axes[0]
    published = publishing.newest(axis.slug, axis.method)
    return published.published_at if published and published.figures.board else None


def _ask(question: Callable[[], Answer], *, otherwise: Answer) -> Answer:
    """Ask the database for the layout; a page about its absence must not need it."""
    if g.get("database_away"):
        return otherwise
    try:
        return question()
    except DBAPIError:
        db.session.rollback()
        return otherwise
