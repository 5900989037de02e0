"""What can be wrong in site.toml, and how the faults of several files come."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from arena.roster import RosterFaults, load_site, read_site

Change = Callable[[str, str, str], list[str]]

SITE = "sources/site.toml"
TRIFLE = "sources/puddings/trifle.toml"
DICK = "sources/puddings/spotted-dick.toml"
NO_SLUG = "is no slug: lower-case a-z, 0-9 and single hyphens inside"

# what is wrong: what stood there, what stands there now, the faults as FIELD: MESSAGE
BROKEN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "no name": ('name = "Pudding club"\n', "", ("name: missing",)),
    "a typing slip in a key": (
        "question =",
        "qestion =",
        ("axes[0].question: missing", "axes[0].qestion: unknown key; did you mean question?"),
    ),
    "an axis with a bad slug": (
        '"eat-first"',
        '"Eat First"',
        (f"axes[0].slug: 'Eat First' {NO_SLUG}",),
    ),
    "an attribute with two hyphens": (
        '"layers"',
        '"lay--ers"',
        (f"attributes[2].slug: 'lay--ers' {NO_SLUG}",),
    ),
    "a slug that ends with a hyphen": (
        '"eat-first"',
        '"eat-first-"',
        (f"axes[0].slug: 'eat-first-' {NO_SLUG}",),
    ),
    "a slug with a line break": (
        '"eat-first"',
        '"eat-first\\n"',
        (f"axes[0].slug: 'eat-first\\n' {NO_SLUG}", "axes[0].slug: must stand on one line"),
    ),
    "a slug that is too long": (
        '"eat-first"',
        f'"{"e" * 65}"',
        ("axes[0].slug: 65 characters, at most 64 make a slug",),
    ),
    "two axes of one slug": (
        '"wobbles-more"',
        '"eat-first"',
        ("axes[1].slug: 'eat-first' is already axes[0]",),
    ),
    "two attributes of one slug": (
        '"layers"',
        '"mass"',
        ("attributes[2].slug: 'mass' is already attributes[1]",),
    ),
    "an unknown method": (
        'method = "versus"',
        'method = "elo"',
        ("axes[1].method: 'elo' is unknown; known are arena, preferences, versus",),
    ),
    "a method that does not choose pairs": (
        'chooser = "arena"',
        'chooser = "preferences"',
        ("axes[0].chooser: 'preferences' is unknown; known are arena, versus",),
    ),
    "an unknown type of attribute": (
        'type = "category"',
        'type = "word"',
        ("attributes[0].type: 'word' is unknown; known are number, category",),
    ),
    "a number without a word for less": (
        'less = "flatter"\n',
        "",
        ("attributes[2].less: missing; a number needs both less and more",),
    ),
    "a number without a word for more": (
        'more = "taller"\n',
        "",
        ("attributes[2].more: missing; a number needs both less and more",),
    ),
    "a category with a unit and a direction": (
        'type = "category"',
        'type = "category"\nunit = "g"\nmore = "colder"',
        ("attributes[0].unit: a category has none", "attributes[0].more: a category has none"),
    ),
    "no noun": ('noun = ["pudding", "puddings"]\n', "", ("noun: missing",)),
    "a noun of one word": (
        '["pudding", "puddings"]',
        '["pudding"]',
        ('noun: must be two texts such as ["robot", "robots"], not a list',),
    ),
    "a noun with an empty word": (
        '["pudding", "puddings"]',
        '["", "puddings"]',
        ('noun: must be two texts such as ["robot", "robots"], not a list',),
    ),
    "a noun that is a path": (
        '"puddings"]',
        '"../puddings"]',
        ("noun[1]: '../puddings' cannot name a folder",),
    ),
    "an address with a page": (
        "noun =",
        'address = "https://puddings.example.org/"\nnoun =',
        ("address: must end with the host, without a slash after it",),
    ),
    "an address without a scheme": (
        "noun =",
        'address = "puddings.example.org"\nnoun =',
        ("address: must start with https:// or http://",),
    ),
    "a question that is too long": (
        "Which wobbles more?",
        "o" * 161,
        ("axes[1].question: 161 characters, at most 160 fit",),
    ),
    "a control character": (
        '"Pudding club"',
        '"Pudding\\u0007 club"',
        ("name: holds U+0007, which cannot be seen",),
    ),
}


def lines(root: Path, today: date) -> list[str]:
    return [str(fault) for fault in read_site(root, today).faults]


def without(table: str, site: str) -> list[str]:
    """The blocks of site.toml that are not of this table."""
    return [block for block in site.split("\n\n") if not block.startswith(f"[[{table}]]")]


def test_the_puddings_are_in_order(puddings: Path, today: date) -> None:
    assert lines(puddings, today) == []


@pytest.mark.parametrize(("old", "new", "faults"), BROKEN.values(), ids=BROKEN)
def test_a_broken_site_gives_exactly_its_faults(
    faults_after: Change, old: str, new: str, faults: tuple[str, ...]
) -> None:
    assert faults_after(SITE, old, new) == [f"{SITE}: {fault}" for fault in faults]


def test_a_site_without_an_axis_is_refused(puddings: Path, today: date) -> None:
    site = puddings / SITE
    site.write_text("\n\n".join(without("axes", site.read_text("utf-8"))), "utf-8")
    assert lines(puddings, today) == [f"{SITE}: axes: missing; a site asks at least one question"]


def test_attributes_that_are_no_tables_do_not_put_every_fact_at_fault(
    puddings: Path, today: date
) -> None:
    site = puddings / SITE
    name, *rest = without("attributes", site.read_text("utf-8"))
    site.write_text("\n\n".join([name, "attributes = 3", *rest]), "utf-8")
    assert lines(puddings, today) == [f"{SITE}: attributes: must be tables, each [[attributes]]"]


def test_faults_of_several_files_come_in_the_order_of_the_files(
    puddings: Path, today: date, swap: Callable[[str, str, str], None]
) -> None:
    swap(TRIFLE, '"Trifle"', '""')
    swap(DICK, '"Spotted dick"', '""')
    swap(SITE, '"Pudding club"', '""')
    assert lines(puddings, today) == [
        f"{SITE}: name: empty",
        f"{DICK}: name: empty",
        f"{TRIFLE}: name: empty",
    ]


def test_the_error_of_a_faulty_roster_holds_one_fault_a_line(
    puddings: Path, today: date, swap: Callable[[str, str, str], None]
) -> None:
    swap(TRIFLE, '"Trifle"', '""')
    swap(DICK, '"Spotted dick"', '""')
    with pytest.raises(RosterFaults) as caught:
        load_site(puddings, today)
    assert str(caught.value) == f"{DICK}: name: empty\n{TRIFLE}: name: empty"
