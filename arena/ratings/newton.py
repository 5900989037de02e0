"""Damped Newton for the strictly concave likelihoods of paired comparisons.

Few entries, or many games between them, are solved by a Cholesky factor. Where thousands of entries
have met only a few others each, a factor would fill in almost wholly; there the anchor keeps the
information so well conditioned that conjugate gradients need some dozens of products instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import lapack
from scipy.sparse.linalg import LinearOperator, cg

from arena.ratings.arrays import IntVector, Matrix, Vector
from arena.ratings.pairs import Pairs

SMALL_STEP = 1e-6
"""Convergence is quadratic: what is left after a whole step this small is near its square."""
MOST_STEPS = 100
MOST_HALVINGS = 60
SURE_REACH = 1.0
FARTHEST_REACH = 4.0
"""No step changes log odds by more: it could land where the likelihood is flat to the digit."""
FAIR_SHARE = 0.1
MANY_ENTRIES = 1000
FEW_MET = 0.05
"""Share of all pairs that have met, up to which a large graph counts as sparse."""
RESIDUAL = 1e-10
MOST_PRODUCTS = 2000
ROWS_AT_ONCE = 256


class Likelihood(Protocol):
    """A strictly concave function of a (k,) vector, with its slope and curvature."""

    @property
    def pairs(self) -> Pairs:
        """The games."""

    @property
    def bound(self) -> Vector | None:
        """(k,) largest magnitude of each parameter; None if none is bounded."""

    def value(self, at: Vector) -> float:
        """The function itself."""

    def slope(self, at: Vector) -> tuple[Vector, Vector]:
        """(k,) gradient, and whatever weights `information` needs at the same place."""

    def information(self, weights: Vector) -> Matrix:
        """(k, k) negative Hessian; only the upper triangle is read."""

    def times(self, weights: Vector, vector: Vector) -> Vector:
        """(k,) product of the information with a vector."""

    def diagonal(self, weights: Vector) -> Vector:
        """(k,) diagonal of the information."""

    def reach(self, step: Vector) -> float:
        """The most by which a step changes the log odds of two outcomes of one game.

        Never more than twice the longest part of the step.
        """


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
    iterations : Newton steps taken.
    converged : whether the last step was negligible.
    """

    at: Vector
    iterations: int
    converged: bool


def maximise(likelihood: Likelihood, start: Vector, most_steps: int = MOST_STEPS) -> Maximum:
    """Climb to the maximum within the bounds.

    A parameter that lies on its bound is held there while the gradient or the step would take it
    further out; a step that meets a bound ends there.

    A Newton step that changes no log odds by more than one always raises the likelihood (the
    third derivative along it is at most the second times that change), so only longer steps are
    checked, and halved until they do.

    Raises
    ------
    NotPositive
        If the information is not positive definite.
    """
    at = _within(likelihood.bound, start)
    converged = False
    iteration = 0
    while not converged and iteration < most_steps:
        iteration += 1
        gradient, weights = likelihood.slope(at)
        step = _free_step(likelihood, at, gradient, weights)
        longest = float(np.abs(step).max(initial=0.0))
        step = _up_to(likelihood.bound, at, step)
        if 2.0 * longest > SURE_REACH and (reach := likelihood.reach(step)) > SURE_REACH:
            step *= min(1.0, FARTHEST_REACH / reach)
            step = _shortened(likelihood, at, step, float(gradient @ step))
        at = _within(likelihood.bound, at + step)
        converged = longest <= SMALL_STEP
    return Maximum(at, iteration, converged)


def inverse_at(likelihood: Likelihood, at: Vector) -> Matrix:
    """(k, k) inverse of the information at a place.

    Raises
    ------
    NotPositive
        If the information is not positive definite.
    """
    _, weights = likelihood.slope(at)
    return _inverse(cholesky(likelihood.information(weights)))


def cholesky(information: Matrix) -> Matrix:
    """Upper factor U with U^T U equal to the matrix, written over it.

    Only the upper triangle is read; below it the result is not set.

    Raises
    ------
    NotPositive
        If a pivot is not positive or not a number.
    """
    factor, status = lapack.dpotrf(information.T, lower=1, clean=0, overwrite_a=1)
    if status > 0 or not np.isfinite(factor[-1, -1]):
        index = status - 1 if status > 0 else len(factor) - 1
        raise NotPositive(index, float(factor[index, index]))
    return np.asarray(factor.T)


def solve(factor: Matrix, right: Vector) -> Vector:
    """(k,) x with U^T U x = right."""
    solution, _ = lapack.dpotrs(factor.T, right, lower=1)
    return np.asarray(solution)


def _inverse(factor: Matrix) -> Matrix:
    """(k, k) inverse of U^T U, symmetric, written over the factor."""
    lower, _ = lapack.dpotri(factor.T, lower=1, overwrite_c=1)
    full: Matrix = lower.T
    for begin in range(0, len(full), ROWS_AT_ONCE):
        end = begin + ROWS_AT_ONCE
        square = full[begin:end, begin:end]
        np.copyto(square, np.triu(square) + np.triu(square, 1).T)
        full[begin:end, :begin] = full[:begin, begin:end].T
    return full


def is_sparse(pairs: Pairs) -> bool:
    """Whether there are many entries of which each has met only a few others."""
    return pairs.n >= MANY_ENTRIES and 2 * pairs.first.size <= FEW_MET * pairs.n**2


def _free_step(likelihood: Likelihood, at: Vector, gradient: Vector, weights: Vector) -> Vector:
    """The Newton step of those parameters that are not held on their bound.

    The gradient of the others is set to 0.
    """
    held = _outward(likelihood.bound, at, gradient)
    while True:
        gradient[held] = 0.0
        step = _newton_step(likelihood, weights, gradient, held)
        further = np.setdiff1d(_outward(likelihood.bound, at, step), held)
        if not further.size:
            return step
        held = np.concatenate([held, further])


def _outward(bound: Vector | None, at: Vector, direction: Vector) -> IntVector:
    """Parameters on their bound that a direction would take further out."""
    if bound is None:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero((np.abs(at) >= bound) & (at * direction > 0))


def _up_to(bound: Vector | None, at: Vector, step: Vector) -> Vector:
    """The step, or the part of it until the first parameter meets its bound."""
    if bound is None:
        return step
    over = np.abs(at + step) > bound
    if not over.any():
        return step
    room = np.sign(step[over]) * bound[over] - at[over]
    return np.asarray(step * (room / step[over]).min())


def _newton_step(
    likelihood: Likelihood, weights: Vector, gradient: Vector, held: IntVector
) -> Vector:
    """The step to the top of the parabola, `held` parameters taken out of it."""
    if is_sparse(likelihood.pairs):
        step = _conjugate_gradients(likelihood, weights, gradient, held)
        if step is not None:
            return step
    information = likelihood.information(weights)
    information[held, :] = 0.0
    information[:, held] = 0.0
    information[held, held] = 1.0
    return solve(cholesky(information), gradient)


def _conjugate_gradients(
    likelihood: Likelihood, weights: Vector, gradient: Vector, held: IntVector
) -> Vector | None:
    """The same without a factor; None where that takes too many products."""

    def product(vector: Vector) -> Vector:
        free = vector.copy()
        free[held] = 0.0
        through = likelihood.times(weights, free)
        through[held] = vector[held]
        return through

    diagonal = likelihood.diagonal(weights)
    diagonal[held] = 1.0
    shape = (gradient.size, gradient.size)
    step, status = cg(
        LinearOperator(shape, matvec=product, dtype=np.float64),
        gradient,
        rtol=RESIDUAL,
        maxiter=MOST_PRODUCTS,
        M=LinearOperator(shape, matvec=lambda vector: vector / diagonal, dtype=np.float64),
    )
    return np.asarray(step) if status == 0 else None


def _within(bound: Vector | None, at: Vector) -> Vector:
    return at if bound is None else np.clip(at, -bound, bound)


def _shortened(likelihood: Likelihood, at: Vector, step: Vector, rise: float) -> Vector:
    """The step halved until the likelihood gains a fair part of what its slope promised."""
    before = likelihood.value(at)
    share = 1.0
    for _ in range(MOST_HALVINGS):
        reached = likelihood.value(at + share * step)
        if reached >= before + FAIR_SHARE * share * rise:
            break
        share /= 2
    return share * step
