"""What a `versus` publication says of its own forecasts."""

from __future__ import annotations

import pytest

from arena.ratings.counts import tally
from arena.ratings.held_out import HeldOut
from arena.ratings.methods import METHODS

SEEN = [("ash", "birch", "left", 30), ("ash", "birch", "right", 10), ("ash", "birch", "tie", 5)]
ASKED = [("birch", "ash", "right", 12), ("birch", "ash", "left", 4), ("birch", "ash", "tie", 2)]


def test_forecasts_are_scored_on_the_evaluation_part() -> None:
    figures = METHODS["versus"].publish(
        tally(SEEN + ASKED), held_out=HeldOut(tally([]), tally(ASKED)), replicates=1
    )
    assert figures.held_out is not None
    scores = figures.held_out.scores
    assert (scores.decided, scores.votes) == (16, 18)
    assert scores.accuracy == pytest.approx(0.75)
    assert scores.loss is not None
    assert scores.loss < 0.69
    assert scores.temperature == pytest.approx(1.0, abs=0.3)


def test_without_such_votes_there_is_nothing_to_say() -> None:
    counts = tally(SEEN)
    assert METHODS["versus"].publish(counts, replicates=1).held_out is None
    empty = HeldOut(tally([]), tally([]))
    assert METHODS["versus"].publish(counts, held_out=empty, replicates=1).held_out is None


def test_forecasts_that_nothing_was_learnt_for_are_those_of_a_coin() -> None:
    counts = tally(ASKED)
    figures = METHODS["versus"].publish(counts, held_out=HeldOut(tally([]), counts), replicates=1)
    assert figures.held_out is not None
    assert figures.held_out.scores.loss == pytest.approx(0.6931, abs=1e-4)
    assert figures.held_out.scores.temperature is None
