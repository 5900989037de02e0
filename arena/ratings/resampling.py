"""Resampling votes with replacement, as one multinomial draw over the (pair, outcome) cells.

References
----------
Efron (1979), Bootstrap methods: another look at the jackknife.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from arena.ratings.arrays import Matrix, Vector
from arena.ratings.pairs import Pairs

MOST_CELLS_IN_A_BLOCK = 400_000
"""Pairs times replicates that are worked on at once; the memory of a bootstrap follows from it."""
Watch = Callable[[int, int], None]
"""Told how many replicates of how many are done, on the thread that asked for them."""
DRAWS_A_CELL = 20
"""Up to this many votes a cell, drawing each vote is cheaper than a binomial for each cell."""


def unwatched(_done: int, _of: int) -> None:
    """Nobody looks on."""


@dataclass(frozen=True, eq=False, slots=True)
class Resampling:
    """What a method is told about its bootstrap.

    Attributes
    ----------
    rng : decides the draws.
    asked : number of replicates; None means the method's own.
    watch : is told how far it is.
    """

    rng: Generator
    asked: int | None = None
    watch: Watch = unwatched

    def number(self, usual: int) -> int:
        """How many replicates to draw, where the method's own number is `usual`."""
        return usual if self.asked is None else self.asked


@dataclass(frozen=True, eq=False, slots=True)
class Resample:
    """Some replicates of the games.

    Attributes
    ----------
    wins_first, wins_second, ties : (m, r) numbers of games by pair and replicate.
    """

    wins_first: Matrix
    wins_second: Matrix
    ties: Matrix

    def replicate(self, pairs: Pairs, place: int) -> Pairs:
        """One of them, over the same pairs."""
        return Pairs(
            pairs.n,
            pairs.first,
            pairs.second,
            self.wins_first[:, place],
            self.wins_second[:, place],
            self.ties[:, place],
        )


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Replicates that are drawn and refitted together, by a generator of their own.

    Attributes
    ----------
    size : number of replicates.
    rng : decides them, whichever thread draws them and whenever.
    """

    size: int
    rng: Generator


def blocks(pairs: Pairs, replicates: int, rng: Generator) -> Iterator[Block]:
    """Cut a bootstrap into blocks that stay small in memory; the games alone decide the cuts.

    Raises
    ------
    ValueError
        If fewer than one replicate is asked for.
    """
    if replicates < 1:
        raise ValueError(f"{replicates} replicates is less than one")
    size = max(1, MOST_CELLS_IN_A_BLOCK // max(1, pairs.first.size))
    sizes = [min(size, replicates - begin) for begin in range(0, replicates, size)]
    return map(Block, sizes, rng.spawn(len(sizes)))


def resample(pairs: Pairs, block: Block) -> Resample:
    """Draw as many votes for each replicate as there are games."""
    m = pairs.first.size
    counts = np.concatenate([pairs.wins_first, pairs.wins_second, pairs.ties])
    occupied = np.flatnonzero(counts)
    cells = np.zeros((3 * m, block.size))
    cells[occupied] = _multinomial(counts[occupied], block.size, block.rng)
    return Resample(cells[:m], cells[m : 2 * m], cells[2 * m :])


def _multinomial(counts: Vector, replicates: int, rng: Generator) -> Matrix:
    """(k, r) multinomial draws with as many votes as `counts` adds up to."""
    votes = int(counts.sum())
    if votes > DRAWS_A_CELL * counts.size:
        return rng.multinomial(votes, counts / votes, replicates).T.astype(np.float64)
    owner = np.repeat(np.arange(counts.size), counts.astype(np.int64))
    drawn = np.empty((counts.size, replicates))
    for replicate in range(replicates):
        picked = owner[rng.integers(votes, size=votes)]
        drawn[:, replicate] = np.bincount(picked, minlength=counts.size)
    return drawn
