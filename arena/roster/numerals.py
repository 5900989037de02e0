"""Find every numeral in a text, so that no line about an entry states a figure without a source.

What counts as a numeral
    Digits of any script, alone or inside a token ("UR10", "3D"); decimals and grouped thousands
    as one number; fractions; superscripts, circled digits and other number characters; number
    words, "one" included wherever it stands, as nobody but the writer can tell the pronoun from
    the count, and run on into a part of the body ("threelegged"); ordinals, "second" included;
    multiples ("pair", "dual", "twice"); Roman numerals of I, V and X with two letters or more, and
    any of four or more ("MMXX").

What does not
    "seconds" (the unit of time), "both", "score", spans of time ("decade"), and Greek or Latin
    prefixes that name a kind ("biped", "quadruped", "hexapod").

A rewording costs a writer a minute and an unsourced figure costs readers their trust, so doubtful
words are numerals. What an entry is called is no claim: a numeral inside its own name is allowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, pairwise

from arena.roster.number_words import PARTS, WORDS

_MARKS = str.maketrans("٫．·٬，⁄／−", "...,,//-")
_LITERAL = r"""
    (?: (?<![^\s(]) - )?                       # a minus opens a number; a hyphen joins words
    (?: (?P<upper>\d+) \s?/\s? (?P<lower>0*[1-9]\d*)
      | [1-9]\d{0,2} (?: (?P<mark>[,'’\u00a0\u2009\u202f]) \d{3} )
            (?: (?P=mark) \d{3} )* (?!\d) (?: \.\d+ )?
      | [1-9]\d{0,2} (?: \.\d{3} )+ ,\d+       # 1.200,5
      | \d+ [.,] \d+
      | (?<![\w.]) \.\d+
      | \d+ )
"""
_TOKEN = re.compile(rf"(?P<literal>{_LITERAL}) | (?P<word>[^\W\d_]+)", re.VERBOSE)
_ROMAN = re.compile(r"(?=[IVX]{2}|[IVXLCDM]{4})M*(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_RUN_ON = re.compile(
    f"({'|'.join(word for word, (role, _) in WORDS.items() if role in 'ut')})(?:{'|'.join(PARTS)})"
)
# What may stand between two parts of one numeral, as the sign that _GROUP knows it by.
_GAPS = (
    ("-", re.compile(r"\s*|-")),
    ("&", re.compile(r"\s+and\s+|-and-", re.IGNORECASE)),
    ("+", re.compile(r"\s+and\s+an?\s+|-and-an?-", re.IGNORECASE)),
)
_WORDED = "(?:t-u|t|u)"
_ATOM = f"(?:d|{_WORDED})"
_LEAD = f"(?:{_ATOM}(?:-s){{1,3}}|s(?:-s){{0,2}})"
_MORE = f"(?:(?:-{_ATOM}|&{_WORDED})(?:-s){{1,3}}){{0,6}}"
_CARDINAL = f"(?:{_LEAD}{_MORE}(?:[-&]{_WORDED})?|{_ATOM})"
_GROUP = re.compile(f"(?:{_LEAD}{_MORE}[-&])?(?:t-)?o|{_CARDINAL}(?:[-+]f|-g)?|[fgp]")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A numeral as it stands in a text.

    Attributes
    ----------
    text : the characters of the text.
    value : the number that it says, exactly.
    start, end : where it stands: ``text == whole[start:end]``.
    """

    text: str
    value: Fraction
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Token:
    role: str
    value: Fraction
    start: int
    end: int


def numerals(text: str) -> tuple[Numeral, ...]:
    """Find every numeral of a text, from left to right.

    Parts of one number are one numeral: "two hundred and five", "1.2 million", "1 1/2".
    """
    plain, places = _plain(text)
    tokens = list(_tokens(plain))
    found = []
    for match in _GROUP.finditer(_shape(plain, tokens)):
        group = tokens[match.start() // 2 : match.end() // 2 + 1]
        start, end = places[group[0].start], places[group[-1].end - 1] + 1
        value = _value(group, match.group()[1::2])
        found.append(Numeral(text[start:end], value, start, end))
    return tuple(found)


def unsourced(line: str, facts: Iterable[int | float | str], name: str) -> tuple[str, ...]:
    """Return the numerals of a line that no fact holds, each once, as they stand in the line.

    Parameters
    ----------
    facts : what the entry's facts say: numbers count as themselves, texts (a category's value, a
        source's own wording) for the numerals in them.
    name : what the entry is called. A numeral is no claim inside the whole name, inside a word of
        it ("UR10"), or beside the word that it stands beside there ("PUMA 560", but not "560").
    """
    in_line = numerals(line)
    if not in_line:
        return ()
    sourced = {value for fact in facts for value in _stated(fact)}
    named = [match.span() for phrase in _names(name) for match in phrase.finditer(line)]
    return tuple(
        dict.fromkeys(
            numeral.text
            for numeral in in_line
            if numeral.value not in sourced
            and not any(start <= numeral.start and numeral.end <= end for start, end in named)
        )
    )


def _stated(fact: int | float | str) -> Iterator[Fraction]:
    """Yield the numbers that a fact's value or wording holds; a float as it was written."""
    if isinstance(fact, str):
        yield from (numeral.value for numeral in numerals(fact))
    else:
        yield Fraction(Decimal(repr(fact)))


def _names(name: str) -> Iterator[re.Pattern[str]]:
    """Yield the phrases of a name inside which numerals are allowed."""
    words = [match.group() for match in re.finditer(r"\w(?:\S*\w)?", name)]
    phrases = [words]
    for place, word in enumerate(words):
        inside = numerals(word)
        if not inside:
            continue
        bare = len(inside) == 1 and inside[0].text == word
        phrases.append(words[max(place - 1, 0) : max(place + 1, 2)] if bare else [word])
    for phrase in phrases:
        pattern = r"\W+".join(re.escape(word) for word in phrase)
        yield re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE)


def _plain(text: str) -> tuple[str, Sequence[int]]:
    """Write digits and letters of any style plainly; say where each character came from."""
    if text.isascii():
        return text, range(len(text))
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if unicodedata.category(character) == "Cf":  # soft hyphens and joiners hide words
            continue
        digit = unicodedata.decimal(character, None)
        if digit is not None:
            plain = str(digit)
        elif character.isalpha():
            plain = unicodedata.normalize("NFKC", character)
        else:
            plain = character.translate(_MARKS)
        characters.append(plain)
        places.extend([place] * len(plain))
    return "".join(characters), places


def _tokens(plain: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(plain):
        if match["word"] is None:
            yield _literal(match)
            continue
        start = match.start()
        for alphabetic, run in groupby(match["word"], str.isalpha):
            word = "".join(run)
            known = _word(word) if alphabetic else None
            if known is None:
                yield from _glyphs(word, start)
            else:
                yield _Token(*known, start, start + len(word))
            start += len(word)


def _literal(match: re.Match[str]) -> _Token:
    """Read a number in digits. Decimal takes any length of them, which int() does not."""
    if match["upper"]:
        value = Fraction(Decimal(match["upper"])) / Fraction(Decimal(match["lower"]))
        return _Token("g", value, *match.span())
    digits = match["literal"]
    if match["mark"]:
        digits = digits.replace(match["mark"], "")
    elif "," in digits:  # a decimal comma; points before it group thousands
        digits = digits.replace(".", "").replace(",", ".")
    return _Token("d", Fraction(Decimal(digits)), *match.span())


def _word(word: str) -> tuple[str, Fraction] | None:
    """Return role and value of a number word, in the plural too, or of a Roman numeral."""
    if _ROMAN.fullmatch(word):
        return "p", Fraction(_roman(word))
    lower = word.casefold()
    if lower in WORDS:
        return WORDS[lower]
    for suffix, singular in (("ies", "y"), ("es", ""), ("s", "")):
        known = WORDS.get(lower.removesuffix(suffix) + singular) if lower.endswith(suffix) else None
        if known is not None and known[0] != "o":
            return known
        if known is not None and known[1] > 2:
            return "f", 1 / known[1]  # "fifths"; but "seconds" are time
    run_on = _RUN_ON.match(lower)
    return None if run_on is None else ("p", WORDS[run_on[1]][1])


def _roman(word: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in word]
    following = [*values[1:], 0]
    return sum(-n if n < after else n for n, after in zip(values, following, strict=True))


def _glyphs(run: str, start: int) -> Iterator[_Token]:
    """Yield the single characters that are numbers: ½, ², ⑩, Ⅷ, and those of Chinese."""
    for place, character in enumerate(run, start):
        number = unicodedata.numeric(character, None)
        if number is None:
            continue
        value = Fraction(number).limit_denominator(1000)
        role = "p"
        if character.isalpha():
            role = "u" if value < 10 else "s"
        elif 0 < value < 1:
            role = "g"
        yield _Token(role, value, place, place + 1)


def _shape(plain: str, tokens: list[_Token]) -> str:
    """Write the tokens' roles with a sign for each gap between: "two hundred and five", u-s&u."""
    shape = "".join(token.role for token in tokens[:1])
    for before, after in pairwise(tokens):
        gap = plain[before.end : after.start]
        shape += next((sign for sign, form in _GAPS if form.fullmatch(gap)), ".") + after.role
    return shape


def _value(group: list[_Token], signs: str) -> Fraction:
    *whole, last = group
    if whole and last.role == "f" and signs[-1] == "-":  # "three quarters"
        return _sum(whole) * last.value
    if whole and last.role in "fg":  # "two and a half", "1½"
        return _sum(whole) + last.value
    return _sum(group)


def _sum(group: list[_Token]) -> Fraction:
    """Multiply what stands before the largest scale by it and add what stands after."""
    scales = [token.value for token in group if token.role == "s"]
    if not scales:
        return sum((token.value for token in group), Fraction(0))
    place = next(
        n for n, token in enumerate(group) if token.role == "s" and token.value == max(scales)
    )
    before = _sum(group[:place]) if place else Fraction(1)
    return before * group[place].value + _sum(group[place + 1 :])
