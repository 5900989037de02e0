"""A site of three puddings that is in order: the smallest one with every kind of part."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from arena.roster import read_site

TODAY = date(2026, 12, 1)

SITE = """\
name = "Pudding club"
noun = ["pudding", "puddings"]

[[axes]]
slug = "eat-first"
question = "Which would you rather eat first?"
method = "arena"
chooser = "arena"

[[axes]]
slug = "wobbles-more"
question = "Which wobbles more?"
method = "versus"
chooser = "versus"

[[attributes]]
slug = "kind"
label = "Kind"
type = "category"

[[attributes]]
slug = "mass"
label = "Mass"
type = "number"
unit = "g"
less = "lighter"
more = "heavier"

[[attributes]]
slug = "layers"
label = "Layers"
type = "number"
less = "flatter"
more = "taller"
"""

PICTURE = """
[picture]
source_url = "https://puddings.example.org/pictures"
source_name = "Pudding pictures"
owner = "The pudding club"
licence = "CC-BY-4.0"
rights = "Drawn for this site."
alt = "A pudding on a plate"
retrieved = 2026-11-30
"""

TRIFLE = (
    """\
name = "Trifle"
line = "A cold pudding in three layers that nobody serves neatly."
fictional = false

[[facts]]
attribute = "kind"
value = "cold"
as_stated = "served cold"
source_url = "https://puddings.example.org/trifle"
source_name = "Pudding pages"
retrieved = 2026-11-30
canon = false

[[facts]]
attribute = "mass"
value = 1200
unit = "g"
as_stated = "1.2 kg"
source_url = "https://puddings.example.org/trifle"
source_name = "Pudding pages"
retrieved = 2026-12-01
canon = false

[[facts]]
attribute = "layers"
value = 3
as_stated = "sponge, custard and cream"
source_url = "http://books.example.org/trifle?page=12#top"
source_name = "The pudding book"
retrieved = 1990-01-01
canon = false
"""
    + PICTURE
)

SPOTTED_DICK = (
    """\
name = "Spotted dick"
line = "A steamed pudding that keeps its currants to itself."
fictional = false
"""
    + PICTURE
)

MOON_JELLY = (
    """\
name = "Moon jelly"
line = "A pudding of the far side, where it never stops wobbling."
fictional = true

[[facts]]
attribute = "kind"
value = "cold"
as_stated = "cold as the far side"
source_url = "https://stories.example.org/moon"
source_name = "A. Cook, The moon kitchen, 1921"
retrieved = 2026-11-30
canon = true
"""
    + PICTURE
)

FILES = {
    "sources/site.toml": SITE,
    "sources/puddings/trifle.toml": TRIFLE,
    "sources/puddings/spotted-dick.toml": SPOTTED_DICK,
    "sources/puddings/moon-jelly.toml": MOON_JELLY,
}


def write_puddings(root: Path) -> Path:
    """Write the site under a folder and return the folder."""
    for file, text in FILES.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def puddings(tmp_path: Path) -> Path:
    """The folder of a site that is in order."""
    return write_puddings(tmp_path)


@pytest.fixture(scope="session")
def kept_puddings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for a test that writes one file over again and again."""
    return write_puddings(tmp_path_factory.mktemp("puddings"))


@pytest.fixture(scope="session")
def today() -> date:
    """The day of these tests."""
    return TODAY


@pytest.fixture
def swap(puddings: Path) -> Callable[[str, str, str], None]:
    """Change one place of one file, which must be there."""

    def _swap(file: str, old: str, new: str) -> None:
        path = puddings / file
        text = path.read_text(encoding="utf-8")
        if old not in text:
            raise LookupError(f"{old!r} is not in {file}")
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return _swap


@pytest.fixture
def faults_after(
    puddings: Path, swap: Callable[[str, str, str], None]
) -> Callable[[str, str, str], list[str]]:
    """The faults of the site, a line each, after one place of one file was changed."""

    def _faults_after(file: str, old: str, new: str) -> list[str]:
        swap(file, old, new)
        return [str(fault) for fault in read_site(puddings, TODAY).faults]

    return _faults_after
