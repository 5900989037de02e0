"""What the tests share: a tiny site, real databases of both kinds, and a browser's way of voting."""

from __future__ import annotations

import html
import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import flask_migrate
import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.engine import URL, make_url
from werkzeug.test import TestResponse

from arena import create_app
from arena.database import MIGRATIONS, db, writing
from arena.roster.presence import enrol
from arena.settings import Settings, packaged_root

HERE = Path(__file__).parent
PUDDINGS = HERE / "sites" / "puddings"
KEY = "a signing key for the tests alone"


def missing(what: str) -> None:
    """Skip for want of something installed, or fail where everything must be there."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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


BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@pytest.fixture(params=["sqlite"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> URL:
    """An empty database; a test that asks for both kinds runs once on each."""
    if request.param == "sqlite":
        return make_url(f"sqlite:///{tmp_path / 'arena.sqlite3'}")
    make: Callable[[], URL] = request.getfixturevalue("new_postgres_database")
    return make()


def both_databases(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test on SQLite and on PostgreSQL."""
    return pytest.mark.parametrize("database_url", BOTH, indirect=True)(test)


@pytest.fixture
def make_app(database_url: URL) -> Iterator[Callable[..., Flask]]:
    """Makes an application on the database, migrated and with its roster enrolled."""
    made: list[Flask] = []

    def make(root: Path = PUDDINGS, **settings: object) -> Flask:
        app = create_app(Settings(root, database_url, (KEY,), **settings))  # type: ignore[arg-type]
        with app.app_context():
            flask_migrate.upgrade(directory=str(MIGRATIONS))
            with writing() as session:
                enrol(session, app.extensions["arena"].site)
        app.test_client_class = Browser
        made.append(app)
        return app

    yield make
    for app in made:
        with app.app_context():
            db.session.remove()
            db.engine.dispose()


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


class Browser(FlaskClient):
    """A client that reads every answer to its end, as browsers do, so that files are closed."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        """Ask for a page."""
        return super().open(*args, **{"buffered": True, **kwargs})


class Voter:
    """Does what a person with a browser does: opens a page, presses a button."""

    def __init__(self, app: Flask, address: str = "192.0.2.1") -> None:
        self.client = app.test_client()
        self.environ = {"REMOTE_ADDR": address}
        self.page = ""

    def open(self, path: str) -> int:
        """Open a page; returns its status."""
        answer = self.client.get(path, environ_base=self.environ)
        self.page = answer.get_data(as_text=True)
        return answer.status_code

    def ballot(self, path: str = "/") -> str:
        """Open a ballot and return its token."""
        assert self.open(path) == 200
        return token_in(self.page)

    def send(self, token: str | None, choice: str | None, path: str = "/vote") -> int:
        """Send a ballot; returns the status. A redirect is followed."""
        fields = {"ballot": token, "choice": choice}
        answer = self.client.post(
            path,
            data={name: value for name, value in fields.items() if value is not None},
            environ_base=self.environ,
        )
        self.page = answer.get_data(as_text=True)
        if answer.status_code == 303:
            self.open(answer.headers["Location"])
        return answer.status_code

    def vote(self, choice: str = "left", path: str = "/") -> str:
        """Vote on a fresh ballot and return its token."""
        token = self.ballot(path)
        assert self.send(token, choice) == 303
        return token

    def undo(self) -> int:
        """Press the undo button of the page that is open."""
        found = re.search(r'action="/undo".*?name="ballot" value="([^"]+)"', self.page, re.S)
        assert found is not None, "no undo button on this page"
        return self.send(html.unescape(found[1]), None, "/undo")

    @property
    def text(self) -> str:
        """The text of the page that is open, without tags."""
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", self.page)).split())


def token_in(page: str) -> str:
    """The token of the ballot on a page."""
    found = re.search(r'action="/vote">\s*<input type="hidden" name="ballot" value="([^"]+)"', page)
    assert found is not None, "no ballot on this page"
    return html.unescape(found[1])


@pytest.fixture
def voter(app: Flask) -> Voter:
    """A person at the pudding site."""
    return Voter(app)
