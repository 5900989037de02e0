"""Bradley-Terry strengths, kept finite by games against a phantom of strength 1.

Ties are half a point to each side. Newton's method is the promise; the minorise-maximise sweep is
the algorithm that the method page describes, and both end at the same maximum.

References
----------
Bradley and Terry (1952), Rank analysis of incomplete block designs.
Hunter (2004), MM algorithms for generalized Bradley-Terry models.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

from arena.ratings import dominant, newton
from arena.ratings.arrays import Matrix, Vector
from arena.ratings.pairs import Pairs

MM_TOLERANCE = 1e-6
MM_SWEEPS = 500


@dataclass(frozen=True, eq=False, slots=True)
class AnchoredLikelihood:
    """Log-likelihood of the games, each entry also having met the phantom.

    Attributes
    ----------
    pairs : games by pair.
    weight : virtual wins, and as many virtual losses, of each entry against the phantom.
    """

    pairs: Pairs
    weight: float

    @property
    def bound(self) -> None:
        """Strengths are not bounded."""
        return None

    def gaps(self, theta: Vector) -> Vector:
        """(m,) log odds that the first of each pair wins."""
        return theta[self.pairs.first] - theta[self.pairs.second]

    def data_value(self, theta: Vector) -> float:
        """Log-likelihood of the votes alone."""
        gaps = self.gaps(theta)
        won = self.pairs.points_first @ gaps
        return float(won - self.pairs.games @ np.logaddexp(0.0, gaps))

    def value(self, theta: Vector) -> float:
        """Log-likelihood of votes and virtual games."""
        virtual = theta.sum() - 2.0 * np.logaddexp(0.0, theta).sum()
        return self.data_value(theta) + self.weight * float(virtual)

    def slope(self, theta: Vector) -> tuple[Vector, Vector]:
        """(n,) gradient: points won less points expected; and (m + n,) curvatures."""
        chance = 0.5 + 0.5 * np.tanh(0.5 * self.gaps(theta))
        gradient = self.pairs.net(self.pairs.points_first - self.pairs.games * chance)
        against_phantom = expit(theta)
        gradient += self.weight * (1.0 - 2.0 * against_phantom)
        curvature = self.pairs.games * (chance * (1.0 - chance))
        anchor = 2.0 * self.weight * against_phantom * (1.0 - against_phantom)
        return gradient, np.concatenate([curvature, anchor])

    def information(self, weights: Vector) -> Matrix:
        """(n, n) observed information, upper triangle."""
        n = self.pairs.n
        matrix = np.zeros(n * n)
        matrix[self.pairs.cell] = -weights[:-n]
        matrix[:: n + 1] = self.diagonal(weights)
        return matrix.reshape(n, n)

    def times(self, weights: Vector, vector: Vector) -> Vector:
        """(n,) product of the information with a vector."""
        n = self.pairs.n
        return self.pairs.net(weights[:-n] * self.gaps(vector)) + weights[-n:] * vector

    def diagonal(self, weights: Vector) -> Vector:
        """(n,) diagonal of the information."""
        n = self.pairs.n
        return self.pairs.both(weights[:-n]) + weights[-n:]

    def reach(self, step: Vector) -> float:
        """The most by which a step changes the log odds of a game."""
        return float(max(np.abs(self.gaps(step)).max(initial=0.0), np.abs(step).max(initial=0.0)))


@dataclass(frozen=True, eq=False)
class Fit:
    """The maximum of the anchored likelihood.

    Attributes
    ----------
    theta : (n,) natural-log strengths, the phantom at 0.
    likelihood : what was maximised.
    iterations : Newton steps or MM sweeps.
    converged : whether the last of them was negligible.
    """

    theta: Vector
    likelihood: AnchoredLikelihood
    iterations: int
    converged: bool

    @property
    def nu(self) -> None:
        """Ties are no outcome of their own here."""
        return None

    @property
    def at(self) -> Vector:
        """(n,) all parameters: the strengths."""
        return self.theta

    @property
    def centred(self) -> Vector:
        """(n,) strengths shifted to mean 0."""
        centred: Vector = self.theta - self.theta.mean()
        return centred

    @property
    def log_likelihood(self) -> float:
        """Of the votes alone, without constants."""
        return self.likelihood.data_value(self.theta)

    @property
    def penalised(self) -> float:
        """The same with the games against the phantom."""
        return self.likelihood.value(self.theta)

    @cached_property
    def covariance(self) -> Matrix:
        """(n, n) inverse of the observed information."""
        pairs = self.likelihood.pairs
        if not dominant.is_needed(pairs):
            return newton.inverse_at(self.likelihood, self.theta)
        _, weights = self.likelihood.slope(self.theta)
        return dominant.inverse(pairs, weights[: -pairs.n], weights[-pairs.n :])


def anchored(pairs: Pairs, weight: float) -> AnchoredLikelihood:
    """The likelihood with `weight` virtual wins and losses for each entry.

    Raises
    ------
    ValueError
        If the weight is not positive: without virtual games the maximum may lie at infinity.
    """
    if not weight > 0:
        raise ValueError(f"the weight of the virtual games is {weight}, not positive")
    return AnchoredLikelihood(pairs, weight)


def fit(pairs: Pairs, weight: float, start: Vector | None = None) -> Fit:
    """Strengths at the maximum, by damped Newton.

    Parameters
    ----------
    pairs : games by pair.
    weight : virtual wins, and as many losses, of each entry against the phantom.
    start : (n,) where to begin; the maximum does not depend on it.

    Raises
    ------
    ValueError
        If the weight is not positive.
    newton.NotPositive
        If the information cannot be factorised.
    """
    likelihood = anchored(pairs, weight)
    found = newton.maximise(likelihood, _log_odds(likelihood) if start is None else start)
    return Fit(found.at, likelihood, found.iterations, found.converged)


def _log_odds(likelihood: AnchoredLikelihood) -> Vector:
    """(n,) log odds of each entry's own points, whoever they were won from: a place to begin."""
    won, lost = likelihood.pairs.points()
    return np.asarray(np.log((likelihood.weight + won) / (likelihood.weight + lost)))


def fit_mm(
    pairs: Pairs, weight: float, tolerance: float = MM_TOLERANCE, most_sweeps: int = MM_SWEEPS
) -> Fit:
    """Strengths by MM sweeps (Hunter 2004, equation 3), the phantom staying where it is.

    Stops when no log strength moves by more than `tolerance`; on the slow tail of MM that is not
    the distance from the maximum.

    Raises
    ------
    ValueError
        If the weight is not positive.
    """
    likelihood = anchored(pairs, weight)
    first, second = pairs.first, pairs.second
    points = weight + pairs.points()[0]
    strength = np.ones(pairs.n)
    sweep, moved = 0, np.inf
    while moved > tolerance and sweep < most_sweeps:
        met = pairs.games / (strength[first] + strength[second])
        updated = points / (pairs.both(met) + 2.0 * weight / (strength + 1.0))
        moved = float(np.abs(np.log(updated / strength)).max(initial=0.0))
        strength = updated
        sweep += 1
    return Fit(np.log(strength), likelihood, sweep, moved <= tolerance)
