"""Votes of people whose taste is known, on pairs that a chooser draws as a season goes on.

The chooser looks at a board that is refitted on the way, as on the site; all in memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from arena.pairing import CHOOSERS
from arena.pairing.field import Contender, Drawn, Field, History, Pair
from arena.pairing.uniform import uniform
from arena.pairing.versus import COOLDOWN
from arena.ratings import davidson
from arena.ratings.counts import Counting, PairCounts
from arena.ratings.information import information, most_informative
from arena.ratings.methods import METHODS
from arena.ratings.methods.versus import UNCALIBRATED_ANCHOR
from arena.ratings.parts import evidence_of

SESSION, REFITS = 20, 19

Choose = Callable[[Field, Random], Drawn]


@dataclass(frozen=True)
class Cast:
    """One vote: who stood where, what was chosen, how the pair was drawn, in which session."""

    left: str
    right: str
    outcome: str
    strategy: str
    session: int

    @property
    def row(self) -> tuple[str, str, str, int]:
        """As it is counted."""
        return self.left, self.right, self.outcome, 1


class Board:
    """What a chooser looks at: the newest figures, and the counts of this moment."""

    def __init__(self, names: tuple[str, ...], chooser: str | None) -> None:
        self.chooser = chooser
        self.counted = dict.fromkeys(names, 0)
        self.scores: dict[str, tuple[float, float]] = {}
        self.informative: tuple[tuple[Pair, float], ...] = ()
        self.served: deque[Pair] = deque(maxlen=COOLDOWN)

    def refit(self, counts: PairCounts) -> None:
        if self.chooser == "arena":
            figures = METHODS["arena"].publish(counts)
            self.scores = {it.entry: (it.score, it.upper - it.lower) for it in figures.board}
        elif self.chooser == "versus":
            evidence = evidence_of(counts)
            fit = davidson.fit(evidence.pairs, UNCALIBRATED_ANCHOR)
            score = METHODS["versus"].scale.score(fit.theta)
            self.scores = {
                name: (float(it), 0.0) for name, it in zip(evidence.names, score, strict=True)
            }
            worth = information(fit.theta, fit.covariance[:-1, :-1], fit.nu, evidence.records.votes)
            first, second = most_informative(worth, 1000)
            self.informative = tuple(
                (frozenset((evidence.names[a], evidence.names[b])), float(worth[a, b]))
                for a, b in zip(first, second, strict=True)
            )

    def field(self, history: History) -> Field:
        middle = METHODS[self.chooser or "arena"].scale.origin
        contenders = [
            Contender(name, *self.scores.get(name, (middle, np.inf)), votes=self.counted[name])
            for name in self.counted
        ]
        return Field(contenders, history, self.informative, frozenset(self.served))


def votes(
    taste: dict[str, float], nu: float, chooser: str | None, number: int, rng: Random
) -> Iterator[Cast]:
    """One season's votes, on pairs drawn by a chooser, or evenly where there is none.

    Parameters
    ----------
    taste : entry to strength, natural log.
    nu : tie affinity of the voters.
    """
    choose: Choose = CHOOSERS[chooser].choose if chooser else uniform
    board, counted = Board(tuple(taste), chooser), Counting()
    judged: set[Pair] = set()
    last: Pair | None = None
    every = max(number // REFITS, 1)
    for place in range(number):
        if place % SESSION == 0:
            judged, last = set(), None
        if chooser and place and place % every == 0:
            board.refit(counted.counts())
        drawn = choose(board.field(History(frozenset(judged), last)), rng)
        last = drawn.pair
        judged.add(last)
        board.served.append(last)
        left, right = rng.sample(sorted(last), 2)
        cast = Cast(
            left, right, outcome(taste[left] - taste[right], nu, rng), drawn.strategy,
            place // SESSION,
        )  # fmt: skip
        board.counted[left] += 1
        board.counted[right] += 1
        counted.add(*cast.row)
        yield cast


def outcome(gap: float, nu: float, rng: Random) -> str:
    """What somebody chooses."""
    wins, _, ties = (float(it) for it in davidson.chances(np.array(gap), nu))
    chance = rng.random()
    return "left" if chance < wins else "tie" if chance < wins + ties else "right"
