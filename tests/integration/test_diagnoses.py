"""Diagnostics: the same on both databases, right against a recount, and checked by `verify`."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from statistics import median

import pytest
from flask import Flask
from sqlalchemy import select

from arena import ballots, diagnostics, log_checks, public_log, publishing, refits, verification
from arena import votes as log
from arena.ballots import Ballot, Choice
from arena.database import db, writing
from arena.diagnostics import DiagnosisRow
from arena.outlooks import Expected
from world import axes_of, both_databases, season


def diagnosed(app: Flask, axis: str = "sunday") -> diagnostics.Diagnosis:
    refits.refit_and_diagnose(app.extensions["arena"].site, [axis])
    found = diagnostics.current(axis)
    assert found is not None
    return found


def cast(choice: str, *, holder: str, address: str | None = None, forecast: float | None = None):
    """One vote on a pair of puddings, drawn at random."""
    with writing() as session:
        expected = None
        if forecast is not None:
            expected = Expected(p=forecast, lower=0.0, upper=1.0, tie=0.1, publication=1)
        ballot = ballots.record(
            session,
            "sunday",
            "jelly",
            "trifle",
            strategy="random",
            expected=expected,
            holder=holder,
            address=address,
        )
        log.append(session, ballot, Choice(choice), address)


@both_databases
def test_every_figure_agrees_with_a_recount_of_the_log(app: Flask) -> None:
    season(app, 400)
    with app.app_context():
        found = diagnosed(app)
        rows = list(public_log.records("sunday", uncounted=False))
        decided = Counter(it["outcome"] for it in rows)
        assert found.counts.left.part == decided["left"]
        assert found.counts.left.whole == decided["left"] + decided["right"]
        assert dict(found.log.strategies) == Counter(it["strategy"] for it in rows)
        middle = median([float(it["seconds"]) for it in rows])
        assert found.log.seconds == pytest.approx(middle, abs=0.05)
        query = log_checks._counted(select(log.Vote.choice, Ballot.forecast), "sunday")
        known = [
            (choice, forecast)
            for choice, forecast in db.session.execute(
                query.join(Ballot, Ballot.id == log.Vote.ballot)
            )
            if forecast is not None and choice in ("left", "right")
        ]
        assert sum(it.votes for it in found.log.forecasts) == len(known)
        favoured = [max(it, 1 - it) for _, it in known]
        assert found.log.near_even == pytest.approx(sum(it < 0.6 for it in favoured) / len(known))


@both_databases
def test_forecasts_fall_into_bins_with_their_outcomes(app: Flask) -> None:
    with app.app_context():
        for choice, forecast in [
            ("left", 0.95), ("right", 0.05), ("left", 0.1), ("left", 0.5), ("right", 0.7),
            ("tie", 0.9), ("left", None),
        ]:  # fmt: skip
            cast(choice, holder="h", forecast=forecast)
        bins = log_checks.of_log(db.session(), "sunday").forecasts
    assert [it.votes for it in bins] == [1, 0, 1, 0, 3]
    assert bins[0].realized == 0.5
    assert bins[2].realized == 0.0
    assert bins[4].expected == pytest.approx((0.95 + 0.95 + 0.9) / 3)
    assert bins[4].realized == pytest.approx(2 / 3)


@both_databases
def test_a_voter_who_always_takes_one_side_is_flagged_and_an_honest_one_is_not(app: Flask) -> None:
    coin = Random(5)
    with app.app_context():
        for _ in range(40):
            cast("left", holder="one-sided")
            cast(coin.choice(["left", "right"]), holder="honest")
        for _ in range(19):
            cast("right", holder="too few to tell")
        found = log_checks.one_sided(db.session(), "sunday")
    assert (found.tested, found.flagged, found.votes) == (2, ("one-sided",), 40)


@both_databases
def test_a_network_beyond_its_cap_is_left_out_of_the_capped_board(app: Flask) -> None:
    with app.app_context():
        for _ in range(log_checks.CAP + 30):
            cast("left", holder="stuffer", address="stuffed")
        for number in range(60):
            cast("right", holder=f"voter {number}", address=f"home {number}")
        found = diagnosed(app)
    assert found.capped is not None
    assert (found.capped.networks, found.capped.over, found.capped.left_out) == (61, 1, 30)
    assert (found.capped.leader, found.capped.leader_capped) == ("jelly", "trifle")
    assert found.capped.tau == -1.0


@both_databases
def test_a_diagnosis_that_was_tampered_with_is_found_and_mended(app: Flask) -> None:
    season(app, 100)
    with app.app_context():
        diagnosed(app)
        assert verification.verify(axes_of(app)) == []
        with writing() as session:
            row = session.get_one(DiagnosisRow, "sunday")
            data = json.loads(row.data)
            data["counts"]["left"]["part"] += 1
            row.data = json.dumps(data)
        wanted = f"diagnoses: sunday: not what follows from publication {row.publication}"
        assert verification.verify(axes_of(app)) == [wanted]
        refits.recompute(app.extensions["arena"].site, axes_of(app))
        assert verification.verify(axes_of(app)) == []


def test_the_page_says_what_to_conclude(app: Flask) -> None:
    client = app.test_client()
    empty = client.get("/diagnostics/sunday").get_data(as_text=True)
    assert "Nobody’s choice is on this board yet" in empty
    season(app, 400)
    waiting = client.get("/diagnostics/sunday").get_data(as_text=True)
    assert "within a few minutes" in waiting
    with app.app_context():
        diagnosed(app)
        names = {it.entry for it in publishing.newest("sunday", "arena").figures.board}
    page = client.get("/diagnostics/sunday").get_data(as_text=True)
    for question in ("Do forecasts come true", "Does the side matter", "run in circles"):
        assert question in page
    assert f"chains of votes join all {len(names)}" in page
    assert page.count('class="plot"') >= 3
    assert client.get("/diagnostics/monday").status_code == 404
