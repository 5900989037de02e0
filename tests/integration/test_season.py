"""A season of thirty thousand votes by people whose taste is known: do the boards find it out?"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random

import numpy as np
import pytest
from flask import Flask
from scipy.stats import kendalltau
from sqlalchemy.engine import make_url
from test_changes import at

from arena import imports, publishing, refits, verification
from arena.exchange import VoteRow
from arena.publishing import PUBLISHED_METHODS
from arena.settings import Settings
from simulation.sampling import Cast, votes
from world import KEY, close, ready_app, write_site

ENTRIES, VOTES, INSTALMENTS = 126, 30_000, 3
TASTE = dict(
    zip(
        (f"e{number:05d}" for number in range(ENTRIES)),
        np.random.default_rng(8).normal(0.0, 1.0, ENTRIES).tolist(),
        strict=True,
    )
)
CHOOSERS = {"sunday": "arena", "wobblier": "versus"}
BEGIN = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The votes of both questions, imported and published in three instalments a day apart."""
    root = tmp_path_factory.mktemp("season")
    write_site(root, ENTRIES, choosers=(CHOOSERS["sunday"], CHOOSERS["wobblier"]))
    app = ready_app(Settings(root, make_url(f"sqlite:///{root / 'arena.sqlite3'}"), (KEY,)))
    streams = {
        axis: votes(TASTE, 0.5, chooser, VOTES, Random(17)) for axis, chooser in CHOOSERS.items()
    }
    for instalment in range(INSTALMENTS):
        with at(24 * instalment), app.app_context():
            rows = [
                row
                for axis, stream in streams.items()
                for row in _rows(islice(stream, VOTES // INSTALMENTS), axis, instalment)
            ]
            digest = hashlib.sha256(str(instalment).encode()).hexdigest()
            imports.import_votes(app.extensions["arena"].site, rows, digest=digest)
            refits.refit_all(app.extensions["arena"].site)
    yield app
    close(app)


def _rows(cast: Iterator[Cast], axis: str, instalment: int) -> Iterator[VoteRow]:
    begin = BEGIN + timedelta(days=instalment) - timedelta(hours=12)
    for line, it in enumerate(cast, start=1):
        yield VoteRow(
            line=line + (axis == "wobblier") * VOTES,
            left=it.left,
            right=it.right,
            outcome=it.outcome,
            count=1,
            strategy=it.strategy,
            axis=axis,
            at=begin + timedelta(seconds=line),
            session=f"{axis}-{it.session}",
            seconds=3.0,
        )


@pytest.mark.parametrize("axis", CHOOSERS)
@pytest.mark.parametrize("method", PUBLISHED_METHODS)
def test_every_method_finds_the_taste_out(season: Flask, axis: str, method: str) -> None:
    with season.app_context():
        figures = publishing.newest(axis, method).figures
    assert figures.votes == VOTES
    assert figures.connected
    board = {row.entry: row.strength for row in figures.board}
    tau = kendalltau([TASTE[it] for it in TASTE], [board[it] for it in TASTE]).statistic
    assert tau > 0.9


@pytest.mark.parametrize("axis", CHOOSERS)
def test_forecasts_of_the_evaluation_part_are_as_bold_as_they_should_be(
    season: Flask, axis: str
) -> None:
    with season.app_context():
        figures = publishing.newest(axis, "versus").figures
    assert figures.model["temperature"] == pytest.approx(1.0, abs=1e-3)
    assert figures.held_out is not None
    assert figures.held_out.scores.decided > 1000
    assert figures.held_out.scores.temperature == pytest.approx(1.0, abs=0.05)
    assert figures.held_out.scores.loss < 0.69


def test_the_changes_page_shows_what_each_instalment_changed(season: Flask) -> None:
    client = season.test_client()
    page = client.get("/changes/sunday").get_data(as_text=True)
    assert "10,000 counted votes more" in page
    links = [html.unescape(it) for it in re.findall(r'href="(/changes/sunday[?][^"]+)"', page)]
    listed = [it for it in links if "from=" in it]
    assert len(re.findall(r"7 January 2026|6 January 2026|5 January 2026", page)) >= 3
    pages = {client.get(link).get_data(as_text=True) for link in listed}
    assert any("20,000 counted votes more" in it for it in pages)
    assert all("▲" in it for it in pages)


def test_a_log_of_this_size_is_what_its_projections_say(season: Flask) -> None:
    with season.app_context():
        assert verification.verify(list(CHOOSERS)) == []
