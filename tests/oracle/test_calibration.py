"""The temperature of held-out forecasts at each anchor, and the refusal where there is no root."""

from __future__ import annotations

import math
from typing import Any

import pytest
from oracle_cases import CALIBRATION

from arena.ratings import calibration
from arena.ratings.counts import PairCounts, tally
from arena.ratings.refusals import NoAnchor

CLOSE = 1e-6
every_case = pytest.mark.parametrize("name", CALIBRATION)


def votes_of(name: str, part: str) -> PairCounts:
    return tally((left, right, outcome, n) for left, right, outcome, n in CALIBRATION[name][part])


def trials_of(name: str) -> calibration.Trials:
    return calibration.Trials(votes_of(name, "train"), votes_of(name, "calibration"))


@every_case
def test_temperature_slope_and_loss_agree_at_every_anchor(name: str) -> None:
    trials = trials_of(name)
    for wanted in CALIBRATION[name]["expected"]["at"]:
        found = trials.at(wanted["anchor"])
        for figure in ("temperature", "slope", "loss"):
            assert getattr(found, figure) == pytest.approx(wanted[figure], abs=CLOSE), figure


@every_case
def test_both_ends_of_the_range_agree(name: str) -> None:
    trials, wanted = trials_of(name), CALIBRATION[name]["expected"]
    for anchor, end in ((calibration.LIGHTEST, "low"), (calibration.HEAVIEST, "high")):
        found = trials.at(anchor)
        assert found.temperature == pytest.approx(wanted[f"t_{end}"], abs=CLOSE)
        assert found.slope == pytest.approx(wanted[f"slope_{end}"], abs=CLOSE)


@every_case
def test_without_a_root_the_anchor_is_refused_with_both_ends(name: str) -> None:
    wanted: Any = CALIBRATION[name]["expected"]
    assert wanted["anchor"] is None
    with pytest.raises(NoAnchor) as refusal:
        calibration.solve(votes_of(name, "train"), votes_of(name, "calibration"))
    assert refusal.value.t_low == pytest.approx(wanted["t_low"], abs=CLOSE)
    assert refusal.value.t_high == pytest.approx(wanted["t_high"], abs=CLOSE)


def test_where_there_is_a_root_the_temperature_there_is_one() -> None:
    # A clean sweep looks certain; the held-out votes say three in four.
    pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    training = tally((one, other, "left", 4) for one, other in pairs)
    votes = tally(
        (one, other, outcome, n)
        for one, other in pairs
        for outcome, n in (("left", 3), ("right", 1))
    )
    found = calibration.solve(training, votes)
    assert found.solved.temperature == pytest.approx(1.0, abs=CLOSE)
    assert calibration.LIGHTEST < found.solved.anchor < calibration.HEAVIEST
    assert found.votes == 12
    assert abs(math.log(found.trace[-1].anchor / found.trace[-2].anchor)) <= 1e-6
