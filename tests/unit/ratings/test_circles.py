"""The cycle test finds circles, and does not cry wolf where pairs have hardly met."""

from __future__ import annotations

import numpy as np
from numpy.random import PCG64, Generator

from arena.ratings.counts import PairCounts, tally
from arena.ratings.cycles import cycle_test


def drawn(seed: int, entries: int, votes: int) -> PairCounts:
    """Votes by one line of strengths, on pairs drawn evenly: most have met once or never."""
    rng = Generator(PCG64(seed))
    theta = rng.normal(0.0, 1.0, entries)
    rows = []
    for _ in range(votes):
        left, right = rng.choice(entries, 2, replace=False)
        wins = rng.random() < 1.0 / (1.0 + np.exp(theta[right] - theta[left]))
        rows.append((f"e{left}", f"e{right}", "left" if wins else "right", 1))
    return tally(rows)


def test_thin_logs_without_circles_look_like_it() -> None:
    found = [cycle_test(drawn(seed, 40, 500), replicates=99).p for seed in range(12)]
    assert 0.3 < np.mean(found) < 0.8
    assert sum(p < 0.1 for p in found) <= 3


def test_rock_paper_scissors_is_found_in_few_votes() -> None:
    rows = [("a", "b", "left", 4), ("b", "c", "left", 4), ("c", "a", "left", 4)]
    assert cycle_test(tally(rows)).p < 0.01


def test_a_log_that_is_as_good_as_any_has_a_p_of_one() -> None:
    rows = [("a", "b", "left", 1), ("b", "c", "left", 1), ("c", "a", "left", 1)]
    rows += [(b, a, outcome, n) for a, b, outcome, n in rows]
    assert cycle_test(tally(rows)).p == 1.0


def test_names_do_not_decide() -> None:
    rows = [("a", "b", "left", 2), ("d", "a", "left", 1), ("a", "d", "left", 1)]
    rows += [("d", "b", "left", 1), ("b", "d", "left", 1), ("d", "c", "left", 1)]
    rows += [("c", "a", "left", 1)]
    renamed = [(f"z{a}", f"z{b}", outcome, n) for a, b, outcome, n in rows]
    first, second = cycle_test(tally(rows)), cycle_test(tally(renamed))
    assert abs(first.p - second.p) < 0.06
