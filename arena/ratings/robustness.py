"""How few votes would have to be missing for the board to have another leader.

A vote's influence on the gap between the first and the second is read from one Newton step. The
most influential votes for the leader go first; a refit then says whether that was enough.

References
----------
Broderick, Giordano, Meager (2020), An automatic finite-sample robustness metric.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from arena.ratings import bradley_terry, newton
from arena.ratings.arrays import IntVector
from arena.ratings.pairs import Pairs
from arena.ratings.threads import reproducible_blas

MOST_REFITS = 60
LEAST_LEAD = 1e-8


@dataclass(frozen=True, slots=True)
class Robustness:
    """The smallest set that was found.

    Attributes
    ----------
    leader, runner_up : indices of the strongest entry and the one that follows.
    votes : how many votes.
    total : votes in all.
    changed : whether a refit without them has another leader. If not, more than `votes` are
        needed: that is where the search stopped.
    """

    leader: int
    runner_up: int
    votes: int
    total: int
    changed: bool


def fewest_to_change(pairs: Pairs, weight: float) -> Robustness | None:
    """The votes whose absence would change the leader of an anchored Bradley-Terry fit.

    Parameters
    ----------
    pairs : games by pair.
    weight : virtual wins, and as many losses, of each entry against the phantom.

    Returns
    -------
    None where there are not two entries, or nobody leads alone.
    """
    if pairs.n < 2:
        return None
    with reproducible_blas():
        fit = bradley_terry.fit(pairs, weight)
        leader, second = np.argsort(-fit.theta, kind="stable")[:2].tolist()
        if fit.theta[leader] - fit.theta[second] <= LEAST_LEAD:
            return None
        order, needed = _removals(pairs, fit, leader, second)
        return _Search(pairs, weight, leader, second, order).run(needed)


@dataclass(frozen=True, eq=False, slots=True)
class _Search:
    """Prefixes of the votes in the order of their influence.

    Attributes
    ----------
    order : (k,) cell of each vote that speaks for the leader; cell 0 to m - 1 are wins of the
        first of a pair, then wins of the second, then ties.
    """

    pairs: Pairs
    weight: float
    leader: int
    second: int
    order: IntVector

    def run(self, needed: int) -> Robustness:
        """Widen from the estimate until the leader falls, then narrow down to where it does."""
        longest = self.order.size
        low, high = 0, min(max(needed, 1), longest)
        refits = 1
        while not self.falls(high) and high < longest and refits < MOST_REFITS:
            low, high = high, min(2 * high, longest)
            refits += 1
        if not self.falls(high):
            return self._found(high, changed=False)
        while high - low > 1 and refits < MOST_REFITS:
            middle = (low + high) // 2
            low, high = (low, middle) if self.falls(middle) else (middle, high)
            refits += 1
        return self._found(high, changed=True)

    def falls(self, votes: int) -> bool:
        """Whether somebody else leads once the first so many votes are gone."""
        m = self.pairs.first.size
        gone = np.bincount(self.order[:votes], minlength=3 * m).astype(np.float64)
        rest = replace(
            self.pairs,
            wins_first=self.pairs.wins_first - gone[:m],
            wins_second=self.pairs.wins_second - gone[m : 2 * m],
            ties=self.pairs.ties - gone[2 * m :],
        )
        theta = bradley_terry.fit(rest, self.weight).theta
        return bool(np.delete(theta, self.leader).max() > theta[self.leader])

    def _found(self, votes: int, *, changed: bool) -> Robustness:
        return Robustness(
            self.leader, self.second, votes, int(self.pairs.games.sum()), changed=changed
        )


def _removals(
    pairs: Pairs, fit: bradley_terry.Fit, leader: int, second: int
) -> tuple[IntVector, int]:
    """Votes that hold the gap open, the strongest first, and how many of them should close it."""
    contrast = np.zeros(pairs.n)
    contrast[leader], contrast[second] = 1.0, -1.0
    pull = newton.solve(fit.factor, contrast)
    along = pull[pairs.first] - pull[pairs.second]
    chance = expit(fit.theta[pairs.first] - fit.theta[pairs.second])
    influence = np.concatenate([along * (1.0 - chance), -along * chance, along * (0.5 - chance)])
    votes = np.concatenate([pairs.wins_first, pairs.wins_second, pairs.ties]).astype(np.int64)
    order = np.argsort(-influence, kind="stable")
    order = order[influence[order] > 0.0]
    listed = np.repeat(order, votes[order])
    closed = np.cumsum(influence[listed])
    gap = fit.theta[leader] - fit.theta[second]
    return listed, int(np.searchsorted(closed, gap)) + 1
