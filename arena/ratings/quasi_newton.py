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

from arena.ratings.counts import IntVector, Matrix, Vector

MEMORY = 8
MOST_ITERATIONS = 60
OVERSHOT = -0.5
"""A step after which the slope along it has turned round by more than half is taken back."""


@dataclass(frozen=True, eq=False, slots=True)
class Maxima:
    """Where the searches ended.

    Attributes
    ----------
    at : (k, r) the last iterates.
    converged : (r,) whether the gradient of each became negligible.
    """

    at: Matrix
    converged: IntVector


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
    negligible: Callable[[Matrix, Matrix], IntVector],
    start: Matrix,
    metric: Callable[[Matrix], Matrix],
) -> Maxima:
    """Climb to the maximum of r strictly concave functions side by side.

    Parameters
    ----------
    gradient : (k, r) iterates to (k, r) gradients.
    negligible : iterates and gradients to (r,) booleans: whether a maximum is as good as reached.
    start : (k, r) where to begin.
    metric : multiplies (k, r) by a symmetric positive matrix near the inverse information.
    """
    at, slope = start, gradient(start)
    done = negligible(at, slope)
    secants: list[_Secant] = []
    step = metric(slope)
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
        done |= negligible(at, slope)
        shorter = np.clip(promised / (promised - kept + np.finfo(float).tiny), 0.1, 0.5)
        step = np.where(taken, _direction(secants, slope, metric), shorter * step)
    return Maxima(at, done)


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
    return np.einsum("kr,kr->r", one, other)
