"""Two entries side by side: the chance that one beats the other, met or not."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from arena import matchups, takedowns
from arena.outlooks import Expected
from arena.roster import Axis, Entry
from arena.site import current_arena
from arena.web.page import public
from arena.web.pictures import shown

bp = Blueprint("matchup", __name__)


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance that one wins if somebody does, as the macro for shares draws it."""

    share: float
    lower: float
    upper: float

    @classmethod
    def of(cls, expected: Expected | None) -> Chance | None:
        """What is expected, if anything is."""
        return None if expected is None else cls(expected.p, expected.lower, expected.upper)


@bp.get("/matchup/<axis>")
def choose(axis: str) -> AnyResponse:
    """The form; with both entries in the address, on to their page."""
    found = _axis(axis)
    one, other = request.args.get("a", ""), request.args.get("b", "")
    entries = current_arena().site.entries
    known = {entry.slug for entry in entries}
    if one in known and other in known and one != other:
        return redirect(url_for("matchup.page", axis=axis, first=one, second=other), 303)
    return public(
        "matchup.html",
        axis=found,
        entries=_by_name(entries),
        asked=_two_different(one, other, _by_name(entries)),
        same=bool(one) and one == other,
    )


@bp.get("/matchup/<axis>/<first>/<second>")
def page(axis: str, first: str, second: str) -> AnyResponse:
    """The chance that the first beats the second, with its interval."""
    found, site = _axis(axis), current_arena().site
    one, other = site.entry(first), site.entry(second)
    if one is None or other is None:
        abort(404, f"There is no such {site.noun.singular} on this site.")
    if one is other:
        abort(404, f"A {site.noun.singular} cannot be compared with itself. Choose two.")
    met = matchups.matchup(axis, first, second)
    down = takedowns.taken_down()
    return public(
        "matchup.html",
        axis=found,
        axes=site.axes,
        entries=_by_name(site.entries),
        asked=(first, second),
        pair=(shown(one, down), shown(other, down)),
        one=one,
        other=other,
        met=met,
        chance=Chance.of(met.expected),
        names={entry.slug: entry.name for entry in site.entries},
    )


def _two_different(one: str, other: str, entries: list[Entry]) -> tuple[str, str]:
    """What the form shows chosen: what was asked for, and where it says nothing two different."""
    first = one or next((entry.slug for entry in entries), "")
    return first, other or next((entry.slug for entry in entries if entry.slug != first), "")


def _axis(slug: str) -> Axis:
    found = current_arena().site.axis(slug)
    if found is None:
        abort(404, "There is no such question on this site.")
    return found


def _by_name(entries: tuple[Entry, ...]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.name.casefold())
