"""Given choices give given sentences, word for word."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from arena.profiles import Decided, profile, sentence
from arena.ratings.leans import LEVEL, holm, sign_test
from arena.roster import Attribute, Axis, Entry, Fact, Noun, Picture, Site

DAY = date(2026, 11, 30)
PICTURE = Picture("https://example.org", "x", "x", "x", "x", "x", DAY)
NOUN = Noun("robot", "robots")
KIND = Attribute("kind", "Kind", "category", None, None, None, "{}s")
MAKER = Attribute("maker", "Maker", "category", None, None, None, None)
MASS = Attribute("mass", "Mass", "number", "kg", "lighter", "heavier")
YEAR = Attribute("year", "Year", "number", None, "older", "newer")


def entry(slug: str, **values: str | float) -> Entry:
    facts = tuple(
        Fact(name, value, None, str(value), "https://example.org", "x", DAY, False)
        for name, value in values.items()
    )
    return Entry(slug, slug.title(), "A line.", False, facts, PICTURE)


SITE = Site(
    name="Test",
    noun=NOUN,
    axes=(Axis("a", "Which?", "arena", "arena"),),
    attributes=(KIND, MAKER, MASS, YEAR),
    entries=(
        entry("quad", kind="quadruped", mass=10),
        entry("quad2", kind="quadruped", mass=10),
        entry("arm", kind="arm", mass=10),
        entry("hand", kind="hand"),
        entry("light", mass=1, year=1990),
        entry("heavy", mass=99.5, year=2020),
        entry("heavy2", mass=99.5),
        entry("acme", maker="Acme"),
        entry("bolt", maker="Bolt"),
        entry("bare"),
    ),
)


def choices(*runs: tuple[str, str, int]) -> list[Decided]:
    return [Decided(winner, loser) for winner, loser, times in runs for _ in range(times)]


def sentences(*runs: tuple[str, str, int]) -> list[str]:
    return [sentence(lean, NOUN) for lean in profile(SITE, choices(*runs)).leans]


LIGHTER = "You lean to lighter robots: {} decided choices."
HEAVIER = "You lean to heavier robots: {} decided choices."
QUADS = "You pick quadrupeds over others: {} decided choices."
NOT_QUADS = "You pick others over quadrupeds: {} decided choices."
ARMS = "You pick arms over others: {} decided choices."
NOT_ARMS = "You pick others over arms: {} decided choices."
OLDER = "You lean to older robots: {} decided choices."
NEWER = "You lean to newer robots: {} decided choices."


@pytest.mark.parametrize(
    ("runs", "wanted"),
    [
        # numbers: where the test begins to reject
        ([("light", "heavy2", 5)], []),
        ([("light", "heavy2", 6)], [LIGHTER.format("6 of 6")]),
        ([("heavy2", "light", 6)], [HEAVIER.format("6 of 6")]),
        ([("light", "heavy2", 6), ("heavy2", "light", 1)], []),
        ([("light", "heavy2", 7)], [LIGHTER.format("7 of 7")]),
        ([("light", "heavy2", 7), ("heavy2", "light", 1)], []),
        ([("light", "heavy2", 8), ("heavy2", "light", 1)], [LIGHTER.format("8 of 9")]),
        ([("light", "heavy2", 8), ("heavy2", "light", 2)], []),
        ([("light", "heavy2", 9), ("heavy2", "light", 1)], [LIGHTER.format("9 of 10")]),
        ([("light", "heavy2", 9), ("heavy2", "light", 2)], []),
        ([("light", "heavy2", 9), ("heavy2", "light", 3)], []),
        ([("light", "heavy2", 10), ("heavy2", "light", 2)], [LIGHTER.format("10 of 12")]),
        ([("light", "heavy2", 10), ("heavy2", "light", 3)], []),
        ([("light", "heavy2", 11), ("heavy2", "light", 2)], [LIGHTER.format("11 of 13")]),
        ([("heavy2", "light", 14), ("light", "heavy2", 2)], [HEAVIER.format("14 of 16")]),
        ([("light", "heavy2", 12), ("heavy2", "light", 5)], []),
        ([("light", "heavy2", 13), ("heavy2", "light", 4)], [LIGHTER.format("13 of 17")]),
        ([("light", "heavy2", 50), ("heavy2", "light", 50)], []),
        ([("light", "heavy2", 61), ("heavy2", "light", 39)], [LIGHTER.format("61 of 100")]),
        ([("light", "heavy2", 60), ("heavy2", "light", 40)], []),
        # categories: both values of a pair are tested, others that are alike say nothing
        ([("quad", "arm", 5)], []),
        ([("quad", "arm", 6)], [NOT_ARMS.format("6 of 6"), QUADS.format("6 of 6")]),
        ([("arm", "quad", 6)], [ARMS.format("6 of 6"), NOT_QUADS.format("6 of 6")]),
        (
            [("quad", "arm", 3), ("quad", "hand", 3)],
            [QUADS.format("6 of 6")],
        ),
        (
            [("quad", "arm", 5), ("quad", "hand", 5), ("arm", "hand", 5)],
            ["You pick others over hands: 10 of 10 decided choices.", QUADS.format("10 of 10")],
        ),
        (
            [("arm", "quad", 3), ("hand", "quad", 4)],
            [NOT_QUADS.format("7 of 7")],
        ),
        ([("quad", "quad2", 20)], []),
        ([("quad", "bare", 20)], []),
        ([("bare", "quad", 20)], []),
        # without a phrase the plain words stand
        (
            [("acme", "bolt", 6)],
            [
                "You pick robots with maker “Acme” over others: 6 of 6 decided choices.",
                "You pick others over robots with maker “Bolt”: 6 of 6 decided choices.",
            ],
        ),
        # several at once: by p, then by n, then by name
        ([("light", "heavy", 6)], [LIGHTER.format("6 of 6"), OLDER.format("6 of 6")]),
        (
            [("light", "heavy", 6), ("light", "heavy2", 1)],
            [LIGHTER.format("7 of 7"), OLDER.format("6 of 6")],
        ),
        (
            [("light", "heavy", 6), ("heavy2", "light", 1)],
            [OLDER.format("6 of 6")],
        ),
        (
            [("heavy", "light", 8), ("acme", "bolt", 9)],
            [
                "You pick robots with maker “Acme” over others: 9 of 9 decided choices.",
                "You pick others over robots with maker “Bolt”: 9 of 9 decided choices.",
                HEAVIER.format("8 of 8"),
                NEWER.format("8 of 8"),
            ],
        ),
        # missing, alike and unknown
        ([("light", "bare", 20)], []),
        ([("heavy", "heavy2", 20)], []),
        ([("light", "gone", 20)], []),
        ([("gone", "light", 20)], []),
        ([("hand", "light", 20)], []),
        ([], []),
        # nothing is lost in long runs
        ([("light", "heavy2", 2000)], [LIGHTER.format("2000 of 2000")]),
        (
            [("quad", "arm", 40), ("arm", "quad", 20), ("light", "heavy2", 6)],
            [NOT_ARMS.format("40 of 60"), QUADS.format("40 of 60"), LIGHTER.format("6 of 6")],
        ),
    ],
)
def test_the_sentences_are_word_for_word(
    runs: list[tuple[str, str, int]], wanted: list[str]
) -> None:
    assert sentences(*runs) == wanted


@pytest.mark.parametrize(
    ("k", "n", "p"),
    [
        (0, 0, Fraction(1)),
        (3, 6, Fraction(1)),
        (6, 6, Fraction(1, 32)),
        (0, 6, Fraction(1, 32)),
        (5, 5, Fraction(1, 16)),
        (9, 12, Fraction(299, 2048)),
        (10, 12, Fraction(79, 2048)),
        (11, 13, Fraction(92, 4096)),
    ],
)
def test_p_is_an_exact_fraction(k: int, n: int, p: Fraction) -> None:
    assert sign_test(k, n) == p


@given(st.integers(0, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_p_agrees_with_another_implementation(counts: tuple[int, int]) -> None:
    k, n = counts
    assert float(sign_test(k, n)) == pytest.approx(binomtest(k, n).pvalue if n else 1.0)
    assert sign_test(k, n) == sign_test(n - k, n)


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5)])
def test_no_count_is_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="is no count"):
        sign_test(k, n)


def test_holm_holds_all_tests_to_one_level() -> None:
    ps = [Fraction(1, 100), Fraction(4, 100), Fraction(3, 100), Fraction(5, 1000)]
    assert holm(ps) == [True, False, False, True]
    assert holm([Fraction(1, 21)]) == [True]
    assert holm([]) == []


@given(st.lists(st.fractions(0, 1), max_size=12))
def test_holm_rejects_no_more_than_each_test_and_no_fewer_than_bonferroni(
    ps: list[Fraction],
) -> None:
    for p, rejected in zip(ps, holm(ps), strict=True):
        assert not rejected or p < LEVEL
        assert rejected or p * len(ps) >= LEVEL
    kept = sorted((p, not it) for p, it in zip(ps, holm(ps), strict=True))
    assert all(one[1] <= two[1] for one, two in pairwise(kept) if one[0] != two[0])


def test_what_was_tested_and_what_is_firm_is_said() -> None:
    found = profile(SITE, choices(("light", "heavy", 6), ("quad", "arm", 30)))
    assert found.tested == 4  # mass, year, quadruped, arm
    assert found.decided == 36
    assert {(it.attribute.slug, it.firm) for it in found.leans} == {
        ("mass", False),
        ("year", False),
        ("kind", True),
    }


def test_the_choices_behind_a_lean_are_those_that_say_something() -> None:
    found = profile(
        SITE, choices(("quad", "bare", 2), ("light", "heavy2", 6), ("heavy", "heavy2", 1))
    )
    (lean,) = found.leans
    assert lean.behind == (2, 3, 4, 5, 6, 7)


def test_a_number_that_is_written_in_another_way_is_the_same() -> None:
    site = Site("T", NOUN, SITE.axes, (MASS,), (entry("a", mass=2), entry("b", mass=2.0)))
    assert profile(site, choices(("a", "b", 9))).tested == 0
