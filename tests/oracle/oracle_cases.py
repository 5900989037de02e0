"""The right answers, read once: cases by name, and the counts that each is about."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.ratings.counts import PairCounts, tally

HERE = Path(__file__).parent
CASES: dict[str, Any] = {
    case["name"]: case for case in json.loads((HERE / "cases.json").read_text())["cases"]
}
CALIBRATION: dict[str, Any] = {
    case["name"]: case
    for case in json.loads((HERE / "calibration.json").read_text())["calibration"]
}


def counts_of(name: str) -> PairCounts:
    """The votes of a case, counted."""
    return tally((left, right, outcome, n) for left, right, outcome, n in CASES[name]["votes"])


def expected_of(name: str) -> Any:
    """The right answers of a case."""
    return CASES[name]["expected"]


def cases(having: str) -> Callable[[Any], Any]:
    """Run a test once for each case that has answers of a kind."""
    names = [name for name, case in CASES.items() if case["expected"].get(having)]
    return pytest.mark.parametrize("name", names)


def cases_without(having: str) -> Callable[[Any], Any]:
    """Run a test once for each case where the right answer of a kind is that there is none."""
    names = [name for name, case in CASES.items() if not case["expected"].get(having)]
    return pytest.mark.parametrize("name", names)
