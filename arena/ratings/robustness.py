"""How few votes would have to be missing for the board to have another leader.

The search is greedy: what it finds is enough, and now and then a set smaller by a vote is too.

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

from arena.ratings import bradley_terry
from arena.ratings.arrays import IntVector
from arena.ratings.pairs import Pairs
from arena.ratings.threads import reproducible_blas

MOST_REFITS = 60
LEAST_LEAD = 1e-8


@dataclass(frozen=True, slots=True)
class Robustness:
    """The smallest set that the search found.

    Attributes
    ----------
    leader, runner_up : indices of the strongest entry and the one that follows.
    votes : how many votes.
    total : votes in all.
    changed : whether a refit without them has another leader. If not, the search stopped there:
        at least so many are needed, as far as it can tell.
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
        order, held, needed = _removals(pairs, fit, leader, second)
        return _Search(pairs, weight, leader, second, order, held).run(needed)


@dataclass(frozen=True, eq=False, slots=True)
class _Search:
    """Prefixes of the votes in the order of their influence.

    Attributes
    ----------
    order : (k,) cells whose votes speak for the leader, the strongest first; cell 0 to m - 1 are
        wins of the first of a pair, then wins of the second, then ties.
    votes : (k,) how many votes each holds.
    """

    pairs: Pairs
    weight: float
    leader: int
    second: int
    order: IntVector
    votes: IntVector

    def run(self, needed: int) -> Robustness:
        """Widen from the estimate until the leader falls, then narrow down to where it does."""
        longest = int(self.votes.sum())
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
        before = np.cumsum(self.votes) - self.votes
        gone = np.zeros(3 * m)
        gone[self.order] = np.clip(votes - before, 0, self.votes)
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
) -> tuple[IntVector, IntVector, int]:
    """Cells that hold the gap open, the strongest first, their votes, and how many should do."""
    pull = fit.covariance[leader] - fit.covariance[second]
    along = pull[pairs.first] - pull[pairs.second]
    chance = expit(fit.theta[pairs.first] - fit.theta[pairs.second])
    influence = np.concatenate([along * (1.0 - chance), -along * chance, along * (0.5 - chance)])
    votes = np.concatenate([pairs.wins_first, pairs.wins_second, pairs.ties]).astype(np.int64)
    order = np.argsort(-influence, kind="stable")
    order = order[(influence[order] > 0.0) & (votes[order] > 0)]
    gap = fit.theta[leader] - fit.theta[second]
    each, held = influence[order], votes[order]
    closed = np.concatenate([[0.0], np.cumsum(each * held)])
    if not order.size:
        return order, held, 0
    last = min(int(np.searchsorted(closed, gap)), order.size) - 1
    rest = np.ceil((gap - closed[last]) / each[last])
    return order, held, int(held[:last].sum() + min(rest, held[last]))
