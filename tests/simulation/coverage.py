"""How often a 95 % interval holds the truth: many small seasons whose truth is known.

    python tests/simulation/coverage.py

Every season has its own hidden strengths and its own votes, drawn once evenly and once by the
chooser of the site, which looks at a board that is refitted as the season goes on. A chooser that
picks pairs by what is known so far bends the sample; the difference between the two rows is what
that costs. The result is kept with its date, and the method page shows it.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
from numpy.random import PCG64, Generator

from arena.measured import COVERAGE, Coverage
from arena.pairing import CHOOSERS
from arena.pairing.field import Contender, Drawn, Field, History, Pair
from arena.pairing.uniform import uniform
from arena.pairing.versus import COOLDOWN
from arena.ratings import davidson
from arena.ratings.arrays import Vector
from arena.ratings.counts import PairCounts, tally
from arena.ratings.information import information, most_informative
from arena.ratings.methods import METHODS, Figures
from arena.ratings.methods.versus import UNCALIBRATED_ANCHOR
from arena.ratings.parts import evidence_of

ENTRIES, VOTES, SESSION, REFIT_EVERY = 126, 1900, 20, 100
SPREAD = 1.0
"""Standard deviation of the hidden strengths, natural log."""
NU = 0.6
"""Tie affinity of the voters where the method has ties as an outcome of its own."""
SEASONS = 300
SEED = 20261207
NAMES = tuple(f"e{number:03d}" for number in range(ENTRIES))
WAYS = [("arena", "arena"), ("preferences", "arena"), ("versus", "versus")]

Row = tuple[str, str, str, int]
Choose = Callable[[Field, Random], Drawn]


@dataclass(frozen=True)
class Season:
    """What one season came to, by entry.

    Attributes
    ----------
    held : (k,) whether the interval holds the truth.
    length : (k,) its length, natural log strength.
    top : (k,) whether the entry is truly among the strongest tenth.
    """

    held: Vector
    length: Vector
    top: Vector


class Board:
    """What a chooser looks at: the newest figures, and the counts of this moment."""

    def __init__(self, chooser: str | None) -> None:
        self.chooser = chooser
        self.counted = dict.fromkeys(NAMES, 0)
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
            for name in NAMES
        ]
        return Field(contenders, history, self.informative, frozenset(self.served))


def votes(theta: Vector, nu: float, chooser: str | None, rng: Random) -> Iterator[Row]:
    """One season's votes, on pairs drawn by a chooser, or evenly where there is none."""
    choose: Choose = CHOOSERS[chooser].choose if chooser else uniform
    board, rows = Board(chooser), list[Row]()
    judged: set[Pair] = set()
    last: Pair | None = None
    for number in range(VOTES):
        if number % SESSION == 0:
            judged, last = set(), None
        if chooser and number and number % REFIT_EVERY == 0:
            board.refit(tally(rows))
        drawn = choose(board.field(History(frozenset(judged), last)), rng)
        last = drawn.pair
        judged.add(last)
        board.served.append(last)
        left, right = rng.sample(sorted(last), 2)
        row = (left, right, outcome(theta, nu, left, right, rng), 1)
        board.counted[left] += 1
        board.counted[right] += 1
        rows.append(row)
        yield row


def outcome(theta: Vector, nu: float, left: str, right: str, rng: Random) -> str:
    gap = theta[NAMES.index(left)] - theta[NAMES.index(right)]
    wins, _, ties = (float(it) for it in davidson.chances(gap, nu))
    chance = rng.random()
    return "left" if chance < wins else "tie" if chance < wins + ties else "right"


def season(method: str, chooser: str | None, number: int) -> Season:
    """Draw a truth and a season from it, publish, and look which intervals hold the truth."""
    rng = Generator(PCG64([SEED, number]))
    theta = rng.normal(0.0, SPREAD, ENTRIES)
    theta -= theta.mean()
    nu = NU if method == "versus" else 0.0
    rows = list(votes(theta, nu, chooser, Random(SEED + number)))
    figures = METHODS[method].publish(tally(rows))
    return held(method, figures, theta)


def held(method: str, figures: Figures, theta: Vector) -> Season:
    scale = METHODS[method].scale
    rated = np.array([NAMES.index(row.entry) for row in figures.board])
    truth = scale.score(scale.strength(theta[rated]))
    lower = np.array([row.lower for row in figures.board])
    upper = np.array([row.upper for row in figures.board])
    strongest = np.argsort(-theta)[: ENTRIES // 10]
    return Season(
        held=(lower <= truth) & (truth <= upper),
        length=(upper - lower) / scale.unit,
        top=np.isin(rated, strongest),
    )


def coverage(method: str, chooser: str | None, seasons: int, pool: ProcessPoolExecutor) -> Coverage:
    """Shares over all entries of all seasons; the error is that of the mean over seasons."""
    found = list(pool.map(partial(season, method, chooser), range(seasons)))
    shares = np.array([it.held.mean() for it in found])
    return Coverage(
        method=method,
        chooser=chooser or "even",
        seasons=seasons,
        share=float(shares.mean()),
        error=float(shares.std(ddof=1) / np.sqrt(seasons)),
        share_of_strongest=float(np.concatenate([it.held[it.top] for it in found]).mean()),
        length=float(np.concatenate([it.length for it in found]).mean()),
    )


def main() -> None:
    seasons = int(sys.argv[1]) if len(sys.argv) > 1 else SEASONS
    with ProcessPoolExecutor() as pool:
        rows = [coverage(method, way, seasons, pool) for method, own in WAYS for way in (None, own)]
    document = {
        "date": datetime.now(UTC).date().isoformat(),
        "entries": ENTRIES,
        "votes": VOTES,
        "spread": SPREAD,
        "nu": NU,
        "rows": [asdict(row) for row in rows],
    }
    Path(COVERAGE).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    for row in rows:
        print(row)


if __name__ == "__main__":
    main()
