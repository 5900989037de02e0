"""The `preferences` method on every case."""

from __future__ import annotations

import pytest
from oracle_cases import cases, cases_without, counts_of, expected_of

from arena.ratings.methods import METHODS
from arena.ratings.methods.preferences import winner

CLOSE = 1e-8


@cases("preferences")
def test_the_board_is_the_right_one_in_the_right_order(name: str) -> None:
    board = METHODS["preferences"].publish(counts_of(name)).board
    wanted = expected_of(name)["preferences"]["board"]
    assert [row.entry for row in board] == [row["entry"] for row in wanted]
    for row, right in zip(board, wanted, strict=True):
        for figure in ("strength", "se", "lower", "upper"):
            found = getattr(row, figure)
            assert found == pytest.approx(right[figure], abs=CLOSE, rel=0), (row.entry, figure)
        assert row.provisional == right["provisional"], row.entry


@cases("preferences")
def test_the_winner_and_the_likelihood_agree(name: str) -> None:
    figures = METHODS["preferences"].publish(counts_of(name))
    wanted = expected_of(name)["preferences"]
    assert winner(figures.board) == wanted["winner"]
    assert figures.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=CLOSE)


@cases_without("preferences")
def test_without_votes_the_board_is_empty(name: str) -> None:
    assert METHODS["preferences"].publish(counts_of(name)).board == ()
