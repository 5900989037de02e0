"""Davidson's model: a tie is an outcome of its own, likeliest between equals.

With pi = exp(theta), the chances of a game are pi_i, pi_j and nu sqrt(pi_i pi_j) over their sum, so
that among decided games it is Bradley-Terry exactly. Strengths and ln nu are fitted together.

References
----------
Davidson (1970), On extending the Bradley-Terry model to accommodate ties.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

from arena.ratings import dominant, newton
from arena.ratings.arrays import IntVector, Matrix, Vector
from arena.ratings.pairs import Pairs

CLAMP = 15.0
"""No strength leaves +-15: beyond, chances differ from 0 and 1 by less than a millionth."""


@dataclass(frozen=True, eq=False, slots=True)
class AnchoredLikelihood:
    """Log-likelihood of (theta, ln nu) given games, games against the phantom, and the prior.

    Attributes
    ----------
    pairs : games by pair.
    weight : virtual wins, and as many virtual losses, of each entry against the phantom.
    prior_centre : mean of the normal prior of ln nu, whose variance is 1.
    games, lead, ties : (m,) games, wins of the first less wins of the second, and ties.
    cell : (m,) flat position of each pair in the upper triangle of an (n + 1, n + 1) matrix.
    """

    pairs: Pairs
    weight: float
    prior_centre: float
    games: Vector
    lead: Vector
    ties: Vector
    cell: IntVector

    @property
    def bound(self) -> Vector:
        """(n + 1,) the clamp of the strengths; ln nu has none."""
        return np.append(np.full(self.pairs.n, CLAMP), np.inf)

    def data_value(self, at: Vector) -> float:
        """Log-likelihood of the votes alone."""
        half = 0.5 * self._gaps(at)
        total = np.logaddexp(np.logaddexp(half, -half), at[-1])
        return float(self.lead @ half + at[-1] * self.ties.sum() - self.games @ total)

    def value(self, at: Vector) -> float:
        """Log-likelihood of votes and virtual games, with the prior."""
        theta = at[:-1]
        virtual = float(theta.sum() - 2.0 * np.logaddexp(0.0, theta).sum())
        prior = -0.5 * float(at[-1] - self.prior_centre) ** 2
        return self.data_value(at) + self.weight * virtual + prior

    def slope(self, at: Vector) -> tuple[Vector, Vector]:
        """(n + 1,) gradient; and (3 m + n,) weights: chances of first, second, tie; anchor."""
        theta = at[:-1]
        first, second, tie = chances(self._gaps(at), math.exp(at[-1]))
        surprise = 0.5 * (self.lead - self.games * (first - second))
        against_phantom = expit(theta)
        of_theta = self.pairs.net(surprise)
        of_theta += self.weight * (1.0 - 2.0 * against_phantom)
        of_ln_nu = (self.ties - self.games * tie).sum() - (at[-1] - self.prior_centre)
        anchor = 2.0 * self.weight * against_phantom * (1.0 - against_phantom)
        return np.append(of_theta, of_ln_nu), np.concatenate([first, second, tie, anchor])

    def information(self, weights: Vector) -> Matrix:
        """(n + 1, n + 1) observed information, upper triangle.

        Each game adds the covariance of its outcomes' slopes: (1/2, -1/2, 0) along the gap and
        (0, 0, 1) along ln nu.
        """
        n = self.pairs.n
        of_gap, mixed, of_ln_nu = self._curvatures(weights)
        matrix = np.zeros((n + 1) * (n + 1))
        matrix[self.cell] = -of_gap
        matrix[: n * (n + 2) : n + 2] = self.pairs.both(of_gap) + weights[-n:]
        matrix[n : -1 : n + 1] = self.pairs.net(mixed)
        matrix[-1] = of_ln_nu
        return matrix.reshape(n + 1, n + 1)

    def times(self, weights: Vector, vector: Vector) -> Vector:
        """(n + 1,) product of the information with a vector."""
        n = self.pairs.n
        of_gap, mixed, of_ln_nu = self._curvatures(weights)
        gaps = self._gaps(vector)
        through = of_gap * gaps + mixed * vector[-1]
        of_theta = self.pairs.net(through) + weights[-n:] * vector[:-1]
        return np.append(of_theta, float(mixed @ gaps) + of_ln_nu * float(vector[-1]))

    def diagonal(self, weights: Vector) -> Vector:
        """(n + 1,) diagonal of the information."""
        of_gap, _, of_ln_nu = self._curvatures(weights)
        of_theta = self.pairs.both(of_gap) + weights[-self.pairs.n :]
        return np.append(of_theta, of_ln_nu)

    def precise_inverse(self, at: Vector) -> Matrix:
        """(n + 1, n + 1) inverse of the joint information, bordered onto that of the strengths."""
        n = self.pairs.n
        _, weights = self.slope(at)
        of_gap, mixed, of_ln_nu = self._curvatures(weights)
        of_theta = dominant.inverse(self.pairs, of_gap, weights[-n:])
        along = of_theta @ self.pairs.net(mixed)
        variance = 1.0 / (of_ln_nu - float(self.pairs.net(mixed) @ along))
        whole = np.empty((n + 1, n + 1))
        whole[:n, :n] = of_theta + variance * np.outer(along, along)
        whole[:n, n] = whole[n, :n] = -variance * along
        whole[n, n] = variance
        return whole

    def reach(self, step: Vector) -> float:
        """The most by which a step changes the log odds of two outcomes."""
        gap = float(np.abs(self._gaps(step)).max(initial=0.0))
        alone = float(np.abs(step[:-1]).max(initial=0.0))
        return max(gap, 0.5 * gap + abs(float(step[-1])), alone)

    def _curvatures(self, weights: Vector) -> tuple[Vector, Vector, float]:
        """(m,) along each gap, (m,) between the gap and ln nu, and along ln nu."""
        m = self.cell.size
        first, second, tie = weights[:m], weights[m : 2 * m], weights[2 * m : 3 * m]
        lean = 0.5 * (first - second)
        of_gap = self.games * (0.25 * (first + second) - lean * lean)
        return of_gap, -self.games * lean * tie, 1.0 + float(self.games @ (tie * (1.0 - tie)))

    def _gaps(self, at: Vector) -> Vector:
        return at[self.pairs.first] - at[self.pairs.second]


@dataclass(frozen=True, eq=False)
class Fit:
    """The maximum of the anchored likelihood.

    Attributes
    ----------
    theta : (n,) natural-log strengths, the phantom at 0.
    ln_nu : log of the tie affinity.
    likelihood : what was maximised.
    iterations : Newton steps.
    converged : whether the last of them was negligible.
    """

    theta: Vector
    ln_nu: float
    likelihood: AnchoredLikelihood
    iterations: int
    converged: bool

    @property
    def nu(self) -> float:
        """Tie affinity: two equals tie with chance nu / (2 + nu)."""
        return math.exp(self.ln_nu)

    @property
    def at(self) -> Vector:
        """(n + 1,) all parameters, ln nu last."""
        return np.append(self.theta, self.ln_nu)

    @property
    def log_likelihood(self) -> float:
        """Of the votes alone, without constants."""
        return self.likelihood.data_value(self.at)

    @property
    def penalised(self) -> float:
        """The same with virtual games and prior."""
        return self.likelihood.value(self.at)

    @cached_property
    def covariance(self) -> Matrix:
        """(n + 1, n + 1) inverse of the joint information, ln nu last."""
        if not dominant.is_needed(self.likelihood.pairs):
            return newton.inverse_at(self.likelihood, self.at)
        return self.likelihood.precise_inverse(self.at)


def chances(gaps: Matrix, nu: float | Vector) -> tuple[Matrix, Matrix, Matrix]:
    """Chances that the first wins, the second wins, and that they tie.

    Parameters
    ----------
    gaps : strength of the first less that of the second.
    nu : tie affinity.

    References
    ----------
    Davidson (1970), equation 2.
    """
    ahead = np.exp(-np.abs(gaps))
    tie = nu * np.sqrt(ahead)
    total = 1.0 + ahead + tie
    larger, smaller = 1.0 / total, ahead / total
    leads = gaps >= 0
    return np.where(leads, larger, smaller), np.where(leads, smaller, larger), tie / total


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
        pairs=pairs,
        weight=weight,
        prior_centre=prior_centre(
            float(pairs.ties.sum()), float((pairs.wins_first + pairs.wins_second).sum())
        ),
        games=pairs.games,
        lead=pairs.wins_first - pairs.wins_second,
        ties=pairs.ties,
        cell=pairs.first * (pairs.n + 1) + pairs.second,
    )


def prior_centre(ties: float, decisive: float) -> float:
    """Where the prior of ln nu lies: at equals who tie as often as these votes did."""
    return math.log(2.0 * (ties + 0.5) / (decisive + 0.5))


def fit(pairs: Pairs, weight: float, start: Vector | None = None) -> Fit:
    """Strengths and tie affinity at the maximum, by damped Newton.

    Parameters
    ----------
    pairs : games by pair.
    weight : virtual wins, and as many losses, of each entry against the phantom.
    start : (n + 1,) where to begin, ln nu last; the maximum does not depend on it.

    Raises
    ------
    ValueError
        If the weight is not positive.
    newton.NotPositive
        If the information cannot be factorised.
    """
    likelihood = anchored(pairs, weight)
    if start is None:
        start = np.append(np.zeros(pairs.n), likelihood.prior_centre)
    found = newton.maximise(likelihood, start)
    return Fit(found.at[:-1], float(found.at[-1]), likelihood, found.iterations, found.converged)
