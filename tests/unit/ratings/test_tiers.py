"""Tiers by rank, rank ranges by nearest rank, and when a second tier is shown."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings.tiers import TIERS, alternates, rank_range, replicate_ranks, tier_of


@pytest.mark.parametrize(
    ("published", "letters"),
    [
        (1, "S"),
        (2, "SB"),
        (5, "SABCC"),
        (10, "SAABBBCCCD"),
        (13, "SSAABBBBCCCCD"),
        (25, "SSAAAAABBBBBBBCCCCCCCCDDD"),
        (100, "S" * 8 + "A" * 17 + "B" * 30 + "C" * 30 + "D" * 15),
    ],
)
def test_each_tier_reaches_down_to_its_share_rounded_up(published: int, letters: str) -> None:
    tiers = tier_of(np.arange(1, published + 1), published)
    assert "".join(TIERS[it] for it in tiers) == letters


def test_a_rank_range_leaves_out_a_tenth_on_either_side_by_nearest_rank() -> None:
    ranks = np.array([[7, 3, 1, 2, 4, 5, 6, 8, 9, 10], [1] * 9 + [4]])
    low, high = rank_range(ranks)
    assert (low.tolist(), high.tolist()) == ([1, 1], [9, 1])


def test_one_replicate_is_its_own_range() -> None:
    low, high = rank_range(np.array([[2], [1]]))
    assert (low.tolist(), high.tolist()) == ([2, 1], [2, 1])


def test_replicates_are_ranked_from_the_strongest_and_rounding_decides_nothing() -> None:
    strengths = np.array([[0.1, 0.5], [0.3, 0.5 + 1e-13], [0.2, 1.0]])
    assert replicate_ranks(strengths).tolist() == [[3, 2], [1, 3], [2, 1]]


def places(share: dict[str, int]) -> np.ndarray:
    """(100, r) ranks of one entry among a hundred, in each tier so many times; the others idle."""
    some = {"S": 1, "A": 20, "B": 40, "C": 70, "D": 95}
    row = [rank for tier, times in share.items() for rank in [some[tier]] * times]
    return np.array([row] + [[1] * len(row)] * 99)


@pytest.mark.parametrize(
    ("share", "home", "alternate"),
    [
        ({"B": 75, "A": 25}, "B", None),
        ({"B": 74, "A": 26}, "B", "A"),
        ({"B": 50, "S": 10, "A": 15, "C": 25}, "B", "C"),
        ({"B": 60, "A": 20, "C": 20}, "B", "A"),
        ({"B": 60, "S": 20, "C": 20}, "B", "C"),
        ({"S": 10, "B": 90}, "S", "B"),
        ({"D": 60, "S": 20, "B": 20}, "D", "B"),
    ],
)
def test_a_second_tier_is_shown_where_the_home_tier_is_not_firm(
    share: dict[str, int], home: str, alternate: str | None
) -> None:
    homes = np.array([TIERS.index(home)] + [0] * 99)
    assert alternates(places(share), homes)[0] == alternate
