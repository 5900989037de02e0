"""Votes from a file into the log: checked whole, appended whole, and never twice.

Each line becomes ballots and votes like those of a browser, in the order of their times. What the
file does not say is left open: such a vote has no forecast and no network address.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from arena import projections
from arena.ballots import Ballot
from arena.database import now, writing
from arena.exchange import VoteFileFaults, VoteRow
from arena.roster import Site, presence
from arena.votes import Event, Vote

STRATEGY = "imported"
"""Of a vote whose file does not say how its pair was drawn, or who voted: nothing is held out."""
LONGEST_SESSION = 32
MOST_VOTES = 2_000_000
MOST_FAULTS = 100
BATCH = 2000


@dataclass(frozen=True, slots=True)
class Imported:
    """What came in: how many votes, on which questions."""

    votes: int
    axes: tuple[str, ...]


def import_votes(
    site: Site, rows: Sequence[VoteRow], *, digest: str, axis: str | None = None
) -> Imported:
    """Append the votes of a file and rebuild what follows from the log, in one transaction.

    Parameters
    ----------
    digest : SHA-256 of the file; a file comes in once.
    axis : of the rows that name none.

    Raises
    ------
    exchange.VoteFileFaults
        A row names what the site does not have, or the votes are in the log already.
    database.Busy
        Nothing was recorded.
    """
    default = axis or (site.axes[0].slug if len(site.axes) == 1 else None)
    with writing() as session:
        projections.hold_all(session)
        _require_known(session, site, rows, default)
        _require_new(session, rows, digest, default)
        axes = tuple(sorted({it.axis or default or "" for it in rows}))
        votes = 0
        for batch in _batches(_ballots(rows, digest, default)):
            _append(session, batch)
            votes += len(batch)
        projections.rebuild(session, axes)
    return Imported(votes, axes)


def _require_known(
    session: Session, site: Site, rows: Sequence[VoteRow], default: str | None
) -> None:
    entries = presence.known(session, "entry")
    axes = {it.slug for it in site.axes}
    faults = []
    for row in rows:
        axis = row.axis or default
        if axis is None:
            faults.append(f"line {row.line}: axis: is missing; the site has several questions")
        elif axis not in axes:
            faults.append(f"line {row.line}: axis: there is no question {axis!r} on this site")
        faults += [
            f"line {row.line}: {side}: {slug!r} is not on the roster"
            for side, slug in (("left", row.left), ("right", row.right))
            if slug not in entries
        ]
        if len(faults) >= MOST_FAULTS:
            break
    if sum(row.count for row in rows) > MOST_VOTES:
        faults.append(f"line 1: count: the file holds more than {MOST_VOTES} votes")
    if faults:
        raise VoteFileFaults(faults)


def _require_new(
    session: Session, rows: Sequence[VoteRow], digest: str, default: str | None
) -> None:
    """Refuse a file that came in before, and votes that bear the time of one in the log."""
    if rows and session.get(Ballot, _ballot_id(digest, rows[0].line, 0)) is not None:
        raise VoteFileFaults(["line 1: this file was imported before"])
    times = [row.at for row in rows if row.at is not None]
    if not times:
        return
    query = select(Vote.axis, Vote.left, Vote.right, Vote.choice, Vote.at)
    there = {
        tuple(found)
        for found in session.execute(query.where(Vote.at.between(min(times), max(times))))
    }
    for row in rows:
        if (row.axis or default, row.left, row.right, row.outcome, row.at) in there:
            raise VoteFileFaults([f"line {row.line}: this vote is in the log already"])


def _ballots(
    rows: Sequence[VoteRow], digest: str, default: str | None
) -> Iterator[tuple[VoteRow, str, str, datetime]]:
    """Each vote of the file with its ballot's id, its question and its time, in order."""
    at = now()
    for row in sorted(rows, key=lambda it: (it.at or at, it.line)):
        for copy in range(row.count):
            yield row, _ballot_id(digest, row.line, copy), row.axis or default or "", row.at or at


def _append(session: Session, batch: Sequence[tuple[VoteRow, str, str, datetime]]) -> None:
    numbers = session.scalars(
        insert(Event).returning(Event.number, sort_by_parameter_order=True),
        [{"kind": "vote"} for _ in batch],
    ).all()
    ballots, votes = [], []
    for number, (row, ballot, axis, at) in zip(numbers, batch, strict=True):
        shared = {
            "axis": axis,
            "left": row.left,
            "right": row.right,
            "session": _session(row.session),
            "address": None,
        }
        ballots.append(
            {
                **shared,
                "id": ballot,
                "strategy": (row.strategy if row.session else None) or STRATEGY,
                "forecast": None,
                "forecast_tie": None,
                "publication": None,
                "drawn_at": at - timedelta(seconds=row.seconds or 0.0),
            }
        )
        votes.append(
            {**shared, "number": number, "ballot": ballot, "choice": row.outcome, "at": at}
        )
    session.execute(insert(Ballot), ballots)
    session.execute(insert(Vote), votes)


def _batches(
    found: Iterator[tuple[VoteRow, str, str, datetime]],
) -> Iterator[list[tuple[VoteRow, str, str, datetime]]]:
    batch = []
    for it in found:
        batch.append(it)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _session(pseudonym: str | None) -> str:
    """A pseudonym as it fits the column; no browser's session has such a name."""
    name = pseudonym or ""
    if len(name) <= LONGEST_SESSION:
        return name
    return hashlib.sha256(name.encode()).hexdigest()[:LONGEST_SESSION]


def _ballot_id(digest: str, line: int, copy: int) -> str:
    """The same file has the same ballots, so that it cannot come in twice."""
    whole = hashlib.sha256(f"{digest}/{line}/{copy}".encode()).digest()
    return base64.urlsafe_b64encode(whole[:16]).decode().rstrip("=")
