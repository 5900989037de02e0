"""Tiers as quantiles of rank, and how firmly each entry sits in its own.

The bands are uneven on purpose: in the middle of a board a rank is known only to about a band.
"""

from __future__ import annotations

import numpy as np

from arena.ratings.arrays import IntMatrix, IntVector, Matrix
from arena.ratings.order import DIGITS

TIERS = ("S", "A", "B", "C", "D")
LAST_PERCENT = (8, 25, 55, 85)
"""Each tier but the last reaches down to this per cent of the ranks, rounded up."""
FIRM_PERCENT = 75
"""Under this per cent of replicates in the home tier, a second tier is shown."""


def tier_of(rank: IntMatrix, published: int) -> IntMatrix:
    """Number of the tier, 0 the highest, of ranks among `published` entries."""
    last = [-(-percent * published // 100) for percent in LAST_PERCENT]
    return np.searchsorted(last, rank, side="left").astype(np.int64)


def replicate_ranks(strengths: Matrix) -> IntMatrix:
    """(n, r) ranks from 1 within each replicate; equal strengths keep the order of the rows."""
    order = np.argsort(-np.round(strengths, DIGITS), axis=0, kind="stable")
    ranks = np.empty(strengths.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.arange(1, len(strengths) + 1)[:, None], axis=0)
    return ranks


def rank_range(ranks: IntMatrix) -> tuple[IntVector, IntVector]:
    """(n,) 10th and 90th percentile of the ranks over replicates, by nearest rank."""
    replicates = ranks.shape[1]
    ordered = np.sort(ranks, axis=1)
    low, high = (-(-percent * replicates // 100) - 1 for percent in (10, 90))
    return ordered[:, low], ordered[:, high]


def alternates(ranks: IntMatrix, home: IntVector) -> list[str | None]:
    """The other tier of each entry that does not sit firmly in its own.

    Parameters
    ----------
    ranks : (n, r) of replicates, among the n published entries.
    home : (n,) number of each entry's tier.

    Returns
    -------
    The most common other tier (of equally common ones the nearer, then the higher), or None where
    the home tier holds at least 75 % of the replicates.
    """
    n, replicates = ranks.shape
    tiers = tier_of(ranks, n)
    found: list[str | None] = []
    for own, row in zip(home.tolist(), tiers, strict=True):
        share = np.bincount(row, minlength=len(TIERS)).tolist()
        if 100 * share[own] >= FIRM_PERCENT * replicates:
            found.append(None)
            continue
        others = [tier for tier in range(len(TIERS)) if tier != own]
        other = min(others, key=lambda tier: (-share[tier], abs(tier - own), tier))
        found.append(TIERS[other])
    return found
