"""Everything that is worked out from the log, rebuilt by one function.

It replays the log's events in the order of their numbers, which is the order in which each entry
met them, and arrives at the live ratings, what each vote moved, and the counts of each pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from arena import elo, tallies
from arena.ballots import Ballot
from arena.crowds import CrowdRow
from arena.database import writing
from arena.diagnostics import DiagnosisRow
from arena.outlooks import OutlookRow
from arena.votes import Event, Invalidation, Retraction, Vote

BATCH = 5000
SHARED = ("axis", "left", "right", "session")
"""What a vote has from its ballot."""


@dataclass(frozen=True, slots=True)
class Cast:
    """One vote of the log, with the part that it is counted in."""

    number: int
    ballot: str
    axis: str
    left: str
    right: str
    part: str
    choice: str
    at: datetime

    @property
    def pair(self) -> tuple[str, str, str, str]:
        """The row of the pair counts that it is in."""
        return self.axis, self.left, self.right, self.part


@dataclass(slots=True)
class Replay:
    """What the log comes to.

    Attributes
    ----------
    ratings : (axis, entry) -> live rating and counted votes.
    moves : number of a vote -> what it moved.
    pairs : (axis, left, right, part) -> choice -> how often.
    latest : axis -> when its latest record was made.
    faults : what is wrong with the log itself; a record at fault counts for nothing.
    """

    ratings: dict[tuple[str, str], elo.Standing] = field(
        default_factory=lambda: defaultdict(elo.Standing)
    )
    moves: dict[int, elo.Move] = field(default_factory=dict)
    pairs: dict[tuple[str, str, str, str], dict[str, int]] = field(
        default_factory=lambda: defaultdict(lambda: dict.fromkeys(tallies.COLUMN_OF, 0))
    )
    latest: dict[str, datetime] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def cells(self, axis: str, part: str) -> tuple[tallies.Cell, ...]:
        """The counts of one part of an axis, as a fit reads them."""
        return tuple(
            sorted(
                (left, right, choice, count)
                for (on, left, right, of), counts in self.pairs.items()
                if (on, of) == (axis, part)
                for choice, count in counts.items()
                if count
            )
        )


def replay(session: Session, axes: Collection[str]) -> Replay:
    """Replay the log of these axes from its beginning."""
    result = Replay()
    votes: dict[int, Cast] = {}
    of_ballot: dict[str, Cast] = {}
    gone: set[str] = set()
    for event in _events(session, result.faults):
        if isinstance(event, Cast):
            votes[event.number] = of_ballot[event.ballot] = event
            if event.axis in axes:
                result.latest[event.axis] = event.at
                if event.ballot not in gone:
                    _count(result, event)
            continue
        if isinstance(event, Retraction):
            ballot, vote = event.ballot, of_ballot.get(event.ballot)
        elif (vote := votes.get(event.vote)) is not None:
            ballot = vote.ballot
        else:
            result.faults.append(f"invalidations: {event.number}: no vote {event.vote} before it")
            continue
        if vote is not None and vote.axis in axes:
            result.latest[vote.axis] = event.at
            if ballot not in gone:
                _uncount(result, vote)
        gone.add(ballot)
    return result


def _events(session: Session, faults: list[str]) -> Iterator[Cast | Retraction | Invalidation]:
    """All sound records of the log in the order of their numbers; of the others, what is wrong."""
    query = (
        select(Event.number, Event.kind, Vote, Ballot, Retraction, Invalidation)
        .select_from(Event)
        .outerjoin(Vote, Vote.number == Event.number)
        .outerjoin(Ballot, Ballot.id == Vote.ballot)
        .outerjoin(Retraction, Retraction.number == Event.number)
        .outerjoin(Invalidation, Invalidation.number == Event.number)
        .order_by(Event.number)
        .execution_options(yield_per=BATCH)
    )
    for number, kind, vote, ballot, retraction, invalidation in session.execute(query):
        record = {"vote": vote, "retraction": retraction, "invalidation": invalidation}.get(kind)
        if record is None:
            faults.append(f"events: {number}: no {kind} bears this number")
        elif isinstance(record, (Retraction, Invalidation)):
            yield record
        elif ballot is None or any(getattr(ballot, it) != getattr(vote, it) for it in SHARED):
            faults.append(f"votes: {number}: not what its ballot asked")
        else:
            yield _cast(vote, ballot.strategy)


def _cast(vote: Vote, strategy: str) -> Cast:
    part = tallies.part(strategy, vote.session)
    pair = vote.axis, vote.left, vote.right
    return Cast(vote.number, vote.ballot, *pair, part, vote.choice, vote.at)


def _count(result: Replay, vote: Cast) -> None:
    left, right = result.ratings[vote.axis, vote.left], result.ratings[vote.axis, vote.right]
    result.moves[vote.number] = elo.move(left, right, vote.choice)
    result.pairs[vote.pair][vote.choice] += 1


def _uncount(result: Replay, vote: Cast) -> None:
    left, right = result.ratings[vote.axis, vote.left], result.ratings[vote.axis, vote.right]
    elo.take_back(left, right, vote.choice, result.moves[vote.number])
    result.pairs[vote.pair][vote.choice] -= 1


def recompute(axes: Collection[str]) -> Replay:
    """Rebuild the projections of these axes from the log, in one transaction.

    Raises
    ------
    database.Busy
        Nothing was changed.
    """
    with writing() as session:
        hold_all(session)
        return rebuild(session, axes)


def rebuild(session: Session, axes: Collection[str]) -> Replay:
    """The same inside the caller's transaction, which holds all votes out."""
    result = replay(session, axes)
    numbers = select(Vote.number).where(Vote.axis.in_(axes))
    session.execute(delete(elo.LiveMove).where(elo.LiveMove.vote.in_(numbers)))
    session.execute(delete(elo.LiveMove).where(elo.LiveMove.vote.not_in(select(Vote.number))))
    session.execute(delete(elo.LiveRating).where(elo.LiveRating.axis.in_(axes)))
    session.execute(delete(tallies.PairTally).where(tallies.PairTally.axis.in_(axes)))
    session.execute(delete(OutlookRow).where(OutlookRow.axis.in_(axes)))
    session.execute(delete(DiagnosisRow).where(DiagnosisRow.axis.in_(axes)))
    session.execute(delete(CrowdRow).where(CrowdRow.axis.in_(axes)))
    session.expunge_all()
    session.add_all(_rows(result))
    return result


def hold_all(session: Session) -> None:
    """Keep every vote out until the transaction ends; SQLite's write lock does so by itself.

    The tables are taken in the order in which a vote takes them, so that neither waits for what the
    other holds.
    """
    if session.get_bind().dialect.name == "postgresql":
        names = ", ".join(
            table.__tablename__ for table in (elo.LiveRating, Event, tallies.PairTally)
        )
        session.connection().exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def _rows(result: Replay) -> Iterator[elo.LiveRating | elo.LiveMove | tallies.PairTally]:
    for (axis, entry), it in result.ratings.items():
        yield elo.LiveRating(axis=axis, entry=entry, rating=it.rating, votes=it.votes)
    for number, moved in result.moves.items():
        yield elo.LiveMove(vote=number, **attributes(moved))
    for (axis, left, right, part), counts in result.pairs.items():
        columns = {tallies.COLUMN_OF[choice]: count for choice, count in counts.items()}
        yield tallies.PairTally(axis=axis, left=left, right=right, part=part, **columns)


def attributes(moved: elo.Move | elo.LiveMove) -> dict[str, float]:
    """What a vote moved, by the name of each figure."""
    return {it.name: getattr(moved, it.name) for it in fields(elo.Move)}
