"""The inverse of an information matrix without one subtraction.

The information of paired comparisons is a graph's Laplacian plus what the virtual games add to the
diagonal. Where a pair has met millions of times, that little addition drowns in the rounding of
the diagonal, and with it the variance of everything that only the virtual games hold. Kept apart,
it is never lost: every sum below is of positive numbers.

References
----------
Grassmann, Taksar, Heyman (1985), Regenerative analysis and steady state distributions for Markov
chains: elimination by what is left, and never by a difference.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from arena.ratings.arrays import Matrix, Vector
from arena.ratings.newton import NotPositive
from arena.ratings.pairs import Pairs

MANY_GAMES = 1e6
"""Games on one pair from which a Cholesky factor has lost too many digits."""


def is_needed(pairs: Pairs) -> bool:
    """Whether some pair has met so often that rounding would be seen."""
    return bool(pairs.games.max(initial=0.0) > MANY_GAMES)


def inverse(pairs: Pairs, curvature: Vector, excess: Vector) -> Matrix:
    """(n, n) inverse of the Laplacian with these weights plus a diagonal.

    Parameters
    ----------
    pairs : n entries, m pairs.
    curvature : (m,) weight of each pair, none negative.
    excess : (n,) what the diagonal has beyond the sum of its row, all positive.

    Raises
    ------
    newton.NotPositive
        If a pivot is not positive or not a number.
    """
    n = pairs.n
    weight = np.zeros((n, n))
    weight[pairs.first, pairs.second] = weight[pairs.second, pairs.first] = curvature
    left = excess.copy()
    pivots = np.empty(n)
    lower = np.eye(n)
    for k in range(n):
        rest = weight[k, k + 1 :].copy()
        pivots[k] = left[k] + rest.sum()
        if not pivots[k] > 0.0 or not np.isfinite(pivots[k]):
            raise NotPositive(k, float(pivots[k]))
        share = rest / pivots[k]
        lower[k + 1 :, k] = -share
        left[k + 1 :] += share * left[k]
        weight[k + 1 :, k + 1 :] += np.outer(share, rest)
        np.fill_diagonal(weight[k + 1 :, k + 1 :], 0.0)
    unwound = solve_triangular(lower, np.eye(n), lower=True, unit_diagonal=True)
    return np.asarray(unwound.T @ (unwound / pivots[:, None]))
