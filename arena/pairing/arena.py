"""The `arena` chooser: mostly informative pairs, some for the neglected, some at random.

Three draws in four take an entry whose interval is still wide and an opponent near it: a pair
whose outcome is known teaches nothing. One in twenty takes the entries with the fewest votes. The
rest is uniform over all pairs, which keeps the comparison graph in one piece and gives the only
sample on which forecasts can be judged fairly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from arena.pairing.field import Contender, Drawn, Field, History, NothingToCompare
from arena.pairing.uniform import uniform

NEAR = 150.0
UNCERTAIN_SHARE, STARVED_SHARE = 0.75, 0.05
WIDE_PART = 4

Opponents = Iterator[tuple[Contender, Sequence[Contender]]]


def choose(field: Field, rng: Random) -> Drawn:
    """Draw a pair.

    A pair that the session has judged comes again only when it has judged every pair there is;
    the pair it was shown last comes again only when there is no other.

    Raises
    ------
    NothingToCompare
    """
    contenders, history = field.contenders, field.history
    if len(contenders) < 2:
        raise NothingToCompare
    arm = rng.random()
    if arm < UNCERTAIN_SHARE:
        drawn = _first_fresh(_uncertain(contenders, rng), history, rng, "uncertain")
    elif arm < UNCERTAIN_SHARE + STARVED_SHARE:
        drawn = _first_fresh(_starved(contenders, rng), history, rng, "starved")
    else:
        drawn = None
    return drawn or uniform(field, rng)


def _first_fresh(reach: Opponents, history: History, rng: Random, strategy: str) -> Drawn | None:
    """The first entry of the arm that has a fresh opponent, and one of those at random."""
    for entry, opponents in reach:
        fresh = [
            pair
            for opponent in opponents
            if history.is_fresh(pair := frozenset((entry.slug, opponent.slug)))
        ]
        if fresh:
            return Drawn(rng.choice(fresh), strategy)
    return None


def _uncertain(contenders: Sequence[Contender], rng: Random) -> Opponents:
    """The quarter with the widest intervals in random order, each with those near it.

    An entry with nobody near has its nearest as its only opponent.
    """
    shuffled = rng.sample(contenders, len(contenders))
    shuffled.sort(key=lambda contender: -contender.width)
    wide = shuffled[: max(1, -(-len(shuffled) // WIDE_PART))]
    for entry in rng.sample(wide, len(wide)):
        others = [other for other in contenders if other is not entry]
        near = [other for other in others if abs(other.score - entry.score) <= NEAR]
        yield entry, near or [min(others, key=lambda other: abs(other.score - entry.score))]


def _starved(contenders: Sequence[Contender], rng: Random) -> Opponents:
    """The entries with the fewest votes in random order, each with all others."""
    fewest = min(contender.votes for contender in contenders)
    starved = [contender for contender in contenders if contender.votes == fewest]
    for entry in rng.sample(starved, len(starved)):
        yield entry, [other for other in contenders if other is not entry]
