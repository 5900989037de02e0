"""The log: votes, retractions and invalidations, appended and never changed.

Each is one short transaction that also moves the live ratings and the pair's counts. All three
draw their numbers from one table, while the rating rows of both entries are held, so that the
order of the numbers is the order in which things happened to each entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    Select,
    String,
    Text,
    select,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena import elo, limits, tallies
from arena.ballots import (
    AlreadyVoted,
    Ballot,
    Choice,
    Expired,
    ForeignBallot,
    Tokens,
    UnknownChoice,
    Withdrawn,
    expired,
    withdrawn,
)
from arena.database import Base, LogNumber, Moment, db, now, writing
from arena.roster import Site


class Event(Base):
    """One number of the log and what kind of record bears it."""

    __tablename__ = "events"
    __table_args__ = ({"sqlite_autoincrement": True},)

    number: Mapped[int] = mapped_column(LogNumber, primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))


class Vote(Base):
    """One choice on one ballot."""

    __tablename__ = "votes"
    __table_args__ = (
        Index(None, "session", "axis"),
        Index(None, "address", "at"),
        CheckConstraint("choice IN ('left', 'right', 'tie', 'skip')", name="choice"),
        CheckConstraint('"left" <> "right"', name="sides"),
    )

    number: Mapped[int] = mapped_column(
        LogNumber, ForeignKey("events.number"), primary_key=True, autoincrement=False
    )
    ballot: Mapped[str] = mapped_column(ForeignKey("ballots.id"), unique=True)
    axis: Mapped[str] = mapped_column(String(64))
    left: Mapped[str] = mapped_column(String(64))
    right: Mapped[str] = mapped_column(String(64))
    choice: Mapped[str] = mapped_column(String(5))
    session: Mapped[str] = mapped_column(String(32))
    address: Mapped[str | None] = mapped_column(String(32))
    at: Mapped[datetime] = mapped_column(Moment)


class Retraction(Base):
    """A voter took back the vote on a ballot; it may be recorded before the vote arrives."""

    __tablename__ = "retractions"

    number: Mapped[int] = mapped_column(
        LogNumber, ForeignKey("events.number"), primary_key=True, autoincrement=False
    )
    ballot: Mapped[str] = mapped_column(ForeignKey("ballots.id"), unique=True)
    at: Mapped[datetime] = mapped_column(Moment)


class Invalidation(Base):
    """A maintainer took a vote out of every fit, with a reason."""

    __tablename__ = "invalidations"

    number: Mapped[int] = mapped_column(
        LogNumber, ForeignKey("events.number"), primary_key=True, autoincrement=False
    )
    vote: Mapped[int] = mapped_column(LogNumber, ForeignKey("votes.number"), unique=True)
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one ballot, for the session that holds it.

    Attributes
    ----------
    choice : the recorded choice.
    at : when it was recorded.
    counted : False once it was taken back or invalidated.
    invalid_reason : why a maintainer took it out, if one did.
    moved : what it moved at the time; None for a vote that never counted.
    """

    ballot: Ballot
    choice: Choice
    at: datetime
    counted: bool
    invalid_reason: str | None
    moved: elo.LiveMove | None


def cast(
    site: Site,
    tokens: Tokens,
    *,
    token: str | None,
    choice: str | None,
    holder: str | None,
    address: str | None,
    limit: int,
) -> Ballot:
    """Take a vote: check the ballot, append the choice, move what it moves.

    Parameters
    ----------
    token, choice : the form's fields as they came.
    holder : hash of the session that sent them; None without a session.
    address : today's hash of the network address, counted against `limit` a minute.

    Raises
    ------
    BadToken, UnknownChoice, ForeignBallot, AlreadyVoted, Expired, Withdrawn
        Nothing was recorded.
    limits.TooMany, database.Busy
        Nothing was recorded; the same ballot may be sent again.
    """
    ticket = tokens.read(token, Tokens.VOTE)
    if choice not in list(Choice):
        raise UnknownChoice(ticket.axis)
    if holder != ticket.session:
        raise ForeignBallot(ticket.axis)
    with writing() as session:
        ballot = session.get(Ballot, ticket.ballot, with_for_update=True, populate_existing=True)
        if ballot is None:
            raise Expired(ticket.axis, ticket.signed_at)
        if (stands := receipt(ballot.id, ballot.session)) is not None:
            raise AlreadyVoted(ballot, stands.choice, Choice(choice), counted=stands.counted)
        if expired(ticket):
            raise Expired(ticket.axis, ticket.signed_at)
        if (gone := withdrawn(session, site, ballot)) is not None:
            raise Withdrawn(ticket.axis, gone)
        limits.enforce(session, "votes", Vote.at, Vote.address, address, limit)
        append(session, ballot, Choice(choice), address)
    return ballot


def append(session: Session, ballot: Ballot, choice: Choice, address: str | None) -> Vote:
    """Append a vote and move the projections, inside the caller's transaction."""
    ratings = elo.lock(session, ballot.axis, (ballot.left, ballot.right))
    taken_back = _retracted(session, ballot.id)
    vote = Vote(
        number=_next_number(session, "vote"),
        ballot=ballot.id,
        axis=ballot.axis,
        left=ballot.left,
        right=ballot.right,
        choice=choice.value,
        session=ballot.session,
        address=address,
        at=now(),
    )
    session.add(vote)
    if taken_back:
        return vote
    moved = elo.move(ratings[vote.left], ratings[vote.right], choice.value)
    session.add(elo.LiveMove(vote=vote.number, **{f: getattr(moved, f) for f in moved.__slots__}))
    _tally(session, vote, ballot.strategy, by=1)
    return vote


def retract(tokens: Tokens, *, token: str | None, holder: str | None) -> Ballot:
    """Take back the vote on a ballot; once or many times, it is one retraction.

    Raises
    ------
    BadToken, ForeignBallot, Expired
        Nothing was recorded. `Expired`: the ballot was never voted on and is gone.
    database.Busy
    """
    ticket = tokens.read(token, Tokens.UNDO, Tokens.VOTE)
    if holder != ticket.session:
        raise ForeignBallot(ticket.axis)
    with writing() as session:
        ballot = session.get(Ballot, ticket.ballot, with_for_update=True, populate_existing=True)
        if ballot is None:
            raise Expired(ticket.axis, ticket.signed_at)
        take_back(session, ballot)
    return ballot


def take_back(session: Session, ballot: Ballot) -> None:
    """Append a retraction of this ballot's vote, inside the caller's transaction."""
    ratings = elo.lock(session, ballot.axis, (ballot.left, ballot.right))
    if _retracted(session, ballot.id):
        return
    vote = session.scalar(select(Vote).where(Vote.ballot == ballot.id))
    if vote is not None and not _invalidated(session, vote.number):
        _move_back(session, vote, ratings)
    number = _next_number(session, "retraction")
    session.add(Retraction(number=number, ballot=ballot.id, at=now()))


def invalidate(session: Session, vote: Vote, reason: str) -> bool:
    """Append an invalidation, inside the caller's transaction; False if there is one already."""
    ratings = elo.lock(session, vote.axis, (vote.left, vote.right))
    if _invalidated(session, vote.number):
        return False
    if not _retracted(session, vote.ballot):
        _move_back(session, vote, ratings)
    number = _next_number(session, "invalidation")
    session.add(Invalidation(number=number, vote=vote.number, reason=reason, at=now()))
    return True


def invalidate_all(query: Select[Vote], reason: str) -> Sequence[Vote] | None:
    """Invalidate the votes that a query finds, all or none.

    Returns those newly invalidated; None if the query finds no vote.
    """
    with writing() as session:
        found = session.scalars(query.order_by(Vote.number)).all()
        if not found:
            return None
        for axis in sorted({vote.axis for vote in found}):
            met = [slug for vote in found if vote.axis == axis for slug in (vote.left, vote.right)]
            elo.lock(session, axis, met)
        return [vote for vote in found if invalidate(session, vote, reason)]


def receipt(ballot_id: str, holder: str) -> Receipt | None:
    """What became of a ballot, told to the session that holds it and to nobody else."""
    return next(iter(receipts(Ballot.id == ballot_id, Ballot.session == holder)), None)


def receipts(*of: ColumnElement[bool], most: int = 1) -> list[Receipt]:
    """What became of some ballots that were voted on, the newest vote first."""
    query = (
        select(Ballot, Vote, elo.LiveMove, Retraction.number, Invalidation.reason)
        .join(Vote, Vote.ballot == Ballot.id)
        .outerjoin(elo.LiveMove, elo.LiveMove.vote == Vote.number)
        .outerjoin(Retraction, Retraction.ballot == Ballot.id)
        .outerjoin(Invalidation, Invalidation.vote == Vote.number)
        .where(*of)
        .order_by(Vote.number.desc())
        .limit(most)
    )
    return [
        Receipt(
            ballot=ballot,
            choice=Choice(vote.choice),
            at=vote.at,
            counted=retraction is None and reason is None,
            invalid_reason=reason,
            moved=moved,
        )
        for ballot, vote, moved, retraction, reason in db.session.execute(query)
    ]


def _move_back(session: Session, vote: Vote, ratings: Mapping[str, elo.LiveRating]) -> None:
    moved = session.get_one(elo.LiveMove, vote.number)
    elo.take_back(ratings[vote.left], ratings[vote.right], vote.choice, moved)
    _tally(session, vote, session.get_one(Ballot, vote.ballot).strategy, by=-1)


def _tally(session: Session, vote: Vote, strategy: str, by: int) -> None:
    part = tallies.part(strategy, vote.session)
    tallies.add(session, vote.axis, vote.left, vote.right, part, vote.choice, by)


def _next_number(session: Session, kind: str) -> int:
    event = Event(kind=kind)
    session.add(event)
    session.flush()
    return event.number


def _retracted(session: Session, ballot: str) -> bool:
    return session.scalar(select(Retraction.number).where(Retraction.ballot == ballot)) is not None


def _invalidated(session: Session, vote: int) -> bool:
    return session.scalar(select(Invalidation.number).where(Invalidation.vote == vote)) is not None


def pairs_judged(session: Session, axis: str, holder: str) -> list[frozenset[str]]:
    """The unordered pair of each choice of a session that stands on an axis, skips included.

    A pair whose choice was taken back is not among them and may come again.
    """
    query = (
        select(Vote.left, Vote.right)
        .outerjoin(Retraction, Retraction.ballot == Vote.ballot)
        .where(Vote.session == holder, Vote.axis == axis, Retraction.number.is_(None))
    )
    return [frozenset(row) for row in session.execute(query)]
