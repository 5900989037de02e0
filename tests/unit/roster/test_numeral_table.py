"""Which characters and words of a text are numerals, and which need no source."""

from __future__ import annotations

from fractions import Fraction

import pytest

from arena.roster.numerals import numerals, unsourced

FOUND: tuple[tuple[str, dict[str, object]], ...] = (
    ("It weighs 50 kg.", {"50": 50}),
    ("13.7 kg of 1,200", {"13.7": Fraction("13.7"), "1,200": 1200}),
    ("1,234,567.25", {"1,234,567.25": Fraction("1234567.25")}),
    ("1.200,5 or 13,7", {"1.200,5": Fraction("1200.5"), "13,7": Fraction("13.7")}),
    ("1'200 and 1\u202f200", {"1'200": 1200, "1\u202f200": 1200}),
    (".5 or 0.5", {".5": Fraction(1, 2), "0.5": Fraction(1, 2)}),
    ("-5 and −20.5 but up-5", {"-5": -5, "−20.5": Fraction("-20.5"), "5": 5}),
    ("50% or 20 percent", {"50": 50, "20": 20}),
    ("a dozen of ٣ and १२", {"dozen": 12, "٣": 3, "१२": 12}),
    ("١٬٢٠٠٫٥", {"١٬٢٠٠٫٥": Fraction("1200.5")}),
    ("１２", {"１２": 12}),
    ("½ a cup", {"½": Fraction(1, 2)}),
    ("1½ or 1 1/2 cups", {"1½": Fraction(3, 2), "1 1/2": Fraction(3, 2)}),
    ("3/4 and 3⁄4 and 3/0", {"3/4": Fraction(3, 4), "3⁄4": Fraction(3, 4), "3": 3, "0": 0}),
    ("m² ⑩ ❷ Ⅷ", {"²": 2, "⑩": 10, "❷": 2, "Ⅷ": 8}),
    ("三, 三百二十, 二万", {"三": 3, "三百二十": 320, "二万": 20000}),
    ("two-legged", {"two": 2}),
    ("Twenty-one, twenty one, TWENTY", {"Twenty-one": 21, "twenty one": 21, "TWENTY": 20}),
    ("two hundred and five", {"two hundred and five": 205}),
    ("one thousand two hundred thirty-four", {"one thousand two hundred thirty-four": 1234}),
    ("three hundred thousand", {"three hundred thousand": 300_000}),
    ("1.2 million and 3 dozen", {"1.2 million": 1_200_000, "3 dozen": 36}),
    ("hundreds, dozens, sixes", {"hundreds": 100, "dozens": 12, "sixes": 6}),
    ("the twenties", {"twenties": 20}),
    ("three and four", {"three": 3, "four": 4}),
    ("two and a half hours", {"two and a half": Fraction(5, 2)}),
    ("three quarters", {"three quarters": Fraction(3, 4)}),
    ("two thirds", {"two thirds": Fraction(2, 3)}),
    ("first, second, third", {"first": 1, "second": 2, "third": 3}),
    ("the twenty-first, the hundred and first", {"twenty-first": 21, "hundred and first": 101}),
    ("half a quarter", {"half": Fraction(1, 2), "quarter": Fraction(1, 4)}),
    ("a pair of twins, twice single", {"pair": 2, "twins": 2, "twice": 2, "single": 1}),
    ("dual, double, triple, quadruple", {"dual": 2, "double": 2, "triple": 3, "quadruple": 4}),
    ("once, twice, thrice", {"once": 1, "twice": 2, "thrice": 3}),
    ("the one you want", {"one": 1}),
    ("UR10, Go1 and a 3D print", {"10": 10, "1": 1, "3": 3}),
    ("Mark II, then XIV", {"II": 2, "XIV": 14}),
    ("MMXX or MCMLXXXIV, XLIV", {"MMXX": 2020, "MCMLXXXIV": 1984, "XLIV": 44}),
    ("a myriad, two lakh, a crore", {"myriad": 10**4, "two lakh": 200_000, "crore": 10**7}),
    ("naught, a googol, a deuce", {"naught": 0, "googol": 10**100, "deuce": 2}),
    ("Threelegged, a fourwheeler", {"Threelegged": 3, "fourwheeler": 4}),
    ("a tensome tent, onerous, lonesome, awesome, MILD, CIVIC", {"tensome": 10}),
    ("tw\u00ado, \uff54\uff57\uff4f", {"tw\u00ado": 2, "\uff54\uff57\uff4f": 2}),
    ("seconds of anyone's attention, often, alone, heightened, weight", {}),
    ("I and V, MIX and LCD, the mix", {}),
    ("both quadrupeds, a hexapod, a decade, a score", {}),
)  # fmt: skip

# line, facts, name, what is left without a source
SOURCED: tuple[tuple[str, tuple[int | float | str, ...], str, tuple[str, ...]], ...] = (
    ("Thirteen of 13.70 kg", (13, 13.7), "Trifle", ()),
    ("about fourteen kilos", (13.7, "13.741 kg"), "Trifle", ("fourteen",)),
    ("two arms, 2 legs, three, three", ("twin arms",), "Trifle", ("three",)),
    ("1,200 of them", ("1.2 thousand",), "Trifle", ()),
    ("down to −20 °C", (20,), "Trifle", ("−20",)),
    ("A UR10 with 10 joints", (), "Universal Robots UR10", ("10",)),
    ("a ur10, a UR100, a UR10.5", (), "Universal Robots UR10", ("100", "10.5")),
    ("a PUMA 560, all 560 of it", (), "Unimation PUMA 560", ("560",)),
    ("the Crazyflie 2.1 weighs 2.1", (), "Crazyflie 2.1", ("2.1",)),
    ("a Robotiq 2F-85, 85 wide", (), "Robotiq 2F-85", ("85",)),
    ("a Mark II of the II kind", (), "Tea urn Mark II", ("II",)),
    ("Johnny Five has five", (), "Johnny Five", ("five",)),
    ("a Spot (2019) of 2019", (), "Spot (2019)", ("2019",)),
    ("no figure at all", (), "Trifle", ()),
)


@pytest.mark.parametrize(("text", "expected"), FOUND, ids=[text for text, _ in FOUND])
def test_every_numeral_is_found_with_its_value(text: str, expected: dict[str, object]) -> None:
    assert {numeral.text: numeral.value for numeral in numerals(text)} == expected


@pytest.mark.parametrize(("line", "facts", "name", "left"), SOURCED)
def test_a_numeral_needs_a_fact_or_the_name(
    line: str, facts: tuple[int | float | str, ...], name: str, left: tuple[str, ...]
) -> None:
    assert unsourced(line, facts, name) == left


def test_a_numeral_says_where_it_stands() -> None:
    text = "Has tw\u00ado legs"
    (numeral,) = numerals(text)
    assert text[numeral.start : numeral.end] == numeral.text == "tw\u00ado"


@pytest.mark.parametrize("text", ["million " * 3000, "two hundred and " * 3000, "9" * 20_000])
def test_a_text_of_nothing_but_numbers_is_read_to_its_end(text: str) -> None:
    assert numerals(text)[-1].end >= len(text) - len(" and ")
