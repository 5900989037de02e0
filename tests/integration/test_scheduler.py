"""One scheduler at a time, and what it tidies away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import time_machine
from flask import Flask
from sqlalchemy import func, select

from arena import refits, scheduler
from arena.ballots import Ballot
from arena.database import db
from arena.limits import DailySalt
from arena.votes import Vote
from world import Voter, both_databases

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@both_databases
def test_one_holds_the_lease_and_another_takes_over_when_it_dies(app: Flask) -> None:
    with app.app_context(), time_machine.travel(NOON, tick=False) as clock:
        assert scheduler.hold("first")
        assert not scheduler.hold("second")
        clock.shift(timedelta(seconds=20))
        assert scheduler.hold("first")
        clock.shift(timedelta(seconds=29))
        assert not scheduler.hold("second")
        clock.shift(timedelta(seconds=1))
        assert scheduler.hold("second")
        assert not scheduler.hold("first")


def test_a_lease_that_is_given_up_is_free_at_once(app: Flask) -> None:
    with app.app_context():
        scheduler.hold("first")
        scheduler.release("second")
        assert not scheduler.hold("second")
        scheduler.release("first")
        assert scheduler.hold("second")


def test_unused_ballots_and_old_salts_are_tidied_away_and_used_ones_stay(app: Flask) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        voter = Voter(app)
        voter.vote("left")
        voter.ballot()
        token = voter.ballot()
        voter.send(token, None, "/undo")
        with app.app_context():
            assert count(Ballot) == 5
            clock.shift(timedelta(days=1, seconds=1))
            scheduler.tidy()
            assert count(Ballot) == 2
            assert count(Vote) == 1
            assert count(DailySalt) == 0


def count(table: type) -> int:
    """How many rows a table has."""
    return db.session.scalars(select(func.count()).select_from(table)).one()


def test_a_refit_of_the_same_counts_publishes_nothing_new_but_is_fresh(app: Flask) -> None:
    Voter(app).vote("left", "/vote/sunday")
    with app.app_context(), time_machine.travel(NOON, tick=False) as clock:
        first = refits.refit(app.extensions["arena"].site, "sunday", "arena")
        clock.shift(timedelta(minutes=15))
        second = refits.refit(app.extensions["arena"].site, "sunday", "arena")
        record = refits.record_of("sunday", "arena")
        assert record is not None
        assert (first.is_new, second.is_new) == (True, False)
        assert record.succeeded_at == NOON + timedelta(minutes=15)
        assert second.published == first.published


def test_the_worker_refits_when_it_gets_the_lease_and_stops_when_told(app: Flask) -> None:
    worker = scheduler.Worker(app)
    worker.scheduler.add_job(worker.stop, "interval", seconds=2, id="stop")
    worker.run()
    with app.app_context():
        assert refits.record_of("sunday", "arena") is not None
        assert db.session.scalars(select(scheduler.Lease)).all() == []
