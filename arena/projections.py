"""Everything that is worked out from the log: rebuilt by one function and checked by another.

Both replay the log's events in the order of their numbers, which is the order in which each entry
met them, and arrive at the live ratings, what each vote moved, and the counts of each pair. The
newest publications are checked against a fresh fit of the counts that they say they rest on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from arena import elo, publishing, tallies
from arena.ballots import Ballot
from arena.basis import Basis
from arena.database import db, writing
from arena.publishing import PUBLISHED_METHODS, Publication
from arena.ratings.methods import Figures
from arena.votes import Event, Invalidation, Retraction, Vote

CLOSE = 1e-9
BATCH = 5000


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
    """

    ratings: dict[tuple[str, str], elo.Standing] = field(
        default_factory=lambda: defaultdict(elo.Standing)
    )
    moves: dict[int, elo.Move] = field(default_factory=dict)
    pairs: dict[tuple[str, str, str, str], dict[str, int]] = field(
        default_factory=lambda: defaultdict(lambda: dict.fromkeys(tallies.COLUMN_OF, 0))
    )


def replay(session: Session, axes: Collection[str]) -> Replay:
    """Replay the log of these axes from its beginning."""
    result = Replay()
    votes: dict[int, Cast] = {}
    of_ballot: dict[str, Cast] = {}
    gone: set[str] = set()
    for event in _events(session):
        if isinstance(event, Cast):
            votes[event.number] = of_ballot[event.ballot] = event
            if event.axis in axes and event.ballot not in gone:
                _count(result, event)
            continue
        vote = votes[event.vote] if isinstance(event, Invalidation) else of_ballot.get(event.ballot)
        ballot = event.ballot if isinstance(event, Retraction) else votes[event.vote].ballot
        if vote is not None and vote.axis in axes and ballot not in gone:
            _uncount(result, vote)
        gone.add(ballot)
    return result


def _events(session: Session) -> Iterator[Cast | Retraction | Invalidation]:
    """All records of the log in the order of their numbers."""
    query = (
        select(Vote, Ballot.strategy, Retraction, Invalidation)
        .select_from(Event)
        .outerjoin(Vote, Vote.number == Event.number)
        .outerjoin(Ballot, Ballot.id == Vote.ballot)
        .outerjoin(Retraction, Retraction.number == Event.number)
        .outerjoin(Invalidation, Invalidation.number == Event.number)
        .order_by(Event.number)
        .execution_options(yield_per=BATCH)
    )
    for vote, strategy, retraction, invalidation in session.execute(query):
        yield _cast(vote, strategy) if vote else retraction or invalidation


def _cast(vote: Vote, strategy: str) -> Cast:
    part = tallies.part(strategy, vote.session)
    return Cast(vote.number, vote.ballot, vote.axis, vote.left, vote.right, part, vote.choice)


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
        _hold_all(session)
        result = replay(session, axes)
        numbers = select(Vote.number).where(Vote.axis.in_(axes))
        session.execute(delete(elo.LiveMove).where(elo.LiveMove.vote.in_(numbers)))
        session.execute(delete(elo.LiveMove).where(elo.LiveMove.vote.not_in(select(Vote.number))))
        session.execute(delete(elo.LiveRating).where(elo.LiveRating.axis.in_(axes)))
        session.execute(delete(tallies.PairTally).where(tallies.PairTally.axis.in_(axes)))
        session.expunge_all()
        session.add_all(_rows(result))
    return result


def _hold_all(session: Session) -> None:
    """Keep every vote out until the transaction ends; SQLite's write lock does so by itself."""
    if session.get_bind().dialect.name == "postgresql":
        names = ", ".join(
            table.__tablename__ for table in (Event, elo.LiveRating, tallies.PairTally)
        )
        session.connection().exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def _rows(result: Replay) -> Iterator[elo.LiveRating | elo.LiveMove | tallies.PairTally]:
    for (axis, entry), it in result.ratings.items():
        yield elo.LiveRating(axis=axis, entry=entry, rating=it.rating, votes=it.votes)
    for number, moved in result.moves.items():
        yield elo.LiveMove(vote=number, **_attributes(moved))
    for (axis, left, right, part), counts in result.pairs.items():
        columns = {tallies.COLUMN_OF[choice]: count for choice, count in counts.items()}
        yield tallies.PairTally(axis=axis, left=left, right=right, part=part, **columns)


def _attributes(moved: elo.Move | elo.LiveMove) -> dict[str, float]:
    return {it.name: getattr(moved, it.name) for it in fields(elo.Move)}


def verify(axes: Collection[str]) -> list[str]:
    """Compare every projection with the log; one line a difference, none if all agree."""
    session = db.session()
    result = replay(session, axes)
    differences = [
        *_compare_ratings(session, result, axes),
        *_compare_moves(session, result, axes),
        *_compare_pairs(session, result, axes),
    ]
    for axis in sorted(axes):
        for method in PUBLISHED_METHODS:
            differences += _compare_publication(session, axis, method)
    return differences


def _compare_ratings(session: Session, result: Replay, axes: Collection[str]) -> Iterator[str]:
    query = select(elo.LiveRating).where(elo.LiveRating.axis.in_(axes))
    found = {(row.axis, row.entry): row for row in session.scalars(query)}
    for key in sorted(found.keys() | result.ratings.keys()):
        row, right = found.get(key), result.ratings.get(key, elo.Standing())
        place = f"live_ratings: {key[0]}/{key[1]}"
        if row is None:
            yield f"{place}: missing; the log says {right.rating:.6f} after {right.votes} votes"
        elif abs(row.rating - right.rating) > CLOSE or row.votes != right.votes:
            yield (
                f"{place}: {row.rating:.6f} after {row.votes} votes;"
                f" the log says {right.rating:.6f} after {right.votes}"
            )


def _compare_moves(session: Session, result: Replay, axes: Collection[str]) -> Iterator[str]:
    query = select(elo.LiveMove, Vote.axis).outerjoin(Vote, Vote.number == elo.LiveMove.vote)
    seen = set()
    for row, axis in session.execute(query.execution_options(yield_per=BATCH)):
        seen.add(row.vote)
        if axis is not None and axis not in axes:
            continue
        right = result.moves.get(row.vote)
        if right is None:
            yield f"live_moves: vote {row.vote}: moved something; the log says it never counted"
            continue
        kept, wanted = _attributes(row), _attributes(right)
        for name in (name for name in kept if abs(kept[name] - wanted[name]) > CLOSE):
            yield (
                f"live_moves: vote {row.vote}: {name} {kept[name]:.6f};"
                f" the log says {wanted[name]:.6f}"
            )
    for number in sorted(result.moves.keys() - seen):
        yield f"live_moves: vote {number}: missing"


def _compare_pairs(session: Session, result: Replay, axes: Collection[str]) -> Iterator[str]:
    query = select(tallies.PairTally).where(tallies.PairTally.axis.in_(axes))
    found = {(row.axis, row.left, row.right, row.part): row for row in session.scalars(query)}
    for key in sorted(found.keys() | result.pairs.keys()):
        row, right = found.get(key), result.pairs.get(key, {})
        for choice, column in tallies.COLUMN_OF.items():
            kept = 0 if row is None else getattr(row, column)
            if kept != right.get(choice, 0):
                yield (
                    f"pair_tallies: {'/'.join(key)}: {column} {kept};"
                    f" the log says {right.get(choice, 0)}"
                )


def _compare_publication(session: Session, axis: str, method: str) -> Iterator[str]:
    """Fit the counts of the newest publication again and compare figure by figure."""
    published = publishing.newest(axis, method)
    if published is None:
        return
    row = session.get_one(Publication, published.id)
    basis = Basis.from_bytes(row.basis)
    place = f"publications: {axis} by {method}, number {published.id}"
    if basis.digest != row.basis_digest:
        yield f"{place}: the counts do not have the digest that stands beside them"
        return
    yield from _differing(place, publishing.figures_of(row), basis.figures(method))


def _differing(place: str, kept: Figures, wanted: Figures) -> Iterator[str]:
    for name in publishing.SHARED_COLUMNS:
        if not _agree(getattr(kept, name), getattr(wanted, name)):
            yield f"{place}: {name} {getattr(kept, name)}; a fresh fit says {getattr(wanted, name)}"
    rows = {standing.entry: standing for standing in kept.board}
    if [it.entry for it in kept.board] != [it.entry for it in wanted.board]:
        yield f"{place}: its rows are not those of a fresh fit, in its order"
        return
    for right in wanted.board:
        for name in (it.name for it in fields(right)):
            was, now = getattr(rows[right.entry], name), getattr(right, name)
            if not _agree(was, now):
                yield f"{place}: {right.entry}: {name} {was}; a fresh fit says {now}"


def _agree(kept: object, wanted: object) -> bool:
    if isinstance(kept, float) and isinstance(wanted, float):
        return abs(kept - wanted) <= CLOSE * max(1.0, abs(wanted))
    return kept == wanted
