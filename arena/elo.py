"""The number that moves on the click, kept in the vote's own transaction and replayable.

A vote moves both entries and what it moved is kept; taking the vote back moves both back by
exactly that. The projection is the replay of the log's events in their order, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Double, Integer, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena.database import Base, LogNumber, insert_if_absent
from arena.ratings.elo import START, moves


class LiveRating(Base):
    """Where one entry stands on one axis at this moment."""

    __tablename__ = "live_ratings"

    axis: Mapped[str] = mapped_column(String(64), primary_key=True)
    entry: Mapped[str] = mapped_column(String(64), primary_key=True)
    rating: Mapped[float] = mapped_column(Double, default=START)
    votes: Mapped[int] = mapped_column(Integer, default=0)


class LiveMove(Base):
    """What one vote moved, and the ratings that were shown after it."""

    __tablename__ = "live_moves"

    vote: Mapped[int] = mapped_column(LogNumber, primary_key=True, autoincrement=False)
    left_change: Mapped[float]
    right_change: Mapped[float]
    left_rating: Mapped[float]
    right_rating: Mapped[float]


@dataclass(slots=True)
class Standing:
    """A rating and its number of counted votes while it is being moved."""

    rating: float = START
    votes: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """What a vote moved: changes, and ratings after them."""

    left_change: float
    right_change: float
    left_rating: float
    right_rating: float


def move(left: Standing | LiveRating, right: Standing | LiveRating, choice: str) -> Move:
    """Apply a vote to both ratings and return what it moved (Elo 1978)."""
    left_change, right_change = moves(left.rating, left.votes, right.rating, right.votes, choice)
    left.rating += left_change
    right.rating += right_change
    if choice != "skip":
        left.votes += 1
        right.votes += 1
    return Move(left_change, right_change, left.rating, right.rating)


def take_back(
    left: Standing | LiveRating,
    right: Standing | LiveRating,
    choice: str,
    moved: Move | LiveMove,
) -> None:
    """Move both ratings back by exactly what the vote moved."""
    left.rating -= moved.left_change
    right.rating -= moved.right_change
    if choice != "skip":
        left.votes -= 1
        right.votes -= 1


def lock(session: Session, axis: str, slugs: Iterable[str]) -> dict[str, LiveRating]:
    """The rating rows of these entries, made where missing and held until the transaction ends.

    Always taken in the order of the slugs, so that two transactions never wait for each other.
    Whoever holds an entry's row may draw the log's next number for it: a replay by number then
    repeats what was shown.
    """
    wanted = sorted(set(slugs))
    known = select(LiveRating.entry).where(LiveRating.axis == axis, LiveRating.entry.in_(wanted))
    if len(session.scalars(known).all()) < len(wanted):
        insert_if_absent(
            session,
            LiveRating,
            [{"axis": axis, "entry": slug, "rating": START, "votes": 0} for slug in wanted],
        )
    return _locked(session, axis, wanted)


def _locked(session: Session, axis: str, wanted: Sequence[str]) -> dict[str, LiveRating]:
    query = (
        select(LiveRating)
        .where(LiveRating.axis == axis, LiveRating.entry.in_(wanted))
        .order_by(LiveRating.entry)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return {row.entry: row for row in session.scalars(query)}
