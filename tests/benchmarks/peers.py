"""The contestants: this engine and the libraries that fit the same model, on the same votes."""

from __future__ import annotations

from collections.abc import Callable

import choix
import evalica
import numpy as np
from numpy.random import PCG64, Generator
from votes import Votes

from arena.ratings import bradley_terry
from arena.ratings.bootstrap import bradley_terry_replicates

try:
    import arenakit
except ImportError:  # not among the test dependencies; timed where it is installed
    arenakit = None

Contestants = dict[str, Callable[[], object]]
KINDS = [evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw]


def evalica_arguments(votes: Votes, picked: np.ndarray) -> tuple[list, list, list]:
    return (
        votes.left[picked].tolist(),
        votes.right[picked].tolist(),
        [KINDS[it] for it in votes.outcome[picked]],
    )


def evalica_counts(votes: Votes) -> Callable[[], object]:
    pairs = votes.counts().pairs()
    cells = [pairs.wins_first, pairs.wins_second, pairs.ties]
    xs, ys, winners, weights = [], [], [], []
    for games, winner in zip(cells, KINDS, strict=True):
        met = np.flatnonzero(games)
        xs += pairs.first[met].tolist()
        ys += pairs.second[met].tolist()
        winners += [winner] * met.size
        weights += games[met].tolist()
    return lambda: evalica.bradley_terry(xs, ys, winners, weights=weights)


def fits(votes: Votes) -> Contestants:
    """One fit; ours and choix from counts, evalica from both."""
    counts, points = votes.counts(), votes.points()
    raw = evalica_arguments(votes, np.arange(votes.left.size))
    found: Contestants = {
        "this engine": lambda: bradley_terry.fit(counts.pairs(), 1.0),
        "evalica, raw votes": lambda: evalica.bradley_terry(*raw),
        "evalica, counts": evalica_counts(votes),
        "choix, dense, alpha 0.01": lambda: choix.ilsr_pairwise_dense(points, alpha=0.01),
    }
    if arenakit:
        theirs = arenakit_log(votes).counts()
        found["arenakit"] = lambda: arenakit.fit_bt(theirs)
    return found


def bootstraps(votes: Votes) -> Contestants:
    """A hundred replicates; peers resample and fit as their users would."""
    pairs = votes.counts().pairs()
    fit = bradley_terry.fit(pairs, 1.0)

    def evalica_replicates() -> None:
        rng = Generator(PCG64(3))
        for _ in range(100):
            picked = rng.integers(votes.left.size, size=votes.left.size)
            evalica.bradley_terry(*evalica_arguments(votes, picked))

    found: Contestants = {
        "this engine": lambda: bradley_terry_replicates(pairs, 1.0, fit, 100, Generator(PCG64(3))),
        "evalica": evalica_replicates,
    }
    if arenakit:
        theirs = arenakit_log(votes)
        found["arenakit"] = lambda: arenakit.bootstrap(theirs, n_resamples=100)
    return found


def arenakit_log(votes: Votes) -> object:
    winners = ["model_a", "model_b", "tie"]
    return arenakit.Arena(
        [
            arenakit.Battle(model_a=str(a), model_b=str(b), winner=winners[it])
            for a, b, it in zip(votes.left, votes.right, votes.outcome, strict=True)
        ]
    )
