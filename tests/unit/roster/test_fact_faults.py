"""What can be wrong in a fact, its citation included."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Change = Callable[[str, str, str], list[str]]

TRIFLE = "sources/puddings/trifle.toml"
MOON = "sources/puddings/moon-jelly.toml"
ADDRESS = "http://books.example.org/trifle?page=12#top"

NO_DAY = "must be a date such as 2026-11-30, without quotes or time"
NO_FINDING = "must be a finite number or a text in quotes"
NOT_IN_ADDRESSES = "holds a character that no address may hold, such as a space"
NO_HOST = "must name a host with a dot in it"
NO_SCHEME = "must start with https:// or http://"

# what is wrong: what stood there, what stands there now, the faults as FIELD: MESSAGE
BROKEN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a typing slip in a key": (
        "retrieved = 2026-12-01",
        "retreived = 2026-12-01",
        ("facts[1].retrieved: missing", "facts[1].retreived: unknown key; did you mean retrieved?"),
    ),
    "a key like no other": (
        "value = 3\n",
        'value = 3\nqqq = "x"\n',
        (
            "facts[2].qqq: unknown key; known are attribute, value, unit, as_stated, source_url,"
            " source_name, retrieved, canon",
        ),
    ),
    "no attribute": (
        'attribute = "layers"\n',
        "",
        ("facts[2].attribute: missing",),
    ),
    "an unknown attribute": (
        '"layers"',
        '"height"',
        ("facts[2].attribute: 'height' is no attribute of site.toml",),
    ),
    "an attribute twice": (
        'attribute = "layers"',
        'attribute = "mass"\nunit = "g"',
        ("facts[2].attribute: 'mass' is already in facts[1]",),
    ),
    "no value": ("value = 1200\n", "", ("facts[1].value: missing",)),
    "a number in quotes": (
        "value = 1200",
        'value = "1200"',
        ("facts[1].value: must be a number without quotes",),
    ),
    "a number for a category": (
        'value = "cold"',
        "value = 4",
        ("facts[0].value: must be a text in quotes",),
    ),
    "a truth for a number": (
        "value = 1200",
        "value = true",
        (f"facts[1].value: {NO_FINDING}, not true or false",),
    ),
    "no number": ("value = 1200", "value = nan", (f"facts[1].value: {NO_FINDING}, not nan",)),
    "an endless number": (
        "value = 1200",
        "value = -inf",
        (f"facts[1].value: {NO_FINDING}, not -inf",),
    ),
    "a number past any measure": (
        "value = 1200",
        f"value = {'9' * 400}",
        (f"facts[1].value: {NO_FINDING}, not a number of such size",),
    ),
    "a list of values": (
        "value = 1200",
        "value = [1200, 1300]",
        (f"facts[1].value: {NO_FINDING}, not a list",),
    ),
    "another unit": ('unit = "g"', 'unit = "kg"', ("facts[1].unit: 'kg' must be 'g'",)),
    "no unit where there is one": (
        'unit = "g"\n',
        "",
        ("facts[1].unit: missing; mass is in g",),
    ),
    "a unit where there is none": (
        "value = 3",
        'value = 3\nunit = "cm"',
        ("facts[2].unit: layers has no unit",),
    ),
    "nothing stated": (
        'as_stated = "served cold"\n',
        "",
        ("facts[0].as_stated: missing",),
    ),
    "a control character": (
        '"served cold"',
        '"served\\u202Ecold"',
        ("facts[0].as_stated: holds U+202E, which cannot be seen",),
    ),
    "no source": (
        f'source_url = "{ADDRESS}"\nsource_name = "The pudding book"\n',
        "",
        ("facts[2].source_url: missing", "facts[2].source_name: missing"),
    ),
    "a control character in an address": (
        ADDRESS,
        f"{ADDRESS}\\t",
        (
            f"facts[2].source_url: {NOT_IN_ADDRESSES}",
            "facts[2].source_url: holds U+0009, which cannot be seen",
        ),
    ),
    "a source's empty name": (
        '"The pudding book"',
        '""',
        ("facts[2].source_name: empty",),
    ),
    "no date": ("retrieved = 1990-01-01\n", "", ("facts[2].retrieved: missing",)),
    "a date in quotes": (
        "1990-01-01",
        '"1990-01-01"',
        (f"facts[2].retrieved: {NO_DAY}, not a text",),
    ),
    "a date with a time": (
        "1990-01-01",
        "1990-01-01T10:00:00Z",
        (f"facts[2].retrieved: {NO_DAY}, not a date with a time",),
    ),
    "a date in the future": (
        "1990-01-01",
        "2026-12-02",
        ("facts[2].retrieved: 2026-12-02 lies in the future",),
    ),
    "a date before the web": (
        "1990-01-01",
        "1989-12-31",
        ("facts[2].retrieved: 1989-12-31 lies before 1990",),
    ),
    "no word on canon": (
        "retrieved = 1990-01-01\ncanon = false\n",
        "retrieved = 1990-01-01\n",
        ("facts[2].canon: missing",),
    ),
    "canon outside fiction": (
        "canon = false",
        "canon = true",
        ("facts[0].canon: must be false, as the entry is not fictional",),
    ),
}

BAD_ADDRESSES = {
    "ftp://books.example.org/": NO_SCHEME,
    "//books.example.org/": NO_SCHEME,
    "books.example.org": NO_SCHEME,
    "javascript:alert(1)": NO_SCHEME,
    "https://localhost/": NO_HOST,
    "https:///page": NO_HOST,
    "https://example./": NO_HOST,
    "https://[::ffff:1.2.3.4]/": NO_HOST,
    "https://me:word@books.example.org/": "must not hold a user name",
    "https://books.example.org/a page": NOT_IN_ADDRESSES,
    "https://books.example.org/a\\\\b": NOT_IN_ADDRESSES,
    "https://books.example.org/\\u00ADpage": NOT_IN_ADDRESSES,
    "https://books.example.org:port/": "is no web address",
    "https://[books.example.org/": "is no web address",
}
GOOD_ADDRESSES = (
    "https://en.example.org/wiki/Crème_brûlée",
    "http://example.org:8080/a?b=c@d#e",
    "https://münchen.example/",
)


@pytest.mark.parametrize(("old", "new", "faults"), BROKEN.values(), ids=BROKEN)
def test_a_broken_fact_gives_exactly_its_faults(
    faults_after: Change, old: str, new: str, faults: tuple[str, ...]
) -> None:
    assert faults_after(TRIFLE, old, new) == [f"{TRIFLE}: {fault}" for fault in faults]


def test_fiction_that_does_not_cite_its_work_is_refused(faults_after: Change) -> None:
    assert faults_after(MOON, "canon = true", "canon = false") == [
        f"{MOON}: facts[0].canon: must be true, as the entry is fictional"
    ]


@pytest.mark.parametrize(("address", "message"), BAD_ADDRESSES.items())
def test_a_citation_that_cannot_be_followed_is_refused(
    faults_after: Change, address: str, message: str
) -> None:
    assert faults_after(TRIFLE, ADDRESS, address) == [f"{TRIFLE}: facts[2].source_url: {message}"]


@pytest.mark.parametrize("address", GOOD_ADDRESSES)
def test_a_citation_that_can_be_followed_is_taken(faults_after: Change, address: str) -> None:
    assert faults_after(TRIFLE, ADDRESS, address) == []
