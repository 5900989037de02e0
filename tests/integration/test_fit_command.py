"""`arena fit` on vote files, run as a person would run it: no site, no database."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from arena.ratings.counts import tally
from arena.ratings.methods import METHODS

VOTES = """\
outcome,right,left,mood,count
left,birch,ash,good,12
tie,ash,cedar,,3
right,ash,elm,,9
skip,cedar,birch,,4
left,birch,cedar,,7
left,elm,birch,,2
"""
ROWS = [
    ("ash", "birch", "left", 12),
    ("cedar", "ash", "tie", 3),
    ("elm", "ash", "right", 9),
    ("birch", "cedar", "skip", 4),
    ("cedar", "birch", "left", 7),
    ("birch", "elm", "left", 2),
]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    file = tmp_path / "votes.csv"
    file.write_text(VOTES, encoding="utf-8")
    return file


def fit(file: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena", "fit", str(file), *words],
        env={**os.environ, "ARENA_ROOT": str(file.parent / "there is no site")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("method", METHODS)
def test_the_json_is_what_the_engine_says(method: str, votes: Path) -> None:
    done = fit(votes, "--method", method, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == METHODS[method].publish(tally(ROWS)).to_json_dict()


@pytest.mark.parametrize("method", METHODS)
def test_the_table_lists_every_entry_and_what_the_fit_rests_on(method: str, votes: Path) -> None:
    done = fit(votes, "--method", method)
    assert (done.returncode, done.stderr) == (0, "")
    for entry in ("ash", "birch", "cedar", "elm"):
        assert entry in done.stdout
    assert "33 votes, 3 of them ties, and 4 skips; 4 entries in 1 group" in done.stdout


def test_the_number_of_replicates_can_be_chosen(votes: Path) -> None:
    done = fit(votes, "--method", "arena", "--format", "json", "--bootstrap", "7")
    wanted = METHODS["arena"].publish(tally(ROWS), replicates=7).to_json_dict()
    assert json.loads(done.stdout) == wanted


def test_every_fault_is_told_by_line_and_nothing_is_fitted(tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text("left,right,outcome,count\na,a,left,1\na,b,win,1\na,b,left,0\n,b,tie,1\n")
    done = fit(file, "--method", "arena")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"{file}: line 2: right: 'a' stands on both sides",
        f"{file}: line 3: outcome: 'win' is none of left, right, tie, skip",
        f"{file}: line 4: count: '0' is no whole number from 1 to 9007199254740992",
        f"{file}: line 5: left: is missing",
    ]


def test_a_refusal_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "one-sided.csv"
    lines = [f"ash,birch,left,random,s{number}" for number in range(600)]
    learnt = ["ash,birch,left,information,s0"] * 50
    file.write_text("\n".join(["left,right,outcome,strategy,session", *lines, *learnt, ""]))
    done = fit(file, "--method", "versus", "--format", "json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "no anchor between 0.02 and 8.0" in done.stderr


@pytest.mark.parametrize("words", ["", "--method elo", "--method arena --bootstrap 0"])
def test_wrong_usage_says_what_would_be_right(votes: Path, words: str) -> None:
    done = fit(votes, *words.split())
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_on_a_terminal_a_bar_shows_how_far_it_is(votes: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "arena", "fit", str(votes), "--method", "arena"]
    with os.fdopen(ours, "rb", buffering=0) as screen:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs) as running:
            os.close(theirs)
            assert running.wait(timeout=120) == 0
        shown = screen.read(65536).decode()
    assert "Resampling" in shown
    assert "100%" in shown
