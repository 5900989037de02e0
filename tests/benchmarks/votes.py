"""One log for all contestants, drawn from Davidson's model."""

from __future__ import annotations

import numpy as np
from numpy.random import PCG64, Generator

from arena.ratings import davidson
from arena.ratings.counts import PairCounts, from_ordered

NU = 0.5


class Votes:
    """One log, in the forms that the contestants read."""

    def __init__(self, entries: int, votes: int, seed: int = 1) -> None:
        rng = Generator(PCG64(seed))
        theta = rng.normal(0.0, 1.0, entries)
        self.n = entries
        self.left = rng.integers(entries, size=votes)
        self.right = (self.left + rng.integers(1, entries, size=votes)) % entries
        wins, losses, _ = davidson.chances(theta[self.left] - theta[self.right], NU)
        chance = rng.random(votes)
        self.outcome = np.select([chance < wins, chance < wins + losses], [0, 1], 2)

    def counts(self, of: slice = slice(None)) -> PairCounts:
        left, right, outcome = self.left[of], self.right[of], self.outcome[of]
        cells = [(outcome == kind).astype(np.int64) for kind in range(3)]
        skips = np.zeros(left.size, dtype=np.int64)
        return from_ordered([f"{i:05d}" for i in range(self.n)], left, right, *cells, skips)

    def points(self) -> np.ndarray:
        """(n, n) points of each entry against each other."""
        points = np.zeros((self.n, self.n))
        won = np.array([1.0, 0.0, 0.5])[self.outcome]
        np.add.at(points, (self.left, self.right), won)
        np.add.at(points, (self.right, self.left), 1.0 - won)
        return points
