"""Vote files: the log as it travels between programs, checked line by line where it comes in.

A file is CSV with a header. What a person can get wrong in it is told with the number of the line,
and nothing of a file at fault is used.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from arena.legible import is_blank, is_legible
from arena.ratings.counts import LARGEST_COUNT, OUTCOMES, PairCounts, tally
from arena.ratings.held_out import CALIBRATION, EVALUATION, TRAINING, HeldOut
from arena.tallies import part

REQUIRED = ("left", "right", "outcome")
COLUMNS = (*REQUIRED, "count", "strategy", "axis", "at", "session")
STRATEGIES = ("random", "information", "placement", "uncertain", "starved")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins like this is run by spreadsheets; an apostrophe before it stops them."""
LONGEST_CELL = 200
MOST_FAULTS = 100

Key = tuple[str, str, str]


class VoteFileFaults(ValueError):
    """What is wrong with a vote file.

    Attributes
    ----------
    faults : `line N: COLUMN: what is wrong`, at most a hundred of them.
    """

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class _Wrong(ValueError):
    """One cell that cannot be taken."""

    def __init__(self, column: str, why: str) -> None:
        super().__init__(f"{column}: {why}")


@dataclass(frozen=True, eq=False, slots=True)
class VoteFile:
    """The votes of a file, counted.

    Attributes
    ----------
    counts : all of them.
    held_out : those on pairs drawn at random, where the session is known, in their parts.
    """

    counts: PairCounts
    held_out: HeldOut


def restored(cell: str) -> str:
    """A cell without the apostrophe that kept spreadsheets from running it."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULA_STARTS) else cell


def neutralised(cell: str) -> str:
    """A cell that no spreadsheet runs as a formula; `restored` undoes it."""
    return f"'{cell}" if restored(f"'{cell}") == cell and cell.startswith(FORMULA_STARTS) else cell


def read_votes(lines: Iterable[bytes], axis: str | None = None) -> VoteFile:
    """Count the votes of a file.

    Parameters
    ----------
    lines : of the file, with their ends.
    axis : take the votes on this one only.

    Raises
    ------
    VoteFileFaults
        If any line is at fault, or votes on several axes are mixed.
    """
    faults: list[str] = []
    cells: dict[str, Counter[Key]] = {it: Counter() for it in (TRAINING, CALIBRATION, EVALUATION)}
    axes: set[str] = set()
    rows = csv.reader(_decoded(lines))
    try:
        columns = _columns(next(rows, None))
        for row in rows:
            if not row:
                continue
            try:
                found = _checked(columns, row)
            except _Wrong as wrong:
                faults.append(f"line {rows.line_num}: {wrong}")
                if len(faults) == MOST_FAULTS:
                    break
                continue
            if axis is None or found.get("axis") == axis:
                axes.add(found.get("axis", ""))
                _count(cells, found)
    except _Wrong as wrong:
        faults.append(f"line {max(rows.line_num, 1)}: {wrong}")
    except csv.Error as error:
        faults.append(f"line {rows.line_num}: {error}")
    except UnicodeDecodeError:
        faults.append(f"line {rows.line_num + 1}: is not UTF-8 text")
    if len(axes) > 1:
        named = ", ".join(sorted(axes - {""})[:5])
        faults.append(f"line 1: axis: votes on several axes are mixed ({named}); choose one")
    if faults:
        raise VoteFileFaults(faults)
    parts = {name: tally((*key, n) for key, n in part.items()) for name, part in cells.items()}
    every = tally((*key, n) for part in cells.values() for key, n in part.items())
    return VoteFile(every, HeldOut(parts[CALIBRATION], parts[EVALUATION]))


def _decoded(lines: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield line.decode("utf-8-sig" if number == 0 else "utf-8")


def _columns(header: list[str] | None) -> dict[str, int]:
    """Where each known column stands."""
    if header is None:
        raise _Wrong("header", f"the file is empty; it begins with {','.join(REQUIRED)}")
    names = [name.strip() for name in header]
    for column in COLUMNS:
        if names.count(column) > 1:
            raise _Wrong(column, "this column is there twice")
    for column in REQUIRED:
        if column not in names:
            raise _Wrong(column, f"this column is missing; the header is {', '.join(names)!r}")
    return {name: index for index, name in enumerate(names) if name in COLUMNS}


def _checked(columns: Mapping[str, int], row: list[str]) -> dict[str, str]:
    """The cells of a row that hold something, by column."""
    found = {
        column: restored(row[index].strip())
        for column, index in columns.items()
        if index < len(row) and not is_blank(row[index])
    }
    for column in REQUIRED:
        if column not in found:
            raise _Wrong(column, "is missing")
    for column, cell in found.items():
        if len(cell) > LONGEST_CELL:
            raise _Wrong(column, f"is longer than {LONGEST_CELL} characters")
        if not is_legible(cell):
            raise _Wrong(column, "holds characters that cannot be shown")
    if found["left"] == found["right"]:
        raise _Wrong("right", f"{found['right']!r} stands on both sides")
    _require("outcome", found["outcome"], OUTCOMES)
    if "strategy" in found:
        _require("strategy", found["strategy"], STRATEGIES)
    if "at" in found:
        _require_utc(found["at"])
    _count_of(found)
    return found


def _require(column: str, cell: str, allowed: tuple[str, ...]) -> None:
    if cell not in allowed:
        raise _Wrong(column, f"{cell!r} is none of {', '.join(allowed)}")


def _require_utc(cell: str) -> None:
    try:
        at = datetime.fromisoformat(cell)
    except ValueError:
        raise _Wrong("at", f"{cell!r} is no time of ISO 8601") from None
    if at.utcoffset() not in (None, timedelta(0)):
        raise _Wrong("at", f"{cell!r} is not in UTC")


def _count_of(found: Mapping[str, str]) -> int:
    cell = found.get("count", "1")
    digits = cell.isascii() and cell.isdigit() and len(cell) <= len(str(LARGEST_COUNT))
    if not digits or not 1 <= int(cell) <= LARGEST_COUNT:
        raise _Wrong("count", f"{cell!r} is no whole number from 1 to {LARGEST_COUNT}")
    return int(cell)


def _count(cells: dict[str, Counter[Key]], found: Mapping[str, str]) -> None:
    holder = found.get("session")
    name = TRAINING if holder is None else part(found.get("strategy", ""), holder)
    cells[name][found["left"], found["right"], found["outcome"]] += _count_of(found)
