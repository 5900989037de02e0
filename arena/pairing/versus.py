"""The `versus` chooser: newcomers first, then one pair in five at random, else what teaches most.

An entry with fewer than two comparisons meets one of those nearest to where it seems to stand.
Otherwise the pairs that a comparison would teach most about are drawn in proportion to their worth;
those served lately wait, so that nobody is asked the same again while the model has not moved.
"""

from __future__ import annotations

from random import Random

from arena.pairing.field import Contender, Drawn, Field, NothingToCompare
from arena.pairing.uniform import uniform

PLACED_FROM = 2
NEAREST = 8
RANDOM_SHARE = 0.2
TOP = 8
COOLDOWN = 200


def choose(field: Field, rng: Random) -> Drawn:
    """Draw a pair.

    Raises
    ------
    NothingToCompare
    """
    if len(field.contenders) < 2:
        raise NothingToCompare
    if (placed := _placement(field, rng)) is not None:
        return placed
    if rng.random() < RANDOM_SHARE:
        return uniform(field, rng)
    return _informative(field, rng) or uniform(field, rng)


def _placement(field: Field, rng: Random) -> Drawn | None:
    """A newcomer against one of the eight nearest, of those that the session has not judged."""
    newcomers = [it for it in field.contenders if it.votes < PLACED_FROM]
    for newcomer in rng.sample(newcomers, len(newcomers)):
        nearest = sorted(
            (it for it in field.contenders if it is not newcomer),
            key=lambda it: (abs(it.score - newcomer.score), rng.random()),
        )[:NEAREST]
        fresh = [pair for it in nearest if field.history.is_fresh(pair := _pair(newcomer, it))]
        if fresh:
            return Drawn(rng.choice(fresh), "placement")
    return None


def _informative(field: Field, rng: Random) -> Drawn | None:
    """One of the eight best pairs that may be served, in proportion to what each is worth."""
    present = {it.slug for it in field.contenders}
    best: list[tuple[frozenset[str], float]] = []
    for pair, worth in field.informative:
        if pair <= present and pair not in field.cooling and field.history.is_fresh(pair):
            best.append((pair, worth))
            if len(best) == TOP:
                break
    if not best:
        return None
    pairs, worths = zip(*best, strict=True)
    return Drawn(rng.choices(pairs, worths)[0], "information")


def _pair(one: Contender, other: Contender) -> frozenset[str]:
    return frozenset((one.slug, other.slug))
