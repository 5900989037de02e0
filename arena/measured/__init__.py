"""What was measured once and is shown with its date: results too slow to work out on a page.

The programs that made these files are kept in `tests/simulation` and can be run again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

COVERAGE = Path(__file__).parent / "coverage.json"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often intervals of one method held the truth.

    Attributes
    ----------
    method : its name.
    chooser : which pairs were voted on: `even`, or the name of a chooser.
    seasons : how many were simulated.
    share, error : of the intervals that held the truth, and the standard error of that.
    share_of_strongest : the same among the truly strongest tenth.
    length : mean length of an interval, natural log strength.
    """

    method: str
    chooser: str
    seasons: int
    share: float
    error: float
    share_of_strongest: float
    length: float


@dataclass(frozen=True, slots=True)
class CoverageStudy:
    """All of them, with what they were measured on.

    Attributes
    ----------
    date : when.
    entries, votes : of each season.
    spread : standard deviation of the hidden strengths, natural log.
    nu : tie affinity of the voters where the method has ties as an outcome of their own.
    """

    date: date
    entries: int
    votes: int
    spread: float
    nu: float
    rows: tuple[Coverage, ...]


@cache
def coverage() -> CoverageStudy:
    """The study as it was kept."""
    document = json.loads(COVERAGE.read_text(encoding="utf-8"))
    return CoverageStudy(
        date=date.fromisoformat(document["date"]),
        entries=document["entries"],
        votes=document["votes"],
        spread=document["spread"],
        nu=document["nu"],
        rows=tuple(Coverage(**row) for row in document["rows"]),
    )
