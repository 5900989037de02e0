"""The exact maximum of every replicate of a bootstrap, many replicates at a time.

All replicates begin at the point estimate and share its curvature as their first metric. The blocks
are spread over the cores; which core works on which changes no figure.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator
from scipy import sparse

from arena.ratings import bradley_terry, davidson, newton
from arena.ratings.arrays import Matrix, Vector
from arena.ratings.pairs import Pairs
from arena.ratings.quasi_newton import maximise_all
from arena.ratings.refusals import NotConverged
from arena.ratings.resampling import Block, Resample, Watch, blocks, resample, unwatched

MOST_THREADS = 4

Gradient = Callable[[Matrix], Matrix]


def bradley_terry_replicates(
    pairs: Pairs,
    weight: float,
    fit: bradley_terry.Fit,
    replicates: int,
    rng: Generator,
    watch: Watch = unwatched,
) -> Matrix:
    """(n, r) Bradley-Terry strengths at the maximum of each replicate.

    Parameters
    ----------
    pairs : games by pair.
    weight : virtual wins, and as many losses, of each entry against the phantom.
    fit : the maximum of the games themselves.
    replicates : how many.
    rng : decides the draws.
    watch : is told how far it is.

    Raises
    ------
    ValueError
        If fewer than one replicate is asked for.
    refusals.NotConverged
        If the maximum of a replicate was not reached.
    """
    search = _Search(
        pairs,
        start=fit.theta,
        metric=_metric_of(fit),
        gradient=partial(_bradley_terry_gradient, incidence_of(pairs), pairs, weight),
        alone=lambda replicate, start: bradley_terry.fit(replicate, weight, start),
        bound=np.inf,
    )
    return search.run(replicates, rng, watch)


def davidson_replicates(
    pairs: Pairs,
    weight: float,
    fit: davidson.Fit,
    replicates: int,
    rng: Generator,
    watch: Watch = unwatched,
) -> Matrix:
    """(n, r) strengths of Davidson's model at the maximum of each replicate; nu is refitted too.

    Parameters and errors as for `bradley_terry_replicates`.
    """
    search = _Search(
        pairs,
        start=fit.at,
        metric=_metric_of(fit),
        gradient=partial(_davidson_gradient, incidence_of(pairs), pairs, weight),
        alone=lambda replicate, start: davidson.fit(replicate, weight, start),
        bound=davidson.CLAMP,
    )
    return search.run(replicates, rng, watch)[:-1]


@dataclass(frozen=True, eq=False, slots=True)
class _Search:
    """How the maxima of one model's replicates are found.

    Attributes
    ----------
    pairs : the games that are resampled.
    start : (k,) maximum of the games themselves.
    metric : multiplies (k, r) by a matrix near the inverse information.
    gradient : makes the gradient of all replicates in a block.
    alone : fits one replicate by Newton, from a start.
    bound : magnitude that no strength exceeds.
    """

    pairs: Pairs
    start: Vector
    metric: Callable[[Matrix], Matrix]
    gradient: Callable[[Resample], Gradient]
    alone: Callable[[Pairs, Vector], bradley_terry.Fit | davidson.Fit]
    bound: float

    def run(self, replicates: int, rng: Generator, watch: Watch) -> Matrix:
        """(k, r) maxima."""
        threads = min(MOST_THREADS, os.cpu_count() or 1)
        found: list[Matrix] = []
        done = 0
        with ThreadPoolExecutor(threads) as pool:
            for maxima in pool.map(self.maxima, blocks(self.pairs, replicates, rng)):
                found.append(maxima)
                done += maxima.shape[1]
                watch(done, replicates)
        return np.hstack(found)

    def maxima(self, block: Block) -> Matrix:
        """(k, r) maxima of one block; what the common search leaves open Newton finishes."""
        drawn = resample(self.pairs, block)
        start = np.repeat(self.start[:, None], block.size, axis=1)
        found = maximise_all(self.gradient(drawn), start, self.metric)
        outside = np.abs(found.at[: self.pairs.n]).max(axis=0) > self.bound
        for place in np.flatnonzero(~found.converged | outside).tolist():
            fit = self.alone(drawn.replicate(self.pairs, place), self.start)
            if not fit.converged:
                raise NotConverged("a bootstrap replicate", fit.iterations)
            found.at[:, place] = fit.at
        return found.at


def incidence_of(pairs: Pairs) -> sparse.csr_array:
    """(n, m) with 1 where an entry is the first of a pair and -1 where it is the second."""
    m = pairs.first.size
    signs = np.concatenate([np.ones(m), -np.ones(m)])
    rows = np.concatenate([pairs.first, pairs.second])
    columns = np.tile(np.arange(m), 2)
    return sparse.csr_array((signs, (rows, columns)), shape=(pairs.n, m))


def _metric_of(fit: bradley_terry.Fit | davidson.Fit) -> Callable[[Matrix], Matrix]:
    """The inverse information of the point fit; its diagonal alone where that is sparse."""
    likelihood: newton.Likelihood = fit.likelihood
    if newton.is_sparse(likelihood.pairs):
        at = fit.at
        diagonal = likelihood.diagonal(likelihood.slope(at)[1])[:, None]
        return lambda vectors: vectors / diagonal
    inverse = fit.covariance
    return lambda vectors: inverse @ vectors


def _bradley_terry_gradient(
    incidence: sparse.csr_array, pairs: Pairs, weight: float, drawn: Resample
) -> Gradient:
    games = drawn.wins_first + drawn.wins_second + drawn.ties
    points = incidence @ (drawn.wins_first + 0.5 * drawn.ties)
    chance, total = np.empty_like(games), np.empty_like(games)

    def gradient(theta: Matrix) -> Matrix:
        strength = np.exp(theta)
        np.take(strength, pairs.first, axis=0, out=chance, mode="clip")
        np.take(strength, pairs.second, axis=0, out=total, mode="clip")
        np.add(chance, total, out=total)
        np.divide(chance, total, out=chance)
        np.multiply(chance, games, out=chance)
        virtual = weight * (1.0 - strength) / (1.0 + strength)
        return np.asarray(points - incidence @ chance + virtual)

    return gradient


def _davidson_gradient(
    incidence: sparse.csr_array, pairs: Pairs, weight: float, drawn: Resample
) -> Gradient:
    """With x = exp(gap / 2), the chances of the three outcomes are x, 1/x and nu over their sum."""
    games = drawn.wins_first + drawn.wins_second + drawn.ties
    lead = 0.5 * (incidence @ (drawn.wins_first - drawn.wins_second))
    ties = drawn.ties.sum(axis=0)
    decisive = games.sum(axis=0) - ties
    centre = np.log(2.0 * (ties + 0.5) / (decisive + 0.5))
    ahead, behind = np.empty_like(games), np.empty_like(games)
    share = np.empty_like(games)

    def gradient(at: Matrix) -> Matrix:
        theta, ln_nu = at[:-1], at[-1]
        nu = np.exp(ln_nu)
        half = np.exp(0.5 * theta)
        np.take(half, pairs.first, axis=0, out=ahead, mode="clip")
        np.take(half, pairs.second, axis=0, out=behind, mode="clip")
        np.divide(ahead, behind, out=ahead)
        np.reciprocal(ahead, out=behind)
        np.add(ahead, behind, out=share)
        np.add(share, nu, out=share)
        np.divide(games, share, out=share)
        of_ln_nu = ties - nu * share.sum(axis=0) - (ln_nu - centre)
        np.subtract(ahead, behind, out=ahead)
        np.multiply(ahead, share, out=ahead)
        virtual = weight * np.tanh(0.5 * theta)
        return np.vstack([lead - 0.5 * (incidence @ ahead) - virtual, of_ln_nu])

    return gradient
