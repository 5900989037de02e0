"""Whether choices lean to one side: the exact two-sided sign test, and Holm's correction.

Probabilities are fractions: two p-values that are equal are equal, on every machine.

References
----------
Holm (1979), A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

LEVEL = Fraction(1, 20)
FEWEST = 6
"""Decided choices from which a lean can be said at all: six of six has p = 1/32."""


def sign_test(k: int, n: int) -> Fraction:
    """Chance that an even coin comes out at least as uneven as k of n.

    p = min(1, 2 P(X <= min(k, n - k))) with X binomial of n and one half.

    Raises
    ------
    ValueError
        If k is negative or more than n.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no count")
    tail = sum(comb(n, i) for i in range(min(k, n - k) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**n))


def holm(ps: Sequence[Fraction], level: Fraction = LEVEL) -> list[bool]:
    """Which of several tests still reject when all of them are held to one level (Holm 1979)."""
    order = sorted(range(len(ps)), key=ps.__getitem__)
    rejected = [False] * len(ps)
    for place, index in enumerate(order):
        if ps[index] * (len(ps) - place) >= level:
            break
        rejected[index] = True
    return rejected
