"""An entry's picture as a template needs it: addresses and sizes, or why it is not shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.images import Derivatives
from arena.roster import Entry
from arena.site import current_arena


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry as it appears in a list, on a board or on a ballot.

    Attributes
    ----------
    picture : None where there is none to show; `absence` says why if it was taken down.
    """

    entry: Entry
    caption: str | None
    picture: Derivatives | None
    absence: str | None


def shown(entry: Entry, taken_down: Mapping[str, str]) -> Shown:
    """Show an entry, with a drawn placeholder in place of a picture that was taken down."""
    arena = current_arena()
    absence = taken_down.get(entry.slug)
    picture = None if absence is not None else arena.pictures.picture(entry.slug)
    return Shown(entry, arena.site.caption(entry), picture, absence)
