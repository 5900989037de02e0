"""The one process that refits the boards, and how it is made sure that it is one.

A lease in the database says who works. Its holder renews it often; when the holder dies the lease
runs out and the next process that asks takes over. Web processes never run these jobs.
"""

from __future__ import annotations

import logging
import secrets
from datetime import datetime, timedelta

from apscheduler.schedulers.blocking import BlockingScheduler
from flask import Flask
from sqlalchemy import String, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from arena import refits
from arena.ballots import Ballot
from arena.database import Base, Busy, Moment, db, insert_if_absent, now, writing
from arena.limits import DailySalt
from arena.site import current_arena
from arena.votes import Retraction, Vote

log = logging.getLogger(__name__)
LEASE = "scheduler"
LEASE_LASTS = timedelta(seconds=30)
RENEW_SECONDS = 10
KEPT_UNUSED = timedelta(days=1)


class Lease(Base):
    """Who may work until when."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    holder: Mapped[str] = mapped_column(String(32))
    until: Mapped[datetime] = mapped_column(Moment)


def hold(holder: str) -> bool:
    """Take or renew the lease; False while somebody else has it."""
    with writing() as session:
        at = now()
        insert_if_absent(session, Lease, [{"name": LEASE, "holder": holder, "until": at}])
        lease = session.get_one(Lease, LEASE, with_for_update=True, populate_existing=True)
        if lease.holder != holder and lease.until > at:
            return False
        lease.holder, lease.until = holder, at + LEASE_LASTS
        return True


def release(holder: str) -> None:
    """Give the lease up, so that the next process need not wait for it to run out."""
    with writing() as session:
        session.execute(delete(Lease).where(Lease.name == LEASE, Lease.holder == holder))


def tidy() -> None:
    """Delete yesterday's salt, and ballots that nobody used and nobody can use any more."""
    used = select(Vote.ballot).union_all(select(Retraction.ballot))
    with writing() as session:
        session.execute(delete(DailySalt).where(DailySalt.day < now().date()))
        session.execute(
            delete(Ballot).where(Ballot.drawn_at < now() - KEPT_UNUSED, Ballot.id.not_in(used))
        )


class Worker:
    """Runs the jobs of the site on time, as long as it holds the lease."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.holder = secrets.token_hex(16)
        self.working = False
        self.scheduler = BlockingScheduler(
            timezone="UTC",
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    def run(self) -> None:
        """Work until stopped; the first refit comes as soon as the lease is held."""
        minutes = self.app.extensions["arena"].settings.refit_minutes
        add = self.scheduler.add_job
        add(self.keep_lease, "interval", seconds=RENEW_SECONDS, next_run_time=now())
        add(self.refit, "interval", minutes=minutes, id="refit")
        add(self.tidy, "interval", hours=1)
        try:
            self.scheduler.start()
        finally:
            self._give_up()

    def stop(self) -> None:
        """End `run`, letting a refit that is under way finish."""
        self.scheduler.shutdown(wait=False)

    def keep_lease(self) -> None:
        """Take or renew the lease; whoever has just got it refits at once."""
        with self.app.app_context():
            try:
                held = hold(self.holder)
            except Busy as error:
                log.warning("the scheduler's lease could not be renewed: %s", error)
                return
        if held and not self.working:
            self.scheduler.modify_job("refit", next_run_time=now())
        self.working = held

    def refit(self) -> None:
        """Refit every board."""
        if not self.working:
            return
        with self.app.app_context():
            try:
                site = current_arena().site
                axes = [axis.slug for axis in site.axes]
                for outcome in refits.refit_and_diagnose(site, axes):
                    if outcome.fault is not None:
                        log.error("refit of %s failed: %s", outcome.axis, outcome.fault)
            except Busy as error:
                log.warning("no refit now, the database is busy: %s", error)

    def tidy(self) -> None:
        """Delete what nobody needs any more."""
        if not self.working:
            return
        with self.app.app_context():
            try:
                tidy()
            except Busy as error:
                log.warning("nothing tidied now, the database is busy: %s", error)

    def _give_up(self) -> None:
        if not self.working:
            return
        with self.app.app_context():
            try:
                release(self.holder)
            except Busy as error:
                log.warning("the scheduler's lease will run out by itself: %s", error)
            db.engine.dispose()
