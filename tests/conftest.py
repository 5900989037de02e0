"""Fixtures that the tests share: a tiny site, real databases of both kinds, a person who votes."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.engine import URL, make_url

from arena import refits, takedowns, votes
from arena.database import db
from arena.settings import Settings, packaged_root
from arena.votes import Vote
from world import KEY, PUDDINGS, Voter, close, free_port, missing, ready_app


@pytest.fixture(scope="session")
def postgres() -> Iterator[URL]:
    """Address of a PostgreSQL server of our own, started for this run."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        missing("PostgreSQL")
    bin_folder = found[-1].parent if found else Path(str(on_path)).parent
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
    prefix = as_user if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="arena-pg-") as folder:
        top = Path(folder)
        top.chmod(0o755)
        for part in ("data", "run"):
            (top / part).mkdir()
            if prefix:
                shutil.chown(top / part, "postgres")
        port = free_port()
        log = top / "run" / "log"
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1"
            f" -c unix_socket_directories={top}/run -c fsync=off"
        )
        ctl = [*prefix, str(bin_folder / "pg_ctl"), "-D", str(top / "data")]
        initdb = [str(bin_folder / "initdb"), "-D", str(top / "data"), "-U", "arena"]
        subprocess.run(
            [*prefix, *initdb, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        subprocess.run(
            [*ctl, "-l", str(log), "-w", "-o", options, "start"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        yield URL.create(
            "postgresql+psycopg", "arena", host="127.0.0.1", port=port, database="postgres"
        )
        subprocess.run([*ctl, "-m", "fast", "-w", "stop"], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def new_postgres_database(postgres: URL) -> Callable[[], URL]:
    """Makes an empty database on the server."""
    made = 0

    def make() -> URL:
        nonlocal made
        made += 1
        with psycopg.connect(
            host=postgres.host, port=postgres.port, user="arena", dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(f"CREATE DATABASE arena_{made}")
        return postgres.set(database=f"arena_{made}")

    return make


@pytest.fixture(params=["sqlite"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> URL:
    """An empty database; a test that asks for both kinds runs once on each."""
    if request.param == "sqlite":
        return make_url(f"sqlite:///{tmp_path / 'arena.sqlite3'}")
    make: Callable[[], URL] = request.getfixturevalue("new_postgres_database")
    return make()


@pytest.fixture
def make_app(database_url: URL) -> Iterator[Callable[..., Flask]]:
    """Makes an application on the database, migrated and with its roster enrolled."""
    made: list[Flask] = []

    def make(root: Path = PUDDINGS, **settings: object) -> Flask:
        made.append(ready_app(Settings(root, database_url, (KEY,), **settings)))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for app in made:
        close(app)


@pytest.fixture
def new_database(
    request: pytest.FixtureRequest, database_url: URL, tmp_path: Path
) -> Iterator[Callable[[], Flask]]:
    """Makes the pudding site on another empty database of the same kind."""
    made: list[Flask] = []

    def make() -> Flask:
        if database_url.get_backend_name() == "sqlite":
            url = make_url(f"sqlite:///{tmp_path / f'other-{len(made)}.sqlite3'}")
        else:
            url = request.getfixturevalue("new_postgres_database")()
        made.append(ready_app(Settings(PUDDINGS, url, (KEY,))))
        return made[-1]

    yield make
    for app in made:
        close(app)


@pytest.fixture
def other_kind(
    request: pytest.FixtureRequest, database_url: URL, tmp_path: Path
) -> Iterator[Callable[[], Flask]]:
    """Makes the pudding site on an empty database of the other kind."""
    made: list[Flask] = []

    def make() -> Flask:
        url = make_url(f"sqlite:///{tmp_path / 'other-kind.sqlite3'}")
        if database_url.get_backend_name() == "sqlite":
            url = request.getfixturevalue("new_postgres_database")()
        made.append(ready_app(Settings(PUDDINGS, url, (KEY,))))
        return made[-1]

    yield make
    for app in made:
        close(app)


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    """The pudding site."""
    return make_app()


@pytest.fixture
def robots(make_app: Callable[..., Flask]) -> Flask:
    """The real site."""
    return make_app(packaged_root())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser on the pudding site."""
    return app.test_client()


@pytest.fixture
def voter(app: Flask) -> Voter:
    """A person at the pudding site."""
    return Voter(app)


@pytest.fixture
def recorded(app: Flask) -> Flask:
    """A site where one of everything has been recorded."""
    voter = Voter(app)
    voter.vote("left")
    voter.vote("right")
    voter.undo()
    with app.app_context():
        vote = db.session.scalars(select(Vote).order_by(Vote.number)).first()
        assert vote is not None
        votes.invalidate_all(select(Vote).where(Vote.number == vote.number), "a test")
        refits.refit(app.extensions["arena"].site, "sunday", "arena")
        voter.vote("tie")
        refits.refit(app.extensions["arena"].site, "sunday", "arena")
        filed = takedowns.file_request(
            entry="jelly", known=True, name="N", contact="C", claim="mine", address=None
        )
        takedowns.decide(filed.reference, takedowns.ACCEPTED, "theirs")
    return app
