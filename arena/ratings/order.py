"""Which row stands above which, and which ranks an interval leaves open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.ratings.arrays import IntVector, Vector

DIGITS = 9
"""Figures that agree to this many decimals are equal: what differs beyond is rounding."""


def board_order(names: Sequence[str], *figures: Vector) -> IntVector:
    """Indices by the first figure descending, equal ones by the next, at last by name.

    Parameters
    ----------
    names : n slugs.
    figures : (n,) each.
    """
    keys = [-np.round(figure, DIGITS) for figure in reversed(figures)]
    return np.lexsort([np.argsort(np.argsort(np.array(names))), *keys])


def ranks_left_open(lower: Vector, upper: Vector) -> tuple[IntVector, IntVector]:
    """Best and worst rank that intervals leave open.

    Parameters
    ----------
    lower, upper : (n,) ends of the intervals.

    Returns
    -------
    (n,) one more than the number of entries that lie wholly above, and n less the number of those
    that lie wholly below.
    """
    n = lower.size
    lower, upper = np.round(lower, DIGITS), np.round(upper, DIGITS)
    best = 1 + n - np.searchsorted(np.sort(lower), upper, side="right")
    worst = n - np.searchsorted(np.sort(upper), lower, side="left")
    return best.astype(np.int64), worst.astype(np.int64)
