"""The log: what the database refuses, and what the projections say of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from arena import projections, publishing, refits, simulation, takedowns, verification, votes
from arena.database import db, writing
from arena.elo import LiveRating
from arena.votes import Event, Invalidation, Vote
from world import PUDDINGS, Voter, both_databases

AXES = ("sunday", "wobblier")


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


def test_nothing_differs_after_ten_thousand_votes_with_undo_and_invalidation(
    robots: Flask,
) -> None:
    season(robots, 10_000)
    with robots.app_context():
        assert len(db.session.scalars(select(Invalidation.number)).all()) > 0
        assert verification.verify(axes_of(robots)) == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.postgres
def test_nothing_differs_after_a_season_on_postgresql(app: Flask) -> None:
    season(app, 400)
    with app.app_context():
        assert verification.verify(AXES) == []


def test_an_entry_that_left_the_roster_leaves_no_gap_on_the_next_board(
    make_app: Callable[..., Flask], tmp_path: Path
) -> None:
    app = make_app()
    season(app, 60)
    smaller = tmp_path / "site"
    shutil.copytree(PUDDINGS, smaller)
    (smaller / "sources" / "puddings" / "jelly.toml").unlink()
    app = make_app(smaller)
    with app.app_context():
        before = publishing.newest("sunday", "arena")
        refits.refit_all(app.extensions["arena"].site)
        after = publishing.newest("sunday", "arena")
        assert before is not None
        assert after is not None
        assert "jelly" in [row.entry for row in before.figures.board]
        assert [row.rank for row in after.figures.board] == [1, 2]
        assert after.figures.votes == before.figures.votes
        assert verification.verify(AXES) == []


TAMPERED = [
    ("UPDATE live_ratings SET rating = rating + 0.001", "live_ratings: "),
    ("UPDATE live_ratings SET votes = votes + 1", "live_ratings: "),
    ("DELETE FROM live_ratings", "live_ratings: "),
    ("UPDATE live_ratings SET rating = 'plenty'", "'plenty' after"),
    ("UPDATE live_moves SET left_change = 'much'", "left_change 'much'; the log says"),
    (
        "DROP TRIGGER publications_no_update;UPDATE publications SET basis = x'00'",
        "cannot be read",
    ),
    ("UPDATE live_moves SET left_change = 0", "live_moves: "),
    ("DELETE FROM live_moves", "live_moves: "),
    (
        "INSERT INTO live_moves SELECT max(number) + 1, 1, 1, 1, 1 FROM events",
        "moved something; the log says it never counted",
    ),
    ("UPDATE pair_tallies SET left_wins = left_wins + 1", "pair_tallies: "),
    ("DELETE FROM pair_tallies", "pair_tallies: "),
    ("UPDATE pair_tallies SET skips = 3", "skips 3; the log says"),
    ("UPDATE outlooks SET data = x'00'", "outlooks: sunday: not what publication"),
    ("DELETE FROM outlooks", "outlooks: sunday: missing"),
    (
        "DROP TRIGGER published_standings_no_update;"
        "UPDATE published_standings SET score = score + 1 WHERE position = 1",
        "a fresh fit says",
    ),
    ("DROP TRIGGER publications_no_update;UPDATE publications SET votes = 1", "votes 1; a fresh"),
    (
        "DROP TRIGGER publications_no_update;UPDATE publications SET basis_digest = 'x'",
        "do not have the digest",
    ),
    (
        "DROP TRIGGER published_standings_no_delete;DELETE FROM published_standings",
        "its rows are not those of a fresh fit",
    ),
]


@pytest.mark.parametrize(("statements", "said"), TAMPERED)
def test_what_was_tampered_with_in_a_projection_is_found_and_mended(
    app: Flask, statements: str, said: str
) -> None:
    season(app, 60)
    with app.app_context():
        with writing() as session:
            for statement in statements.split(";"):
                session.execute(text(statement))
        found = verification.verify(AXES)
        assert any(said in line for line in found), found
        refits.recompute(app.extensions["arena"].site, AXES)
        assert verification.verify(AXES) == []


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
