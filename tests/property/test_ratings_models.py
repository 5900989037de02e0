"""What must hold of the two models at their maximum, whatever the votes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pair_counts import Row, vote_rows
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
