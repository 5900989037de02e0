"""Vote files: the log as it travels between programs, checked line by line where it comes in.

A file is CSV with a header, or one JSON object a line. What a person can get wrong in it is told
with the number of the line, and nothing of a file at fault is used.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain

from arena.legible import is_blank, is_legible
from arena.ratings.counts import LARGEST_COUNT, OUTCOMES, Counting, PairCounts
from arena.ratings.held_out import CALIBRATION, EVALUATION, TRAINING, HeldOut
from arena.tallies import part

REQUIRED = ("left", "right", "outcome")
COLUMNS = (*REQUIRED, "count", "strategy", "axis", "at", "session", "seconds", "status")
COUNTED, RETRACTED, INVALIDATED = STATUSES = ("counted", "retracted", "invalidated")
"""Where a file has this column, only counted votes are read."""
STRATEGIES = ("random", "information", "placement", "uncertain", "starved")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins like this is run by spreadsheets; an apostrophe before it stops them."""
LONGEST_CELL = 200
MOST_FAULTS = 100
TOO_LONG = "cells"
"""Stands for a row with more cells than the header; no column of a file has this name here."""
SAID_BETTER = {
    "unexpected end of data": "a quote is opened here and never closed",
    "new-line character seen in unquoted field - do you need to open the file in"
    " universal-newline mode?": "lines must end in a line feed; save the file as CSV in UTF-8",
}
MOST_SECONDS = 86_400


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


class _Broken(ValueError):
    """A fault after which no further line can be read; says where it is."""


@dataclass(frozen=True, slots=True)
class VoteRow:
    """One line of a vote file; None where the file does not say.

    Attributes
    ----------
    line : its number in the file.
    left, right, outcome, count : what was chosen, and how often.
    strategy, axis, at, session, seconds : how the pair was drawn, on which question, when, by whom
        (a pseudonym), and how long the voter took.
    """

    line: int
    left: str
    right: str
    outcome: str
    count: int
    strategy: str | None
    axis: str | None
    at: datetime | None
    session: str | None
    seconds: float | None


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
    every = Counting()
    held_out = {CALIBRATION: Counting(), EVALUATION: Counting()}
    axes: set[str] = set()
    others: set[str] = set()
    for row in read_rows(lines):
        if axis is None or row.axis == axis:
            axes.add(row.axis or "")
            holder = row.session
            name = TRAINING if holder is None else part(row.strategy or "", holder)
            vote = row.left, row.right, row.outcome, row.count
            try:
                every.add(*vote)
            except ValueError as error:
                raise VoteFileFaults([f"line {row.line}: count: {error}"]) from None
            if name != TRAINING:
                held_out[name].add(*vote)
        else:
            others.add(row.axis or "")
    if others and not axes:
        known = ", ".join(sorted(others - {""})[:5]) or "no line names one"
        raise VoteFileFaults([f"line 1: axis: no vote is on {axis!r} ({known})"])
    if len(axes) > 1:
        named = ", ".join(sorted(axes - {""})[:5])
        raise VoteFileFaults(
            [f"line 1: axis: votes on several axes are mixed ({named}); choose one"]
        )
    calibration, evaluation = (held_out[it].counts() for it in (CALIBRATION, EVALUATION))
    return VoteFile(every.counts(), HeldOut(calibration, evaluation))


def read_rows(lines: Iterable[bytes]) -> Iterator[VoteRow]:
    """The counted votes of a file, in its order; faults are told together, at its end.

    Raises
    ------
    VoteFileFaults
        If any line is at fault.
    """
    faults: list[str] = []
    line = 0
    try:
        for line, found in _lines(_decoded(lines)):
            try:
                row = _checked(line, found)
            except _Wrong as wrong:
                faults.append(f"line {line}: {wrong}")
                if len(faults) == MOST_FAULTS:
                    break
                continue
            if row is not None:
                yield row
    except _Broken as broken:
        faults.append(str(broken))
    except UnicodeDecodeError:
        faults.append(f"line {line + 1}: is not UTF-8 text")
    if faults:
        raise VoteFileFaults(faults)


def _decoded(lines: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield line.decode("utf-8-sig" if number == 0 else "utf-8")


def _lines(lines: Iterator[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each line that hold something, by column, with the number of the line."""
    first = next(lines, "")
    every = chain([first] if first else [], lines)
    yield from _json_lines(every) if first.lstrip().startswith("{") else _csv_lines(every)


def _csv_lines(lines: Iterator[str]) -> Iterator[tuple[int, dict[str, str]]]:
    rows = csv.reader(lines, strict=True)
    begun = 1
    try:
        header = next(rows, None)
        columns = _columns(header)
        begun = rows.line_num + 1
        for row in rows:
            if not all(map(is_blank, row[len(header or ()) :])):
                yield begun, {TOO_LONG: str(len(row))}
            elif row:
                yield begun, _cells(columns, row)
            begun = rows.line_num + 1
    except _Wrong as wrong:
        raise _Broken(f"line {begun}: {wrong}") from None
    except csv.Error as error:
        raise _Broken(f"line {begun}: {SAID_BETTER.get(str(error), error)}") from None


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


def _cells(columns: Mapping[str, int], row: list[str]) -> dict[str, str]:
    return {
        column: restored(row[index].strip())
        for column, index in columns.items()
        if index < len(row) and not is_blank(row[index])
    }


def _json_lines(lines: Iterator[str]) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise _Broken(f"line {number}: is not JSON") from None
        if not isinstance(found, dict):
            raise _Broken(f"line {number}: is no JSON object")
        yield (
            number,
            {
                column: cell if isinstance(cell, str) else json.dumps(cell)
                for column in COLUMNS
                if (cell := found.get(column)) is not None and cell != ""
            },
        )


def _checked(line: int, found: Mapping[str, str]) -> VoteRow | None:
    """One line as a vote; None for one that counts for nothing."""
    if TOO_LONG in found:
        raise _Wrong("row", f"has {found[TOO_LONG]} cells, more than the header")
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
    if "status" in found:
        _require("status", found["status"], STATUSES)
    row = VoteRow(
        line=line,
        left=found["left"],
        right=found["right"],
        outcome=found["outcome"],
        count=_count_of(found),
        strategy=found.get("strategy"),
        axis=found.get("axis"),
        at=_utc(found["at"]) if "at" in found else None,
        session=found.get("session"),
        seconds=_seconds(found["seconds"]) if "seconds" in found else None,
    )
    return row if found.get("status", COUNTED) == COUNTED else None


def _require(column: str, cell: str, allowed: tuple[str, ...]) -> None:
    if cell not in allowed:
        raise _Wrong(column, f"{cell!r} is none of {', '.join(allowed)}")


def _utc(cell: str) -> datetime:
    try:
        at = datetime.fromisoformat(cell)
    except ValueError:
        raise _Wrong("at", f"{cell!r} is no time of ISO 8601") from None
    if at.utcoffset() not in (None, timedelta(0)):
        raise _Wrong("at", f"{cell!r} is not in UTC")
    return at.replace(tzinfo=UTC)


def _seconds(cell: str) -> float:
    try:
        seconds = float(cell)
    except ValueError:
        seconds = math.nan
    if not 0.0 <= seconds < MOST_SECONDS:
        raise _Wrong("seconds", f"{cell!r} is no number of seconds from 0 to {MOST_SECONDS}")
    return seconds


def _count_of(found: Mapping[str, str]) -> int:
    cell = found.get("count", "1")
    digits = cell.isascii() and cell.isdigit() and len(cell) <= len(str(LARGEST_COUNT))
    if not digits or not 1 <= int(cell) <= LARGEST_COUNT:
        raise _Wrong("count", f"{cell!r} is no whole number from 1 to {LARGEST_COUNT}")
    return int(cell)
