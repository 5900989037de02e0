"""Replicates: drawn fairly, each at its own maximum, and the same whatever the machine does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import PCG64, Generator

from arena.ratings import bootstrap, bradley_terry, davidson, resampling
from arena.ratings.bootstrap import bradley_terry_replicates, davidson_replicates
from arena.ratings.counts import tally
from arena.ratings.methods import METHODS
from arena.ratings.pairs import Pairs
from arena.ratings.refusals import NotConverged
from arena.ratings.resampling import blocks, resample

RAGGED = [
    ("a", "b", "left", 3),
    ("b", "c", "left", 2),
    ("c", "a", "left", 1),
    ("d", "a", "left", 1),
    ("e", "f", "tie", 1),
    ("g", "a", "right", 400),
    ("g", "b", "tie", 2),
]
"""Undefeated, hopeless and lonely entries: many replicates lose one of their games altogether."""
PAIRS = tally(RAGGED).pairs()
MANY = 300


def rng() -> Generator:
    return Generator(PCG64(7))


def replicates_of(pairs: Pairs, number: int) -> list[Pairs]:
    """The replicates that a bootstrap with this generator is about."""
    return [
        drawn.replicate(pairs, place)
        for block in blocks(pairs, number, rng())
        for drawn in [resample(pairs, block)]
        for place in range(block.size)
    ]


def test_every_bradley_terry_replicate_is_at_its_own_maximum() -> None:
    fit = bradley_terry.fit(PAIRS, 1.0)
    found = bradley_terry_replicates(PAIRS, 1.0, fit, MANY, rng())
    for theta, pairs in zip(found.T, replicates_of(PAIRS, MANY), strict=True):
        assert theta == pytest.approx(bradley_terry.fit(pairs, 1.0).theta, abs=1e-6, rel=0)


@pytest.mark.parametrize("weight", [0.02, 0.5, 8.0])
def test_every_davidson_replicate_is_at_its_own_maximum(weight: float) -> None:
    fit = davidson.fit(PAIRS, weight)
    found = davidson_replicates(PAIRS, weight, fit, MANY, rng())
    for theta, pairs in zip(found.T, replicates_of(PAIRS, MANY), strict=True):
        assert theta == pytest.approx(davidson.fit(pairs, weight).theta, abs=1e-6, rel=0)


def test_a_replicate_that_is_not_at_its_maximum_refuses_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def cut_off(pairs: Pairs, weight: float, start=None) -> bradley_terry.Fit:
        return replace(fit, converged=False, iterations=100)

    fit = bradley_terry.fit(PAIRS, 1.0)
    monkeypatch.setattr(bootstrap.bradley_terry, "fit", cut_off)
    monkeypatch.setattr("arena.ratings.quasi_newton.MOST_ITERATIONS", 1)
    with pytest.raises(NotConverged, match="a bootstrap replicate has not converged after 100"):
        bradley_terry_replicates(PAIRS, 1.0, fit, 5, rng())


@pytest.mark.parametrize("counted_one_by_one", [True, False])
def test_a_replicate_has_as_many_votes_and_on_average_the_same(
    monkeypatch: pytest.MonkeyPatch, counted_one_by_one: bool
) -> None:
    monkeypatch.setattr(resampling, "DRAWS_A_CELL", 1000 if counted_one_by_one else 0)
    drawn = resample(PAIRS, next(blocks(PAIRS, 4000, rng())))
    games = drawn.wins_first + drawn.wins_second + drawn.ties
    votes = PAIRS.games.sum()
    assert set(games.sum(axis=0)) == {votes}
    for cells, counts in [
        (drawn.wins_first, PAIRS.wins_first),
        (drawn.wins_second, PAIRS.wins_second),
        (drawn.ties, PAIRS.ties),
    ]:
        error = np.sqrt(counts * (1 - counts / votes) / cells.shape[1])
        assert np.all(np.abs(cells.mean(axis=1) - counts) <= 5 * error)
        spread = counts * (1 - counts / votes)
        assert cells.var(axis=1) == pytest.approx(spread, rel=0.2)


@pytest.mark.parametrize("method", ["arena", "versus"])
def test_how_the_work_is_spread_changes_no_figure(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = tally(RAGGED)
    monkeypatch.setattr(resampling, "MOST_CELLS_IN_A_BLOCK", 20 * PAIRS.first.size)
    found = []
    for threads in (1, 4):
        monkeypatch.setattr(bootstrap, "MOST_THREADS", threads)
        found.append(METHODS[method].publish(counts, replicates=100))
    assert found[0] == found[1]
