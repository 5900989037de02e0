"""What everybody's choices lean to on one question."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort
from werkzeug.wrappers import Response as AnyResponse

from arena import crowds, profiles
from arena.profiles import Lean
from arena.ratings.leans import FEWEST, LEVEL
from arena.site import current_arena
from arena.web.page import public

bp = Blueprint("profile", __name__)


@dataclass(frozen=True, slots=True)
class Row:
    """A lean in words, with the plain count of choices beside it."""

    sentence: str
    lean: Lean
    plain: int
    of: int


@bp.get("/profile/<axis>")
def page(axis: str) -> AnyResponse:
    """The leans of all sessions on an axis."""
    site = current_arena().site
    found = site.axis(axis)
    if found is None:
        abort(404, "There is no such question on this site.")
    crowd = crowds.current(site, axis)
    return public(
        "profile.html",
        axis=found,
        axes=site.axes,
        crowd=crowd,
        rows=[]
        if crowd is None
        else [
            Row(profiles.crowd_sentence(it, site.noun), it, *crowd.plain(it))
            for it in crowd.profile.leans
        ],
        categories=site.categories,
        level=LEVEL,
        fewest=FEWEST,
    )
