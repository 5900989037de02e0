"""Resampling votes with replacement, as one multinomial draw over the (pair, outcome) cells.

References
----------
Efron (1979), Bootstrap methods: another look at the jackknife.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from arena.ratings import bradley_terry
from arena.ratings.counts import Matrix, Pairs, Vector

MOST_CELLS_IN_A_BLOCK = 2_000_000
DRAWS_A_CELL = 20
"""Up to this many votes a cell, drawing each vote is cheaper than a binomial for each cell."""


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


def resample(pairs: Pairs, replicates: int, rng: Generator) -> Iterator[Resample]:
    """Replicates in blocks that stay small in memory, each with as many votes as the games.

    Raises
    ------
    ValueError
        If fewer than one replicate is asked for.
    """
    if replicates < 1:
        raise ValueError(f"{replicates} replicates is less than one")
    m = pairs.first.size
    counts = np.concatenate([pairs.wins_first, pairs.wins_second, pairs.ties])
    occupied = np.flatnonzero(counts)
    size = max(1, MOST_CELLS_IN_A_BLOCK // max(1, m))
    for begin in range(0, replicates, size):
        block = min(size, replicates - begin)
        cells = np.zeros((3 * m, block))
        cells[occupied] = _multinomial(counts[occupied], block, rng)
        yield Resample(cells[:m], cells[m : 2 * m], cells[2 * m :])


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


def replicate_strengths(
    pairs: Pairs, weight: float, theta: Vector, replicates: int, rng: Generator
) -> Matrix:
    """(n, r) Bradley-Terry strengths at the exact maximum of each replicate.

    Raises
    ------
    ValueError
        If fewer than one replicate is asked for.
    """
    columns = []
    for block in resample(pairs, replicates, rng):
        for place in range(block.ties.shape[1]):
            drawn = Pairs(
                pairs.n,
                pairs.first,
                pairs.second,
                block.wins_first[:, place],
                block.wins_second[:, place],
                block.ties[:, place],
            )
            columns.append(bradley_terry.fit(drawn, weight, start=theta).theta)
    return np.column_stack(columns)
