"""Fits without virtual games, held against two libraries that nobody here has written."""

from __future__ import annotations

import choix
import evalica
import numpy as np
import pytest
from numpy.random import PCG64, Generator
from oracle_cases import CASES, counts_of

from arena.ratings import unanchored
from arena.ratings.arrays import Vector
from arena.ratings.counts import tally
from arena.ratings.graph import graph_of
from arena.ratings.pairs import Pairs

CLOSE = 1e-6

ORACLE_CASES = [
    pytest.param(counts_of(name).pairs(), id=name)
    for name in CASES
    if graph_of(counts_of(name).pairs()).strongly_connected
]


def season(seed: int, entries: int, votes: int) -> Pairs:
    """Votes on pairs drawn evenly, by a taste that no entry is hopeless in."""
    rng = Generator(PCG64(seed))
    theta = rng.normal(0.0, 0.8, entries)
    rows = []
    for _ in range(votes):
        left, right = rng.choice(entries, 2, replace=False)
        gap = theta[left] - theta[right]
        tied = rng.random() < 0.15
        left_wins = rng.random() < 1 / (1 + np.exp(-gap))
        outcome = "tie" if tied else "left" if left_wins else "right"
        rows.append((f"{left:04d}", f"{right:04d}", outcome, 1))
    return tally(rows).pairs()


SEASONS = [
    pytest.param(season(seed, entries, votes), id=f"{entries} entries, {votes} votes")
    for seed, entries, votes in [(1, 8, 200), (2, 30, 1500), (3, 126, 6000)]
]

every_log = pytest.mark.parametrize("pairs", [*ORACLE_CASES, *SEASONS])


def by_choix(pairs: Pairs) -> Vector:
    """Its iterated Luce spectral ranking on the matrix of points."""
    points = np.zeros((pairs.n, pairs.n))
    points[pairs.first, pairs.second] = pairs.points_first
    points[pairs.second, pairs.first] = pairs.games - pairs.points_first
    return choix.ilsr_pairwise_dense(points, max_iter=10_000, tol=1e-12)


def by_evalica(pairs: Pairs) -> Vector:
    """Its minorise-maximise sweeps on weighted games."""
    outcomes = [
        (pairs.wins_first, evalica.Winner.X),
        (pairs.wins_second, evalica.Winner.Y),
        (pairs.ties, evalica.Winner.Draw),
    ]
    xs, ys, winners, weights = [], [], [], []
    for games, winner in outcomes:
        for place in np.flatnonzero(games):
            xs.append(int(pairs.first[place]))
            ys.append(int(pairs.second[place]))
            winners.append(winner)
            weights.append(float(games[place]))
    found = evalica.bradley_terry(
        xs, ys, winners, weights=weights, tolerance=1e-13, limit=1_000_000
    )
    return np.log(found.scores.sort_index().to_numpy())


@every_log
@pytest.mark.parametrize("peer", [by_choix, by_evalica])
def test_strengths_agree_with_a_peer(pairs: Pairs, peer) -> None:
    theirs = peer(pairs)
    assert unanchored.strengths(pairs) == pytest.approx(theirs - theirs.mean(), abs=CLOSE, rel=0)


def test_seasons_and_cases_are_strongly_connected() -> None:
    assert len(ORACLE_CASES) >= 5
    assert all(graph_of(it.values[0]).strongly_connected for it in SEASONS)
