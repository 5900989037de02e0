"""A copy made while votes come in is consistent, and comes back whole, into either database."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pysqlite3.dbapi2 as sqlite
import pytest
from flask import Flask
from sqlalchemy import func, select

from arena import backups, public_log, refits, verification
from arena.backups import BackupFault
from arena.database import Base, db
from arena.votes import Vote
from world import Voter, axes_of, both_databases, season

REVISION = "a revision for the tests"


def contents(app: Flask) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every copied table."""
    with app.app_context():
        return {
            table.name: sorted(map(tuple, db.session.execute(select(table)).all()), key=str)
            for table in Base.metadata.sorted_tables
            if table.name not in backups.LEFT_OUT
        }


def save(app: Flask, path: Path) -> backups.Copied:
    with app.app_context():
        return backups.save(path, REVISION)


def restore(app: Flask, path: Path) -> backups.Copied:
    with app.app_context():
        return backups.restore(path, REVISION)


@both_databases
def test_a_copy_comes_back_row_for_row(
    recorded: Flask, new_database: Callable[[], Flask], tmp_path: Path
) -> None:
    with recorded.app_context():
        refits.refit_and_diagnose(recorded.extensions["arena"].site, axes_of(recorded))
    before = contents(recorded)
    copied = save(recorded, tmp_path / "copy")
    assert copied.rows == sum(map(len, before.values()))
    target = new_database()
    assert restore(target, tmp_path / "copy").votes == copied.votes
    assert contents(target) == before
    with target.app_context():
        assert verification.verify(axes_of(target)) == []
    Voter(target).vote("left")  # the numbers go on where they were
    with target.app_context():
        refits.refit_all(target.extensions["arena"].site)
        assert verification.verify(axes_of(target)) == []
        assert db.session.scalars(select(func.count(Vote.number))).one() == copied.votes + 1


@both_databases
def test_a_copy_of_one_kind_of_database_restores_into_the_other(
    make_app: Callable[..., Flask], app: Flask, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    season(app, 120)
    save(app, tmp_path / "copy")
    other = request.getfixturevalue("other_kind")()
    restore(other, tmp_path / "copy")
    with app.app_context():
        wanted = [{**it, "session": ""} for it in public_log.records(uncounted=True)]
    with other.app_context():
        assert [{**it, "session": ""} for it in public_log.records(uncounted=True)] == wanted
        assert verification.verify(axes_of(other)) == []


@both_databases
def test_while_votes_come_in_the_copy_is_of_one_moment(
    app: Flask, new_database: Callable[[], Flask], tmp_path: Path
) -> None:
    season(app, 100)
    stop = threading.Event()

    def keep_voting() -> None:
        voter = Voter(app)
        while not stop.is_set():
            voter.vote("left")

    crowd = [threading.Thread(target=keep_voting) for _ in range(2)]
    for it in crowd:
        it.start()
    try:
        for number in range(3):
            save(app, tmp_path / f"copy-{number}")
    finally:
        stop.set()
        for it in crowd:
            it.join()
    target = new_database()
    restore(target, tmp_path / "copy-2")
    with target.app_context():
        found = verification.verify(axes_of(target))
        assert [it for it in found if not it.startswith("publications")] == []


def test_nothing_is_overwritten_and_nothing_is_left_half_made(app: Flask, tmp_path: Path) -> None:
    path = tmp_path / "copy"
    path.write_text("somebody's letters")
    with pytest.raises(BackupFault, match="is there already"):
        save(app, path)
    assert path.read_text() == "somebody's letters"
    with pytest.raises(OSError, match="No such file"):
        save(app, tmp_path / "no such folder" / "copy")
    save(app, tmp_path / "other")
    assert sorted(it.name for it in tmp_path.iterdir() if "sqlite" not in it.name) == [
        "copy",
        "other",
    ]
    assert (tmp_path / "other").stat().st_mode & 0o777 == 0o600


def test_what_names_a_network_for_a_day_is_not_copied(recorded: Flask, tmp_path: Path) -> None:
    save(recorded, tmp_path / "copy")
    with sqlite.connect(tmp_path / "copy") as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert "votes" in names
    assert not names & set(backups.LEFT_OUT)


def test_a_database_with_votes_is_never_restored_over(app: Flask, tmp_path: Path) -> None:
    Voter(app).vote("left")
    save(app, tmp_path / "copy")
    before = contents(app)
    with pytest.raises(BackupFault, match="restore into an empty one"):
        restore(app, tmp_path / "copy")
    assert contents(app) == before


@pytest.mark.parametrize("kind", ["text", "empty", "another database", "another revision"])
def test_what_is_no_copy_is_refused_with_the_reason(
    app: Flask, new_database: Callable[[], Flask], tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "copy"
    if kind == "text":
        path.write_bytes(os.urandom(5000))
    elif kind == "empty":
        path.touch()
    elif kind == "another database":
        with sqlite.connect(path) as connection:
            connection.execute("CREATE TABLE votes (number INTEGER)")
    else:
        with app.app_context():
            backups.save(path, "another revision")
    target = new_database()
    with pytest.raises(BackupFault, match=r"no backup of this|cannot be restored|made at revision"):
        restore(target, path)


def test_a_copy_cut_short_restores_nothing(
    recorded: Flask, new_database: Callable[[], Flask], tmp_path: Path
) -> None:
    path = tmp_path / "copy"
    save(recorded, path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    target = new_database()
    before = contents(target)
    with pytest.raises(BackupFault, match="cannot be restored"):
        restore(target, path)
    assert contents(target) == before
