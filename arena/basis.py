"""What a publication rests on: all that its figures follow from, kept beside them for good.

A page can then be checked against a fresh fit for as long as the database lives, and a refit knows
at once whether anything has changed since the last.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

from sqlalchemy.orm import Session

from arena import tallies
from arena.ratings.counts import PairCounts, tally
from arena.ratings.held_out import PARTS, HeldOut
from arena.ratings.methods import METHODS, Figures
from arena.roster import Site
from arena.tallies import Cell


@dataclass(frozen=True)
class Basis:
    """The counts of one axis at one moment of the log, and who was on the roster.

    Attributes
    ----------
    training, calibration, evaluation : counted choices by pair as displayed, sorted. The last two
        hold the votes on pairs drawn uniformly at random; a published fit uses all three.
    unlisted : entries among them that have left the roster, sorted: their games count, but they
        stand on no board.
    """

    training: tuple[Cell, ...]
    calibration: tuple[Cell, ...]
    evaluation: tuple[Cell, ...]
    unlisted: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hexadecimal digits: equal figures to fit, equal digest."""
        return hashlib.sha256(self._canonical()).hexdigest()

    @cached_property
    def counts(self) -> PairCounts:
        """All cells as the methods read them."""
        return tally(self.training + self.calibration + self.evaluation)

    @cached_property
    def held_out(self) -> HeldOut:
        """The two parts that forecasts may be scored on."""
        return HeldOut(tally(self.calibration), tally(self.evaluation))

    def figures(self, method: str) -> Figures:
        """All that a method has to say about it.

        Raises
        ------
        KeyError
            If there is no such method.
        ratings.refusals.Refused
            If a figure cannot be stood by.
        """
        return METHODS[method].publish(self.counts, held_out=self.held_out, unlisted=self.unlisted)

    def by(self, value_of: Mapping[str, str]) -> Basis:
        """The same choices as choices between values of an attribute.

        Pairs of one value, and pairs of which an entry has none, say nothing and are left out.

        Parameters
        ----------
        value_of : entry to value.
        """
        parts = (self.training, self.calibration, self.evaluation)
        training, calibration, evaluation = (_relabelled(part, value_of) for part in parts)
        return Basis(training, calibration, evaluation, unlisted=())

    def to_bytes(self) -> bytes:
        """Compressed JSON."""
        return zlib.compress(self._canonical())

    @classmethod
    def from_bytes(cls, kept: bytes) -> Basis:
        """The basis that `to_bytes` wrote; `ValueError` if these bytes are none."""
        try:
            document = json.loads(zlib.decompress(kept))
            parts = {name: tuple(tuple(cell) for cell in document[name]) for name in PARTS}
            return cls(**parts, unlisted=tuple(document["unlisted"]))
        except (zlib.error, ValueError, KeyError, TypeError) as error:
            raise ValueError("these bytes hold no basis") from error

    def _canonical(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")).encode()


def basis_of(session: Session, site: Site, axis: str) -> Basis:
    """What a refit of the axis would rest on now."""
    parts = tallies.cells(session, axis)
    met = {slug for cells in parts.values() for cell in cells for slug in cell[:2]}
    return Basis(**parts, unlisted=tuple(sorted(slug for slug in met if site.entry(slug) is None)))


def _relabelled(cells: tuple[Cell, ...], value_of: Mapping[str, str]) -> tuple[Cell, ...]:
    found: Counter[tuple[str, str, str]] = Counter()
    for left, right, choice, count in cells:
        one, other = value_of.get(left), value_of.get(right)
        if one is not None and other is not None and one != other:
            found[one, other, choice] += count
    return tuple(sorted((*key, count) for key, count in found.items()))
