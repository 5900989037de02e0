"""The right answers again, out of the command that prints a board: votes in, figures out."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.ratings.methods.versus import FEWEST_VOTES
from oracle.oracle_cases import CASES
from world import PUDDINGS

NAMES = ["two islands", "one tie", "pudding", "baseball 1987", "citations"]


def slug_of(name: str) -> str:
    return "e-" + re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


@pytest.fixture(scope="module", params=NAMES)
def imported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A site whose roster are the entries of a case, with its votes imported."""
    case = CASES[request.param]
    root = tmp_path_factory.mktemp("site")
    folder = root / "sources" / "puddings"
    folder.mkdir(parents=True)
    shutil.copytree(PUDDINGS / "images", root / "images")
    (root / "sources" / "site.toml").write_text((PUDDINGS / "sources" / "site.toml").read_text())
    entry = (PUDDINGS / "sources" / "puddings" / "jelly.toml").read_text()
    for name in {side for left, right, *_ in case["votes"] for side in (left, right)}:
        text = entry.replace('name = "Jelly"', f"name = {json.dumps('Entry ' + name)}")
        (folder / f"{slug_of(name)}.toml").write_text(text)
    votes = root / "votes.csv"
    with votes.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["left", "right", "outcome", "count", "axis"])
        writer.writerows(
            (slug_of(left), slug_of(right), outcome, count, "sunday")
            for left, right, outcome, count in case["votes"]
        )
    done = arena(root, "votes", "import", str(votes))
    assert (done.returncode, done.stderr) == (0, "")
    return root, case["expected"]


def arena(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena", *words],
        env={
            "ARENA_ROOT": str(root),
            "ARENA_DATABASE_URL": f"sqlite:///{root / 'arena.sqlite3'}",
            "ARENA_SECRET_KEY": "a signing key for the tests alone",
            "PATH": "/usr/bin:/bin",
        },
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def board(root: Path, method: str) -> Any:
    done = arena(root, "leaderboard", "sunday", "--method", method, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_the_preferences_board_is_the_right_answer(imported: Any) -> None:
    root, expected = imported
    found, wanted = board(root, "preferences"), expected["preferences"]
    assert [row["entry"] for row in found["board"]] == [
        slug_of(row["entry"]) for row in wanted["board"]
    ]
    for row, right in zip(found["board"], wanted["board"], strict=True):
        for figure in ("strength", "se", "lower", "upper"):
            assert row[figure] == pytest.approx(right[figure], abs=1e-8, rel=0), right["entry"]
        assert row["provisional"] == right["provisional"]


def test_the_versus_board_is_the_right_answer(imported: Any) -> None:
    root, expected = imported
    found = board(root, "versus")
    (wanted,) = (it for it in expected["versus"] if it["anchor"] == 0.5)
    assert found["model"]["anchor"] == 0.5
    assert found["model"]["nu"] == pytest.approx(wanted["nu"], abs=1e-7, rel=0)
    records = {slug_of(it): of["votes"] for it, of in expected["records"].items()}
    published = {slug for slug, votes in records.items() if votes >= FEWEST_VOTES}
    rows = {row["entry"]: row for row in found["board"]}
    assert rows.keys() == published
    assert set(found["unpublished"]) == records.keys() - published
    for name in wanted["strength"]:
        if (row := rows.get(slug_of(name))) is not None:
            for figure in ("strength", "se", "score"):
                assert row[figure] == pytest.approx(wanted[figure][name], abs=1e-7, rel=0), name
