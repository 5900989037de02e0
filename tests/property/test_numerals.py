"""Numerals are found in any script, and nowhere else."""

from __future__ import annotations

import sys
import unicodedata
from decimal import Decimal
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.roster.number_words import WORDS
from arena.roster.numerals import numerals, unsourced

ZEROS = [code for code in range(sys.maxunicode) if unicodedata.decimal(chr(code), None) == 0]

PLAIN_WORDS = st.text("abcdefghijklmnopqrstuvwxyzéß", min_size=1).filter(
    lambda word: not any(word.startswith(known[:3]) for known in WORDS)
)
DIGITS = st.integers(min_value=0).map(str)


def written(digits: str, zero: int) -> str:
    """The same digits in the script whose zero has this code."""
    return "".join(chr(zero + int(digit)) for digit in digits)


@settings(deadline=None)
@given(digits=DIGITS, zero=st.sampled_from(ZEROS))
def test_an_integer_is_found_with_its_value_in_the_digits_of_any_script(
    digits: str, zero: int
) -> None:
    found = numerals(f"It weighs {written(digits, zero)} of them.")
    assert [numeral.value for numeral in found] == [Fraction(int(digits))]


@settings(deadline=None)
@given(whole=DIGITS, part=st.text("0123456789", min_size=1), zero=st.sampled_from(ZEROS))
def test_a_decimal_is_one_numeral_in_the_digits_of_any_script(
    whole: str, part: str, zero: int
) -> None:
    found = numerals(f"It weighs {written(whole, zero)}.{written(part, zero)} kg")
    assert [numeral.value for numeral in found] == [Fraction(f"{whole}.{part}")]


@settings(deadline=None)
@given(st.lists(PLAIN_WORDS).map(" ".join))
def test_a_line_without_digits_or_number_words_yields_nothing(line: str) -> None:
    assert numerals(line) == ()


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_and_each_numeral_stands_where_it_says(text: str) -> None:
    assert [text[found.start : found.end] for found in numerals(text)] == [
        found.text for found in numerals(text)
    ]


@settings(deadline=None)
@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_a_number_written_out_is_sourced_by_the_same_number(value: int | float) -> None:
    line = format(Decimal(repr(value)), "f")
    assert unsourced(f"It weighs {line} kg", [value], "Trifle") == ()


@settings(deadline=None)
@given(st.text(), st.lists(st.text()), st.text())
def test_a_line_is_sourced_by_a_fact_that_says_the_same(
    line: str, facts: list[str], name: str
) -> None:
    assert unsourced(line, [*facts, line], name) == ()
