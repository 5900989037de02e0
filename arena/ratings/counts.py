"""Votes become pair counts: the one input that every method reads.

Once counted, ten million votes cost a fit no more than ten thousand. The side that an entry stood
on is kept, because a preference for one side can be seen in nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from arena.ratings.arrays import BoolVector, IntMatrix, IntVector
from arena.ratings.pairs import Pairs

OUTCOMES = ("left", "right", "tie", "skip")
LEFT, RIGHT, TIE, SKIP = range(4)
KINDS = {outcome: kind for kind, outcome in enumerate(OUTCOMES)}
HALF = 30
"""Bits for the number of an entry in a cell's."""
LARGEST_COUNT = 2**53
"""Beyond this a count is no longer exact as a double."""


@dataclass(frozen=True, eq=False, slots=True)
class Records:
    """What each entry's votes came to.

    Attributes
    ----------
    votes, wins, ties, losses : (n,) in the order of the entries; skips are in none of them.
    """

    votes: IntVector
    wins: IntVector
    ties: IntVector
    losses: IntVector

    def of(self, rows: IntVector) -> Records:
        """Those of some of the entries."""
        return Records(self.votes[rows], self.wins[rows], self.ties[rows], self.losses[rows])


@dataclass(frozen=True, eq=False, slots=True)
class PairCounts:
    """Every outcome of every pair that met, with the sides kept.

    Attributes
    ----------
    entries : every entry given, sorted, voted on or not.
    first, second : (m,) indices into `entries`, first < second; one row an unordered pair with
        any vote or skip, sorted.
    first_on_left, first_on_right : (m, 4) numbers of outcomes (left, right, tie, skip) while the
        first entry stood on that side.
    """

    entries: tuple[str, ...]
    first: IntVector
    second: IntVector
    first_on_left: IntMatrix
    first_on_right: IntMatrix

    @property
    def wins_first(self) -> IntVector:
        """(m,) decisive wins of the first entry over the second."""
        return self.first_on_left[:, LEFT] + self.first_on_right[:, RIGHT]

    @property
    def wins_second(self) -> IntVector:
        """(m,) decisive wins of the second entry over the first."""
        return self.first_on_left[:, RIGHT] + self.first_on_right[:, LEFT]

    @property
    def ties(self) -> IntVector:
        """(m,) ties."""
        return self.first_on_left[:, TIE] + self.first_on_right[:, TIE]

    @property
    def skips(self) -> IntVector:
        """(m,) skips, which are in no other number."""
        return self.first_on_left[:, SKIP] + self.first_on_right[:, SKIP]

    @property
    def games(self) -> IntVector:
        """(m,) counted votes: wins of either and ties."""
        return self.wins_first + self.wins_second + self.ties

    @property
    def total_votes(self) -> int:
        """Counted votes; skips are not among them."""
        return int(self.games.sum())

    @property
    def total_ties(self) -> int:
        """Counted votes that were ties."""
        return int(self.ties.sum())

    @property
    def total_skips(self) -> int:
        """Ballots that were answered with a skip."""
        return int(self.skips.sum())

    @property
    def side_wins(self) -> tuple[int, int]:
        """Decisive votes won by the left and by the right side."""
        both = self.first_on_left.sum(axis=0) + self.first_on_right.sum(axis=0)
        return int(both[LEFT]), int(both[RIGHT])

    def records(self) -> Records:
        """What each entry's votes came to, in the order of the entries."""
        n = len(self.entries)
        wins = _summed(self.first, self.wins_first, n) + _summed(self.second, self.wins_second, n)
        losses = _summed(self.first, self.wins_second, n) + _summed(self.second, self.wins_first, n)
        ties = _summed(self.first, self.ties, n) + _summed(self.second, self.ties, n)
        return Records(votes=wins + ties + losses, wins=wins, ties=ties, losses=losses)

    def rated(self) -> IntVector:
        """Indices of the entries that have a counted vote, ascending."""
        return self._with_games(self.games > 0)

    def pairs(self) -> Pairs:
        """The games among rated entries, numbered in the order of `rated`."""
        wins_first, wins_second, ties = self.wins_first, self.wins_second, self.ties
        played = wins_first + wins_second + ties > 0
        rated = self._with_games(played)
        number = np.full(len(self.entries), -1, dtype=np.int64)
        number[rated] = np.arange(rated.size)
        return Pairs(
            n=rated.size,
            first=number[self.first[played]],
            second=number[self.second[played]],
            wins_first=wins_first[played].astype(np.float64),
            wins_second=wins_second[played].astype(np.float64),
            ties=ties[played].astype(np.float64),
        )

    def _with_games(self, played: BoolVector) -> IntVector:
        met = np.zeros(len(self.entries), dtype=bool)
        met[self.first[played]] = met[self.second[played]] = True
        return np.flatnonzero(met)

    def seed(self) -> int:
        """A number that the cells to be resampled decide, and nothing else.

        Taken from SHA-256 over the slugs and counts in sorted order. Skips, sides and entries
        without a vote are not resampled and therefore not hashed.
        """
        digest = hashlib.sha256()
        for index in self.rated():
            name = self.entries[index].encode()
            digest.update(len(name).to_bytes(8, "little") + name)
        pairs = self.pairs()
        cells = (pairs.first, pairs.second, pairs.wins_first, pairs.wins_second, pairs.ties)
        table = np.column_stack([column.astype("<i8") for column in cells])
        digest.update(np.ascontiguousarray(table).tobytes())
        return int.from_bytes(digest.digest(), "little")

    def minus(self, other: PairCounts) -> PairCounts:
        """These counts without those of `other`, over the same entries.

        Raises
        ------
        ValueError
            If `other` counts an entry or an outcome that is not here.
        """
        unknown = sorted(set(other.entries) - set(self.entries))
        if unknown:
            raise ValueError(f"entry {unknown[0]!r} is not among the counts to take from")
        place = np.searchsorted(self.entries, other.entries) if other.entries else other.first
        n = len(self.entries)
        own = self.first * n + self.second
        taken = place[other.first] * n + place[other.second]
        keys = np.union1d(own, taken)
        cells = np.zeros((keys.size, 2 * len(OUTCOMES)), dtype=np.int64)
        cells[np.searchsorted(keys, own)] = np.hstack([self.first_on_left, self.first_on_right])
        cells[np.searchsorted(keys, taken)] -= np.hstack(
            [other.first_on_left, other.first_on_right]
        )
        return _by_pair(self.entries, keys, cells)


class Counting:
    """Votes being counted, in little memory: a number for each name, and one for each cell."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}
        self._cells: dict[int, int] = {}
        self._total = 0

    def add(self, left: str, right: str, outcome: str, count: int = 1) -> None:
        """Count an outcome.

        Raises
        ------
        ValueError
            If the two sides are the same entry, the outcome is unknown, or the count is negative or
            makes the sum too large to be exact.
        """
        kind = KINDS.get(outcome)
        if kind is None:
            raise ValueError(f"outcome {outcome!r} is none of {', '.join(OUTCOMES)}")
        if left == right:
            raise ValueError(f"entry {left!r} stands on both sides")
        if count < 0:
            raise ValueError(f"count {count} of {left!r} against {right!r} is negative")
        self._total += count
        if self._total > LARGEST_COUNT:
            raise ValueError(f"the counts add up to more than {LARGEST_COUNT}")
        number = self._number
        one = number.setdefault(left, len(number))
        other = number.setdefault(right, len(number))
        cell = (one << HALF | other) << 2 | kind
        self._cells[cell] = self._cells.get(cell, 0) + count

    def counts(self, entries: Iterable[str] = ()) -> PairCounts:
        """What was counted so far.

        Parameters
        ----------
        entries : to list even if no vote names them.
        """
        names = [*self._number, *sorted(set(entries) - self._number.keys())]
        cells = np.fromiter(self._cells.keys(), dtype=np.int64, count=len(self._cells))
        counts = np.fromiter(self._cells.values(), dtype=np.int64, count=len(self._cells))
        pair, kind = cells >> 2, cells & 3
        columns = (np.where(kind == it, counts, 0) for it in range(len(OUTCOMES)))
        return from_ordered(names, pair >> HALF, pair & ((1 << HALF) - 1), *columns)


def tally(rows: Iterable[tuple[str, str, str, int]], entries: Iterable[str] = ()) -> PairCounts:
    """Count votes, in time linear in the rows.

    Parameters
    ----------
    rows : (left, right, outcome, count) with outcome left, right, tie or skip.
    entries : entries to list even if no row names them.

    Raises
    ------
    ValueError
        As `Counting.add`.
    """
    counting = Counting()
    for row in rows:
        counting.add(*row)
    return counting.counts(entries)


def from_ordered(
    entries: Sequence[str],
    left_index: ArrayLike,
    right_index: ArrayLike,
    left_wins: ArrayLike,
    right_wins: ArrayLike,
    ties: ArrayLike,
    skips: ArrayLike,
) -> PairCounts:
    """Pair counts from totals of ordered pairs, as a projection keeps them.

    Parameters
    ----------
    entries : names, in any order, no name twice.
    left_index, right_index : (k,) indices into `entries`; a pair may come more than once.
    left_wins, right_wins, ties, skips : (k,) numbers of outcomes.

    Raises
    ------
    ValueError
        If a name comes twice, an index lies outside, the two sides are the same entry, or a count
        is negative or too large to be exact.
    """
    names = tuple(sorted(entries))
    for one, other in pairwise(names):
        if one == other:
            raise ValueError(f"entry {one!r} is given twice")
    left, right = (_indices(index, entries) for index in (left_index, right_index))
    cells = np.column_stack(
        [np.asarray(column, dtype=np.int64) for column in (left_wins, right_wins, ties, skips)]
    )
    same = np.flatnonzero(left == right)
    if same.size:
        raise ValueError(f"entry {entries[left[same[0]]]!r} stands on both sides")
    place = np.empty(len(names), dtype=np.int64)
    place[sorted(range(len(names)), key=entries.__getitem__)] = np.arange(len(names))
    left, right = place[left], place[right]
    n, kinds = len(names), len(OUTCOMES)
    keys, row = np.unique(
        np.minimum(left, right) * n + np.maximum(left, right), return_inverse=True
    )
    totals = np.zeros((keys.size, 2 * kinds), dtype=np.int64)
    cell = row * (2 * kinds) + kinds * (left > right)
    for kind in range(kinds):
        np.add.at(totals.reshape(-1), cell + kind, cells[:, kind])
    return _by_pair(names, keys, totals)


def _by_pair(entries: tuple[str, ...], keys: IntVector, cells: IntMatrix) -> PairCounts:
    """Drop pairs without any outcome, and refuse a negative count.

    Parameters
    ----------
    keys : (k,) pairs, first * n + second, ascending.
    cells : (k, 8) outcomes while the first stood on the left, then while on the right.
    """
    n = max(len(entries), 1)
    for place, column in zip(*np.nonzero(np.minimum(cells, 0)), strict=True):
        one, other = entries[keys[place] // n], entries[keys[place] % n]
        outcome, count = OUTCOMES[column % 4], cells[place, column]
        raise ValueError(f"count {count} of {outcome} for {one!r} and {other!r} is negative")
    met = cells.any(axis=1)
    keys, cells = keys[met], np.asfortranarray(cells[met])  # columns are read whole
    return PairCounts(
        entries=entries,
        first=keys // n,
        second=keys % n,
        first_on_left=cells[:, :4],
        first_on_right=cells[:, 4:],
    )


def _indices(index: ArrayLike, entries: Sequence[str]) -> IntVector:
    array = np.asarray(index, dtype=np.int64)
    outside = array[(array < 0) | (array >= len(entries))]
    if outside.size:
        raise ValueError(f"index {outside[0]} lies outside the {len(entries)} entries")
    return array


def _summed(index: IntVector, values: IntVector, n: int) -> IntVector:
    """(n,) exact sums of integer values by index."""
    total = np.zeros(n, dtype=np.int64)
    np.add.at(total, index, values)
    return total
