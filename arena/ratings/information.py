"""Which pairs a comparison would teach the most about.

Of an even pair one cannot tell the answer, but between two settled neighbours there is nothing left
to learn; the variance of their gap tells these apart.
"""

from __future__ import annotations

import numpy as np

from arena.ratings import davidson
from arena.ratings.arrays import IntVector, Matrix, Vector


def entropy_bits(gaps: Matrix, nu: float) -> Matrix:
    """Entropy of the three outcomes in bits, chances taken as if the gaps were known exactly.

    Averaging over the gap's uncertainty here would count it twice: its variance is a factor of
    its own.
    """
    chances = np.stack(davidson.chances(gaps, nu))
    logs = np.log2(chances, where=chances > 0.0, out=np.zeros_like(chances))
    return np.asarray(-(chances * logs).sum(axis=0))


def information(theta: Vector, covariance: Matrix, nu: float, votes: IntVector) -> Matrix:
    """(n, n) what a comparison of two entries is worth: entropy x variance x bonus.

    Parameters
    ----------
    theta : (n,) strengths.
    covariance : (n, n) of them.
    nu : tie affinity.
    votes : (n,) counted votes; the fewer, the larger the bonus, so that no entry starves.
    """
    own = np.diagonal(covariance)
    variance = np.maximum(own[:, None] + own - 2.0 * covariance, 0.0)
    bonus = 1.0 / np.sqrt(1.0 + votes)
    worth = entropy_bits(theta[:, None] - theta, nu) * variance
    return np.asarray(worth * (1.0 + bonus[:, None] + bonus))


def most_informative(worth: Matrix, most: int) -> tuple[IntVector, IntVector]:
    """Rows and columns (row < column) of the largest worths, descending; equal ones by place."""
    first, second = np.triu_indices(len(worth), k=1)
    values = np.round(worth[first, second], 12)
    order = np.argsort(-values, kind="stable")[:most]
    return first[order], second[order]
