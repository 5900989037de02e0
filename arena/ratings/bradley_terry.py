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

import numpy as np
from scipy.special import expit

from arena.ratings import newton
from arena.ratings.counts import IntVector, Matrix, Pairs, Vector

MM_TOLERANCE = 1e-6
MM_SWEEPS = 500


@dataclass(frozen=True, eq=False, slots=True)
class Fit:
    """The maximum of the anchored likelihood.

    Attributes
    ----------
    theta : (n,) natural-log strengths, the phantom at 0.
    factor : (n, n) upper Cholesky factor of the observed information; None after MM.
    log_likelihood : of the votes alone, without constants.
    penalised : the same with the games against the phantom.
    iterations : Newton steps or MM sweeps.
    converged : whether the last of them was negligible.
    """

    theta: Vector
    factor: Matrix | None
    log_likelihood: float
    penalised: float
    iterations: int
    converged: bool

    @property
    def nu(self) -> None:
        """Ties are no outcome of their own here."""
        return None

    @property
    def centred(self) -> Vector:
        """(n,) strengths shifted to mean 0."""
        centred: Vector = self.theta - self.theta.mean()
        return centred


@dataclass(frozen=True, eq=False, slots=True)
class AnchoredLikelihood:
    """Log-likelihood of the games, each entry also having met the phantom.

    Attributes
    ----------
    pairs : games by pair.
    weight : virtual wins, and as many virtual losses, of each entry against the phantom.
    games, points_first : (m,) of each pair, kept at hand.
    cell : (m,) flat position of each pair in the upper triangle of an (n, n) matrix.
    """

    pairs: Pairs
    weight: float
    games: Vector
    points_first: Vector
    cell: IntVector

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
        return float(self.points_first @ gaps - self.games @ np.logaddexp(0.0, gaps))

    def value(self, theta: Vector) -> float:
        """Log-likelihood of votes and virtual games."""
        virtual = theta.sum() - 2.0 * np.logaddexp(0.0, theta).sum()
        return self.data_value(theta) + self.weight * float(virtual)

    def slope(self, theta: Vector) -> tuple[Vector, Vector]:
        """(n,) gradient: points won less points expected; and (m + n,) curvatures."""
        chance = expit(self.gaps(theta))
        surprise = self.points_first - self.games * chance
        gradient = self.pairs.summed(surprise, -surprise)
        against_phantom = expit(theta)
        gradient += self.weight * (1.0 - 2.0 * against_phantom)
        curvature = self.games * (chance * (1.0 - chance))
        anchor = 2.0 * self.weight * against_phantom * (1.0 - against_phantom)
        return gradient, np.concatenate([curvature, anchor])

    def information(self, weights: Vector) -> Matrix:
        """(n, n) observed information, upper triangle."""
        n = self.pairs.n
        curvature, anchor = weights[: self.cell.size], weights[self.cell.size :]
        matrix = np.zeros(n * n)
        matrix[self.cell] = -curvature
        matrix[:: n + 1] = self.pairs.summed(curvature, curvature) + anchor
        return matrix.reshape(n, n)

    def reach(self, step: Vector) -> float:
        """The most by which a step changes the log odds of a game."""
        return float(max(np.abs(self.gaps(step)).max(initial=0.0), np.abs(step).max(initial=0.0)))


def anchored(pairs: Pairs, weight: float) -> AnchoredLikelihood:
    """The likelihood with `weight` virtual wins and losses for each entry.

    Raises
    ------
    ValueError
        If the weight is not positive: without virtual games the maximum may lie at infinity.
    """
    if not weight > 0:
        raise ValueError(f"the weight of the virtual games is {weight}, not positive")
    return AnchoredLikelihood(
        pairs, weight, pairs.games, pairs.points_first, pairs.first * pairs.n + pairs.second
    )


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
    found = newton.maximise(likelihood, np.zeros(pairs.n) if start is None else start)
    return Fit(
        theta=found.at,
        factor=found.factor,
        log_likelihood=likelihood.data_value(found.at),
        penalised=likelihood.value(found.at),
        iterations=found.iterations,
        converged=found.converged,
    )


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
    points = weight + pairs.summed(pairs.points_first, pairs.games - pairs.points_first)
    strength = np.ones(pairs.n)
    sweep, moved = 0, np.inf
    while moved > tolerance and sweep < most_sweeps:
        met = pairs.games / (strength[first] + strength[second])
        updated = points / (pairs.summed(met, met) + 2.0 * weight / (strength + 1.0))
        moved = float(np.abs(np.log(updated / strength)).max(initial=0.0))
        strength = updated
        sweep += 1
    theta = np.log(strength)
    return Fit(
        theta=theta,
        factor=None,
        log_likelihood=likelihood.data_value(theta),
        penalised=likelihood.value(theta),
        iterations=sweep,
        converged=moved <= tolerance,
    )
