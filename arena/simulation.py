"""A trial database full of votes that nobody cast, made through the same doors as real ones.

It can only be made where there is no vote yet, and a site that has one says so on every page.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from math import exp
from random import Random

from sqlalchemy import String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena import pairing, refits, sessions, votes
from arena.ballots import Choice
from arena.database import Base, Moment, db, now, writing
from arena.pairing import CHOOSERS, Survey
from arena.pairing.field import History, Pair
from arena.pairing.versus import COOLDOWN
from arena.roster import Axis, Site
from arena.votes import Vote

SIMULATED = "simulated"
BATCH = 200
VOTES_A_SESSION = 20
SKIP_SHARE, UNDO_SHARE, TIE_WIDTH = 0.03, 0.02, 0.25
REFITS = 8


class SiteMark(Base):
    """Something that is true of the whole database."""

    __tablename__ = "site_marks"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)


class NotEmpty(Exception):
    """There are votes already, or fewer than two entries."""


def is_simulated() -> bool:
    """Whether this database was filled by a simulation."""
    return db.session.get(SiteMark, SIMULATED) is not None


def simulate(site: Site, count: int, seed: int) -> Iterator[int]:
    """Fill an empty database with `count` simulated votes; yields how many stand so far.

    Every entry gets a hidden strength on every axis; voters choose by Bradley-Terry with a band
    of ties, skip some pairs and take some votes back. Boards are refitted on the way, so that
    pairs are drawn as they would be on a living site.

    Raises
    ------
    NotEmpty, database.Busy
    """
    rng = Random(seed)  # noqa: S311 - a trial that can be repeated, no secret
    with writing() as session:
        if session.scalar(select(Vote.number).limit(1)) is not None:
            raise NotEmpty("there are votes already; a simulation needs an empty database")
        if len(site.entries) < 2:
            raise NotEmpty("there are fewer than two entries to compare")
        session.merge(SiteMark(name=SIMULATED, at=now()))
    voters = Voters(site, rng)
    plan = _plan(site.axes, count, rng)
    done = 0
    next_refit = every = max(BATCH, count // REFITS)
    while batch := list(islice(plan, BATCH)):
        with writing() as session:
            voters.look(session)
            for axis, holder in batch:
                voters.vote(session, axis, holder)
        done += len(batch)
        if done >= next_refit:
            refits.refit_all(site)
            next_refit += every
        yield done
    refits.refit_all(site)


def _plan(axes: tuple[Axis, ...], count: int, rng: Random) -> Iterator[tuple[Axis, str]]:
    """Who votes on what: sessions of about twenty votes, most on the first axis."""
    made = 0
    while made < count:
        identifier = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=32))
        holder = sessions.Session(identifier, is_new=True).hash
        axis = axes[0] if rng.random() < 0.5 else rng.choice(axes)
        for _ in range(min(count - made, rng.randint(1, 2 * VOTES_A_SESSION - 1))):
            made += 1
            yield axis, holder


class Voters:
    """People with hidden tastes: what they see is looked up once a batch, to be quick."""

    def __init__(self, site: Site, rng: Random) -> None:
        self.site = site
        self.rng = rng
        self.strengths = {
            (axis.slug, entry.slug): rng.gauss(0.0, 1.0)
            for axis in site.axes
            for entry in site.entries
        }
        self.seen: dict[str, Survey] = {}
        self.served: deque[Pair] = deque(maxlen=COOLDOWN)
        self.holder = ""
        self.judged: set[Pair] = set()
        self.last: Pair | None = None

    def look(self, session: Session) -> None:
        """Look at the boards and the live counts as they are now."""
        for axis in self.site.axes:
            self.seen[axis.slug] = pairing.survey(session, self.site, axis)

    def vote(self, session: Session, axis: Axis, holder: str) -> None:
        """Draw a pair for somebody, let them choose, and now and then take it back."""
        if holder != self.holder:
            self.holder, self.judged, self.last = holder, set(), None
        chooser, seen = CHOOSERS[axis.chooser], self.seen[axis.slug]
        met = History(frozenset(self.judged), self.last)
        drawn = chooser.choose(seen.field(chooser, met, frozenset(self.served)), self.rng)
        self.served.append(drawn.pair)
        ballot = pairing.record(
            session, axis, drawn, seen.outlook, holder=holder, address=None, rng=self.rng
        )
        strength = self.strengths
        gap = strength[axis.slug, ballot.left] - strength[axis.slug, ballot.right]
        votes.append(session, ballot, _choice(gap, self.rng), None)
        self.last = drawn.pair
        if self.rng.random() < UNDO_SHARE:
            votes.take_back(session, ballot)
        else:
            self.judged.add(drawn.pair)


def _choice(gap: float, rng: Random) -> Choice:
    if rng.random() < SKIP_SHARE:
        return Choice.SKIP
    if rng.random() < TIE_WIDTH * exp(-abs(gap)):
        return Choice.TIE
    return Choice.LEFT if rng.random() < 1 / (1 + exp(-gap)) else Choice.RIGHT
