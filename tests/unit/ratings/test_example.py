"""The worked example of the method page comes out as theory says."""

from __future__ import annotations

from math import factorial, log

import pytest

from arena.ratings.example import _all_orders, example


def test_the_gaps_of_two_pairs_add_up_to_that_of_the_pair_that_never_met() -> None:
    found = example()
    assert found.gap_near == pytest.approx(log(3), abs=1e-9)
    assert found.gap_far == pytest.approx(log(9), abs=1e-9)
    assert found.chance_far == pytest.approx(0.9, abs=1e-9)


def test_all_orders_are_told_apart_and_only_elo_cares() -> None:
    orders = [tuple(order) for order in _all_orders()]
    assert len(set(orders)) == len(orders) == factorial(8) // factorial(3) ** 2
    found = example()
    assert found.orders == len(orders)
    assert found.fit_moves < 1e-12
    assert found.elo_high - found.elo_low > 10.0


def test_one_sided_games_have_no_maximum_until_the_other_side_wins_one() -> None:
    found = example()
    assert not found.has_maximum
    assert found.mended_gap == pytest.approx(log(4), abs=1e-9)
    assert 0.0 < found.anchored_gap < log(25)
