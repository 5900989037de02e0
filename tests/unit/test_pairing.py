"""Which pairs the `arena` chooser draws, measured over many draws."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from arena.pairing.arena import NEAR, choose
from arena.pairing.field import Contender, Field, History, NothingToCompare

DRAWS = 20_000
NOBODY = History()


def field_of(count: int) -> list[Contender]:
    """Entries twenty points apart; the first eight have wide bars, the last two no vote."""
    return [
        Contender(
            f"e{i:02d}", 1300.0 + 20 * i, 400.0 if i < 8 else 60.0, 0 if i >= count - 2 else 20
        )
        for i in range(count)
    ]


@pytest.fixture(scope="module")
def drawn() -> list[tuple[frozenset[str], str]]:
    """Many draws for somebody new."""
    rng = Random(1)
    field = field_of(32)
    several = (choose(Field(field, NOBODY), rng) for _ in range(DRAWS))
    return [(it.pair, it.strategy) for it in several]


@pytest.mark.parametrize(
    ("strategy", "share"), [("uncertain", 0.75), ("starved", 0.05), ("random", 0.20)]
)
def test_each_arm_has_its_share(
    drawn: list[tuple[frozenset[str], str]], strategy: str, share: float
) -> None:
    found = sum(it == strategy for _, it in drawn)
    spread = (DRAWS * share * (1 - share)) ** 0.5
    assert abs(found - DRAWS * share) < 4.5 * spread


def test_an_uncertain_pair_is_a_wide_entry_and_one_near_it(
    drawn: list[tuple[frozenset[str], str]],
) -> None:
    known = {it.slug: it for it in field_of(32)}
    for pair, strategy in drawn:
        if strategy == "uncertain":
            a, b = (known[slug] for slug in pair)
            assert max(a.width, b.width) == 400.0
            assert abs(a.score - b.score) <= NEAR


def test_a_starved_pair_holds_an_entry_with_the_fewest_votes(
    drawn: list[tuple[frozenset[str], str]],
) -> None:
    assert all(pair & {"e30", "e31"} for pair, strategy in drawn if strategy == "starved")


def test_the_random_arm_is_uniform_over_all_pairs() -> None:
    rng = Random(2)
    field = field_of(8)
    counts = Counter(
        it.pair
        for it in (choose(Field(field, NOBODY), rng) for _ in range(DRAWS))
        if it.strategy == "random"
    )
    expected = sum(counts.values()) / 28
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    assert len(counts) == 28
    assert chi_squared < 55.0  # 27 degrees of freedom: exceeded once in a thousand runs


def test_every_pair_is_met_once_before_any_comes_again() -> None:
    field, rng = field_of(9), Random(3)
    judged: set[frozenset[str]] = set()
    last = None
    for _ in range(36):
        pair = choose(Field(field, History(frozenset(judged), last)), rng).pair
        assert pair not in judged
        judged.add(pair)
        last = pair
    assert judged == {frozenset(two) for two in combinations((it.slug for it in field), 2)}


def test_the_pair_just_shown_never_comes_again_at_once_while_there_is_another() -> None:
    field, rng = field_of(3), Random(4)
    everything = frozenset(frozenset(two) for two in combinations(("e00", "e01", "e02"), 2))
    last = None
    for _ in range(500):
        pair = choose(Field(field, History(everything, last)), rng).pair
        assert pair != last
        last = pair


def test_two_entries_are_one_pair_for_ever() -> None:
    pair = frozenset(("e00", "e01"))
    assert choose(Field(field_of(2), History(frozenset([pair]), pair)), Random(5)).pair == pair


def test_a_lonely_entry_meets_its_nearest() -> None:
    field = [Contender("far", 3000.0), *(Contender(f"e{i}", 1500.0, 10.0, 9) for i in range(3))]
    near = [*field[:1], Contender("best", 1900.0, 10.0, 9), *field[1:]]
    rng = Random(6)
    drawn = [choose(Field(near, NOBODY), rng) for _ in range(300)]
    assert {it.pair for it in drawn if it.strategy == "uncertain" and "far" in it.pair} == {
        frozenset(("far", "best"))
    }


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_entries_are_no_pair(count: int) -> None:
    with pytest.raises(NothingToCompare):
        choose(Field(field_of(40)[:count], NOBODY), Random(7))
