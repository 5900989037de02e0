"""What must hold for every method, whatever the votes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pair_counts import NAMES, Row, vote_rows

from arena.ratings.counts import PairCounts, from_ordered, tally
from arena.ratings.methods import METHODS

CLOSE = 1e-7
OTHER_SIDE = {"left": "right", "right": "left", "tie": "tie", "skip": "skip"}

every_method = pytest.mark.parametrize("method", METHODS)
settings = hypothesis_settings(deadline=None, max_examples=40)


def strengths(method: str, counts: PairCounts) -> dict[str, float]:
    board = METHODS[method].publish(counts, replicates=1).board
    return {row.entry: row.strength for row in board}


def assert_same(found: dict[str, float], wanted: dict[str, float]) -> None:
    assert found == pytest.approx(wanted, abs=CLOSE, rel=0)


@every_method
@settings
@given(rows=vote_rows(), data=st.data())
def test_the_order_of_rows_changes_nothing(method: str, rows: list[Row], data: st.DataObject):
    shuffled = data.draw(st.permutations(rows))
    one = METHODS[method].publish(tally(rows), replicates=5)
    assert METHODS[method].publish(tally(shuffled), replicates=5) == one


@every_method
@settings
@given(rows=vote_rows())
def test_swapping_sides_with_outcomes_changes_nothing(method: str, rows: list[Row]):
    swapped = [(right, left, OTHER_SIDE[outcome], n) for left, right, outcome, n in rows]
    one = METHODS[method].publish(tally(rows), replicates=5)
    assert METHODS[method].publish(tally(swapped), replicates=5) == one


@every_method
@settings
@given(rows=vote_rows())
def test_splitting_a_count_changes_nothing(method: str, rows: list[Row]):
    split = [(a, b, outcome, part) for a, b, outcome, n in rows for part in (1, n - 1)]
    one = METHODS[method].publish(tally(rows), replicates=5)
    assert METHODS[method].publish(tally(split), replicates=5) == one


@every_method
@settings
@given(rows=vote_rows(), names=st.permutations(NAMES))
def test_renaming_entries_renames_the_board(method: str, rows: list[Row], names: list[str]):
    renamed = dict(zip(NAMES, names, strict=True))
    other = [(renamed[a], renamed[b], outcome, n) for a, b, outcome, n in rows]
    wanted = {renamed[entry]: theta for entry, theta in strengths(method, tally(rows)).items()}
    assert_same(strengths(method, tally(other)), wanted)


@every_method
@settings
@given(rows=vote_rows())
def test_an_entry_without_a_vote_changes_nothing_but_the_list_of_unrated(
    method: str, rows: list[Row]
):
    one = METHODS[method].publish(tally(rows), replicates=5)
    other = METHODS[method].publish(tally(rows, entries=["zelkova"]), replicates=5)
    assert other.board == one.board
    assert other.unrated == (*one.unrated, "zelkova")


@pytest.mark.parametrize("method", ["arena", "preferences"])
@settings
@given(data=st.data(), left_wins=st.booleans())
def test_a_win_never_lowers_the_winner(method: str, data: st.DataObject, left_wins: bool):
    # For Davidson's model this holds at a given rate of ties; see the tests of the models.
    base = [*data.draw(vote_rows()), (NAMES[0], NAMES[1], "tie", 1)]
    outcome, winner = ("left", NAMES[0]) if left_wins else ("right", NAMES[1])
    before = strengths(method, tally(base))
    after = strengths(method, tally([*base, (NAMES[0], NAMES[1], outcome, 1)]))
    assert after[winner] >= before[winner] - CLOSE


@every_method
@settings
@given(rows=vote_rows())
def test_every_figure_is_finite(method: str, rows: list[Row]):
    for row in METHODS[method].publish(tally(rows), replicates=5).board:
        figures = (row.strength, row.score, row.lower, row.upper, row.se or 0.0)
        assert all(map(math.isfinite, figures))


@settings
@given(rows=vote_rows())
def test_totals_of_ordered_pairs_count_as_the_rows_do(rows: list[Row]):
    names = sorted({name for a, b, _, _ in rows for name in (a, b)}, reverse=True)
    cells = [[n if outcome == kind else 0 for _, _, outcome, n in rows] for kind in OTHER_SIDE]
    counts = from_ordered(
        names, [names.index(a) for a, *_ in rows], [names.index(b) for _, b, *_ in rows], *cells
    )
    wanted = tally(rows)
    assert counts.entries == wanted.entries
    assert counts.first_on_left.tolist() == wanted.first_on_left.tolist()
    assert counts.first_on_right.tolist() == wanted.first_on_right.tolist()
    assert counts.seed() == wanted.seed()
