"""The `arena` method on every case."""

from __future__ import annotations

import pytest
from oracle_cases import cases, cases_without, counts_of, expected_of

from arena.ratings import bradley_terry
from arena.ratings.methods import METHODS
from arena.ratings.parts import evidence_of


@cases("arena")
def test_strengths_are_the_maximum(name: str) -> None:
    board = METHODS["arena"].publish(counts_of(name), replicates=1).board
    strengths = {row.entry: row.strength for row in board}
    assert strengths == pytest.approx(expected_of(name)["arena"]["strength"], abs=1e-6, rel=0)


@cases("arena")
def test_scores_agree(name: str) -> None:
    board = METHODS["arena"].publish(counts_of(name), replicates=1).board
    scores = {row.entry: row.score for row in board}
    assert scores == pytest.approx(expected_of(name)["arena"]["score"], abs=2e-4, rel=0)


@cases("arena")
def test_newton_reaches_the_likelihoods(name: str) -> None:
    fit = bradley_terry.fit(counts_of(name).pairs(), 1.0)
    wanted = expected_of(name)["arena"]
    assert fit.converged
    assert fit.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=1e-8)
    assert fit.penalised == pytest.approx(wanted["penalised"], abs=1e-8)
    assert -fit.theta.mean() == pytest.approx(wanted["phantom"], abs=1e-6)


@cases("arena")
def test_mm_reaches_the_same_strengths(name: str) -> None:
    evidence = evidence_of(counts_of(name))
    fit = bradley_terry.fit_mm(evidence.pairs, 1.0, tolerance=1e-13, most_sweeps=100_000)
    strengths = dict(zip(evidence.names, fit.centred, strict=True))
    assert fit.converged
    assert strengths == pytest.approx(expected_of(name)["arena"]["strength"], abs=1e-6, rel=0)


@cases("arena")
def test_bars_lie_within_five_standard_errors(name: str) -> None:
    board = METHODS["arena"].publish(counts_of(name)).board
    wanted = expected_of(name)["arena"].get("bootstrap", {})
    off = {
        row.entry: (row.lower, row.upper)
        for row in board
        if row.entry in wanted
        and max(
            abs(row.lower - wanted[row.entry]["lower"]) / wanted[row.entry]["sd100_lower"],
            abs(row.upper - wanted[row.entry]["upper"]) / wanted[row.entry]["sd100_upper"],
        )
        > 5
    }
    assert off == {}


@cases_without("arena")
def test_without_votes_the_board_is_empty(name: str) -> None:
    figures = METHODS["arena"].publish(counts_of(name))
    assert figures.board == ()
    assert (figures.connected, figures.components) == (False, 0)
