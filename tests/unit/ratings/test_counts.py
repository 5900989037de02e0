"""Counting votes and refusing what cannot be a vote."""

from __future__ import annotations

import pytest

from arena.ratings.counts import from_ordered, tally


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (("a", "a", "left", 1), "'a' stands on both sides"),
        (("a", "b", "won", 1), "outcome 'won' is none of left, right, tie, skip"),
        (("a", "b", "tie", -3), "count -3 of 'a' against 'b' is negative"),
        (("a", "b", "tie", 2**60), "add up to more than"),
    ],
)
def test_a_row_that_is_no_vote_is_refused_with_its_value(row, fault) -> None:
    with pytest.raises(ValueError, match=fault):
        tally([row])


@pytest.mark.parametrize(
    ("names", "left", "right", "wins", "fault"),
    [
        (["a", "a"], [0], [1], [1], "'a' is given twice"),
        (["a", "b"], [0], [2], [1], "index 2 lies outside the 2 entries"),
        (["a", "b"], [1], [1], [1], "'b' stands on both sides"),
        (["a", "b"], [0], [1], [-1], "count -1 of left for 'a' and 'b' is negative"),
    ],
)
def test_totals_that_cannot_be_are_refused_with_their_value(
    names, left, right, wins, fault
) -> None:
    with pytest.raises(ValueError, match=fault):
        from_ordered(names, left, right, wins, [0], [0], [0])


def test_the_side_that_an_entry_stood_on_is_kept() -> None:
    counts = tally([("b", "a", "left", 2), ("a", "b", "left", 3), ("a", "b", "right", 1)])
    assert counts.side_wins == (5, 1)
    assert counts.wins_first.tolist() == [3]
    assert counts.wins_second.tolist() == [3]


def test_a_pair_without_any_outcome_is_no_pair() -> None:
    counts = tally([("a", "b", "tie", 0)])
    assert counts.first.size == 0
    assert counts.entries == ("a", "b")


def test_taking_counts_away_leaves_the_rest() -> None:
    every = tally([("a", "b", "left", 3), ("b", "c", "tie", 2), ("c", "b", "skip", 1)])
    rest = every.minus(tally([("a", "b", "left", 1), ("b", "c", "tie", 2)]))
    wanted = tally([("a", "b", "left", 2), ("c", "b", "skip", 1)])
    assert rest.first_on_left.tolist() == wanted.first_on_left.tolist()
    assert rest.first_on_right.tolist() == wanted.first_on_right.tolist()


def test_taking_away_more_than_there_is_is_refused() -> None:
    with pytest.raises(ValueError, match="count -1 of tie for 'a' and 'b' is negative"):
        tally([("a", "b", "tie", 1)]).minus(tally([("a", "b", "tie", 2)]))


def test_taking_away_an_unknown_entry_is_refused() -> None:
    with pytest.raises(ValueError, match="'c' is not among the counts"):
        tally([("a", "b", "tie", 1)]).minus(tally([("a", "c", "tie", 1)]))


def test_other_counts_have_another_seed() -> None:
    rows = [("a", "b", "left", 3), ("a", "b", "right", 1), ("b", "c", "tie", 3)]
    seeds = {tally(rows[:place]).seed() for place in range(4)}
    assert len(seeds) == 4


def test_skips_and_unrated_entries_leave_the_seed_as_it_was() -> None:
    rows = [("a", "b", "left", 3)]
    other = tally([*rows, ("b", "c", "skip", 4)], entries=["d"])
    assert other.seed() == tally(rows).seed()
