"""Which pairs the `versus` chooser draws: newcomers, one in five evenly, else what teaches most."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import exp, log2, sqrt
from random import Random

import numpy as np
import pytest

from arena.pairing.field import Contender, Field, History, NothingToCompare, Pair
from arena.pairing.versus import NEAREST, PLACED_FROM, RANDOM_SHARE, TOP, choose
from arena.ratings.information import information, most_informative

DRAWS = 20_000


def pair(one: int, other: int) -> Pair:
    return frozenset((f"e{one:02d}", f"e{other:02d}"))


def contenders(number: int, newcomers: int = 0) -> list[Contender]:
    """Entries a point apart, the last of them newcomers."""
    return [
        Contender(f"e{i:02d}", float(i), 1.0, 1 if i >= number - newcomers else 20)
        for i in range(number)
    ]


INFORMATIVE = tuple((pair(i, i + 1), 12.0 - i) for i in range(11))


def drawn(field: Field, draws: int = DRAWS) -> list[tuple[Pair, str]]:
    rng = Random(3)
    return [(it.pair, it.strategy) for it in (choose(field, rng) for _ in range(draws))]


def test_while_there_are_newcomers_they_are_placed_against_the_nearest() -> None:
    field = Field(contenders(20, newcomers=1), History(), INFORMATIVE)
    found = drawn(field, 2000)
    assert {strategy for _, strategy in found} == {"placement"}
    others = {slug for it, _ in found for slug in it if slug != "e19"}
    assert others == {f"e{i:02d}" for i in range(19 - NEAREST, 19)}
    assert PLACED_FROM == 2


def test_equally_near_opponents_are_all_met() -> None:
    field = [Contender(f"e{i:02d}", 50.0, 1.0, 20) for i in range(30)]
    field.append(Contender("new", 50.0, 1.0, 0))
    met = {slug for it, _ in drawn(Field(field, History()), 2000) for slug in it}
    assert len(met) == 31


def test_a_newcomer_that_has_met_all_near_it_leaves_the_draw_to_others() -> None:
    judged = frozenset(pair(19, i) for i in range(19))
    field = Field(contenders(20, newcomers=1), History(judged), INFORMATIVE)
    assert "placement" not in {strategy for _, strategy in drawn(field, 500)}


def test_one_pair_in_five_is_drawn_evenly_from_all() -> None:
    found = drawn(Field(contenders(12), History(), INFORMATIVE))
    even = [it for it, strategy in found if strategy == "random"]
    assert abs(len(even) - RANDOM_SHARE * DRAWS) < 4.5 * sqrt(DRAWS * 0.2 * 0.8)
    counts = Counter(even)
    every = list(combinations(range(12), 2))
    expected = len(even) / len(every)
    chi2 = sum((counts[pair(*it)] - expected) ** 2 / expected for it in every)
    assert len(counts) == len(every)
    assert chi2 < len(every) + 5 * sqrt(2 * len(every))


def test_the_others_are_the_eight_most_worth_in_proportion() -> None:
    found = drawn(Field(contenders(12), History(), INFORMATIVE))
    counts = Counter(it for it, strategy in found if strategy == "information")
    best = INFORMATIVE[:TOP]
    assert counts.keys() == {it for it, _ in best}
    total = sum(counts.values())
    worth = sum(it for _, it in best)
    for it, value in best:
        share = value / worth
        assert abs(counts[it] - total * share) < 4.5 * sqrt(total * share * (1 - share))


def test_pairs_served_lately_or_judged_or_no_longer_present_give_way_to_the_next() -> None:
    cooling = frozenset({pair(0, 1)})
    history = History(judged=frozenset({pair(1, 2)}), last=pair(2, 3))
    there = [it for it in contenders(12) if it.slug != "e04"]
    found = drawn(Field(there, history, INFORMATIVE, cooling), 4000)
    informed = {it for it, strategy in found if strategy == "information"}
    assert informed == {pair(i, i + 1) for i in range(5, 11)}


def test_with_nothing_informative_left_pairs_are_drawn_evenly() -> None:
    cooling = frozenset(it for it, _ in INFORMATIVE)
    found = drawn(Field(contenders(12), History(), INFORMATIVE, cooling), 500)
    assert {strategy for _, strategy in found} == {"random"}
    assert {strategy for _, strategy in drawn(Field(contenders(12), History()), 500)} == {"random"}


@pytest.mark.parametrize("number", [0, 1])
def test_there_is_nothing_to_compare_with_fewer_than_two(number: int) -> None:
    with pytest.raises(NothingToCompare):
        choose(Field(contenders(number), History()), Random(1))


def test_a_pair_is_worth_its_entropy_times_its_variance_times_a_bonus() -> None:
    theta = np.array([0.4, -0.3, 1.2])
    covariance = np.array([[0.5, 0.1, 0.0], [0.1, 0.4, 0.05], [0.0, 0.05, 0.9]])
    nu, votes = 0.6, np.array([3, 8, 0])
    found = information(theta, covariance, nu, votes)
    for i, j in combinations(range(3), 2):
        gap = theta[i] - theta[j]
        weights = [exp(gap), 1.0, nu * exp(gap / 2)]
        chances = [it / sum(weights) for it in weights]
        entropy = -sum(p * log2(p) for p in chances)
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        bonus = 1 + 1 / sqrt(1 + votes[i]) + 1 / sqrt(1 + votes[j])
        assert found[i, j] == pytest.approx(entropy * variance * bonus)
        assert found[j, i] == pytest.approx(found[i, j])


def test_the_most_informative_come_in_order_and_equals_by_place() -> None:
    worth = np.array([[0.0, 2.0, 5.0], [2.0, 0.0, 2.0], [5.0, 2.0, 0.0]])
    first, second = most_informative(worth, 2)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 2), (0, 1)]
