"""What is measured in a process of its own, on one core: seconds, and the most memory held.

python tests/benchmarks/alone.py publication
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.random import PCG64, Generator
from votes import Votes

from arena.ratings import bradley_terry
from arena.ratings.counts import PairCounts, from_ordered
from arena.ratings.held_out import HeldOut
from arena.ratings.methods import METHODS

Job = Callable[[], object]

LARGE = (1_000, 1_000_000)
SPARSE_ENTRIES, SPARSE_PAIRS = 5_000, 50_000


def by_all_methods(votes: Votes, calibration: slice, evaluation: slice) -> Job:
    """A whole publication; the votes themselves are let go before it begins."""
    counts = votes.counts()
    held_out = HeldOut(votes.counts(calibration), votes.counts(evaluation))

    def publish() -> None:
        figures = [it.publish(counts, held_out=held_out) for it in METHODS.values()]
        assert figures[-1].trace, "the anchor was not solved"

    return publish


def publication() -> Job:
    return by_all_methods(Votes(126, 1_900, seed=2), slice(0, 450), slice(450, 750))


def large() -> Job:
    return by_all_methods(Votes(*LARGE, seed=2), slice(0, 120_000), slice(120_000, 200_000))


def sparse() -> Job:
    pairs = sparse_counts().pairs()
    return lambda: bradley_terry.fit(pairs, 1.0)


def sparse_counts() -> PairCounts:
    """Ten neighbours an entry on average, four games a pair."""
    rng = Generator(PCG64(5))
    theta = rng.normal(0.0, 1.0, SPARSE_ENTRIES)
    first = rng.integers(SPARSE_ENTRIES, size=SPARSE_PAIRS)
    second = (first + rng.integers(1, SPARSE_ENTRIES, size=SPARSE_PAIRS)) % SPARSE_ENTRIES
    wins = rng.binomial(4, 1.0 / (1.0 + np.exp(theta[second] - theta[first])))
    none = np.zeros_like(wins)
    names = [f"{i:05d}" for i in range(SPARSE_ENTRIES)]
    return from_ordered(names, first, second, wins, 4 - wins, none, none)


JOBS: dict[str, tuple[Callable[[], Job], str]] = {
    "publication": (publication, "126 entries, 1,900 votes: all methods, 1,000 bootstraps, anchor"),
    "large": (large, "1,000 entries, 1,000,000 votes, 432,063 pairs: the same"),
    "sparse": (sparse, "5,000 entries, 50,000 pairs: one fit"),
}


def most_memory() -> float:
    """Megabytes at the highest; what `getrusage` says is inherited from the parent process."""
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    line = next(it for it in status if it.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def main() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    job = JOBS[sys.argv[1]][0]()
    begun = perf_counter()
    job()
    seconds = perf_counter() - begun
    print(json.dumps({"seconds": seconds, "megabytes": most_memory()}))


if __name__ == "__main__":
    main()
