"""Read the manifest back, and say where it is not what the build writes.

It is a file that people merge and may touch: a fault in one entry's record names the place and
leaves the others readable.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from arena.images.encoder import FORMATS, SLOTS, file_name
from arena.images.manifest import (
    BUILD,
    FORMAT_VERSION,
    MANIFEST_FILE,
    Credit,
    Derivative,
    Derivatives,
    Manifest,
    Original,
)
from arena.roster.texts import bad_slug
from arena.roster.types import Fault, RosterFaults

_SHA256 = re.compile(r"[0-9a-f]{64}")
_Parsed = TypeVar("_Parsed")


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a manifest gave.

    Attributes
    ----------
    text : what the file holds; None where it is at fault as a whole.
    manifest : as far as it is sound.
    slugs : all that it has a record of, sound or not; None where nobody can tell.
    faults : what is wrong with it.
    """

    text: str | None
    manifest: Manifest
    slugs: frozenset[str] | None
    faults: tuple[Fault, ...]


class _Misfit(Exception):
    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)
        self.fault = Fault(MANIFEST_FILE, field, message)


def load_manifest(root: Path) -> Manifest:
    """Read a manifest that is in order.

    Parameters
    ----------
    root : folder that holds ``images/``.

    Raises
    ------
    RosterFaults
        It is missing or at fault; the error holds all of it.
    """
    reading = read_manifest(root)
    if reading.faults:
        raise RosterFaults(reading.faults)
    return reading.manifest


def read_manifest(root: Path) -> Reading:
    """Read a manifest whatever its state."""
    try:
        text = (root / MANIFEST_FILE).read_text(encoding="utf-8")
        records = _records(text)
    except FileNotFoundError:
        fault = Fault(MANIFEST_FILE, "file", f"missing; {BUILD}")
        return Reading(None, Manifest({}), frozenset(), (fault,))
    except OSError as error:
        return _nothing(Fault(MANIFEST_FILE, "file", f"cannot be read: {error.strerror}"))
    except (ValueError, RecursionError) as error:  # broken UTF-8, broken JSON
        return _nothing(Fault(MANIFEST_FILE, "file", f"broken JSON: {error}"))
    except _Misfit as misfit:
        return _nothing(misfit.fault)
    pictures, faults = {}, []
    for slug, record in records.items():
        try:
            pictures[slug] = _derivatives(slug, record)
        except _Misfit as misfit:
            faults.append(misfit.fault)
    return Reading(text, Manifest(pictures), frozenset(records), tuple(faults))


def _nothing(fault: Fault) -> Reading:
    return Reading(None, Manifest({}), None, (fault,))


def _records(text: str) -> dict[str, Any]:
    whole = json.loads(text)
    if not isinstance(whole, dict):
        raise _Misfit("file", "must be an object")
    version = _value(whole, "format", int, "format")
    if version != FORMAT_VERSION:
        raise _Misfit("format", f"{version} is unknown; delete the file and {BUILD}")
    return _value(whole, "pictures", dict, "pictures")


def _derivatives(slug: str, record: object) -> Derivatives:
    if (complaint := bad_slug(slug)) is not None:
        raise _Misfit(slug, complaint)
    if not isinstance(record, dict):
        raise _Misfit(slug, "must be an object")
    original = _value(record, "original", dict, f"{slug}.original")
    rows = _value(record, "derivatives", list, f"{slug}.derivatives")
    wanted = [(slot, file_format) for slot in SLOTS for file_format in FORMATS]
    if len(rows) != len(wanted):
        raise _Misfit(f"{slug}.derivatives", f"holds {len(rows)} files, not {len(wanted)}")
    return Derivatives(
        original=_fitted(original, Original, f"{slug}.original"),
        credit=_fitted(record, Credit, slug),
        encoder=_value(record, "encoder", str, f"{slug}.encoder"),
        files=tuple(
            _derivative(slug, row, *wanted[n], f"{slug}.derivatives[{n}]")
            for n, row in enumerate(rows)
        ),
    )


def _derivative(slug: str, row: object, slot: int, file_format: str, path: str) -> Derivative:
    if not isinstance(row, dict):
        raise _Misfit(path, "must be an object")
    fitted = _fitted(row, Derivative, path)
    due = {"file": file_name(slug, slot, file_format), "format": file_format, "slot": slot}
    for key, value in due.items():
        if row[key] != value:
            raise _Misfit(f"{path}.{key}", f"is {row[key]!r}, not {value!r}")
    return fitted


def _fitted(table: dict[str, Any], kind: type[_Parsed], path: str) -> _Parsed:
    """Make a dataclass of texts and positive whole numbers from the keys of the same names."""
    values: dict[str, Any] = {}
    for field in fields(kind):  # type: ignore[arg-type]
        place = f"{path}.{field.name}"
        value = _value(table, field.name, int if field.type == "int" else str, place)
        if isinstance(value, int) and value < 1:
            raise _Misfit(place, f"{value} is not positive")
        if field.name == "sha256" and not _SHA256.fullmatch(str(value)):
            raise _Misfit(place, f"{value!r} is no SHA-256")
        values[field.name] = value
    return kind(**values)


def _value(table: dict[str, Any], key: str, kind: type[_Parsed], path: str) -> _Parsed:
    if key not in table:
        raise _Misfit(path, "missing")
    value = table[key]
    if type(value) is not kind:
        words = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}
        raise _Misfit(path, f"must be {words[kind]}")
    return value
