"""Read `sources/`: every file once, checked and turned into values in the same pass.

`arena validate` and the running site share this one way in, so that what the one calls sound the
other can serve.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from arena.roster import schema
from arena.roster.schema import Complaint
from arena.roster.sheets import Parsed, Sheet
from arena.roster.types import (
    Attribute,
    Axis,
    Entry,
    Fact,
    Fault,
    Noun,
    Picture,
    RosterFaults,
    Site,
)
from arena.roster.validation import ENTRY_CHECKS, ROSTER_CHECKS, SITE_CHECKS

SOURCES = "sources"
SITE_FILE = f"{SOURCES}/site.toml"
SUFFIX = ".toml"


class Unreadable(Exception):
    """A file or folder that cannot be read at all; says why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a site's files gave.

    Attributes
    ----------
    site : None where anything is at fault.
    faults : in the order of the files, ``site.toml`` first.
    noun : None where ``site.toml`` does not say it; then no entry was looked for.
    slugs : of all files of entries, sound or not.
    """

    site: Site | None
    faults: tuple[Fault, ...]
    noun: Noun | None
    slugs: tuple[str, ...]


def load_site(root: Path, today: date) -> Site:
    """Read a site that is in order.

    Parameters
    ----------
    root : folder that holds ``sources/``.
    today : the day after which nothing can have been retrieved.

    Raises
    ------
    RosterFaults
        Something in ``sources/`` is at fault; the error holds all of it.
    """
    reading = read_site(root, today)
    if reading.site is None:
        raise RosterFaults(reading.faults)
    return reading.site


def read_site(root: Path, today: date) -> Reading:
    """Read a site whatever its state: its faults, and the site if there are none."""
    try:
        table, complaints = schema.fit(_toml(root / SITE_FILE), schema.SITE)
    except Unreadable as error:
        return Reading(None, (Fault(SITE_FILE, "file", str(error)),), None, ())
    complaints += [complaint for check in SITE_CHECKS for complaint in check(table)]
    faults = [Fault(SITE_FILE, *complaint) for complaint in complaints]
    if any(fault.field.startswith("noun") for fault in faults):
        return Reading(None, tuple(faults), None, ())
    noun = Noun(*table["noun"])
    sound = not any(fault.field.startswith("attributes") for fault in faults)
    attributes = {row["slug"]: row for row in table["attributes"]} if sound else None
    sheets, found = _sheets(root, noun, attributes, today)
    faults += found
    site = None if faults else _site(table, noun, sheets)
    return Reading(site, tuple(faults), noun, tuple(sheet.slug for sheet in sheets))


def _sheets(
    root: Path, noun: Noun, attributes: Mapping[str, Parsed] | None, today: date
) -> tuple[list[Sheet], list[Fault]]:
    """Read and check every file of the entries' folder."""
    folder = f"{SOURCES}/{noun.plural}"
    sheets: list[Sheet] = []
    faults: list[Fault] = []
    try:
        faults += _strays(root, noun.plural)
        names = _names(root / folder)
    except Unreadable as error:
        return [], [*faults, Fault(folder, "folder", str(error))]
    for name in names:
        file = f"{folder}/{name}"
        if not name.endswith(SUFFIX):
            faults.append(Fault(file, "file", f"is no entry; entries are SLUG{SUFFIX}"))
            continue
        table, complaints = _entry_table(root / file)
        sheet = Sheet(file, name.removesuffix(SUFFIX), table, attributes, today)
        complaints += [complaint for check in ENTRY_CHECKS for complaint in check(sheet)]
        faults += [Fault(file, *complaint) for complaint in complaints]
        sheets.append(sheet)
    if not sheets:
        faults.append(Fault(folder, "folder", f"holds no entry; add SLUG{SUFFIX}"))
    faults += [fault for check in ROSTER_CHECKS for fault in check(sheets)]
    return sheets, faults


def _entry_table(path: Path) -> tuple[dict[str, Any], list[Complaint]]:
    """Return an entry's table as far as it is sound; of a file that cannot be read, nothing."""
    try:
        return schema.fit(_toml(path), schema.ENTRY)
    except Unreadable as error:
        return {}, [Complaint("file", str(error))]


def _strays(root: Path, plural: str) -> Iterator[Fault]:
    """Find what lies in `sources/` and would never be read, such as a misnamed folder."""
    for name in _names(root / SOURCES):
        file = f"{SOURCES}/{name}"
        if name != plural and (root / file).is_dir():
            yield Fault(file, "folder", f"is not read; entries stand in {SOURCES}/{plural}")
        elif name.endswith(SUFFIX) and file != SITE_FILE:
            yield Fault(file, "file", f"is not read; entries stand in {SOURCES}/{plural}")


def _names(folder: Path) -> list[str]:
    """List a folder in a fixed order, without the hidden files that editors and systems leave.

    Raises
    ------
    Unreadable
    """
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        raise Unreadable("missing") from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from error
    return [name for name in names if not name.startswith(".") or name.endswith(SUFFIX)]


def _toml(path: Path) -> dict[str, Any]:
    """Read one file of TOML.

    Raises
    ------
    Unreadable
    """
    try:
        return tomllib.loads(_bytes(path).decode("utf-8"))
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise Unreadable(f"is not UTF-8 (at line {line})") from error
    except RecursionError as error:
        raise Unreadable("broken TOML: nested too deeply") from error
    except ValueError as error:  # tomllib's own, and of int() for a number too long
        raise Unreadable(f"broken TOML: {error}") from error


def _bytes(path: Path) -> bytes:
    """Read a regular file: a link may lead out of the site, and a pipe would never end."""
    try:
        mode = path.lstat().st_mode
        for is_kind, kind in _NOT_FILES:
            if is_kind(mode):
                raise Unreadable(f"is {kind}, not a file")
        return path.read_bytes()
    except FileNotFoundError:
        raise Unreadable("missing") from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from error


_NOT_FILES: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISDIR, "a folder"),
    (lambda mode: not stat.S_ISREG(mode), "a device or pipe"),
)


def _site(table: Parsed, noun: Noun, sheets: list[Sheet]) -> Site:
    """Turn what was found sound into values; optional keys that are absent become None."""
    absent = {"unit": None, "less": None, "more": None}
    return Site(
        name=table["name"],
        noun=noun,
        axes=tuple(Axis(**row) for row in table["axes"]),
        attributes=tuple(Attribute(**{**absent, **row}) for row in table["attributes"]),
        entries=tuple(_entry(sheet) for sheet in sorted(sheets, key=lambda sheet: sheet.slug)),
        address=table.get("address"),
    )


def _entry(sheet: Sheet) -> Entry:
    return Entry(
        slug=sheet.slug,
        name=sheet.table["name"],
        line=sheet.table["line"],
        fictional=sheet.table["fictional"],
        facts=tuple(Fact(**{"unit": None, **fact}) for fact in sheet.table["facts"]),
        picture=Picture(**sheet.table["picture"]),
    )
