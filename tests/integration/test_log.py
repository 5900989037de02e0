"""The log: what the database refuses, and what the projections say of it."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from arena import (
    projections,
    simulation,
)
from arena.database import db
from arena.elo import LiveRating
from arena.votes import Event
from world import Voter, both_databases, season

AXES = ("sunday", "wobblier")


CHANGES = [
    "UPDATE votes SET choice = 'left'",
    "DELETE FROM votes",
    "UPDATE retractions SET at = at",
    "DELETE FROM retractions",
    "UPDATE invalidations SET reason = 'another'",
    "DELETE FROM invalidations",
    "UPDATE events SET kind = 'vote'",
    "DELETE FROM events",
    "UPDATE publications SET votes = 1",
    "DELETE FROM publications",
    "UPDATE published_standings SET score = 9999",
    "DELETE FROM published_standings",
    "UPDATE ballots SET forecast = 0.5",
    "UPDATE takedown_requests SET claim = 'nothing'",
    "DELETE FROM takedown_requests",
    "UPDATE takedown_decisions SET verdict = 'rejected'",
    "DELETE FROM takedown_decisions",
]


@both_databases
@pytest.mark.parametrize("statement", CHANGES)
def test_the_database_itself_refuses_to_change_what_was_recorded(
    recorded: Flask, statement: str
) -> None:
    with recorded.app_context(), pytest.raises(DBAPIError, match="append-only"):
        db.session.execute(text(statement))


@pytest.mark.parametrize(
    "statement",
    [
        'INSERT OR REPLACE INTO votes SELECT number, ballot, axis, "left", "right", \'skip\','
        " session, address, at FROM votes",
        "REPLACE INTO events SELECT number, 'vote' FROM events",
        "INSERT OR REPLACE INTO ballots SELECT * FROM ballots",
    ],
)
def test_a_row_cannot_be_replaced_on_sqlite(recorded: Flask, statement: str) -> None:
    with recorded.app_context(), pytest.raises(DBAPIError, match="append-only"):
        db.session.execute(text(statement))


@pytest.mark.parametrize("table", ["ballots", "published_standings", "takedown_requests"])
def test_no_row_has_a_hidden_number_to_be_replaced_by_on_sqlite(app: Flask, table: str) -> None:
    with app.app_context(), pytest.raises(DBAPIError, match="no such column: rowid"):
        db.session.execute(text(f"SELECT rowid FROM {table}"))


@both_databases
def test_a_ballot_with_a_vote_cannot_be_deleted_and_one_without_can(app: Flask) -> None:
    voter = Voter(app)
    voter.vote("left")
    voter.ballot()
    voted = "id IN (SELECT ballot FROM votes)"
    with app.app_context():
        db.session.execute(text(f"DELETE FROM ballots WHERE NOT {voted}"))
        with pytest.raises(DBAPIError, match="refer"):
            db.session.execute(text(f"DELETE FROM ballots WHERE {voted}"))


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.postgres
@pytest.mark.parametrize("table", ["votes", "events", "publications"])
def test_a_table_cannot_be_truncated_on_postgresql(recorded: Flask, table: str) -> None:
    with recorded.app_context(), pytest.raises(DBAPIError, match="append-only"):
        db.session.execute(text(f"TRUNCATE {table} CASCADE"))


@both_databases
def test_the_kinds_of_the_log_share_one_order(recorded: Flask) -> None:
    with recorded.app_context():
        kinds = list(db.session.scalars(select(Event.kind).order_by(Event.number)))
    assert kinds == ["vote", "vote", "retraction", "invalidation", "vote"]


def live() -> dict[tuple[str, str], float]:
    """All live ratings."""
    return {(row.axis, row.entry): row.rating for row in db.session.scalars(select(LiveRating))}


@both_databases
def test_a_replay_repeats_what_was_shown_to_the_last_digit(app: Flask) -> None:
    season(app, 120)
    with app.app_context():
        before = {
            (row.axis, row.entry): row.rating for row in db.session.scalars(select(LiveRating))
        }
        projections.recompute(AXES)
        after = {
            (row.axis, row.entry): row.rating for row in db.session.scalars(select(LiveRating))
        }
    assert after == before


def test_a_simulation_needs_an_empty_database(app: Flask, voter: Voter) -> None:
    voter.vote()
    with app.app_context(), pytest.raises(simulation.NotEmpty):
        next(simulation.simulate(app.extensions["arena"].site, 5, seed=1))
    assert "Simulated." not in voter.text


def test_every_page_of_a_simulated_site_says_so(app: Flask, voter: Voter) -> None:
    season(app, 20)
    for path in ("/", "/leaderboard/sunday", "/roster", "/roster/jelly", "/method", "/nowhere"):
        voter.open(path)
        assert "Simulated." in voter.text
