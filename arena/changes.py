"""Two publications of one board compared: who came, who left, who moved, what became clearer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select

from arena import publishing
from arena.database import db
from arena.publishing import Publication, Published
from arena.ratings.figures import Standing

DAY = timedelta(days=1)
MOST_LISTED, MOST_READ = 60, 20_000


@dataclass(frozen=True, slots=True)
class Dated:
    """A publication as the choice of dates shows it."""

    id: int
    at: datetime
    votes: int


@dataclass(frozen=True, slots=True)
class Move:
    """One entry in both publications.

    Attributes
    ----------
    places : ranks won (positive) or lost; 0 where either publication gives it no rank.
    score : points won or lost.
    clearer : by how many ranks fewer its range is wide; negative where it became wider.
    """

    before: Standing
    after: Standing
    places: int
    score: float
    clearer: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened between two publications of one board.

    Attributes
    ----------
    came, left : standings of entries that only the later, or only the earlier one has.
    moves : entries of both, those that moved most first.
    clearer, vaguer : how many ranges of ranks became narrower, and wider.
    votes : counted votes more (or fewer, if votes were taken out).
    """

    before: Published
    after: Published
    came: tuple[Standing, ...]
    left: tuple[Standing, ...]
    moves: tuple[Move, ...]
    clearer: int
    vaguer: int

    @property
    def votes(self) -> int:
        """Counted votes more; fewer where votes were taken out."""
        return self.after.figures.votes - self.before.figures.votes

    @property
    def new_leader(self) -> bool:
        """Whether somebody else leads now."""
        boards = (self.before.figures.board, self.after.figures.board)
        first, second = (board[0].entry if board else None for board in boards)
        return first != second


def dates(axis: str, method: str) -> list[Dated]:
    """The publications to choose from, the newest first: the last of each day, and today's all."""
    query = (
        select(Publication.id, Publication.published_at, Publication.votes)
        .where(Publication.axis == axis, Publication.method == method)
        .order_by(Publication.id.desc())
        .limit(MOST_READ)
    )
    found: list[Dated] = []
    for number, at, votes in db.session.execute(query):
        is_of_newest_day = not found or at.date() == found[0].at.date()
        if is_of_newest_day or at.date() != found[-1].at.date():
            found.append(Dated(number, at, votes))
        if len(found) == MOST_LISTED:
            break
    return found


def usual(listed: Sequence[Dated]) -> tuple[Dated, Dated] | None:
    """The newest, and the one before it by a day if there is one so old; None without two."""
    if len(listed) < 2:
        return None
    newest = listed[0]
    old = (it for it in listed[1:] if newest.at - it.at >= DAY)
    return next(old, listed[-1]), newest


def between(before: Published, after: Published) -> Changes:
    """Compare two publications among the entries that both have."""
    was = {it.entry: it for it in before.figures.board}
    now = {it.entry: it for it in after.figures.board}
    moves = [_move(was[entry], now[entry]) for entry in now if entry in was]
    return Changes(
        before=before,
        after=after,
        came=tuple(it for it in after.figures.board if it.entry not in was),
        left=tuple(it for it in before.figures.board if it.entry not in now),
        moves=tuple(sorted(moves, key=_most_moved)),
        clearer=sum(it.clearer > 0 for it in moves),
        vaguer=sum(it.clearer < 0 for it in moves),
    )


def publication(axis: str, method: str, number: int) -> Published | None:
    """A publication of this board by its number; None if it is of another."""
    found = publishing.by_number(number)
    if found is None or (found.axis, found.figures.method) != (axis, method):
        return None
    return found


def _move(before: Standing, after: Standing) -> Move:
    places = 0
    if before.rank is not None and after.rank is not None:
        places = before.rank - after.rank
    return Move(before, after, places, after.score - before.score, _width(before) - _width(after))


def _most_moved(it: Move) -> tuple[int, float, str]:
    return -abs(it.places), -abs(it.score), it.after.entry


def _width(it: Standing) -> int:
    if it.rank_low is None or it.rank_high is None:
        return 0
    return it.rank_high - it.rank_low
