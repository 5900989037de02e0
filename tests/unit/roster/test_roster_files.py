"""What is read and what is refused as a file: kinds of files, names of files, broken bytes."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.roster import Noun, Site, load_site, read_site

FOLDER = "sources/puddings"
TRIFLE = f"{FOLDER}/trifle.toml"


def write(file: str, data: bytes) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / file).write_bytes(data)

    return change


def copy(file: str, to: str, name: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        text = (root / file).read_text(encoding="utf-8")
        (root / to).write_text(text.replace('name = "Trifle"', f'name = "{name}"'), "utf-8")

    return change


def link(root: Path) -> None:
    (root / TRIFLE).rename(root / "elsewhere.toml")
    (root / TRIFLE).symlink_to(root / "elsewhere.toml")


def folder(root: Path) -> None:
    (root / TRIFLE).unlink()
    (root / TRIFLE).mkdir()


def pipe(root: Path) -> None:
    (root / TRIFLE).unlink()
    os.mkfifo(root / TRIFLE)


def move(file: str, to: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / file).rename(root / to)

    return change


def empty(root: Path) -> None:
    for path in (root / FOLDER).iterdir():
        path.unlink()


NO_SLUG = "is no slug: lower-case a-z, 0-9 and single hyphens inside"

BROKEN: dict[str, tuple[Callable[[Path], None], tuple[str, ...]]] = {
    "bytes that are not UTF-8": (
        write(TRIFLE, b'name = "Trifle"\nline = "caf\xe9"\n'),
        (f"{TRIFLE}: file: is not UTF-8 (at line 2)",),
    ),
    "broken TOML": (
        write(TRIFLE, b'name = "Trifle"\nline "cold"\n'),
        (
            f"{TRIFLE}: file: broken TOML: Expected '=' after a key in a key/value pair"
            " (at line 2, column 6)",
        ),
    ),
    "a truncated file": (
        write(TRIFLE, b'name = "Trif'),
        (f"{TRIFLE}: file: broken TOML: Unterminated string (at end of document)",),
    ),
    "a day that no month has": (
        write(TRIFLE, b"retrieved = 2026-02-30\n"),
        (f"{TRIFLE}: file: broken TOML: Invalid date or datetime (at line 1, column 13)",),
    ),
    "lists without an end": (
        write(TRIFLE, b"name = " + b"[" * 100_000),
        (f"{TRIFLE}: file: broken TOML: nested too deeply",),
    ),
    "an empty file": (
        write(TRIFLE, b""),
        tuple(f"{TRIFLE}: {key}: missing" for key in ("name", "line", "fictional", "picture")),
    ),
    "a symbolic link": (link, (f"{TRIFLE}: file: is a symbolic link, not a file",)),
    "a folder in place of a file": (folder, (f"{TRIFLE}: file: is a folder, not a file",)),
    "a pipe in place of a file": (pipe, (f"{TRIFLE}: file: is a device or pipe, not a file",)),
    "no site.toml": (
        move("sources/site.toml", "sources/other"),
        ("sources/site.toml: file: missing",),
    ),
    "broken site.toml": (
        write("sources/site.toml", b"\xff"),
        ("sources/site.toml: file: is not UTF-8 (at line 1)",),
    ),
    "no folder of entries": (
        move(FOLDER, "elsewhere"),
        (f"{FOLDER}: folder: missing",),
    ),
    "a folder of another name": (
        move(FOLDER, "sources/pudding"),
        (
            f"sources/pudding: folder: is not read; entries stand in {FOLDER}",
            f"{FOLDER}: folder: missing",
        ),
    ),
    "an entry beside the folder": (
        move(TRIFLE, "sources/trifle.toml"),
        (f"sources/trifle.toml: file: is not read; entries stand in {FOLDER}",),
    ),
    "no entry": (empty, (f"{FOLDER}: folder: holds no entry; add SLUG.toml",)),
    "a file that is no entry": (
        write(f"{FOLDER}/trifle.toml~", b""),
        (f"{FOLDER}/trifle.toml~: file: is no entry; entries are SLUG.toml",),
    ),
    "a file whose name is no slug": (
        move(TRIFLE, f"{FOLDER}/sherry_trifle.toml"),
        (f"{FOLDER}/sherry_trifle.toml: slug: 'sherry_trifle' {NO_SLUG}",),
    ),
    "a file without a name": (
        move(TRIFLE, f"{FOLDER}/.toml"),
        (f"{FOLDER}/.toml: slug: '' {NO_SLUG}",),
    ),
    "a name that would break the line": (
        move(TRIFLE, f"{FOLDER}/tri\nfle.toml"),
        (f"{FOLDER}/tri\\nfle.toml: slug: 'tri\\nfle' {NO_SLUG}",),
    ),
    "two slugs that differ in case": (
        copy(TRIFLE, f"{FOLDER}/Trifle.toml", "Sherry trifle"),
        (
            f"{FOLDER}/Trifle.toml: slug: 'Trifle' {NO_SLUG}",
            f"{TRIFLE}: slug: the same as in {FOLDER}/Trifle.toml",
        ),
    ),
    "two entries of one name": (
        copy(TRIFLE, f"{FOLDER}/sherry.toml", "Trifle"),
        (f"{TRIFLE}: name: the same as in {FOLDER}/sherry.toml",),
    ),
}


@pytest.mark.parametrize(("change", "faults"), BROKEN.values(), ids=BROKEN)
def test_a_wrong_file_gives_exactly_its_faults(
    puddings: Path, today: date, change: Callable[[Path], None], faults: tuple[str, ...]
) -> None:
    change(puddings)
    assert [str(fault) for fault in read_site(puddings, today).faults] == list(faults)


def test_hidden_files_of_editors_and_systems_are_passed_over(puddings: Path, today: date) -> None:
    (puddings / FOLDER / ".DS_Store").write_bytes(b"\x00")
    assert read_site(puddings, today).faults == ()


def test_the_slugs_of_broken_entries_are_known(puddings: Path, today: date) -> None:
    (puddings / TRIFLE).write_bytes(b"\xff")
    assert read_site(puddings, today).slugs == ("moon-jelly", "spotted-dick", "trifle")


def test_a_site_is_read_whole(puddings: Path, today: date) -> None:
    site = load_site(puddings, today)
    trifle = site.entry("trifle")
    assert trifle is not None
    mass = trifle.fact("mass")
    assert mass is not None
    assert site.noun == Noun("pudding", "puddings")
    assert [axis.label for axis in site.axes] == ["Eat first", "Wobbles more"]
    assert [entry.slug for entry in site.entries] == ["moon-jelly", "spotted-dick", "trifle"]
    assert (mass.value, mass.unit, mass.retrieved, mass.canon) == (1200, "g", today, False)


@pytest.fixture
def site(puddings: Path, today: date) -> Site:
    return load_site(puddings, today)


def test_what_is_not_on_the_roster_is_none(site: Site) -> None:
    found = (site.axis("mass"), site.attribute("trifle"), site.entry("eat-first"))
    assert found == (None, None, None)


def test_an_attribute_without_a_unit_has_none(site: Site) -> None:
    layers = site.attribute("layers")
    assert layers is not None
    assert layers.unit is None


def test_a_caption_is_the_value_of_the_first_category(site: Site) -> None:
    captions = {entry.slug: site.caption(entry) for entry in site.entries}
    assert captions == {"moon-jelly": "cold", "spotted-dick": None, "trifle": "cold"}


def test_a_site_without_an_address_has_none(site: Site) -> None:
    assert site.address is None


def test_a_sites_address_is_read(
    puddings: Path, today: date, swap: Callable[[str, str, str], None]
) -> None:
    swap("sources/site.toml", "noun =", 'address = "https://puddings.example.org"\nnoun =')
    assert load_site(puddings, today).address == "https://puddings.example.org"


TOML_LIKE = st.lists(
    st.sampled_from(
        [b"name", b" = ", b'"', b"'", b"\n", b"[[facts]]", b"[picture]", b"value", b"[", b"]", b"{",
         b"}", b",", b"nan", b"1e400", b"9" * 5000, b"2026-11-30", b"T10:00", b"\\u0000", b"\xff",
         b"\xef\xbb\xbf", b"line", b"true", b"million ", b"#", b"."]
    )
).map(b"".join)  # fmt: skip


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.one_of(st.binary(), TOML_LIKE))
def test_any_bytes_in_an_entry_are_faults_and_no_error(
    kept_puddings: Path, today: date, data: bytes
) -> None:
    (kept_puddings / TRIFLE).write_bytes(data)
    assert {fault.file for fault in read_site(kept_puddings, today).faults} == {TRIFLE}


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.one_of(st.binary(), TOML_LIKE))
def test_any_bytes_in_the_site_are_faults_and_no_error(
    kept_puddings: Path, today: date, data: bytes
) -> None:
    site = kept_puddings / "sources/site.toml"
    kept = site.read_bytes()
    site.write_bytes(data)
    try:
        assert read_site(kept_puddings, today).site is None
    finally:
        site.write_bytes(kept)
