"""Damped Newton for the strictly concave likelihoods of paired comparisons.

The Cholesky factor of the information at the maximum is handed back, because the intervals need it
again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import lapack

from arena.ratings.counts import Matrix, Vector

SMALL_STEP = 1e-8
"""Convergence is quadratic: what is left after a step this small is lost in rounding."""
MOST_STEPS = 100
MOST_HALVINGS = 60
SURE_REACH = 1.0
FAIR_SHARE = 0.1


class Likelihood(Protocol):
    """A strictly concave function of a (k,) vector, with its slope and curvature."""

    @property
    def bound(self) -> Vector | None:
        """(k,) largest magnitude of each parameter; None if none is bounded."""

    def value(self, at: Vector) -> float:
        """The function itself."""

    def slope(self, at: Vector) -> tuple[Vector, Vector]:
        """(k,) gradient, and whatever weights `information` needs at the same place."""

    def information(self, weights: Vector) -> Matrix:
        """(k, k) negative Hessian; only the upper triangle is read."""

    def reach(self, step: Vector) -> float:
        """The most by which a step changes the log odds of two outcomes of one game."""


class NotPositive(ArithmeticError):
    """A pivot of the factorisation is not positive.

    Attributes
    ----------
    index : which parameter.
    value : its pivot.
    """

    def __init__(self, index: int, value: float) -> None:
        super().__init__(f"pivot {value!r} of parameter {index} is not positive")
        self.index = index
        self.value = value


@dataclass(frozen=True, eq=False, slots=True)
class Maximum:
    """Where the search ended.

    Attributes
    ----------
    at : (k,) the last iterate.
    factor : (k, k) upper Cholesky factor of the information there; its lower triangle is not set.
    iterations : Newton steps taken.
    converged : whether the last step was negligible.
    """

    at: Vector
    factor: Matrix
    iterations: int
    converged: bool


def maximise(likelihood: Likelihood, start: Vector, most_steps: int = MOST_STEPS) -> Maximum:
    """Climb to the maximum within the bounds.

    A full Newton step that changes no log odds by more than one always raises the likelihood (the
    third derivative along it is at most the second times that change), so only longer steps are
    checked, and halved until they do.

    Raises
    ------
    NotPositive
        If the information is not positive definite.
    """
    at = start
    converged = False
    iteration = 0
    while not converged and iteration < most_steps:
        iteration += 1
        gradient, weights = likelihood.slope(at)
        information = likelihood.information(weights)
        _hold_at_bounds(likelihood.bound, at, gradient, information)
        step = solve(cholesky(information), gradient)
        if likelihood.reach(step) > SURE_REACH:
            step = _shortened(likelihood, at, step, float(gradient @ step))
        moved = _within(likelihood.bound, at + step)
        converged = bool(np.abs(moved - at).max() <= SMALL_STEP)
        at = moved
    _, weights = likelihood.slope(at)
    return Maximum(at, cholesky(likelihood.information(weights)), iteration, converged)


def cholesky(information: Matrix) -> Matrix:
    """Upper factor U with U^T U equal to the matrix, of which the upper triangle is read.

    Raises
    ------
    NotPositive
        If a pivot is not positive or not a number.
    """
    factor, status = lapack.dpotrf(information, lower=0, clean=0)
    if status > 0 or not np.isfinite(factor[-1, -1]):
        index = status - 1 if status > 0 else len(factor) - 1
        raise NotPositive(index, float(factor[index, index]))
    return np.asarray(factor)


def solve(factor: Matrix, right: Matrix) -> Matrix:
    """x with U^T U x = right, for one right side (k,) or several (k, r)."""
    solution, _ = lapack.dpotrs(factor, right, lower=0)
    return np.asarray(solution)


def inverse(factor: Matrix) -> Matrix:
    """(k, k) inverse of U^T U, symmetric."""
    upper, _ = lapack.dpotri(factor, lower=0)
    full = np.triu(upper)
    return np.asarray(full + np.triu(full, 1).T)


def _hold_at_bounds(
    bound: Vector | None, at: Vector, gradient: Vector, information: Matrix
) -> None:
    """Take parameters that press against their bound out of the step."""
    if bound is None:
        return
    held = np.flatnonzero((np.abs(at) >= bound) & (at * gradient > 0))
    gradient[held] = 0.0
    information[held, :] = 0.0
    information[:, held] = 0.0
    information[held, held] = 1.0


def _within(bound: Vector | None, at: Vector) -> Vector:
    return at if bound is None else np.clip(at, -bound, bound)


def _shortened(likelihood: Likelihood, at: Vector, step: Vector, rise: float) -> Vector:
    """The step halved until the likelihood gains a fair part of what its slope promised."""
    before = likelihood.value(at)
    share = 1.0
    for _ in range(MOST_HALVINGS):
        reached = likelihood.value(_within(likelihood.bound, at + share * step))
        if reached >= before + FAIR_SHARE * share * rise:
            break
        share /= 2
    return share * step
