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
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
from numpy.random import PCG64, Generator
from sampling import votes

from arena.measured import COVERAGE, Coverage
from arena.ratings.arrays import Vector
from arena.ratings.counts import tally
from arena.ratings.methods import METHODS, Figures

ENTRIES, VOTES = 126, 1900
SPREAD = 1.0
"""Standard deviation of the hidden strengths, natural log."""
NU = 0.6
"""Tie affinity of the voters where the method has ties as an outcome of its own."""
SEASONS = 300
SEED = 20261207
NAMES = tuple(f"e{number:03d}" for number in range(ENTRIES))
WAYS = [("arena", "arena"), ("preferences", "arena"), ("versus", "versus")]


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


def season(method: str, chooser: str | None, number: int) -> Season:
    """Draw a truth and a season from it, publish, and look which intervals hold the truth."""
    rng = Generator(PCG64([SEED, number]))
    theta = rng.normal(0.0, SPREAD, ENTRIES)
    theta -= theta.mean()
    nu = NU if method == "versus" else 0.0
    taste = dict(zip(NAMES, theta.tolist(), strict=True))
    cast = votes(taste, nu, chooser, VOTES, Random(SEED + number))
    figures = METHODS[method].publish(tally(it.row for it in cast))
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
