"""All entries with a search, and one entry: picture, facts with their sources, where it stands."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from flask import Blueprint, abort, request
from sqlalchemy import select
from werkzeug.wrappers import Response as AnyResponse

from arena import boards, charts, publishing, takedowns
from arena.boards import Line
from arena.careers import Career, career
from arena.database import db
from arena.plots import Plot
from arena.roster import Attribute, Axis, Entry, Fact
from arena.roster.presence import RosterSlug
from arena.site import current_arena
from arena.web import drawn
from arena.web.boards import bar_of, scale_of
from arena.web.page import public
from arena.web.pictures import shown

bp = Blueprint("roster", __name__)
LONGEST_SEARCH = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry stands on one axis; no line means no counted vote yet."""

    axis: Axis
    line: Line | None
    scale: charts.Scale
    bar: charts.Bar | None
    of: int
    career: Career | None
    over_time: Plot | None


@dataclass(frozen=True, slots=True)
class Figure:
    """One fact with the attribute that it is about."""

    attribute: Attribute
    fact: Fact


@bp.get("/roster")
def roster() -> AnyResponse:
    """All entries, or those that a search finds."""
    site, down = current_arena().site, takedowns.taken_down()
    search = request.args.get("q", "").strip()[:LONGEST_SEARCH]
    return public(
        "roster.html",
        search=search,
        found=[shown(entry, down) for entry in site.entries if _matches(entry, search)],
    )


@bp.get("/roster/<slug>")
def entry(slug: str) -> AnyResponse:
    """One entry."""
    site = current_arena().site
    found = site.entry(slug)
    if found is None:
        retired = select(RosterSlug).where(RosterSlug.kind == "entry", RosterSlug.slug == slug)
        if db.session.scalar(retired) is not None:
            abort(410, "This entry has left the roster. The votes on it stay in the log.")
        abort(404, f"There is no such {site.noun.singular} on the roster.")
    attributes = {attribute.slug: attribute for attribute in site.attributes}
    return public(
        "entry.html",
        shown=shown(found, takedowns.taken_down()),
        kinds=[value for it in site.categories if (value := found.value(it.slug)) is not None][:2],
        figures=[Figure(attributes[fact.attribute], fact) for fact in found.facts],
        places=[_place(axis, slug) for axis in site.axes],
        names={it.slug: it.name for it in site.entries},
        figure=boards.figure,
    )


def _place(axis: Axis, slug: str) -> Place:
    published = publishing.newest(axis.slug, axis.method)
    lines = boards.lines(current_arena().site, published)
    line = next((it for it in lines if it.standing.entry == slug), None)
    scale = scale_of(axis.method, lines)
    bar = None if line is None else bar_of(scale, line)
    slugs = [it.slug for it in current_arena().site.entries]
    story = None if published is None else career(published, slug, slugs)
    over_time = None if story is None else drawn.over_time(story.points)
    return Place(axis, line, scale, bar, len(boards.ranked(lines)), story, over_time)


def _matches(entry: Entry, search: str) -> bool:
    """Whether every word of the search occurs in the entry's name, line or categories."""
    texts = [entry.name, entry.line]
    texts += [fact.value for fact in entry.facts if isinstance(fact.value, str)]
    text = _folded(" ".join(texts))
    return all(word in text for word in _folded(search).split())


def _folded(text: str) -> str:
    """Lower case without accents, so that a search need not repeat them."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
