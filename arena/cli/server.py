"""`arena serve` and `arena worker`: the web server, and exactly one scheduler beside it.

`serve` runs both as child processes and watches them. A scheduler that dies is started again; when
the web server ends, so does everything. Should the parent be killed outright, the children notice
and end too, so that the port is free again.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import re
import signal
import socket
import threading
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

import click
from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger

from arena import create_app
from arena.cli.open_site import open_site
from arena.database import may_share, sqlite_version
from arena.scheduler import Worker
from arena.settings import BadSetting, Settings

GRACE_SECONDS = 15
RESTART_SECONDS = 2.0
THREADS = 4
SPAWN = multiprocessing.get_context("spawn")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: any free."
)
@click.option(
    "--workers", default=2, show_default=True, type=click.IntRange(1, 64), help="Web processes."
)
def serve(host: str, port: int, workers: int) -> None:
    """Migrate, load the roster, and serve the site with one scheduler beside it."""
    _prepare(Settings.from_environment())
    _require_free(host, port)
    web = SPAWN.Process(target=run_web, args=(host, port, workers), name="web")
    web.start()
    _watch(web)


@click.command()
def worker() -> None:
    """Run the scheduler alone, for several web machines on one PostgreSQL."""
    _prepare(Settings.from_environment())
    click.echo("Refitting on time; Ctrl-C stops.")
    run_scheduler()


def _prepare(settings: Settings) -> None:
    if not may_share(settings.database_url):
        raise BadSetting(
            f"ARENA_DATABASE_URL: SQLite {sqlite_version()} can corrupt a file that several"
            " processes write; install 3.51.3 or newer (package pysqlite3), or use PostgreSQL"
        )
    open_site(create_app(settings))


def _require_free(host: str, port: int) -> None:
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no such host"
        raise click.UsageError(
            f"cannot listen on {host} port {port}: {why}; choose another with --host and --port"
        ) from error


def _watch(web: BaseProcess) -> None:
    """Keep a scheduler running for as long as the web server does, then end both."""
    stopping = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopping.set()
        web.terminate()

    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, stop)
    scheduler = _start_scheduler()
    while web.is_alive():
        wait([web.sentinel, scheduler.sentinel])
        if web.is_alive() and not scheduler.is_alive() and not stopping.wait(RESTART_SECONDS):
            click.echo("arena: the scheduler ended; starting it again", err=True)
            scheduler = _start_scheduler()
    for process in (scheduler, web):
        process.terminate()
        process.join(GRACE_SECONDS)
        if process.is_alive():
            process.kill()
    raise SystemExit(0 if stopping.is_set() else 1)


def _start_scheduler() -> BaseProcess:
    process = SPAWN.Process(target=run_scheduler, name="scheduler")
    process.start()
    return process


def run_scheduler() -> None:
    """Run the scheduler until told to stop, or until the parent is gone."""
    logging.basicConfig(level=logging.WARNING, format="arena scheduler: %(message)s")
    jobs = Worker(create_app(Settings.from_environment()))

    def stop(_signal: int, _frame: FrameType | None) -> None:
        jobs.stop()

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    _end_with_parent()
    jobs.run()


def run_web(host: str, port: int, workers: int) -> None:
    """Run the web server until told to stop, or until the parent is gone."""
    WebServer(Settings.from_environment(), host, port, workers).run()


def _end_with_parent() -> None:
    """Send ourselves SIGTERM when the process that started us has died."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        with contextlib.suppress(ProcessLookupError):
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True, name="parent-watch").start()


class AddresslessLogger(Logger):  # type: ignore[misc]
    """The server's log without the network addresses that it would write into warnings."""

    ADDRESS = re.compile(r"\bip=\S*")

    def warning(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log a warning, its address struck out."""
        super().warning(self.ADDRESS.sub("ip=(not kept):", msg), *args, **kwargs)


class WebServer(BaseApplication):  # type: ignore[misc]
    """Gunicorn, told by code and not by files or variables."""

    def __init__(self, settings: Settings, host: str, port: int, workers: int) -> None:
        self.settings = settings
        self.bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self.workers = workers
        super().__init__()

    def load_config(self) -> None:
        """Set what differs from gunicorn's own defaults."""
        for name, value in {
            "bind": self.bind,
            "workers": self.workers,
            "worker_class": "gthread",
            "threads": THREADS,
            "accesslog": None,
            "errorlog": "-",
            "loglevel": "warning",
            "logger_class": AddresslessLogger,
            "graceful_timeout": GRACE_SECONDS - 5,
            "secure_scheme_headers": {},
            "forwarded_allow_ips": "",
            "control_socket_disable": True,
            "when_ready": self.when_ready,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Build the application, once in each web process."""
        return create_app(self.settings)

    @staticmethod
    def when_ready(server: Arbiter) -> None:
        """Say where the site is, once it answers."""
        _end_with_parent()
        for listener in server.LISTENERS:
            click.echo(f"The arena is open at {listener}  (Ctrl-C closes it)")
