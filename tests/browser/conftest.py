"""A real browser with scripts off, on the real site in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from world import free_port, installed

PATIENCE = 90.0
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser."""
    for item in items:
        if Path(item.fspath).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed("chromium"), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of somebody new, with scripts off."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def _serve(folder: Path, *before: str) -> Iterator[str]:
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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the real site, with no votes yet."""
    yield from _serve(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the real site with simulated votes."""
    yield from _serve(tmp_path_factory.mktemp("season"), "simulate", "--votes", "400")
