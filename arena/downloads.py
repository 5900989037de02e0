"""Tables as files: CSV that no spreadsheet runs, JSON, and one JSON object a line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from arena.exchange import neutralised

Record = Mapping[str, object]


def as_csv(columns: Sequence[str], found: Iterable[Record]) -> Iterator[str]:
    """Lines of a CSV file with a header."""
    yield _csv_line(list(columns))
    for record in found:
        yield _csv_line([_cell(record[column]) for column in columns])


def as_json(columns: Sequence[str], found: Iterable[Record]) -> Iterator[str]:
    """One JSON array of objects, an object a line."""
    before = "[\n"
    for record in found:
        yield before + json.dumps({it: record[it] for it in columns}, ensure_ascii=False)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def as_jsonl(columns: Sequence[str], found: Iterable[Record]) -> Iterator[str]:
    """One JSON object a line."""
    for record in found:
        yield json.dumps({it: record[it] for it in columns}, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[str], Iterable[Record]], Iterator[str]]] = {
    "csv": as_csv,
    "json": as_json,
    "jsonl": as_jsonl,
}
MEDIA = {"csv": "text/csv", "json": "application/json", "jsonl": "application/x-ndjson"}


def _cell(value: object) -> object:
    """Numbers stay numbers; booleans are written as JSON does; nothing is an empty cell."""
    if isinstance(value, bool):
        return str(value).lower()
    return neutralised(value) if isinstance(value, str) else value


def _csv_line(cells: list[str] | list[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
