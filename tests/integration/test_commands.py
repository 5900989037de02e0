"""Every command: found by walking the command itself, and run as a person would run it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pysqlite3.dbapi2 as sqlite
import pytest

from arena.cli import main
from world import PUDDINGS

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of the pudding site, with a database of its own."""
    root = tmp_path / "puddings"
    shutil.copytree(PUDDINGS, root)
    return root


@pytest.fixture
def run(site: Path) -> Run:
    """Runs `arena` on the pudding site in a process of its own."""

    def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "arena", *words],
            env={"ARENA_ROOT": str(site), "PATH": "/usr/bin:/bin", **environment},
            cwd=site,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run


def every_command(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command and group."""
    yield words
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from every_command(inner, (*words, name))


@pytest.mark.parametrize("words", list(every_command(main)), ids=" ".join)
def test_every_command_explains_itself(words: tuple[str, ...]) -> None:
    command: click.Command = main
    for word in words:
        assert isinstance(command, click.Group)
        command = command.commands[word]
    with command.make_context("arena", ["--help"], resilient_parsing=True) as context:
        text = command.get_help(context)
    assert len((command.help or "").split()) >= 3
    assert "Usage:" in text


def test_init_loads_the_roster_and_a_second_time_changes_nothing(run: Run) -> None:
    first, second = run("init"), run("init")
    assert first.returncode == second.returncode == 0
    assert "3 puddings, 2 questions" in first.stdout
    assert "new: " in first.stdout
    assert "new: " not in second.stdout
    assert second.stderr == ""


def test_an_entry_that_left_is_named_as_retired(run: Run, site: Path) -> None:
    run("init")
    (site / "sources" / "puddings" / "jelly.toml").unlink()
    assert "retired: jelly" in run("init").stdout


def test_a_simulated_season_is_published_verified_and_printed(run: Run) -> None:
    assert run("simulate", "--votes", "150", "--seed", "2").returncode == 0
    verified = run("verify")
    assert (verified.returncode, verified.stdout) == (0, "0 differences on 2 axes\n")
    table = run("leaderboard", "sunday").stdout
    board = json.loads(run("leaderboard", "sunday", "--format", "json").stdout)
    rows = run("leaderboard", "sunday", "--format", "csv").stdout.splitlines()
    assert len(board["board"]) == 3 == len(rows) - 1 == len(table.splitlines()) - 1
    assert f"{board['board'][0]['score']:.0f}" in table
    assert str(board["board"][0]["lower"]) in rows[1]
    again = run("simulate", "--votes", "1")
    assert again.returncode == 1
    assert "empty database" in again.stderr


def test_a_broken_projection_is_found_and_rebuilt(run: Run, site: Path) -> None:
    run("simulate", "--votes", "30")
    connection = sqlite.connect(site / "instance" / "arena.sqlite3")
    with connection:
        connection.execute("UPDATE live_ratings SET rating = 1")
    connection.close()
    broken = run("verify")
    assert broken.returncode == 1
    assert "live_ratings: sunday/" in broken.stdout
    assert re.search(r"\n\d+ differences on 2 axes\n$", broken.stdout)
    assert run("recompute").returncode == 0
    assert run("verify").returncode == 0


def test_an_invalidated_session_leaves_every_fit(run: Run, site: Path) -> None:
    run("simulate", "--votes", "60")
    connection = sqlite.connect(site / "instance" / "arena.sqlite3")
    query = "SELECT session, count(*), min(number) FROM votes GROUP BY session LIMIT 1"
    session, count, number = connection.execute(query).fetchone()
    connection.close()
    one = run("votes", "invalidate", "--vote", str(number), "--reason", "a slip")
    assert "1 vote invalidated" in one.stdout
    rest = run("votes", "invalidate", "--session", session, "--reason", "a program")
    assert f"{count - 1} vote" in rest.stdout
    assert run("verify").returncode == 0
    nobody = run("votes", "invalidate", "--session", "nobody", "--reason", "x")
    assert nobody.returncode == 1
    assert "no vote there" in nobody.stderr


def test_refit_says_what_is_new(run: Run) -> None:
    run("simulate", "--votes", "30")
    assert "nothing new since publication" in run("refit", "sunday").stdout


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("nonsense",), 2, "No such command"),
        (("refit", "nowhere"), 2, "no axis 'nowhere'; there are sunday, wobblier"),
        (("leaderboard", "nowhere"), 2, "no axis 'nowhere'"),
        (("leaderboard", "sunday", "--method", "astrology"), 2, "astrology"),
        (("votes", "invalidate", "--reason", "x"), 2, "--vote or --session"),
        (("votes", "invalidate", "--vote", "1"), 2, "--reason"),
        (("votes", "invalidate", "--vote", "1", "--reason", " "), 2, "give a reason"),
        (("takedowns", "show", "ABCD-EFGH"), 1, "no request ABCD-EFGH"),
        (("takedowns", "accept", "ABCD-EFGH"), 1, "no request ABCD-EFGH"),
        (("takedowns", "accept", "ABCD-EFGH", "--reason", " "), 2, "give a reason"),
        (("takedowns", "reject", "ABCD-EFGH", "--reason", "a\nb"), 2, "one line of characters"),
        (("votes", "invalidate", "--vote", "1", "--reason", "a\u202eb"), 2, "one line of"),
        (("simulate", "--votes", "0"), 2, "--votes"),
        (("serve", "--port", "99999"), 2, "--port"),
        (("serve", "--workers", "0"), 2, "--workers"),
        (("images", "build", "--from", "/nowhere"), 2, "/nowhere"),
        (("validate", "--root", "/nowhere"), 2, "/nowhere"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_without_a_traceback(
    run: Run, words: tuple[str, ...], status: int, said: str
) -> None:
    run("init")
    done = run(*words)
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_is_not_ready_is_said_to_be_so(run: Run) -> None:
    done = run("verify")
    assert done.returncode == 1
    assert done.stderr == "the database is not ready for this version: run `arena init` first\n"


def test_a_database_that_a_newer_version_migrated_is_left_alone(run: Run, site: Path) -> None:
    run("init")
    connection = sqlite.connect(site / "instance" / "arena.sqlite3")
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = 'ffff'")
    connection.close()
    for words in (("init",), ("verify",), ("refit",)):
        done = run(*words)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
        assert "revision ffff, which this version does not know: a newer one" in done.stderr


def test_one_of_a_kind_is_counted_in_the_singular(run: Run, site: Path) -> None:
    for slug in ("jelly", "trifle"):
        (site / "sources" / "puddings" / f"{slug}.toml").unlink()
    assert "1 pudding, 2 questions" in run("init").stdout


def test_a_bad_setting_stops_the_start(run: Run) -> None:
    done = run("init", ARENA_REFIT_MINUTES="soon")
    assert done.returncode == 2
    assert "ARENA_REFIT_MINUTES: 'soon' is not a whole number from 1 to 1440" in done.stderr


def test_a_database_that_cannot_be_reached_is_a_line(run: Run) -> None:
    done = run("init", ARENA_DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing")
    assert done.returncode == 1
    assert "database" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_roster_at_fault_is_not_served(run: Run, site: Path) -> None:
    file = site / "sources" / "puddings" / "trifle.toml"
    file.write_text(file.read_text().replace("value = 42", "value = 'sweet'"))
    done = run("init")
    assert done.returncode == 1
    assert "sources/puddings/trifle.toml: facts[1].value:" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_takedown_is_worked_through(run: Run, site: Path) -> None:
    run("init")
    filed = subprocess.run(
        [
            sys.executable,
            "-c",
            "from arena import create_app, takedowns\n"
            "from arena.settings import Settings\n"
            "with create_app(Settings.from_environment()).app_context():\n"
            "    print(takedowns.file_request(entry='jelly', known=True, name='N', contact='C',"
            " claim='Mine', address=None).reference)",
        ],
        env={"ARENA_ROOT": str(site)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert f"{filed}  " in run("takedowns", "list").stdout
    assert "Mine" in run("takedowns", "show", filed).stdout
    assert "jelly is down" in run("takedowns", "accept", filed).stdout
    assert run("takedowns", "list", "--open").stdout == ""
    assert "jelly is shown" in run("takedowns", "reject", filed, "--reason", "no").stdout
