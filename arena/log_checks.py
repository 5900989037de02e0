"""What the log of an axis says that counts cannot: added up by the database, read row by row never.

References
----------
Dawid (1984), Present position and potential developments: the prequential approach.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from scipy.stats import binomtest
from sqlalchemy import ColumnElement, Float, Select, case, cast, func, select
from sqlalchemy.orm import Session

from arena.ballots import Ballot
from arena.ratings.diagnostics import CONFIDENCES
from arena.ratings.figures import Bin
from arena.tallies import Cell
from arena.votes import Invalidation, Retraction, Vote

CAP = 50
"""Votes that one network may have on one day before the capped board leaves the rest out."""
FEWEST_DECIDED = 20
"""Decided votes from which a session is tested for always taking one side."""
LEVEL = 0.01
"""Chance of flagging anybody at all where nobody prefers a side, whatever the number tested."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class OneSided:
    """Sessions that take one side far more often than an even coin would.

    Attributes
    ----------
    tested : with enough decided votes.
    flagged : hashes of those that the test points at.
    votes : decided votes of these.
    """

    tested: int
    flagged: tuple[str, ...]
    votes: int


@dataclass(frozen=True, slots=True)
class LogChecks:
    """What was read from the log of an axis.

    Attributes
    ----------
    forecasts : calibration of forecasts as they stood on record before each vote.
    near_even : share of ballots voted on whose forecast gave the favoured side under 60 %; None
        where no forecast stood.
    one_sided : sessions that seem to take one side.
    seconds : median seconds from ballot to vote; None without votes.
    strategies : strategy and votes on ballots drawn by it.
    """

    forecasts: tuple[Bin, ...]
    near_even: float | None
    one_sided: OneSided
    seconds: float | None
    strategies: tuple[tuple[str, int], ...]

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> LogChecks:
        """What `asdict` made of them."""
        sided = kept["one_sided"]
        return cls(
            forecasts=tuple(Bin(**it) for it in kept["forecasts"]),
            near_even=kept["near_even"],
            one_sided=OneSided(sided["tested"], tuple(sided["flagged"]), sided["votes"]),
            seconds=kept["seconds"],
            strategies=tuple((name, votes) for name, votes in kept["strategies"]),
        )


@dataclass(frozen=True, slots=True)
class Beyond:
    """Votes beyond each network's cap.

    Attributes
    ----------
    networks, over : number of networks by day, and of those with more votes than the cap.
    cells : what was chosen in the votes beyond it.
    """

    networks: int
    over: int
    cells: tuple[Cell, ...]


def of_log(session: Session, axis: str) -> LogChecks:
    """Everything that is read from the log of an axis."""
    forecasts = _forecasts(session, axis)
    stood = sum(it.votes for it in forecasts)
    return LogChecks(
        forecasts=forecasts,
        near_even=forecasts[0].votes / stood if stood else None,
        one_sided=one_sided(session, axis),
        seconds=_median_seconds(session, axis),
        strategies=_strategies(session, axis),
    )


def one_sided(session: Session, axis: str) -> OneSided:
    """Sessions whose decided votes fall on one side too often for chance.

    A two-sided sign test each, at a level divided by the number tested (Bonferroni): pairs have
    their sides by the flip of a coin, so an honest voter takes either as often.
    """
    lefts = func.sum(case((Vote.choice == "left", 1), else_=0))
    query = (
        _counted(select(Vote.session, lefts, func.count()), axis)
        .where(Vote.choice.in_(("left", "right")))
        .group_by(Vote.session)
        .having(func.count() >= FEWEST_DECIDED)
        .order_by(Vote.session)
    )
    rows = session.execute(query).all()
    level = LEVEL / max(len(rows), 1)
    flagged = [
        (holder, votes) for holder, left, votes in rows if binomtest(left, votes).pvalue < level
    ]
    return OneSided(
        tested=len(rows),
        flagged=tuple(holder for holder, _ in flagged),
        votes=sum(votes for _, votes in flagged),
    )


def beyond_the_cap(session: Session, axis: str) -> Beyond:
    """Votes of each network after its first `CAP` of a day; a network has a new hash each day."""
    place = func.row_number().over(partition_by=Vote.address, order_by=Vote.number)
    placed = (
        _counted(select(Vote.left, Vote.right, Vote.choice, place.label("place")), axis)
        .where(Vote.address.is_not(None))
        .subquery()
    )
    columns = (placed.c.left, placed.c.right, placed.c.choice)
    cells = session.execute(
        select(*columns, func.count()).where(placed.c.place > CAP).group_by(*columns)
    ).all()
    networks, over = session.execute(
        select(
            func.count().filter(placed.c.place == 1), func.count().filter(placed.c.place == CAP + 1)
        )
    ).one()
    return Beyond(networks, over, tuple(sorted(map(_cell, cells))))


def _cell(row: Row) -> Cell:
    left, right, choice, count = row
    return left, right, choice, count


def _forecasts(session: Session, axis: str) -> tuple[Bin, ...]:
    """Decided votes by the chance that the record gave the favoured side."""
    chance = Ballot.forecast
    favoured = case((chance >= 0.5, chance), else_=1.0 - chance)
    won = case(
        (chance == 0.5, 0.5),
        ((chance > 0.5) & (Vote.choice == "left"), 1.0),
        ((chance < 0.5) & (Vote.choice == "right"), 1.0),
        else_=0.0,
    )
    edges = CONFIDENCES[1:-1]
    place = case(*((favoured < edge, number) for number, edge in enumerate(edges)), else_=4)
    query = (
        _counted(select(place, func.count(), func.sum(favoured), func.sum(cast(won, Float))), axis)
        .join(Ballot, Ballot.id == Vote.ballot)
        .where(Vote.choice.in_(("left", "right")), chance.is_not(None))
        .group_by(place)
    )
    found = {row[0]: row[1:] for row in session.execute(query)}
    return tuple(
        Bin(low, high, *_means(found.get(number)))
        for number, (low, high) in enumerate(pairwise(CONFIDENCES))
    )


def _means(row: Row | None) -> tuple[int, float | None, float | None]:
    if row is None:
        return 0, None, None
    votes, expected, won = row
    return votes, expected / votes, won / votes


def _median_seconds(session: Session, axis: str) -> float | None:
    """The middle one of the times from ballot to vote."""
    seconds = _seconds(session)
    query = _counted(select(seconds), axis).join(Ballot, Ballot.id == Vote.ballot)
    votes = session.scalar(select(func.count()).select_from(query.subquery())) or 0
    if not votes:
        return None
    middle = session.scalar(query.order_by(seconds).offset(votes // 2).limit(1))
    return None if middle is None else max(float(middle), 0.0)


def _seconds(session: Session) -> ColumnElement[Any]:
    if session.get_bind().dialect.name == "postgresql":
        return func.extract("epoch", Vote.at - Ballot.drawn_at)
    return (func.julianday(Vote.at) - func.julianday(Ballot.drawn_at)) * 86400.0


def _strategies(session: Session, axis: str) -> tuple[tuple[str, int], ...]:
    query = (
        _counted(select(Ballot.strategy, func.count()), axis)
        .join(Ballot, Ballot.id == Vote.ballot)
        .group_by(Ballot.strategy)
        .order_by(Ballot.strategy)
    )
    return tuple((strategy, votes) for strategy, votes in session.execute(query))


def _counted(query: Any, axis: str) -> Select[Any]:
    """Of the votes of an axis, those that neither their voter nor a maintainer took out."""
    counted: Select[Any] = (
        query.select_from(Vote)
        .outerjoin(Retraction, Retraction.ballot == Vote.ballot)
        .outerjoin(Invalidation, Invalidation.vote == Vote.number)
        .where(Vote.axis == axis, Retraction.number.is_(None), Invalidation.number.is_(None))
    )
    return counted
