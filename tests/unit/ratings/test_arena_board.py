"""Order and marks of the `arena` board."""

from __future__ import annotations

import math

import pytest

from arena.ratings import bradley_terry
from arena.ratings.counts import tally
from arena.ratings.methods import METHODS

LOG = [
    ("a", "b", "left", 30),
    ("b", "c", "left", 30),
    ("a", "c", "left", 20),
    ("d", "a", "left", 2),
]


def test_rows_stand_by_their_lower_end() -> None:
    board = METHODS["arena"].publish(tally(LOG)).board
    lower = [row.lower for row in board]
    assert lower == sorted(lower, reverse=True)
    assert [row.rank for row in board] == [1, 2, 3, 4]


def test_under_twelve_votes_a_row_is_provisional() -> None:
    rows = [("a", "b", "left", 11), ("b", "c", "left", 1)]
    board = METHODS["arena"].publish(tally(rows)).board
    assert {row.entry: row.provisional for row in board} == {"a": True, "b": False, "c": True}


def test_rank_ranges_hold_the_entries_that_no_interval_sets_apart() -> None:
    board = METHODS["arena"].publish(tally(LOG)).board
    for row in board:
        above = sum(other.lower > row.upper for other in board)
        below = sum(other.upper < row.lower for other in board)
        assert (row.rank_low, row.rank_high) == (1 + above, len(board) - below)


def test_an_entry_that_has_won_all_three_games_is_finite() -> None:
    top = METHODS["arena"].publish(tally([("a", "b", "left", 3)])).board[0]
    assert (top.entry, top.losses) == ("a", 0)
    assert math.isfinite(top.score)


def test_equal_counts_have_equal_bars() -> None:
    counts = tally(LOG)
    assert METHODS["arena"].publish(counts) == METHODS["arena"].publish(tally(LOG[::-1]))


def test_fewer_than_one_replicate_is_refused() -> None:
    with pytest.raises(ValueError, match="0 replicates"):
        METHODS["arena"].publish(tally(LOG), replicates=0)


def test_a_cut_off_sweep_says_that_it_has_not_converged() -> None:
    fit = bradley_terry.fit_mm(tally(LOG).pairs(), 1.0, most_sweeps=3)
    assert (fit.converged, fit.iterations) == (False, 3)


def test_a_phantom_without_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="weight of the virtual games is 0"):
        bradley_terry.fit(tally(LOG).pairs(), 0.0)


def test_the_json_has_the_contracts_fields() -> None:
    document = METHODS["arena"].publish(tally(LOG)).to_json_dict()
    assert list(document) == [
        "method", "votes", "ties", "skips", "entries", "connected", "components",
        "strongly_connected", "converged", "iterations", "log_likelihood", "model", "board",
    ]  # fmt: skip


def test_an_unlisted_entry_is_fitted_but_leaves_no_gap_on_the_board() -> None:
    whole = METHODS["arena"].publish(tally(LOG))
    without = METHODS["arena"].publish(tally(LOG), unlisted=["b"])
    assert [row.rank for row in without.board] == [1, 2, 3]
    assert "b" not in [row.entry for row in without.board]
    strengths = {row.entry: row.strength for row in whole.board}
    assert all(row.strength == strengths[row.entry] for row in without.board)
    assert all(row.rank_high <= 3 for row in without.board if row.rank_high is not None)
    assert (without.votes, without.entries) == (whole.votes, whole.entries)
