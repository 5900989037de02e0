"""The games that a fit sees, and the sums over them that every fit is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arena.ratings.arrays import IntVector, Matrix, Vector

MOST_CELLS_A_PAIR = 8
"""Up to this many cells a pair, sums run faster over an (n, n) grid than over the list of pairs."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Games between entries: no skips, no sides, no entries without a vote.

    Attributes
    ----------
    n : number of entries.
    first, second : (m,) indices of the two entries, first < second, no pair twice.
    wins_first, wins_second, ties : (m,) numbers of games by outcome.
    """

    n: int
    first: IntVector
    second: IntVector
    wins_first: Vector
    wins_second: Vector
    ties: Vector

    @cached_property
    def games(self) -> Vector:
        """(m,) games of each pair."""
        return self.wins_first + self.wins_second + self.ties

    @cached_property
    def points_first(self) -> Vector:
        """(m,) points of the first entry; a tie is half a point to each side."""
        return self.wins_first + 0.5 * self.ties

    @cached_property
    def cell(self) -> IntVector:
        """(m,) flat position of each pair in the upper triangle of an (n, n) matrix."""
        return self.first * self.n + self.second

    def both(self, values: Vector) -> Vector:
        """(n,) sums of what each pair gives to its first entry and to its second alike."""
        firsts, seconds = self._sums(values)
        return firsts + seconds

    def net(self, values: Vector) -> Vector:
        """(n,) sums of what each pair gives to its first entry and takes from its second."""
        firsts, seconds = self._sums(values)
        return firsts - seconds

    def points(self) -> tuple[Vector, Vector]:
        """(n,) points won and (n,) points lost by each entry."""
        firsts, seconds = self._sums(self.points_first)
        of_first, of_second = self._sums(self.games)
        return firsts + of_second - seconds, of_first - firsts + seconds

    def _sums(self, values: Vector) -> tuple[Vector, Vector]:
        """(n,) sums by the first, and by the second, entry."""
        if self.n * self.n <= MOST_CELLS_A_PAIR * self.first.size:
            grid: Matrix = np.zeros(self.n * self.n)
            grid[self.cell] = values
            square = grid.reshape(self.n, self.n)
            return square.sum(axis=1), square.sum(axis=0)
        return (
            np.bincount(self.first, values, self.n).astype(np.float64, copy=False),
            np.bincount(self.second, values, self.n).astype(np.float64, copy=False),
        )
