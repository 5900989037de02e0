"""What choices lean to, in sentences that follow from them word for word.

A lean is a direction on one attribute that the entries carry: a value picked over others, or the
lower or the higher number. Nothing is guessed and nobody writes it: equal choices, equal words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from arena.ratings.leans import FEWEST, LEVEL, holm, sign_test
from arena.roster import Attribute, Entry, Noun, Site


@dataclass(frozen=True, slots=True)
class Decided:
    """One decided choice: who was chosen over whom, and whatever else is known of it."""

    winner: str
    loser: str


@dataclass(frozen=True, slots=True)
class Lean:
    """A direction that choices take on one attribute.

    Attributes
    ----------
    value : of a category; None for a number.
    towards : whether the side with the value, or with the higher number, was chosen more often.
    k, n : how often the favoured side was chosen, of how many choices that say something.
    p : of the exact two-sided sign test.
    firm : whether it survives Holm's correction too.
    behind : places of these choices among those given, in their order.
    """

    attribute: Attribute
    value: str | None
    towards: bool
    k: int
    n: int
    p: Fraction
    firm: bool
    behind: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """All leans that pass, with what they were found among.

    Attributes
    ----------
    leans : in the order of p, then of n descending, then of the name.
    tested : directions with enough choices for a lean to be possible at all.
    decided : decided choices that were given.
    """

    leans: tuple[Lean, ...]
    tested: int
    decided: int


Key = tuple[str, str | None]
"""An attribute's slug, and a value where it is a category."""


def profile(site: Site, choices: Iterable[Decided]) -> Profile:
    """The leans of some decided choices.

    Ties, skips and votes taken back are not given. A choice says something on an attribute where
    both entries have it and differ on it.
    """
    given = list(choices)
    entries = {entry.slug: entry for entry in site.entries}
    signs: dict[Key, list[tuple[int, bool]]] = defaultdict(list)
    for place, choice in enumerate(given):
        winner, loser = entries.get(choice.winner), entries.get(choice.loser)
        if winner is not None and loser is not None:
            for key, sign in _signs(site, winner, loser):
                signs[key].append((place, sign))
    return _tested(site, signs, len(given))


def profile_of_counts(site: Site, counts: Mapping[Key, tuple[int, int]], decided: int) -> Profile:
    """The same of choices that were counted already.

    Parameters
    ----------
    counts : for each direction, how often the side with the value or the higher number was chosen,
        and of how many.
    """
    signs: dict[Key, list[tuple[int, bool]]] = {
        key: [(0, True)] * k + [(0, False)] * (n - k) for key, (k, n) in counts.items()
    }
    return _tested(site, signs, decided)


def signs_of(site: Site, winner: str, loser: str) -> Iterator[tuple[Key, bool]]:
    """What one choice says: for each direction, whether the side with it was chosen."""
    one, other = site.entry(winner), site.entry(loser)
    if one is not None and other is not None:
        yield from _signs(site, one, other)


def sentence(lean: Lean, noun: Noun) -> str:
    """A lean in words."""
    count = f"{lean.k} of {lean.n} decided choices"
    if lean.value is None:
        word = lean.attribute.more if lean.towards else lean.attribute.less
        return f"You lean to {word} {noun.plural}: {count}."
    named = phrase(lean.attribute, lean.value, noun)
    one, other = (named, "others") if lean.towards else ("others", named)
    return f"You pick {one} over {other}: {count}."


def crowd_sentence(lean: Lean, noun: Noun) -> str:
    """A lean of many sessions in words."""
    count = f"{lean.k} of {lean.n} sessions"
    if lean.value is None:
        word = lean.attribute.more if lean.towards else lean.attribute.less
        return f"Voters lean to {word} {noun.plural}: {count}."
    named = phrase(lean.attribute, lean.value, noun)
    one, other = (named, "others") if lean.towards else ("others", named)
    return f"Voters pick {one} over {other}: {count}."


def phrase(attribute: Attribute, value: str, noun: Noun) -> str:
    """Those that share a value, in words that the site's file gives, or in plain ones."""
    if attribute.phrase is None:
        return f"{noun.plural} with {attribute.label.lower()} “{value}”"
    return attribute.phrase.replace("{}", value)


def _signs(site: Site, winner: Entry, loser: Entry) -> Iterator[tuple[Key, bool]]:
    for attribute in site.attributes:
        facts = winner.fact(attribute.slug), loser.fact(attribute.slug)
        if facts[0] is None or facts[1] is None or facts[0].value == facts[1].value:
            continue
        one, other = facts[0].value, facts[1].value
        if attribute.type == "category":
            yield (attribute.slug, str(one)), True
            yield (attribute.slug, str(other)), False
        elif not isinstance(one, str) and not isinstance(other, str):
            yield (attribute.slug, None), one > other


def _tested(site: Site, signs: Mapping[Key, list[tuple[int, bool]]], decided: int) -> Profile:
    attributes = {it.slug: it for it in site.attributes}
    tests = []
    for key, found in signs.items():
        if len(found) >= FEWEST:
            chosen = sum(sign for _, sign in found)
            tests.append((sign_test(chosen, len(found)), key, chosen, found))
    firm = holm([p for p, *_ in tests])
    leans = [
        Lean(
            attribute=attributes[slug],
            value=value,
            towards=2 * chosen > len(found),
            k=max(chosen, len(found) - chosen),
            n=len(found),
            p=p,
            firm=holds,
            behind=tuple(place for place, _ in found),
        )
        for (p, (slug, value), chosen, found), holds in zip(tests, firm, strict=True)
        if p < LEVEL
    ]
    return Profile(tuple(sorted(leans, key=_order)), len(tests), decided)


def _order(lean: Lean) -> tuple[Fraction, int, str, str]:
    return lean.p, -lean.n, lean.attribute.label.casefold(), lean.value or ""
