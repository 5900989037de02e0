"""What can be wrong in an entry's own keys: its name, its line and its picture."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Change = Callable[[str, str, str], list[str]]

DICK = "sources/puddings/spotted-dick.toml"
LINE = "A steamed pudding that keeps its currants to itself."
UNSOURCED = "is in none of the entry's facts"

# what is wrong: what stood there, what stands there now, the faults as FIELD: MESSAGE
BROKEN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "no name": ('name = "Spotted dick"\n', "", ("name: missing",)),
    "an empty name": ('"Spotted dick"', '" "', ("name: empty",)),
    "a number for a name": (
        '"Spotted dick"',
        "12",
        ("name: must be a text in quotes, not 12",),
    ),
    "the name of another": (
        '"Spotted dick"',
        '"MOON  jelly"',
        ("name: the same as in sources/puddings/moon-jelly.toml",),
    ),
    "the name of another in letters of another width": (
        '"Spotted dick"',
        '"ＭＯＯＮ je\u00adlly"',
        ("name: the same as in sources/puddings/moon-jelly.toml",),
    ),
    "a name that nobody can see": (
        '"Spotted dick"',
        '"\u200d\u00ad"',
        ("name: holds nothing that can be seen",),
    ),
    "a name of blank letters": (
        '"Spotted dick"',
        '"Spotted\u3164"',
        ("name: holds U+3164, which cannot be seen",),
    ),
    "a name that is too long": (
        '"Spotted dick"',
        f'"{"o" * 81}"',
        ("name: 81 characters, at most 80 fit",),
    ),
    "a key that would break the line": (
        "fictional = false",
        'fictional = false\n"na\\nme\\u202E" = 1',
        ("na\\nme\\u202e: unknown key; did you mean name?",),
    ),
    "a text for a flag": (
        "fictional = false",
        'fictional = "no"',
        ("fictional: must be true or false, not a text",),
    ),
    "facts that are no tables": (
        "fictional = false",
        "fictional = false\nfacts = [1]",
        ("facts: must be tables, each [[facts]]",),
    ),
    "no line": (f'line = "{LINE}"\n', "", ("line: missing",)),
    "an empty line": (LINE, "", ("line: empty",)),
    "a line on two lines": (
        "pudding that",
        "pudding\\nthat",
        ("line: must stand on one line",),
    ),
    "a line that is too long": (
        LINE,
        "o" * 241,
        ("line: 241 characters, at most 240 fit",),
    ),
    "figures that no fact holds": (
        "to itself",
        "to itself for twelve days, or 12, or ٧, or twelve",
        (f"line: 'twelve' {UNSOURCED}", f"line: '12' {UNSOURCED}", f"line: '٧' {UNSOURCED}"),
    ),
    "no picture": (
        "[picture]",
        "[pictures]",
        ("picture: missing", "pictures: unknown key; did you mean picture?"),
    ),
    "a picture that is no table": (
        "[picture]",
        'picture = "plate.webp"\n[pictures]',
        (
            "picture: must be a table, [picture], not a text",
            "pictures: unknown key; did you mean picture?",
        ),
    ),
    "no licence": ('licence = "CC-BY-4.0"\n', "", ("picture.licence: missing",)),
    "an American licence": (
        "licence =",
        "license =",
        ("picture.licence: missing", "picture.license: unknown key; did you mean licence?"),
    ),
    "an empty owner": ('"The pudding club"', '""', ("picture.owner: empty",)),
    "no rights": ('rights = "Drawn for this site."\n', "", ("picture.rights: missing",)),
    "no alternative text": ('alt = "A pudding on a plate"\n', "", ("picture.alt: missing",)),
    "an alternative text that is too long": (
        "A pudding on a plate",
        "o" * 251,
        ("picture.alt: 251 characters, at most 250 fit",),
    ),
    "a picture from nowhere": (
        "https://puddings.example.org/pictures",
        "pictures",
        ("picture.source_url: must start with https:// or http://",),
    ),
    "a picture retrieved tomorrow": (
        "2026-11-30",
        "2026-12-02",
        ("picture.retrieved: 2026-12-02 lies in the future",),
    ),
    "several faults at once": (
        "fictional = false",
        'fictional = "no"\nyear = 1849\n',
        (
            "fictional: must be true or false, not a text",
            "year: unknown key; known are name, line, fictional, facts, picture",
        ),
    ),
}


@pytest.mark.parametrize(("old", "new", "faults"), BROKEN.values(), ids=BROKEN)
def test_a_broken_entry_gives_exactly_its_faults(
    faults_after: Change, old: str, new: str, faults: tuple[str, ...]
) -> None:
    assert faults_after(DICK, old, new) == [f"{DICK}: {fault}" for fault in faults]


@pytest.mark.parametrize(
    ("old", "new"), [(LINE, "o" * 240), ("A pudding on a plate", "o" * 250)], ids=["line", "alt"]
)
def test_a_text_of_the_full_length_is_taken(faults_after: Change, old: str, new: str) -> None:
    assert faults_after(DICK, old, new) == []
