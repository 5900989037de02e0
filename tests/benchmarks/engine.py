"""How long the engine takes beside its peers: one table, everything measured in the same run.

    python tests/benchmarks/engine.py

Contestants of one row take turns, the best of all rounds counts, and each row is also given as a
ratio to the engine's own time, which is what can be compared between machines. Rows of one process
each are timed on one core and say the most memory that the process held. The table goes to
`tests/benchmarks/engine.md`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

import evalica
import numpy as np
import scipy
from alone import JOBS
from peers import Contestants, bootstraps, fits
from threadpoolctl import threadpool_limits
from votes import Votes

HERE = Path(__file__).parent
ROUNDS, MOST_RUNS = 7, 20
ENOUGH = 0.05
"""Seconds that a contestant has in a round, if it is that quick."""
SHAPES = [(126, 1_900), (200, 100_000)]


def raced(contestants: Contestants, rounds: int) -> dict[str, float]:
    """Best seconds of each, all taking turns; one that takes long takes part in two rounds."""
    best = dict.fromkeys(contestants, np.inf)
    for turn in range(rounds):
        for name, run in contestants.items():
            if turn >= 2 and best[name] > 2.0:
                continue
            best[name] = min(best[name], *seconds(run))
    return best


def seconds(run: Callable[[], object]) -> list[float]:
    """A quick one runs some times in a row, so that all find their data as near at hand."""
    found: list[float] = []
    while not found or (sum(found) < ENOUGH and len(found) < MOST_RUNS):
        begun = perf_counter()
        run()
        found.append(perf_counter() - begun)
    return found


def alone(name: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, HERE / "alone.py", name], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def table() -> str:
    lines = [
        f"# The engine beside its peers, {datetime.now(UTC).date()}",
        "",
        f"{os.cpu_count()} cores, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"evalica {evalica.__version__}; one BLAS thread for all; best of {ROUNDS} rounds taken "
        "in turn, each of up to a twentieth of a second.",
        "",
        "| what | who | milliseconds | times this engine |",
        "|---|---|---:|---:|",
    ]
    for entries, number in SHAPES:
        votes = Votes(entries, number)
        for what, contest in [("one fit", fits), ("100 bootstraps", bootstraps)]:
            with threadpool_limits(1, user_api="blas"):
                best = raced(contest(votes), ROUNDS)
            own = best["this engine"]
            lines += [
                f"| {entries} entries, {number:,} votes: {what} | {name} | {1000 * it:.1f} "
                f"| {it / own:.1f} |"
                for name, it in best.items()
            ]
    lines += ["", "| one core, a process of its own | seconds | megabytes |", "|---|---:|---:|"]
    for name, (_, what) in JOBS.items():
        found = alone(name)
        lines.append(f"| {what} | {found['seconds']:.2f} | {found['megabytes']:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    found = table()
    (HERE / "engine.md").write_text(found, encoding="utf-8")
    print(found)


if __name__ == "__main__":
    main()
