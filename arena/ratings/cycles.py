"""Whether the votes go round in circles more than one line of strengths can explain.

Bradley-Terry puts every entry on one line; rock, paper, scissors has none. The test compares its
likelihood with that of a model in which every pair has a chance of its own. Pairs between strong
components of the win graph are left out: one side won all their games, and both models say so.

References
----------
Bradley and Terry (1952), Rank analysis of incomplete block designs.
Ford (1957), Solution of a ranking problem from binary comparisons.
Efron (1979), Bootstrap methods: another look at the jackknife.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import PCG64, Generator
from scipy.special import expit, xlogy
from scipy.stats import chi2

from arena.ratings import bradley_terry, unanchored
from arena.ratings.arrays import Vector
from arena.ratings.counts import PairCounts
from arena.ratings.graph import strong_components_of_wins
from arena.ratings.pairs import Pairs
from arena.ratings.threads import reproducible_blas

REPLICATES = 999
VIRTUAL_GAMES = 1.0
FEWEST_EXPECTED = 5.0
"""Under this many expected games in some cell the chi-squared tail is no guide."""
SAME = 1e-9
"""Two statistics this near are one: with few games equal logs are common, and rounding is not."""


@dataclass(frozen=True, slots=True)
class CycleTest:
    """What the test found.

    Attributes
    ----------
    g2, x2 : likelihood ratio and Pearson statistic against saturated pairs.
    df : pairs within strong components less what the strengths explain; 0 where nothing is tested.
    least_expected : fewest games that are expected in any cell; None without a tested pair.
    p_chi2 : by the chi-squared tail; None where nothing is tested.
    p_bootstrap : by parametric bootstrap; None where the tail is good enough, or nothing is tested.
    """

    g2: float
    x2: float
    df: int
    least_expected: float | None
    p_chi2: float | None
    p_bootstrap: float | None

    @property
    def p(self) -> float | None:
        """The one to go by."""
        return self.p_chi2 if self.p_bootstrap is None else self.p_bootstrap


@dataclass(frozen=True, eq=False)
class _Circle:
    """Decided games within one strong component, and what one line of strengths expects.

    Attributes
    ----------
    pairs : (m,) its games, entries numbered from 0.
    theta : (n,) their unanchored strengths.
    """

    pairs: Pairs
    theta: Vector

    @property
    def df(self) -> int:
        return self.pairs.first.size - (self.pairs.n - 1)

    @property
    def chance(self) -> Vector:
        """(m,) that the first wins."""
        return np.asarray(expit(self.theta[self.pairs.first] - self.theta[self.pairs.second]))

    @property
    def expected(self) -> Vector:
        """(2m,) games by cell."""
        games = self.pairs.games
        return np.concatenate([games * self.chance, games * (1.0 - self.chance)])

    @property
    def observed(self) -> Vector:
        """(2m,) games by cell."""
        return np.concatenate([self.pairs.wins_first, self.pairs.wins_second])

    @property
    def g2(self) -> float:
        ratio = self.observed / self.expected
        return float(2.0 * xlogy(self.observed, ratio).sum()) if self.df else 0.0

    @property
    def x2(self) -> float:
        misses = (self.observed - self.expected) ** 2 / self.expected
        return float(misses.sum()) if self.df else 0.0

    @cached_property
    def sober(self) -> Vector:
        """(m,) chance that the first wins, by strengths that virtual games have shrunk.

        Where each pair has met only a few times, the maximum itself is further spread than the
        truth; logs drawn from it go round less than they should, and every log would look cyclic.
        """
        theta = bradley_terry.fit(self.pairs, VIRTUAL_GAMES).theta
        return np.asarray(expit(theta[self.pairs.first] - theta[self.pairs.second]))

    def drawn(self, rng: Generator) -> Pairs:
        """As many games of every pair, with chances that one line of strengths allows."""
        games = self.pairs.games
        wins = rng.binomial(games.astype(np.int64), self.sober).astype(np.float64)
        return replace(self.pairs, wins_first=wins, wins_second=games - wins)


def cycle_test(counts: PairCounts, replicates: int = REPLICATES) -> CycleTest:
    """Test one line of strengths against saturated pairs, on decided votes.

    Parameters
    ----------
    counts : votes by pair; they also seed the bootstrap.
    replicates : of the bootstrap, which is asked where an expected count is under 5.
    """
    with reproducible_blas():
        circles = list(_circles(counts.pairs()))
        g2, df = sum(it.g2 for it in circles), sum(it.df for it in circles)
        least = min((float(it.expected.min()) for it in circles), default=None)
        if not df or least is None:
            return CycleTest(g2, 0.0, 0, least, None, None)
        sparse = least < FEWEST_EXPECTED
        return CycleTest(
            g2=g2,
            x2=sum(it.x2 for it in circles),
            df=df,
            least_expected=least,
            p_chi2=float(chi2.sf(g2, df)),
            p_bootstrap=_bootstrap(circles, g2, counts.seed(), replicates) if sparse else None,
        )


def _circles(pairs: Pairs, start: Vector | None = None) -> Iterator[_Circle]:
    """The strong components of more than one entry, each with its own maximum."""
    component = strong_components_of_wins(pairs)
    decided = pairs.wins_first + pairs.wins_second > 0
    inside = decided & (component[pairs.first] == component[pairs.second])
    for label in np.unique(component[pairs.first[inside]]):
        entries = np.flatnonzero(component == label)
        kept = inside & (component[pairs.first] == label)
        number = np.full(pairs.n, -1, dtype=np.int64)
        number[entries] = np.arange(entries.size)
        games = Pairs(
            n=entries.size,
            first=number[pairs.first[kept]],
            second=number[pairs.second[kept]],
            wins_first=pairs.wins_first[kept],
            wins_second=pairs.wins_second[kept],
            ties=np.zeros(int(kept.sum())),
        )
        begin = None if start is None else start[entries] - start[entries].mean()
        yield _Circle(games, unanchored.strengths(games, begin))


def _bootstrap(circles: list[_Circle], g2: float, seed: int, replicates: int) -> float:
    """Share of logs drawn from the strengths that go round as much, the votes' own among them."""
    rng = Generator(PCG64(seed))
    as_far = 0
    for _ in range(replicates):
        drawn = (_circles(it.drawn(rng), it.theta) for it in circles)
        as_far += sum(part.g2 for parts in drawn for part in parts) >= (1.0 - SAME) * g2
    return (1 + as_far) / (1 + replicates)
