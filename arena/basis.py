"""What a publication rests on: all that its figures follow from, kept beside them for good.

A page can then be checked against a fresh fit for as long as the database lives, and a refit knows
at once whether anything has changed since the last.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy.orm import Session

from arena import tallies
from arena.ratings.counts import PairCounts, tally
from arena.ratings.methods import METHODS, Figures
from arena.roster import Site
from arena.tallies import Cell


@dataclass(frozen=True)
class Basis:
    """The counts of one axis at one moment of the log, and who was on the roster.

    Attributes
    ----------
    cells : counted choices by pair as displayed, sorted.
    unlisted : entries among them that have left the roster, sorted: their games count, but they
        stand on no board.
    """

    cells: tuple[Cell, ...]
    unlisted: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hexadecimal digits: equal figures to fit, equal digest."""
        return hashlib.sha256(self._canonical()).hexdigest()

    @property
    def counts(self) -> PairCounts:
        """The cells as the methods read them."""
        return tally(self.cells)

    def figures(self, method: str) -> Figures:
        """All that a method has to say about it.

        Raises
        ------
        KeyError
            If there is no such method.
        ratings.refusals.Refused
            If a figure cannot be stood by.
        """
        return METHODS[method].publish(self.counts, unlisted=self.unlisted)

    def to_bytes(self) -> bytes:
        """Compressed JSON."""
        return zlib.compress(self._canonical())

    @classmethod
    def from_bytes(cls, kept: bytes) -> Basis:
        """The basis that `to_bytes` wrote."""
        document = json.loads(zlib.decompress(kept))
        return cls(
            cells=tuple(tuple(cell) for cell in document["cells"]),
            unlisted=tuple(document["unlisted"]),
        )

    def _canonical(self) -> bytes:
        document = {"cells": self.cells, "unlisted": self.unlisted}
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def basis_of(session: Session, site: Site, axis: str) -> Basis:
    """What a refit of the axis would rest on now."""
    cells = tuple(tallies.cells(session, axis))
    met = {slug for left, right, _, _ in cells for slug in (left, right)}
    return Basis(cells, tuple(sorted(slug for slug in met if site.entry(slug) is None)))
