"""Many similar maxima at once: limited-memory BFGS that starts from a known curvature.

The replicates of a bootstrap have their maxima near that of the votes themselves, and nearly its
curvature. With the inverse information of the point fit as the first metric, a handful of gradients
of all replicates together replaces a factorisation for each.

References
----------
Nocedal (1980), Updating quasi-Newton matrices with limited storage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arena.ratings.arrays import BoolVector, Matrix, Vector

SMALL_STEP = 1e-8
"""The step from a known curvature is nearly the distance from the maximum."""
MEMORY = 8
MOST_ITERATIONS = 60
LONGEST_STEP = 2.0
"""No parameter moves further at once: so far off, the known curvature says little."""
OVERSHOT = -0.5
"""A step after which the slope along it has turned round by more than half is taken back."""


@dataclass(frozen=True, eq=False, slots=True)
class Maxima:
    """Where the searches ended.

    Attributes
    ----------
    at : (k, r) the last iterates.
    converged : (r,) whether the last step of each was negligible.
    """

    at: Matrix
    converged: BoolVector


@dataclass(frozen=True, eq=False, slots=True)
class _Secant:
    """One step and the change of gradient along it, of every replicate.

    Attributes
    ----------
    step, bend : (k, r) step, and gradient before less gradient after.
    scale : (r,) one over their inner product; 0 where the step was not taken.
    """

    step: Matrix
    bend: Matrix
    scale: Vector


def maximise_all(
    gradient: Callable[[Matrix], Matrix],
    start: Matrix,
    metric: Callable[[Matrix], Matrix],
) -> Maxima:
    """Climb to the maximum of r strictly concave functions side by side.

    Parameters
    ----------
    gradient : (k, r) iterates to (k, r) gradients.
    start : (k, r) where to begin.
    metric : multiplies (k, r) by a symmetric positive matrix near the inverse information.
    """
    at, slope = start, gradient(start)
    secants: list[_Secant] = []
    step = _limited(metric(slope))
    done = _negligible(step)
    for _ in range(MOST_ITERATIONS):
        if done.all():
            break
        tried = at + step
        slope_there = gradient(tried)
        promised = _inner(step, slope)
        kept = _inner(step, slope_there)
        taken = (kept >= OVERSHOT * promised) & ~done
        bend = np.where(taken, slope - slope_there, 0.0)
        secants = [*secants[1 - MEMORY :], _secant(np.where(taken, step, 0.0), bend)]
        at = np.where(taken, tried, at)
        slope = np.where(taken, slope_there, slope)
        shorter = np.clip(promised / (promised - kept + np.finfo(float).tiny), 0.1, 0.5)
        step = np.where(taken, _limited(_direction(secants, slope, metric)), shorter * step)
        done |= taken & _negligible(step)
    return Maxima(at, done)


def _limited(step: Matrix) -> Matrix:
    longest = np.abs(step).max(axis=0, initial=0.0)
    return np.asarray(step * (LONGEST_STEP / np.maximum(longest, LONGEST_STEP)))


def _negligible(step: Matrix) -> BoolVector:
    return np.asarray(np.abs(step).max(axis=0, initial=0.0) <= SMALL_STEP)


def _secant(step: Matrix, bend: Matrix) -> _Secant:
    product = _inner(step, bend)
    positive = product > 0.0
    scale = np.where(positive, 1.0, 0.0) / np.where(positive, product, 1.0)
    return _Secant(step, bend, scale)


def _direction(secants: list[_Secant], slope: Matrix, metric: Callable[[Matrix], Matrix]) -> Matrix:
    """The two-loop recursion, all replicates side by side."""
    left = slope.copy()
    shares = []
    for secant in reversed(secants):
        share = secant.scale * _inner(secant.step, left)
        left -= share * secant.bend
        shares.append(share)
    step = metric(left)
    for secant, share in zip(secants, reversed(shares), strict=True):
        step += (share - secant.scale * _inner(secant.bend, step)) * secant.step
    return step


def _inner(one: Matrix, other: Matrix) -> Vector:
    """(r,) inner products of columns."""
    return np.asarray(np.einsum("kr,kr->r", one, other))
