"""Pairs drawn with no model's opinion: the arm that every chooser has.

It keeps the comparison graph in one piece, and gives the only sample on which forecasts can be
judged fairly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from arena.pairing.field import Contender, Drawn, Field, Pair

STRATEGY = "random"
TRIES = 64


def uniform(field: Field, rng: Random) -> Drawn:
    """A pair uniform over those still fresh; over all but the last shown when none is."""
    contenders, history = field.contenders, field.history
    return Drawn(
        _among(contenders, history.is_fresh, rng)
        or _among(contenders, lambda pair: pair != history.last, rng)
        or frozenset(contender.slug for contender in contenders),
        STRATEGY,
    )


def _among(
    contenders: Sequence[Contender], admits: Callable[[Pair], bool], rng: Random
) -> Pair | None:
    """A pair uniform over those admitted; None if there is none.

    Most draws are admitted at once; only when almost nothing is left are all pairs listed.
    """
    slugs = [contender.slug for contender in contenders]
    for _ in range(TRIES):
        if admits(pair := frozenset(rng.sample(slugs, 2))):
            return pair
    left = [pair for two in combinations(slugs, 2) if admits(pair := frozenset(two))]
    return rng.choice(left) if left else None
