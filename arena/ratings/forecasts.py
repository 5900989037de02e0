"""What a fit says about a game, with its own uncertainty taken into account.

Plugging noisy strengths into a steep curve overstates confidence; the gap is shrunk first.

References
----------
MacKay (1992), The evidence framework applied to classification networks: the factor pi/8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from scipy.special import expit

from arena.ratings import davidson
from arena.ratings.arrays import IntVector, Matrix, Vector

PROBIT_FACTOR = math.pi / 8.0
ROWS_AT_ONCE = 256

Gap = TypeVar("Gap", float, Matrix)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is expected of one game.

    Attributes
    ----------
    difference, variance : of the gap in strength.
    p : chance that the first wins, given that somebody does.
    tie : chance of a tie.
    """

    difference: float
    variance: float
    p: float
    tie: float


@dataclass(frozen=True, eq=False, slots=True)
class Forecaster:
    """A Davidson fit that answers for any two entries, voted on or not.

    Attributes
    ----------
    names : (n,) entries, sorted.
    theta : (n,) strengths; 0 for an entry without a vote.
    covariance : (n, n) of the strengths; an entry without a vote has variance 2 / c and no
        covariance.
    nu : tie affinity.
    """

    names: tuple[str, ...]
    theta: Vector
    covariance: Matrix
    nu: float

    def gaps(self, first: IntVector, second: IntVector) -> tuple[Vector, Vector]:
        """(k,) differences in strength and their variances."""
        own = np.diagonal(self.covariance)
        variance = own[first] + own[second] - 2.0 * self.covariance[first, second]
        return self.theta[first] - self.theta[second], np.maximum(variance, 0.0)

    def logits(self, first: IntVector, second: IntVector) -> Vector:
        """(k,) marginal log odds that the first wins, given that somebody does."""
        difference, variance = self.gaps(first, second)
        return shrunk(difference, variance)

    def forecast(self, first: str, second: str) -> Forecast:
        """What is expected of a game between two entries.

        Raises
        ------
        KeyError
            If an entry is unknown.
        """
        place = {name: index for index, name in enumerate(self.names)}
        one, other = np.array([place[first]]), np.array([place[second]])
        difference, variance = (float(value[0]) for value in self.gaps(one, other))
        z = shrunk(difference, variance)
        return Forecast(difference, variance, float(expit(z)), tie_chance(z, self.nu))


def beats_typical(theta: Vector, covariance: Matrix) -> Vector:
    """(n,) mean chance of each entry against every other one, given that somebody wins.

    One entry alone has nobody to beat: its figure is not a number.

    Parameters
    ----------
    theta : (n,) strengths.
    covariance : (n, n) of them.
    """
    own, n = np.diagonal(covariance), theta.size
    if n < 2:
        return np.full(n, np.nan)
    total = np.empty(n)
    for begin in range(0, n, ROWS_AT_ONCE):
        rows = slice(begin, begin + ROWS_AT_ONCE)
        variance = np.maximum(own[rows, None] + own - 2.0 * covariance[rows], 0.0)
        total[rows] = expit(shrunk(theta[rows, None] - theta, variance)).sum(axis=1)
    return (total - 0.5) / (n - 1)  # an entry is even with itself


def shrunk(difference: Gap, variance: Gap) -> Gap:
    """Gap after its uncertainty has been averaged over (MacKay 1992)."""
    scale: Gap = (1.0 + PROBIT_FACTOR * variance) ** -0.5
    return difference * scale


def tie_chance(gap: float, nu: float) -> float:
    """Davidson's chance of a tie at a gap in strength."""
    return float(davidson.chances(np.array(gap), nu)[2])


def forecaster(
    fit: davidson.Fit, rated: Sequence[str], names: Sequence[str], weight: float
) -> Forecaster:
    """A forecaster for `names`, whether or not the fit has seen each.

    Parameters
    ----------
    fit : strengths of `rated`, in their order.
    rated : entries with a vote, sorted.
    names : entries to answer for, sorted; those rated among them.
    weight : c; an entry without a vote is normal with mean 0 and variance 2 / c.
    """
    if list(names) == list(rated):
        return Forecaster(tuple(names), fit.theta, fit.covariance[:-1, :-1], fit.nu)
    place = {name: index for index, name in enumerate(names)}
    seen = np.array([place[name] for name in rated], dtype=np.int64)
    theta = np.zeros(len(names))
    theta[seen] = fit.theta
    covariance = np.diag(np.full(len(names), 2.0 / weight))
    covariance[np.ix_(seen, seen)] = fit.covariance[:-1, :-1]
    return Forecaster(tuple(names), theta, covariance, fit.nu)
