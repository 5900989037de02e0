"""What the tests need of the world: programs, ports, both databases, and people with browsers."""

from __future__ import annotations

import html
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import flask_migrate
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from arena import create_app, refits, simulation, votes
from arena.database import MIGRATIONS, db, writing
from arena.roster.presence import enrol
from arena.settings import Settings
from arena.votes import Vote

HERE = Path(__file__).parent
PUDDINGS = HERE / "sites" / "puddings"
KEY = "a signing key for the tests alone"
PATIENCE = 90.0
"""Seconds until a server must have opened."""


def missing(what: str) -> None:
    """Skip for want of something installed, or fail where everything must be there."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is not installed")
    pytest.skip(f"{what} is not installed")


def installed(name: str) -> str:
    """Path of a program; without it the test is skipped, or fails where all must be there."""
    found = shutil.which(name)
    if found is None:
        missing(name)
    return str(found)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


def both_databases(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test on SQLite and on PostgreSQL."""
    return pytest.mark.parametrize("database_url", BOTH, indirect=True)(test)


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


def season(app: Flask, count: int) -> None:
    """Simulated votes with undo, and one session invalidated."""
    with app.app_context():
        for _ in simulation.simulate(app.extensions["arena"].site, count, seed=7):
            pass
        holder = db.session.scalars(select(Vote.session).order_by(Vote.number).limit(1)).one()
        votes.invalidate_all(select(Vote).where(Vote.session == holder), "it was a program")
        refits.refit_all(app.extensions["arena"].site)


def axes_of(app: Flask) -> list[str]:
    """The slugs of the site's axes."""
    return [axis.slug for axis in app.extensions["arena"].site.axes]


def write_site(root: Path, entries: int, choosers: tuple[str, str] = ("arena", "arena")) -> None:
    """A site of so many puddings without pictures, e00000 and on, and its two questions."""
    shutil.copytree(PUDDINGS / "images", root / "images")
    folder = root / "sources" / "puddings"
    folder.mkdir(parents=True)
    first, second, third = (PUDDINGS / "sources" / "site.toml").read_text().split('"arena"\n\n')
    text = f'{first}"{choosers[0]}"\n\n{second}"{choosers[1]}"\n\n{third}'
    (root / "sources" / "site.toml").write_text(text)
    jelly = (PUDDINGS / "sources" / "puddings" / "jelly.toml").read_text()
    for number in range(entries):
        named = jelly.replace('name = "Jelly"', f'name = "Pudding {number}"')
        (folder / f"e{number:05d}.toml").write_text(named)


def ready_app(settings: Settings) -> Flask:
    """An application with its database migrated and its roster enrolled."""
    app = create_app(settings)
    with app.app_context():
        flask_migrate.upgrade(directory=str(MIGRATIONS))
        with writing() as session:
            enrol(session, app.extensions["arena"].site)
    app.test_client_class = Browser
    return app


def close(app: Flask) -> None:
    """Let go of its database."""
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


def served(folder: Path, *before: str) -> Iterator[str]:
    """Serve the real site in a process of its own, after another command; yields its address."""
    environment = {
        **os.environ,
        "ARENA_DATABASE_URL": f"sqlite:///{folder / 'arena.sqlite3'}",
        "ARENA_SECRET_KEY": "a key for the browser tests alone",
        "ARENA_VOTES_PER_MINUTE": "600",
        "ARENA_BALLOTS_PER_MINUTE": "6000",
    }
    if before:
        subprocess.run([sys.executable, "-m", "arena", *before], env=environment, check=True)
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "serve", "--port", str(port), "--workers", "1"],
        env=environment,
    )
    address = f"http://127.0.0.1:{port}"
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=5):
                break
        except OSError:
            assert time.monotonic() < end, "the site did not open"
            time.sleep(0.1)
    yield address
    process.terminate()
    process.wait(PATIENCE)
