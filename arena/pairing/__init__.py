"""Which pair a session sees next, from the axis's newest publications and the live counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from random import Random

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena import ballots, limits, outlooks, votes
from arena.ballots import Ballot
from arena.database import writing
from arena.elo import LiveRating
from arena.outlooks import Outlook
from arena.pairing import arena, versus
from arena.pairing.field import Contender, Drawn, Field, History, NothingToCompare, Pair
from arena.publishing import newest
from arena.ratings.methods import METHODS
from arena.roster import Axis, Site, presence

__all__ = ["CHOOSERS", "NothingToCompare", "draw", "record", "survey"]


@dataclass(frozen=True, slots=True)
class Chooser:
    """One way to draw pairs.

    Attributes
    ----------
    choose : draws one.
    reads : the method whose scores it goes by.
    cooldown : how many of the pairs served last must wait; 0 for one that ranks no pairs.
    """

    choose: Callable[[Field, Random], Drawn]
    reads: str
    cooldown: int = 0


CHOOSERS: Mapping[str, Chooser] = {
    "arena": Chooser(arena.choose, reads="arena"),
    "versus": Chooser(versus.choose, reads="versus", cooldown=versus.COOLDOWN),
}


@dataclass(frozen=True, slots=True)
class Survey:
    """What drawing pairs of an axis for anybody depends on.

    Attributes
    ----------
    contenders : the entries that are present.
    outlook : what is expected of each pair; None before the first publication.
    """

    contenders: list[Contender]
    outlook: Outlook | None

    def field(self, chooser: Chooser, history: History, cooling: frozenset[Pair]) -> Field:
        """The same for one session."""
        ranked = self.outlook is not None and chooser.cooldown
        informative = self.outlook.informative if ranked and self.outlook else ()
        return Field(self.contenders, history, informative, cooling)


def draw(
    site: Site, axis: Axis, *, holder: str, address: str | None, limit: int, rng: Random
) -> Ballot:
    """Draw a pair for a session and record it as a ballot.

    Parameters
    ----------
    holder : hash of the session that may vote on it.
    address : today's hash of the network address, counted against `limit` a minute.

    Raises
    ------
    NothingToCompare, limits.TooMany, database.Busy
    """
    chooser = CHOOSERS[axis.chooser]
    with writing() as session:
        limits.enforce(session, "ballots", Ballot.drawn_at, Ballot.address, address, limit)
        seen = survey(session, site, axis)
        cooling = _served_lately(session, axis.slug, chooser.cooldown)
        field = seen.field(chooser, _history(session, axis.slug, holder), cooling)
        drawn = chooser.choose(field, rng)
        return record(session, axis, drawn, seen.outlook, holder=holder, address=address, rng=rng)


def record(
    session: Session,
    axis: Axis,
    drawn: Drawn,
    outlook: Outlook | None,
    *,
    holder: str,
    address: str | None,
    rng: Random,
) -> Ballot:
    """Give a pair its sides by the flip of a coin, and record it with what is expected of it.

    Inside the caller's transaction.
    """
    left, right = rng.sample(sorted(drawn.pair), 2)
    return ballots.record(
        session,
        axis.slug,
        left,
        right,
        strategy=drawn.strategy,
        expected=None if outlook is None else outlook.expect(left, right),
        holder=holder,
        address=address,
    )


def survey(session: Session, site: Site, axis: Axis) -> Survey:
    """The entries that are present, in the order of the roster, with what is known of them."""
    method = CHOOSERS[axis.chooser].reads
    published = newest(axis.slug, method)
    present = presence.present(session, "entry")
    query = select(LiveRating.entry, LiveRating.votes).where(LiveRating.axis == axis.slug)
    counted = {row[0]: row[1] for row in session.connection().execute(query)}
    known = {} if published is None else published.bars
    middle = (METHODS[method].scale.origin, inf)
    contenders = [
        Contender(slug, *known.get(slug, middle), counted.get(slug, 0))
        for slug in (entry.slug for entry in site.entries)
        if slug in present
    ]
    return Survey(contenders, outlooks.current(session, axis.slug))


def _history(session: Session, axis: str, holder: str) -> History:
    """The pairs that the session has judged on the axis, and the pair it was shown last."""
    last = session.execute(
        select(Ballot.left, Ballot.right)
        .where(Ballot.session == holder, Ballot.axis == axis)
        .order_by(Ballot.drawn_at.desc())
        .limit(1)
    ).one_or_none()
    judged = frozenset(votes.pairs_judged(session, axis, holder))
    return History(judged, None if last is None else frozenset(last))


def _served_lately(session: Session, axis: str, most: int) -> frozenset[Pair]:
    """The pairs of the last ballots of an axis, whoever got them."""
    if not most:
        return frozenset()
    query = (
        select(Ballot.left, Ballot.right)
        .where(Ballot.axis == axis)
        .order_by(Ballot.drawn_at.desc())
        .limit(most)
    )
    return frozenset(frozenset(row) for row in session.execute(query))
