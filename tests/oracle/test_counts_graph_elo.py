"""Counts, records, graph and live numbers of every case."""

from __future__ import annotations

from collections import defaultdict

import pytest
from oracle_cases import CASES, cases, counts_of, expected_of

from arena.ratings import elo
from arena.ratings.graph import graph_of, members
from arena.ratings.methods import METHODS
from arena.ratings.parts import evidence_of


@cases("counts")
def test_counts_agree(name: str) -> None:
    figures = METHODS["arena"].publish(counts_of(name), replicates=1)
    wanted = expected_of(name)["counts"]
    assert (figures.votes, figures.ties, figures.skips, figures.entries) == (
        wanted["votes"],
        wanted["ties"],
        wanted["skips"],
        wanted["entries"],
    )
    assert list(figures.unrated) == wanted["unrated"]


@cases("counts")
def test_records_agree(name: str) -> None:
    board = METHODS["arena"].publish(counts_of(name), replicates=1).board
    found = {
        row.entry: {
            "votes": row.votes,
            "wins": row.wins,
            "ties": row.ties,
            "losses": row.losses,
        }
        for row in board
    }
    assert found == (expected_of(name)["records"] or {})


@cases("graph")
def test_components_agree(name: str) -> None:
    evidence = evidence_of(counts_of(name))
    graph = graph_of(evidence.pairs)
    wanted = expected_of(name)["graph"]
    assert graph.connected is wanted["connected"]
    assert graph.strongly_connected is wanted["strongly_connected"]
    assert [list(c) for c in members(graph.component, evidence.names)] == wanted["components"]
    strong = sorted(wanted["strong_components"])
    assert [list(c) for c in members(graph.strong_component, evidence.names)] == strong


@pytest.mark.parametrize("name", CASES)
def test_live_numbers_after_a_replay_agree(name: str) -> None:
    rating: dict[str, float] = defaultdict(lambda: elo.START)
    votes: dict[str, int] = defaultdict(int)
    for left, right, outcome, count in CASES[name]["votes"]:
        for _ in range(0 if outcome == "skip" else count):
            moved = elo.moves(rating[left], votes[left], rating[right], votes[right], outcome)
            for entry, change in zip((left, right), moved, strict=True):
                rating[entry] += change
                votes[entry] += 1
    assert rating == pytest.approx(expected_of(name)["elo"] or {}, abs=1e-9, rel=1e-12)
