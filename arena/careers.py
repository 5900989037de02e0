"""One entry's story on one board: where it stood over time, whom it is near, whom it beat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from arena import matchups
from arena.database import db
from arena.matchups import Record
from arena.publishing import Publication, Published, PublishedStanding

RIVALS = 3
MOST_READ = 5_000


@dataclass(frozen=True, slots=True)
class Point:
    """Where an entry stood in one publication."""

    at: datetime
    score: float
    lower: float
    upper: float
    rank: int | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """Another entry, and what the votes between the two came to."""

    entry: str
    record: Record


@dataclass(frozen=True, slots=True)
class Career:
    """What is told of one entry on one board.

    Attributes
    ----------
    points : the last publication of each day and all of the newest day, the oldest first.
    rivals : those nearest to it in strength, the nearest first.
    best_win : the strongest that it has won against; None without a win.
    worst_loss : the weakest that it has lost to; None without a loss.
    """

    points: tuple[Point, ...]
    rivals: tuple[Meeting, ...]
    best_win: Meeting | None
    worst_loss: Meeting | None


def career(published: Published, entry: str, listed: Iterable[str]) -> Career | None:
    """The story of an entry up to a publication; None if it has no vote there.

    Parameters
    ----------
    listed : slugs of the roster; an entry that has left it is nobody's rival.
    """
    own = published.standing(entry)
    if own is None:
        return None
    on_roster = set(listed) - {entry}
    strength = {it.entry: it.strength for it in published.figures.board if it.entry in on_roster}
    met = matchups.met_by(published.id).get(entry, {})
    near = sorted(strength, key=lambda name: (abs(strength[name] - own.strength), name))
    won = [name for name in strength if name in met and met[name].wins]
    lost = [name for name in strength if name in met and met[name].losses]
    best = max(won, key=lambda name: (strength[name], name), default=None)
    worst = min(lost, key=lambda name: (strength[name], name), default=None)
    return Career(
        points=tuple(_points(published, entry)),
        rivals=tuple(Meeting(name, met.get(name, Record())) for name in near[:RIVALS]),
        best_win=None if best is None else Meeting(best, met[best]),
        worst_loss=None if worst is None else Meeting(worst, met[worst]),
    )


def _points(published: Published, entry: str) -> Iterator[Point]:
    query = (
        select(
            Publication.published_at,
            PublishedStanding.score,
            PublishedStanding.lower,
            PublishedStanding.upper,
            PublishedStanding.rank,
        )
        .join(Publication, Publication.id == PublishedStanding.publication)
        .where(
            PublishedStanding.entry == entry,
            Publication.axis == published.axis,
            Publication.method == published.figures.method,
            Publication.id <= published.id,
        )
        .order_by(Publication.id.desc())
        .limit(MOST_READ)
    )
    rows = [Point(*row) for row in reversed(db.session.execute(query).all())]
    for place, point in enumerate(rows):
        is_last_of_day = place + 1 == len(rows) or rows[place + 1].at.date() != point.at.date()
        if is_last_of_day or point.at.date() == rows[-1].at.date():
            yield point
