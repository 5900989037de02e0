"""What `arena verify` says of sound figures, of doctored ones and of a log that was broken."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import func, select, text, update

from arena import outlooks, publishing, refits, tallies, verification
from arena.database import db, writing
from arena.votes import Invalidation, Vote
from world import PUDDINGS, Voter, axes_of, both_databases, season

AXES = ("sunday", "wobblier")


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


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.postgres
def test_a_rating_that_is_no_number_is_found_and_mended_on_postgresql(app: Flask) -> None:
    season(app, 60)
    with app.app_context():
        with writing() as session:
            session.execute(text("UPDATE live_ratings SET rating = 'NaN'"))
        assert any("nan after" in line for line in verification.verify(AXES))
        refits.recompute(app.extensions["arena"].site, AXES)
        assert verification.verify(AXES) == []


BROKEN_LOG = [
    ("INSERT INTO events (kind) VALUES ('vote')", "no vote bears this number"),
    ("INSERT INTO events (kind) VALUES ('nonsense')", "no nonsense bears this number"),
    (
        "DROP TRIGGER votes_no_delete;PRAGMA foreign_keys = OFF;DELETE FROM votes WHERE number = 1",
        "no vote bears this number",
    ),
    (
        "DROP TRIGGER votes_no_update;UPDATE votes SET axis = 'wobblier'",
        "not what its ballot asked",
    ),
    (
        "DROP TRIGGER votes_no_update;"
        'UPDATE votes SET "left" = "right", "right" = "left" WHERE number = 1',
        "votes: 1: not what its ballot asked",
    ),
]


@pytest.mark.parametrize(("statements", "said"), BROKEN_LOG)
def test_a_fault_of_the_log_itself_is_told_and_stands_in_no_rebuilding_s_way(
    recorded: Flask, statements: str, said: str
) -> None:
    with recorded.app_context():
        connection = db.session.connection().connection.dbapi_connection
        assert connection is not None
        for statement in statements.split(";"):
            connection.commit()
            connection.execute(statement)
        connection.commit()
        assert any(said in line for line in verification.verify(AXES))
        assert refits.recompute(recorded.extensions["arena"].site, AXES)[0].faults
        left = verification.verify(AXES)
        assert left
        assert all(line.startswith(("events", "votes", "invalidations")) for line in left)


def test_a_publication_of_other_counts_than_the_log_s_is_found_and_mended(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    season(app, 60)
    with app.app_context():
        stands = publishing.newest("sunday", "arena")
        assert stands is not None
        basis = publishing.basis_behind(stands.id)
        left, right, choice, count = basis.training[0]
        forged = replace(basis, training=((left, right, choice, count + 9), *basis.training[1:]))
        publishing.write("sunday", forged.figures("arena"), forged)
        outlooks.refresh("sunday")
        assert verification.verify(AXES) == []
        monkeypatch.setattr(verification, "SETTLED", timedelta(0))
        assert verification.verify(AXES) == [
            f"publications: sunday by arena, number {forged_id()}: its training counts"
            " are not those of the log"
        ]
        refits.recompute(app.extensions["arena"].site, AXES)
        assert verification.verify(AXES) == []


def forged_id() -> int:
    """Number of the newest publication of the first axis."""
    newest = publishing.newest("sunday", "arena")
    assert newest is not None
    return newest.id


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


@both_databases
def test_projections_rebuilt_while_people_vote_lose_nothing_and_count_nothing_twice(
    make_app: Callable[..., Flask],
) -> None:
    app = make_app(votes_per_minute=10**6, ballots_per_minute=10**6)
    season(app, 60)
    stop = threading.Event()
    cast: list[int] = []

    def keep_voting() -> None:
        voter = Voter(app)
        while not stop.is_set():
            token = voter.ballot()
            while (status := voter.send(token, "left")) == 503:
                pass  # the rebuilding had the lock; the same ballot may be sent again
            assert status == 303
            cast.append(1)
            if len(cast) % 5 == 0:
                voter.undo()

    crowd = [threading.Thread(target=keep_voting) for _ in range(2)]
    with app.app_context():
        before = db.session.scalars(select(func.count(Vote.number))).one()
        db.session.rollback()
    for it in crowd:
        it.start()
    try:
        for _ in range(4):
            with app.app_context(), writing() as session:
                session.execute(update(tallies.PairTally).values(left_wins=999))
            with app.app_context():
                refits.recompute(app.extensions["arena"].site, axes_of(app))
    finally:
        stop.set()
        for it in crowd:
            it.join()
    with app.app_context():
        assert cast
        assert db.session.scalars(select(func.count(Vote.number))).one() == before + len(cast)
        refits.refit_all(app.extensions["arena"].site)
        assert verification.verify(axes_of(app)) == []
