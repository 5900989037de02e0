"""The cycle test, and the maximum without virtual games, of every case."""

from __future__ import annotations

import pytest
from oracle_cases import cases, cases_without, counts_of, expected_of

from arena.ratings import unanchored
from arena.ratings.cycles import cycle_test

SPREAD_OF_P = 5 * 0.5 / 999**0.5
"""Five standard errors of a share among 999, at the widest."""


@cases("plain_mle")
def test_strengths_without_virtual_games_agree(name: str) -> None:
    counts = counts_of(name)
    found = dict(zip(counts.entries, unanchored.strengths(counts.pairs()), strict=True))
    assert found == pytest.approx(expected_of(name)["plain_mle"], abs=1e-9, rel=0)


@cases_without("plain_mle")
def test_without_fords_condition_there_are_none(name: str) -> None:
    with pytest.raises(unanchored.NoMaximum):
        unanchored.strengths(counts_of(name).pairs())


@cases("cycle_test")
def test_the_cycle_test_agrees(name: str) -> None:
    found, wanted = cycle_test(counts_of(name)), expected_of(name)["cycle_test"]
    assert found.df == wanted["df"]
    for figure in ("g2", "x2", "least_expected", "p_chi2"):
        if wanted[figure] is None:
            assert getattr(found, figure) is None, figure
        else:
            assert getattr(found, figure) == pytest.approx(wanted[figure], abs=1e-8), figure


@pytest.mark.parametrize("name", ["baseball 1987"])
def test_where_cells_are_thin_the_bootstrap_is_asked(name: str) -> None:
    found, wanted = cycle_test(counts_of(name)), expected_of(name)["cycle_test"]
    assert found.least_expected is not None
    assert found.least_expected < 5
    assert found.p == found.p_bootstrap
    assert found.p == pytest.approx(wanted["p_bootstrap"], abs=SPREAD_OF_P)


def test_where_they_are_not_the_tail_is() -> None:
    found = cycle_test(counts_of("pudding"))
    assert found.p_bootstrap is None
    assert found.p == found.p_chi2
