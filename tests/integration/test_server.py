"""`arena serve` as a process: it answers, it refits, it ends, and it survives being killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pysqlite3.dbapi2 as sqlite
import pytest
from sqlalchemy.engine import URL

from world import PUDDINGS, free_port

PATIENCE = 60.0


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true, or fail."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)


def get(address: str) -> tuple[int, str]:
    """Status and text of an address; 0 while nobody answers."""
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except OSError:
        return 0, ""


@contextmanager
def served(
    root: Path, port: int, command: str = "serve", **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """A running `arena serve` or `arena worker`, ended by SIGTERM."""
    words = ["serve", "--port", str(port)] if command == "serve" else [command]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        env={**os.environ, "ARENA_ROOT": str(root), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A pudding site of its own."""
    shutil.copytree(PUDDINGS, tmp_path / "site")
    return tmp_path / "site"


def test_it_serves_a_ballot_is_healthy_and_ends_when_told(root: Path) -> None:
    port = free_port()
    with served(root, port) as process:
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 200)
        assert "Sunday" in get(f"http://127.0.0.1:{port}/")[1]
        process.terminate()
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert f"http://127.0.0.1:{port}" in output
    assert "Traceback" not in output


def test_exactly_one_scheduler_holds_the_lease_and_gives_it_up(root: Path) -> None:
    port = free_port()
    with served(root, port), served(root, 0, "worker"):
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 200)
        until(lambda: len(leases(root)) == 1)
    assert leases(root) == []


def leases(root: Path) -> list[tuple[str]]:
    """Who holds a lease."""
    connection = sqlite.connect(root / "instance" / "arena.sqlite3")
    try:
        return list(connection.execute("SELECT holder FROM leases"))
    finally:
        connection.close()


def test_when_it_is_killed_its_children_end_and_the_port_is_free_again(root: Path) -> None:
    port = free_port()
    with served(root, port) as process:
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 200)
        process.kill()
        process.communicate(timeout=PATIENCE)
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 0)
    with served(root, port):
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 200)


def test_a_scheduler_that_dies_is_started_again(root: Path) -> None:
    port = free_port()
    with served(root, port) as process:
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 200)
        before = children(process.pid)
        until(lambda: len(leases(root)) == 1)
        os.kill(scheduler_of(process.pid), signal.SIGKILL)
        until(lambda: len(children(process.pid)) == len(before) and children(process.pid) != before)
        assert get(f"http://127.0.0.1:{port}/")[0] == 200


def children(pid: int) -> set[int]:
    """Pids of the children of a process."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True
    )
    return {int(word) for word in listed.stdout.split()}


def scheduler_of(pid: int) -> int:
    """The child that has no children: the web server has its workers."""
    spawned = [it for it in children(pid) if "resource_tracker" not in command_of(it)]
    return next(it for it in spawned if not children(it))


def command_of(pid: int) -> str:
    """The command line of a process."""
    return Path(f"/proc/{pid}/cmdline").read_text()


def test_a_port_that_is_taken_is_said_in_a_line(root: Path) -> None:
    port = free_port()
    with served(root, port):
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 200)
        second = subprocess.run(
            [sys.executable, "-m", "arena", "serve", "--port", str(port)],
            env={**os.environ, "ARENA_ROOT": str(root)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert second.returncode == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in second.stderr


def test_no_log_line_names_a_network_address(root: Path) -> None:
    port = free_port()
    with served(root, port) as process:
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 200)
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
            raw.recv(1000)
        process.terminate()
        output, _ = process.communicate(timeout=PATIENCE)
    assert "Invalid request" in output
    assert not re.search(r"ip=127|from 127", output)


@pytest.mark.postgres
def test_it_serves_from_postgresql(root: Path, new_postgres_database: Callable[[], URL]) -> None:
    port = free_port()
    url = new_postgres_database().set(drivername="postgresql")
    with served(root, port, ARENA_DATABASE_URL=url.render_as_string(hide_password=False)):
        until(lambda: get(f"http://127.0.0.1:{port}/healthz")[0] == 200)
        assert (
            json.loads(get(f"http://127.0.0.1:{port}/leaderboard/sunday.json")[1])["axis"]
            == "sunday"
        )
        assert 'action="/vote"' in get(f"http://127.0.0.1:{port}/")[1]
