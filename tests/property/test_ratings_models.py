"""What must hold of the two models at their maximum, whatever the votes."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pair_counts import NAMES, Row, vote_rows
from scipy.special import expit

from arena.ratings import bradley_terry, davidson
from arena.ratings.counts import tally

settings = hypothesis_settings(deadline=None, max_examples=60)


@pytest.mark.parametrize("model", ["bradley_terry", "davidson"])
@settings
@given(rows=vote_rows(), weight=st.sampled_from([0.01, 0.5, 1.0, 4.0]))
def test_expected_points_equal_actual_points(model: str, rows: list[Row], weight: float) -> None:
    pairs = tally(rows).pairs()
    assume(pairs.n)
    if model == "davidson":
        fit = davidson.fit(pairs, weight)
        gaps = fit.theta[pairs.first] - fit.theta[pairs.second]
        wins, _, ties = davidson.chances(gaps, fit.nu)
        chance = wins + ties / 2
    else:
        fit = bradley_terry.fit(pairs, weight)
        chance = expit(fit.theta[pairs.first] - fit.theta[pairs.second])
    points = pairs.wins_first + pairs.ties / 2
    surplus = points - pairs.games * chance
    off = weight - 2 * weight * expit(fit.theta)  # virtual games against the phantom
    np.add.at(off, pairs.first, surplus)
    np.add.at(off, pairs.second, -surplus)
    free = np.abs(fit.theta) < davidson.CLAMP  # where it is held, the maximum is beyond
    assert np.abs(off[free]).max(initial=0.0) < 1e-7


@pytest.mark.parametrize("model", [bradley_terry, davidson], ids=["bradley_terry", "davidson"])
@settings
@given(rows=vote_rows(), weight=st.sampled_from([0.02, 0.5, 1.0, 8.0]))
def test_the_information_at_the_maximum_is_positive_definite(
    model: ModuleType, rows: list[Row], weight: float
) -> None:
    pairs = tally(rows).pairs()
    assume(pairs.n)
    fit = model.fit(pairs, weight)
    _, weights = fit.likelihood.slope(fit.at)
    upper = np.triu(fit.likelihood.information(weights))
    information = upper + np.triu(upper, 1).T
    assert np.linalg.eigvalsh(information).min() > 0.0
    products = [fit.likelihood.times(weights, unit) for unit in np.eye(fit.at.size)]
    assert np.array(products) == pytest.approx(information, abs=1e-9, rel=1e-9)
    assert fit.likelihood.diagonal(weights) == pytest.approx(np.diagonal(information))


ON_THE_BOUND = [
    ("cedar", "elm", "tie", 2),
    ("elm", "birch", "right", 2),
    ("cedar", "elm", "left", 1),
    ("ash", "birch", "left", 2),
    ("ash", "birch", "tie", 1000),
]


@pytest.mark.parametrize("model", [bradley_terry, davidson], ids=["bradley_terry", "davidson"])
@settings
@example(rows=ON_THE_BOUND, weight=0.02, seed=0)
@given(rows=vote_rows(), weight=st.sampled_from([0.02, 0.5, 8.0]), seed=st.integers(0, 99))
def test_the_maximum_does_not_depend_on_where_the_search_begins(
    model: ModuleType, rows: list[Row], weight: float, seed: int
) -> None:
    pairs = tally(rows).pairs()
    assume(pairs.n)
    fit = model.fit(pairs, weight)
    start = np.random.default_rng(seed).normal(0.0, 1.0, fit.at.size)
    other = model.fit(pairs, weight, start)
    assert fit.converged
    assert other.converged
    assert other.at == pytest.approx(fit.at, abs=1e-7, rel=0)


def at_this_rate_of_ties(likelihood: davidson.AnchoredLikelihood, ln_nu: float) -> np.ndarray:
    """Strengths at the maximum with ln nu held, by damped Newton of our own."""
    theta = np.zeros(likelihood.pairs.n)
    for _ in range(200):
        at = np.append(theta, ln_nu)
        gradient, weights = likelihood.slope(at)
        upper = np.triu(likelihood.information(weights)[:-1, :-1])
        step = np.linalg.solve(upper + np.triu(upper, 1).T, gradient[:-1])
        while likelihood.value(np.append(theta + step, ln_nu)) < likelihood.value(at) - 1e-9:
            step /= 2
        theta = theta + step
        if np.abs(step).max() < 1e-10:
            return theta
    raise AssertionError("not converged")


@settings
@given(
    rows=vote_rows(),
    ln_nu=st.sampled_from([-6.0, -1.0, 0.0, 2.0]),
    weight=st.sampled_from([0.1, 1.0, 8.0]),
    left_wins=st.booleans(),
)
def test_at_a_given_rate_of_ties_a_win_never_lowers_the_winner(
    rows: list[Row], ln_nu: float, weight: float, left_wins: bool
) -> None:
    """While nu is refitted too this need not hold: one more decided game makes ties rarer."""
    base = [*rows, (NAMES[0], NAMES[1], "tie", 1)]
    outcome, winner = ("left", NAMES[0]) if left_wins else ("right", NAMES[1])
    before, after = tally(base), tally([*base, (NAMES[0], NAMES[1], outcome, 1)])
    place = before.rated().tolist().index(before.entries.index(winner))
    low, high = (
        at_this_rate_of_ties(davidson.anchored(counts.pairs(), weight), ln_nu)[place]
        for counts in (before, after)
    )
    assert high >= low - 1e-8
