"""What is not published: each refusal names the entry or the weight, and the value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arena.ratings import bradley_terry, calibration, newton
from arena.ratings.counts import tally
from arena.ratings.figures import Trial
from arena.ratings.held_out import HeldOut
from arena.ratings.intervals import centred_standard_errors, standard_errors
from arena.ratings.methods import METHODS
from arena.ratings.methods.versus import FEWEST_DECIDED
from arena.ratings.pairs import Pairs
from arena.ratings.refusals import (
    CalibrationCostsAccuracy,
    NoAnchor,
    PivotNotPositive,
    Refused,
    VarianceNotFinite,
)

CHAIN = [("ash", "birch", "left", 3), ("birch", "cedar", "left", 2)]


def test_a_pivot_that_is_not_positive_is_found_with_its_place() -> None:
    with pytest.raises(newton.NotPositive) as refused:
        newton.cholesky(np.array([[4.0, 2.0, 0.0], [2.0, 0.5, 0.0], [0.0, 0.0, 1.0]]))
    assert (refused.value.index, refused.value.value) == (1, -0.5)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -1.0, 0.0])
def test_a_last_pivot_that_is_no_positive_number_is_found_too(bad: float) -> None:
    matrix = np.eye(3)
    matrix[2, 2] = bad
    with pytest.raises(newton.NotPositive) as refused:
        newton.cholesky(matrix)
    assert refused.value.index == 2


@pytest.mark.parametrize(
    ("method", "parameter", "named"),
    [
        ("arena", 1, "birch"),
        ("preferences", 2, "cedar"),
        ("versus", 0, "ash"),
        ("versus", 3, "the tie affinity"),
    ],
)
def test_a_publication_names_the_entry_whose_pivot_failed(
    method: str, parameter: int, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise newton.NotPositive(parameter, -0.25)

    monkeypatch.setattr(newton, "cholesky", failing)
    with pytest.raises(PivotNotPositive, match=r"-0\.25, not positive") as refused:
        METHODS[method].publish(tally(CHAIN))
    assert (refused.value.entry, refused.value.value) == (named, -0.25)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -2.0, 0.0])
def test_a_variance_that_is_no_positive_number_names_its_entry(bad: float) -> None:
    covariance = np.diag([1.0, bad, 1.0])
    with pytest.raises(VarianceNotFinite, match="birch: the variance of its strength is") as it:
        standard_errors(covariance, ["ash", "birch", "cedar"])
    assert it.value.value == pytest.approx(bad, nan_ok=True)


def test_a_centred_variance_is_refused_likewise() -> None:
    covariance = np.diag([1.0, -2.0, 1.0])
    with pytest.raises(VarianceNotFinite, match="birch"):
        centred_standard_errors(covariance, ["ash", "birch", "cedar"])


def held_out(rows: list[tuple[str, str, str, int]]) -> HeldOut:
    return HeldOut(calibration=tally(rows), evaluation=tally([]))


def published(training: list[tuple[str, str, str, int]], rows: list[tuple[str, str, str, int]]):
    return METHODS["versus"].publish(tally(training + rows), held_out=held_out(rows), replicates=1)


def test_forecasts_that_are_always_right_leave_no_anchor() -> None:
    right = [("ash", "birch", "left", FEWEST_DECIDED)]
    with pytest.raises(NoAnchor, match=r"no anchor between 0.02 and 8.0 .* at 8.0") as refused:
        published([("ash", "birch", "left", 50)], right)
    assert refused.value.t_low < 1.0
    assert refused.value.t_high < 1.0


def test_forecasts_that_are_always_wrong_leave_no_anchor_either() -> None:
    with pytest.raises(NoAnchor) as refused:
        published([("ash", "birch", "left", 50)], [("ash", "birch", "right", FEWEST_DECIDED)])
    assert refused.value.t_low > 1.0
    assert refused.value.t_high > 1.0


def test_under_two_hundred_decided_votes_nothing_is_solved_and_that_is_said() -> None:
    rows = [("ash", "birch", "left", FEWEST_DECIDED - 1), ("ash", "birch", "tie", 50)]
    figures = published([("ash", "birch", "left", 50)], rows)
    assert (figures.model["anchor"], figures.model["temperature"]) == (0.5, None)
    assert any("199" in note for note in figures.notes)


@pytest.mark.parametrize(("excess", "refuses"), [(0.0199, False), (0.0201, True)])
def test_a_calibration_that_costs_accuracy_is_refused(
    excess: float, refuses: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the range the slope passes through 0 at weight 1, and the lightest forecasts best."""

    def trial(_self: calibration.Trials, anchor: float) -> Trial:
        loss = 0.5 if anchor == calibration.LIGHTEST else 0.5 + excess
        return Trial(anchor, float(np.log(anchor)), 1.0, loss)

    monkeypatch.setattr(calibration.Trials, "at", trial)
    votes = tally([("ash", "birch", "left", 200)])
    if not refuses:
        assert calibration.solve(tally(CHAIN), votes).solved.anchor == pytest.approx(1.0, abs=1e-5)
        return
    with pytest.raises(CalibrationCostsAccuracy, match=r"while 0.02 loses 0.5") as refused:
        calibration.solve(tally(CHAIN), votes)
    assert refused.value.best_anchor == calibration.LIGHTEST


@pytest.mark.parametrize("weight", [0.0, -1.0, np.nan])
def test_virtual_games_without_weight_are_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="not positive"):
        bradley_terry.fit(tally(CHAIN).pairs(), weight)


def test_every_refusal_is_of_one_kind() -> None:
    kinds = (PivotNotPositive, VarianceNotFinite, NoAnchor, CalibrationCostsAccuracy)
    assert all(issubclass(kind, Refused) for kind in kinds)
    assert isinstance(tally(CHAIN).pairs(), Pairs)


@pytest.mark.parametrize("method", ["arena", "preferences"])
def test_a_fit_that_has_not_converged_says_so(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newton, "MOST_STEPS", 1)
    monkeypatch.setattr(newton.maximise, "__defaults__", (1,))
    figures = METHODS[method].publish(tally(CHAIN), replicates=1)
    assert not figures.converged
    assert "The fit has not converged after 1 steps" in figures.notes[-1]


def test_where_nothing_is_left_to_learn_from_nothing_is_solved_and_that_is_said() -> None:
    figures = published([], [("ash", "birch", "left", 3 * FEWEST_DECIDED)])
    assert (figures.model["anchor"], figures.model["temperature"]) == (0.5, None)
    assert "leaves no votes" in figures.notes[0]
