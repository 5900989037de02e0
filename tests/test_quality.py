"""The rules that hold for the code itself, and for the site's own files."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "arena").rglob("*.py"))


@pytest.mark.parametrize(
    "words",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["arena", "validate"],
        ["arena", "images", "check"],
    ],
    ids=" ".join,
)
def test_the_checks_find_nothing(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stdout + done.stderr


def imports_of(module: Path) -> Iterator[str]:
    """Every module that a module imports, by full name."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


FORBIDDEN = {
    "arena/ratings": r"flask|sqlalchemy|datetime|time|random|arena\.(?!ratings)",
    "arena/roster": r"flask|arena\.(?!roster|database)",
    "arena/web": r"arena\.cli",
}


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_layers_look_downward_only(folder: str) -> None:
    pattern = re.compile(rf"(?:{FORBIDDEN[folder]})")
    for module in (ROOT / folder).rglob("*.py"):
        upward = [name for name in imports_of(module) if pattern.match(name)]
        assert upward == [], module


def test_the_domain_knows_neither_the_web_nor_the_command() -> None:
    for module in (ROOT / "arena").glob("*.py"):
        if module.name not in ("__init__.py", "__main__.py"):
            upward = [it for it in imports_of(module) if re.match(r"arena\.(web|cli)", it)]
            assert upward == [], module


@pytest.mark.parametrize("module", MODULES, ids=lambda it: str(it.relative_to(ROOT)))
def test_a_module_is_short_and_says_why_it_exists(module: Path) -> None:
    text = module.read_text()
    assert len(text.splitlines()) <= 350
    assert ast.get_docstring(ast.parse(text)), module
