"""What a chooser sees: the entries with what is known of them, and what a session has met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

Pair = frozenset[str]


class NothingToCompare(Exception):
    """Fewer than two entries are present, so there is no pair to draw."""


class Contender(NamedTuple):
    """One entry as a chooser sees it.

    Attributes
    ----------
    score : published score; the scale's middle for an entry without one.
    width : length of its published interval; infinite for an entry without one.
    votes : its counted votes at this moment.
    """

    slug: str
    score: float
    width: float = inf
    votes: int = 0


@dataclass(frozen=True, slots=True)
class History:
    """Pairs that a session has judged on an axis, and the pair it was shown last."""

    judged: frozenset[Pair] = field(default_factory=frozenset)
    last: Pair | None = None

    def is_fresh(self, pair: Pair) -> bool:
        """Whether the pair is neither judged nor the one just shown."""
        return pair != self.last and pair not in self.judged


@dataclass(frozen=True, slots=True)
class Field:
    """Everything that a draw depends on but chance.

    Attributes
    ----------
    contenders : the entries that are present, in the order of the roster.
    history : what the session has met.
    informative : pairs that a comparison would teach most about with what each is worth, the best
        first; empty for a chooser that does not ask.
    cooling : pairs served so lately, to anybody, that they must wait; likewise.
    """

    contenders: Sequence[Contender]
    history: History
    informative: Sequence[tuple[Pair, float]] = ()
    cooling: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A pair of slugs in no order, and the strategy that drew it."""

    pair: Pair
    strategy: str
