"""Scores, curves and profiles on logs small enough to work out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.ratings import davidson, diagnostics
from arena.ratings.calibration import Decided
from arena.ratings.counts import tally
from arena.ratings.held_out import HeldOut
from arena.ratings.parts import evidence_of
from arena.ratings.sides import share_of

NOTHING = tally([])


def test_wilsons_interval_is_that_of_his_formula() -> None:
    # Roots of (p - 0.7)^2 = z^2 p (1 - p) / 10, worked out by the quadratic formula.
    z2, n, share = 1.959964**2, 10, 0.7
    a, b, c = 1 + z2 / n, -(2 * share + z2 / n), share**2
    root = math.sqrt(b * b - 4 * a * c)
    found = share_of(7, 10)
    assert found.lower == pytest.approx((-b - root) / (2 * a), abs=1e-12)
    assert found.upper == pytest.approx((-b + root) / (2 * a), abs=1e-12)
    assert found.holds_half


@pytest.mark.parametrize(("part", "whole", "half"), [(0, 0, True), (10, 10, False), (0, 9, False)])
def test_a_share_knows_whether_half_is_within(part: int, whole: int, half: bool) -> None:
    assert share_of(part, whole).holds_half is half


@pytest.mark.parametrize(("part", "whole"), [(-1, 3), (4, 3)])
def test_what_is_no_share_is_refused(part: int, whole: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        share_of(part, whole)


def test_the_calibration_curve_counts_from_the_favoured_side() -> None:
    logit = math.log(0.75 / 0.25)
    seen = Decided(np.array([logit, -logit, 0.0]), np.array([3.0, 1.0, 2.0]))
    found = {(it.low, it.high): it for it in diagnostics.curve(seen)}
    favoured = found[0.7, 0.8]
    assert favoured.votes == 4
    assert favoured.expected == pytest.approx(0.75)
    assert favoured.realized == pytest.approx(0.75)
    assert found[0.5, 0.6].realized == pytest.approx(0.5)
    assert found[0.9, 1.0].realized is None


def test_forecasts_on_record_are_turned_to_the_favoured_side() -> None:
    found = diagnostics.prequential(np.array([0.1, 0.1, 0.9, 1.0]), np.array([0.0, 1.0, 1.0, 1.0]))
    last = found[-1]
    assert (last.votes, last.expected, last.realized) == pytest.approx((4, 0.925, 0.75))


def test_the_tie_profile_adds_up_to_the_log() -> None:
    counts = tally([("a", "b", "left", 6), ("a", "b", "tie", 2), ("b", "c", "tie", 4)])
    pairs = evidence_of(counts).pairs
    profile = diagnostics.tie_profile(pairs, davidson.fit(pairs, 0.5))
    assert sum(it.votes for it in profile) == 12
    realized = sum(it.votes * (it.realized or 0.0) for it in profile)
    assert realized == pytest.approx(6)
    expected = [it.expected for it in profile if it.expected is not None]
    assert expected == sorted(expected, reverse=True)


def test_an_even_forecast_loses_what_a_coin_loses() -> None:
    held = tally([("a", "b", "left", 3), ("a", "b", "right", 1), ("a", "b", "tie", 4)])
    found = diagnostics.evaluate(held, HeldOut(NOTHING, held), 0.5).scores
    assert (found.decided, found.votes) == (4, 8)
    assert found.loss == pytest.approx(diagnostics.COIN)
    assert found.accuracy == pytest.approx(0.5)
    assert found.loss_of_frequencies == pytest.approx(0.5 * math.log(4) + 0.5 * math.log(2))


def test_a_fit_that_saw_the_like_beats_the_coin() -> None:
    seen = [("a", "b", "left", 30), ("a", "b", "right", 3), ("a", "b", "tie", 3)]
    held = tally([("a", "b", "left", 9), ("b", "a", "left", 1), ("a", "b", "tie", 1)])
    every = tally([*seen, ("a", "b", "left", 9), ("b", "a", "left", 1), ("a", "b", "tie", 1)])
    found = diagnostics.evaluate(every, HeldOut(NOTHING, held), 0.5).scores
    assert found.loss is not None
    assert found.loss < diagnostics.COIN
    assert found.accuracy == pytest.approx(0.9)
    assert found.loss_three_ways is not None
    assert found.loss_of_frequencies is not None
    assert found.loss_three_ways < found.loss_of_frequencies


def test_without_held_out_votes_there_are_no_scores() -> None:
    counts = tally([("a", "b", "left", 3)])
    found = diagnostics.evaluate(counts, HeldOut(NOTHING, NOTHING), 0.5)
    assert (found.scores.loss, found.scores.loss_three_ways) == (None, None)
    assert all(it.votes == 0 for it in found.curve)


def test_settled_strengths_are_counted() -> None:
    assert diagnostics.settled([0.5, 0.51, None, 0.1]) == 2
