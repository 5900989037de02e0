"""A wheel is a whole site: templates, static files, pictures and the roster travel in it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built and unpacked far from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    words = [
        "pip",
        "wheel",
        str(ROOT),
        "--no-deps",
        "--no-build-isolation",
        "-q",
        "-w",
        str(folder),
    ]
    subprocess.run([sys.executable, "-m", *words], check=True, timeout=120)
    wheel = next(folder.glob("*.whl"))
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def arena(unpacked: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `arena` out of the unpacked wheel, in a folder that is not the checkout."""
    return subprocess.run(
        [sys.executable, "-m", "arena", *words],
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_its_roster_and_pictures_are_whole(unpacked: Path, tmp_path: Path) -> None:
    done = arena(unpacked, tmp_path, "validate")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "78 robots checked, no faults" in done.stdout


def test_its_data_goes_to_the_working_folder_and_not_into_the_package(
    unpacked: Path, tmp_path: Path
) -> None:
    assert arena(unpacked, tmp_path, "init").returncode == 0
    assert (tmp_path / "instance" / "arena.sqlite3").exists()
    assert not list(unpacked.rglob("*.sqlite3"))


def test_its_pages_have_their_templates_and_style(unpacked: Path, tmp_path: Path) -> None:
    script = (
        "from arena import create_app\n"
        "from arena.settings import Settings\n"
        "client = create_app(Settings.from_environment()).test_client()\n"
        "print(client.get('/').status_code, client.get('/static/arena.css').status_code,"
        " client.get('/images/upkie-480.avif').status_code)\n"
    )
    arena(unpacked, tmp_path, "init")
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.split() == ["200", "200", "200"], done.stderr
