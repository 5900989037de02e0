"""The fewest votes that change the leader: against every subset of small logs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from arena.ratings import bradley_terry
from arena.ratings.counts import tally
from arena.ratings.pairs import Pairs
from arena.ratings.robustness import fewest_to_change

Row = tuple[str, str, str, int]


def leader_of(pairs: Pairs) -> int:
    return int(np.argmax(bradley_terry.fit(pairs, 1.0).theta))


def by_trying_all(rows: list[Row]) -> int | None:
    """Fewest votes of any kind whose absence gives another leader."""
    names = sorted({name for row in rows for name in row[:2]})
    leads = leader_of(tally(rows).pairs())
    best = None
    for left in product(*(range(n + 1) for *_, n in rows)):
        kept = [(a, b, outcome, n) for (a, b, outcome, _), n in zip(rows, left, strict=True) if n]
        gone = sum(n for *_, n in rows) - sum(left)
        counts = tally(kept)
        if counts.entries != tuple(names):
            continue
        if leader_of(counts.pairs()) != leads and (best is None or gone < best):
            best = gone
    return best


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "b", "left", 4), ("a", "b", "right", 2), ("b", "c", "left", 3)],
        [("a", "b", "left", 3), ("b", "c", "left", 3), ("c", "a", "left", 2)],
        [("a", "b", "left", 2), ("b", "a", "tie", 3), ("b", "c", "left", 2), ("c", "a", "tie", 1)],
    ],
)  # fmt: skip
def test_it_finds_as_few_as_there_are(rows: list[Row]) -> None:
    found = fewest_to_change(tally(rows).pairs(), 1.0)
    assert found is not None
    assert found.changed
    assert found.votes == by_trying_all(rows)


def test_where_no_absence_changes_the_leader_the_search_says_where_it_stopped() -> None:
    # Without any vote all are level, and level is not overtaken.
    found = fewest_to_change(tally([("a", "b", "left", 3)]).pairs(), 1.0)
    assert found is not None
    assert (found.votes, found.total, found.changed) == (3, 3, False)


@pytest.mark.parametrize("rows", [[], [("a", "b", "tie", 2)], [("a", "b", "left", 0)]])
def test_where_nobody_leads_there_is_nothing_to_change(rows: list[Row]) -> None:
    assert fewest_to_change(tally(rows).pairs(), 1.0) is None


def test_endless_votes_cost_no_more_than_a_few() -> None:
    rows = [("a", "b", "left", 5 * 10**11), ("a", "b", "right", 4 * 10**11)]
    found = fewest_to_change(tally(rows).pairs(), 1.0)
    assert found is not None
    assert found.changed
    assert found.votes == pytest.approx(10**11, rel=1e-6)
