"""The keys that the roster's files hold, and the faults of a file's form.

What passes here has the declared keys and types, so that the checks of meaning need not ask. A
value that does not pass is reported once and left out, and the rest is still checked: whoever
mends a file sees all its faults at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any, NamedTuple


class Complaint(NamedTuple):
    """A fault of a file that is at hand: where in it, and what is wrong."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: how to ask for one, and whether this is one."""

    wanted: str
    accepts: Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Key:
    """A key that holds one value."""

    kind: Kind
    required: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A required key that holds a table, written ``[key]``."""

    keys: Schema


@dataclass(frozen=True, slots=True)
class Rows:
    """A key that holds any number of tables, each written ``[[key]]``; none where absent."""

    keys: Schema


Schema = Mapping[str, Key | Table | Rows]


def _is_number(value: object) -> bool:
    """Whether TOML's value is a number that arithmetic can hold; true and false are none."""
    if type(value) is int:
        return value.bit_length() < 1024
    return type(value) is float and math.isfinite(value)


def _is_two_texts(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(word, str) and word.strip() for word in value)
    )


TEXT = Kind("a text in quotes", lambda value: isinstance(value, str))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
DAY = Kind("a date such as 2026-11-30, without quotes or time", lambda value: type(value) is date)
FINDING = Kind(
    "a finite number or a text in quotes", lambda value: isinstance(value, str) or _is_number(value)
)
NOUN = Kind('two texts such as ["robot", "robots"]', _is_two_texts)

CITATION: Schema = {"source_url": Key(TEXT), "source_name": Key(TEXT), "retrieved": Key(DAY)}
FACT: Schema = {
    "attribute": Key(TEXT),
    "value": Key(FINDING),
    "unit": Key(TEXT, required=False),
    "as_stated": Key(TEXT),
    **CITATION,
    "canon": Key(FLAG),
}
PICTURE: Schema = {
    **CITATION,
    "owner": Key(TEXT),
    "licence": Key(TEXT),
    "rights": Key(TEXT),
    "alt": Key(TEXT),
}
ENTRY: Schema = {
    "name": Key(TEXT),
    "line": Key(TEXT),
    "fictional": Key(FLAG),
    "facts": Rows(FACT),
    "picture": Table(PICTURE),
}
AXIS: Schema = {key: Key(TEXT) for key in ("slug", "question", "method", "chooser")}
ATTRIBUTE: Schema = {
    **{key: Key(TEXT) for key in ("slug", "label", "type")},
    **{key: Key(TEXT, required=False) for key in ("unit", "less", "more", "phrase")},
}
SITE: Schema = {
    "name": Key(TEXT),
    "noun": Key(NOUN),
    "address": Key(TEXT, required=False),
    "axes": Rows(AXIS),
    "attributes": Rows(ATTRIBUTE),
}


def fit(
    table: Mapping[str, object], schema: Schema, path: str = ""
) -> tuple[dict[str, Any], list[Complaint]]:
    """Hold a table of TOML against a schema.

    Returns
    -------
    The table with only what is declared and sound (absent `Rows` as an empty list), and the
    complaints, in the schema's order, unknown keys last.
    """
    sound: dict[str, Any] = {}
    complaints: list[Complaint] = []
    for key, wanted in schema.items():
        if key in table or isinstance(wanted, Rows):
            kept, found = _fit_value(table.get(key, []), wanted, path + key)
            sound.update({} if kept is None else {key: kept})
            complaints += found
        elif isinstance(wanted, Table) or wanted.required:
            complaints.append(Complaint(path + key, "missing"))
    complaints += _unknown(table, schema, path)
    return sound, complaints


def _fit_value(
    value: object, wanted: Key | Table | Rows, path: str
) -> tuple[Any | None, list[Complaint]]:
    """Return the value as far as it is sound, None where it is not at all."""
    if isinstance(wanted, Rows):
        return _fit_rows(value, wanted, path)
    if isinstance(wanted, Table):
        if isinstance(value, dict):
            return fit(value, wanted.keys, f"{path}.")
        return None, [Complaint(path, f"must be a table, [{path}], not {_described(value)}")]
    if not wanted.kind.accepts(value):
        return None, [Complaint(path, f"must be {wanted.kind.wanted}, not {_described(value)}")]
    if isinstance(value, str) and not value.strip():
        return None, [Complaint(path, "empty")]
    return value, []


def _fit_rows(
    value: object, wanted: Rows, path: str
) -> tuple[list[dict[str, Any]] | None, list[Complaint]]:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        return None, [Complaint(path, f"must be tables, each [[{path}]]")]
    fitted = [fit(row, wanted.keys, f"{path}[{n}].") for n, row in enumerate(value)]
    return [row for row, _ in fitted], [fault for _, found in fitted for fault in found]


def _unknown(table: Mapping[str, object], schema: Schema, path: str) -> Iterator[Complaint]:
    for key in table:
        if key not in schema:
            near = get_close_matches(key.lower(), schema, n=1)
            mend = f"did you mean {near[0]}?" if near else f"known are {', '.join(schema)}"
            yield Complaint(path + key, f"unknown key; {mend}")


_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (datetime, "a date with a time"),
    (date, "a date"),
    (time, "a time"),
    (dict, "a table"),
    (list, "a list"),
    (str, "a text"),
)


def _described(value: object) -> str:
    """Name the value's type; a number stands for itself, as nan and 12 are different mistakes."""
    for kind, words in _TYPES:
        if isinstance(value, kind):
            return words
    return f"{value}" if isinstance(value, float) or _is_number(value) else "a number of such size"
