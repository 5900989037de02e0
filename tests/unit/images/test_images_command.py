"""`arena images`: lines, count, exit status, and the bar."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gallery import painted, saved

from arena.cli import main

PUDDINGS = Path(__file__).parents[2] / "sites" / "puddings"
SLUG = "rice"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of the small site that other tests are served from."""
    return shutil.copytree(PUDDINGS, tmp_path / "puddings")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["images", *arguments])


def rebuild(site: Path, *arguments: str) -> Result:
    return run("build", "--from", f"{site}/images/originals", "--root", str(site), *arguments)


def test_a_sound_site_passes_with_a_count(site: Path) -> None:
    result = run("check", "--root", str(site))
    assert (result.exit_code, result.stdout) == (0, "pictures of 3 entries checked, no faults\n")


def test_one_fault_is_a_line_and_status_one(site: Path) -> None:
    (site / f"images/{SLUG}-480.avif").unlink()
    result = run("check", "--root", str(site))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"images/{SLUG}-480.avif: file: missing; run `arena images build --from images/originals`",
        "pictures of 3 entries checked, 1 fault",
    ]


def test_a_rebuild_of_what_is_current_counts_it(site: Path) -> None:
    result = rebuild(site)
    assert (result.exit_code, result.stdout) == (0, "0 built, 3 up to date, 0 at fault\n")


def test_only_what_is_asked_for_is_built(site: Path) -> None:
    assert rebuild(site, "--only", SLUG).stdout == "0 built, 1 up to date, 0 at fault\n"


def test_a_refused_original_is_a_line_and_status_one(site: Path) -> None:
    (site / f"images/originals/{SLUG}.png").write_bytes(b"")
    result = rebuild(site)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"images/originals/{SLUG}.png: file: is empty",
        "0 built, 2 up to date, 1 at fault",
    ]


def test_a_broken_manifest_is_one_line_and_status_one(site: Path) -> None:
    (site / "images/manifest.json").write_text("{", encoding="utf-8")
    result = rebuild(site)
    assert result.exit_code == 1
    assert result.stderr.startswith("images/manifest.json: file: broken JSON: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_fault_of_the_roster_stops_the_build(site: Path) -> None:
    (site / "sources/site.toml").unlink()
    result = rebuild(site)
    assert (result.exit_code, result.stderr) == (1, "sources/site.toml: file: missing\n")


@pytest.mark.parametrize("arguments", [("build",), ("build", "--from", "no/such"), ("chek",)])
def test_wrong_usage_gives_status_two(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_no_bar_is_drawn_into_a_pipe(site: Path) -> None:
    assert rebuild(site).stderr == ""


def test_a_person_at_a_terminal_sees_a_bar(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / f"images/originals/{SLUG}.png").write_bytes(saved(painted(30, 20), "PNG"))
    with CliRunner().isolation() as (_, errors, _):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        with pytest.raises(SystemExit):
            main(["images", "build", "--from", f"{site}/images/originals", "--root", str(site)])
    assert errors.getvalue().decode().endswith("\r[##############################] 3/3\n")
