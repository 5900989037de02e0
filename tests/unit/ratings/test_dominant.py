"""Variances stay right however often a pair has met."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.random import PCG64, Generator

from arena.ratings import bradley_terry, davidson, dominant, newton
from arena.ratings.counts import tally
from arena.ratings.pairs import Pairs

ISLANDS = [("a", "b", 10), ("b", "c", 10), ("c", "a", 20), ("b", "a", 7)]


def exact_inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """Gauss and Jordan on fractions."""
    n = len(matrix)
    work = [[*row, *(Fraction(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = work[k][k]
        work[k] = [value / pivot for value in work[k]]
        for i in range(n):
            if i != k:
                factor = work[i][k]
                work[i] = [one - factor * two for one, two in zip(work[i], work[k], strict=True)]
    return [row[n:] for row in work]


@pytest.mark.parametrize("scale", [1, 10**8, 10**14])
def test_the_inverse_is_that_of_exact_arithmetic(scale: int) -> None:
    pairs = tally([(a, b, "left", n) for a, b, n in ISLANDS] + [("d", "e", "left", 1)]).pairs()
    curvature = 0.1875 * scale * pairs.games
    excess = np.full(pairs.n, 0.25)
    matrix = [[Fraction(0)] * pairs.n for _ in range(pairs.n)]
    for i, j, weight in zip(pairs.first, pairs.second, curvature, strict=True):
        for one, other, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            matrix[one][other] += sign * Fraction(float(weight))
    for i in range(pairs.n):
        matrix[i][i] += Fraction(0.25)
    wanted = [[float(value) for value in row] for row in exact_inverse(matrix)]
    assert dominant.inverse(pairs, curvature, excess) == pytest.approx(np.array(wanted), rel=1e-13)


def season() -> Pairs:
    rng = Generator(PCG64(4))
    rows = []
    for _ in range(300):
        a, b = rng.choice(12, 2, replace=False)
        rows.append((f"e{a}", f"e{b}", str(rng.choice(["left", "right", "tie"])), 1))
    return tally(rows).pairs()


@pytest.mark.parametrize("model", [bradley_terry, davidson], ids=["bradley_terry", "davidson"])
def test_both_ways_agree_where_both_are_good(model, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = season()
    usual = model.fit(pairs, 0.5).covariance
    monkeypatch.setattr(dominant, "MANY_GAMES", 0.0)
    assert model.fit(pairs, 0.5).covariance == pytest.approx(usual, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("model", [bradley_terry, davidson], ids=["bradley_terry", "davidson"])
def test_millions_of_games_leave_what_only_virtual_games_hold(model) -> None:
    """Two entries that met endlessly and evenly: their common strength is held by the phantom."""
    for games in (10**3, 10**9, 10**14):
        pairs = tally([("a", "b", "left", games), ("a", "b", "right", games)]).pairs()
        covariance = model.fit(pairs, 1.0).covariance
        assert covariance[0, 0] + covariance[0, 1] == pytest.approx(2.0, rel=1e-9)


def test_a_pivot_that_is_not_positive_is_named() -> None:
    pairs = tally([("a", "b", "left", 1)]).pairs()
    with pytest.raises(newton.NotPositive) as refused:
        dominant.inverse(pairs, np.zeros(1), np.array([1.0, 0.0]))
    assert (refused.value.index, refused.value.value) == (1, 0.0)
