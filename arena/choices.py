"""What one session has chosen, told to that session alone."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from arena.ballots import Choice
from arena.database import db
from arena.votes import Invalidation, Receipt, Retraction, Vote, receipts

RECENT = 20
MOST_PROFILED = 10_000
"""Of a session with more choices, the profile reads the last so many."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a session has chosen on one axis: choices that count, and those that no longer do."""

    axis: str
    counted: int
    uncounted: int


def recent(holder: str) -> list[Receipt]:
    """The session's last choices, the newest first."""
    return receipts(Vote.session == holder, most=RECENT)


def decided(holder: str) -> list[Receipt]:
    """The session's choices that count and name a winner, the oldest first."""
    conditions = (
        Vote.session == holder,
        Vote.choice.in_((Choice.LEFT.value, Choice.RIGHT.value)),
        Retraction.number.is_(None),
        Invalidation.number.is_(None),
    )
    return receipts(*conditions, most=MOST_PROFILED)[::-1]


def counts(holder: str) -> list[Count]:
    """How many choices the session has made on each axis, by the axis's slug."""
    every = func.count(Vote.number)
    out = func.count(Vote.number).filter(
        Retraction.number.is_not(None) | Invalidation.number.is_not(None)
    )
    query = (
        select(Vote.axis, every, out)
        .outerjoin(Retraction, Retraction.ballot == Vote.ballot)
        .outerjoin(Invalidation, Invalidation.vote == Vote.number)
        .where(Vote.session == holder)
        .group_by(Vote.axis)
        .order_by(Vote.axis)
    )
    return [Count(axis, made - gone, gone) for axis, made, gone in db.session.execute(query)]
