"""`arena validate`: lines, count and exit status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli.validate import validate


def run(*arguments: str) -> Result:
    return CliRunner().invoke(validate, arguments)


def test_without_a_site_the_count_is_the_last_of_two_lines(tmp_path: Path) -> None:
    result = run("--root", str(tmp_path))
    assert result.stdout.splitlines() == [
        "sources/site.toml: file: missing",
        "1 fault in 0 entries",
    ]


def test_a_fault_of_the_roster_comes_first_and_the_count_last(
    puddings: Path, swap: Callable[[str, str, str], None]
) -> None:
    swap("sources/puddings/trifle.toml", '"Trifle"', '""')
    first, *_, last = run("--root", str(puddings)).stdout.splitlines()
    assert first == "sources/puddings/trifle.toml: name: empty"
    assert last.endswith(" in 3 puddings")


def test_an_entry_without_a_picture_is_a_fault(puddings: Path) -> None:
    output = run("--root", str(puddings)).stdout.splitlines()
    assert all(any(slug in line for line in output) for slug in ("trifle", "spotted-dick"))


def test_a_fault_gives_status_one(tmp_path: Path) -> None:
    assert run("--root", str(tmp_path)).exit_code == 1


@pytest.mark.parametrize("arguments", [("--root", "no/such/folder"), ("--rot", "."), ("here",)])
def test_wrong_usage_gives_status_two(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_the_root_of_the_environment_is_checked_where_none_is_given(
    puddings: Path, swap: Callable[[str, str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    swap("sources/puddings/trifle.toml", '"Trifle"', '""')
    monkeypatch.setenv("ARENA_ROOT", str(puddings))
    assert run().stdout.splitlines()[0] == "sources/puddings/trifle.toml: name: empty"
