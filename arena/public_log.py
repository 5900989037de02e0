"""The public log: every vote as anybody may download it, and count again.

Who voted is told apart only within one download: sessions get pseudonyms that are made up for it
and forgotten. A pseudonym belongs to the same part of the held-out votes as the session does, so
that a fit of the file is calibrated on the same votes as the board.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping
from itertools import count

from sqlalchemy import select

from arena.ballots import Ballot
from arena.database import db
from arena.exchange import COUNTED, INVALIDATED, RETRACTED, STRATEGIES
from arena.ratings.held_out import part_of
from arena.votes import Invalidation, Retraction, Vote

DESCRIBED: Mapping[str, str] = {
    "axis": "slug of the question",
    "left": "slug of the entry on the left",
    "right": "slug of the entry on the right",
    "outcome": "left, right, tie or skip",
    "strategy": "how the pair was drawn; empty where that is not known",
    "at": "when the vote was recorded, ISO 8601 in UTC",
    "session": "pseudonym of the browser's session, good within one download",
    "seconds": "from drawing the ballot to recording the vote, measured by the server",
    "status": "counted; retracted by its voter; or invalidated by a maintainer",
}
COLUMNS = tuple(DESCRIBED)
BATCH = 2000

Record = dict[str, str | float]


def records(
    axis: str | None = None, *, uncounted: bool = False, holder: str | None = None
) -> Iterator[Record]:
    """The votes in the order of the log.

    Parameters
    ----------
    axis : of this question only.
    uncounted : also those that were taken back or invalidated, with their status.
    holder : of this session only, which needs no pseudonym.
    """
    query = (
        select(Vote, Ballot.strategy, Ballot.drawn_at, Retraction.number, Invalidation.number)
        .join(Ballot, Ballot.id == Vote.ballot)
        .outerjoin(Retraction, Retraction.ballot == Vote.ballot)
        .outerjoin(Invalidation, Invalidation.vote == Vote.number)
        .order_by(Vote.number)
        .execution_options(yield_per=BATCH)
    )
    if axis is not None:
        query = query.where(Vote.axis == axis)
    if not uncounted:
        query = query.where(Retraction.number.is_(None), Invalidation.number.is_(None))
    if holder is not None:
        query = query.where(Vote.session == holder)
    pseudonym = _pseudonyms()
    for vote, strategy, drawn_at, retraction, invalidation in db.session.execute(query):
        status = RETRACTED if retraction is not None else COUNTED
        yield {
            "axis": vote.axis,
            "left": vote.left,
            "right": vote.right,
            "outcome": vote.choice,
            "strategy": strategy if strategy in STRATEGIES else "",
            "at": vote.at.isoformat(),
            "session": pseudonym(vote.session) if vote.session and holder is None else "",
            "seconds": round(max((vote.at - drawn_at).total_seconds(), 0.0), 3),
            "status": status if invalidation is None else INVALIDATED,
        }


def _pseudonyms() -> Callable[[str], str]:
    """Sessions to names that nobody can work out, in the same part of the held-out votes."""
    salt = secrets.token_bytes(32)
    known: dict[str, str] = {}

    def pseudonym(session: str) -> str:
        if session not in known:
            tries = (_name(salt, session, attempt) for attempt in count())
            known[session] = next(it for it in tries if part_of(it) == part_of(session))
        return known[session]

    return pseudonym


def _name(salt: bytes, session: str, attempt: int) -> str:
    return hashlib.sha256(salt + f"{session}/{attempt}".encode()).hexdigest()[:16]
