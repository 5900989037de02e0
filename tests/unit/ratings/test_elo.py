"""One step of the live number."""

from __future__ import annotations

import pytest

from arena.ratings.elo import START, expected, k_factor, moves


@pytest.mark.parametrize(
    ("votes", "k"), [(0, 40), (29, 40), (30, 24), (99, 24), (100, 16), (10**6, 16)]
)
def test_k_falls_as_a_record_firms_up(votes: int, k: float) -> None:
    assert k_factor(votes) == k


@pytest.mark.parametrize(
    ("outcome", "wanted"),
    [("left", (20.0, -12.0)), ("right", (-20.0, 12.0)), ("tie", (0.0, 0.0)), ("skip", (0.0, 0.0))],
)
def test_each_entry_moves_by_its_own_k(outcome: str, wanted: tuple[float, float]) -> None:
    assert moves(START, 29, START, 30, outcome) == wanted


def test_a_lead_of_400_expects_ten_elevenths() -> None:
    assert expected(1900.0, 1500.0) == pytest.approx(10 / 11, abs=1e-15)


def test_the_winner_never_falls() -> None:
    change, other = moves(2900.0, 0, 100.0, 0, "left")
    assert change >= 0 >= other


def test_a_lead_beyond_all_measure_still_has_an_expectation() -> None:
    assert expected(1e6, 0.0) + expected(0.0, 1e6) == 1.0


@pytest.mark.parametrize(("outcome", "votes"), [("draw", 0), ("left", -1)])
def test_what_cannot_be_is_refused(outcome: str, votes: int) -> None:
    with pytest.raises(ValueError, match=f"{outcome if votes == 0 else votes}"):
        moves(START, votes, START, 0, outcome)
