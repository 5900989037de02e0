"""Which pair a session sees next, from the axis's newest publication and the live counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena import ballots, limits, votes
from arena.ballots import Ballot
from arena.database import writing
from arena.elo import LiveRating
from arena.pairing import arena
from arena.pairing.field import Contender, Drawn, History, NothingToCompare
from arena.publishing import Published, newest
from arena.ratings.elo import START
from arena.roster import Axis, Site, presence

__all__ = ["CHOOSERS", "NothingToCompare", "contenders", "draw", "history", "record"]

Chooser = Callable[[Sequence[Contender], History, Random], Drawn]
CHOOSERS: Mapping[str, Chooser] = {"arena": arena.choose}


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
    with writing() as session:
        limits.enforce(session, "ballots", Ballot.drawn_at, Ballot.address, address, limit)
        published = newest(axis.slug, axis.method)
        field = contenders(session, site, axis.slug, published)
        met = history(session, axis.slug, holder)
        drawn = CHOOSERS[axis.chooser](field, met, rng)
        return record(session, axis, drawn, published, holder=holder, address=address, rng=rng)


def record(
    session: Session,
    axis: Axis,
    drawn: Drawn,
    published: Published | None,
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
        forecast=None if published is None else published.forecast(left, right),
        publication=None if published is None else published.id,
        holder=holder,
        address=address,
    )


def contenders(
    session: Session, site: Site, axis: str, published: Published | None
) -> list[Contender]:
    """The entries that are present, in the order of the roster, with what is known of them."""
    present = presence.present(session, "entry")
    query = select(LiveRating.entry, LiveRating.votes).where(LiveRating.axis == axis)
    counted = dict(session.execute(query).all())
    field = []
    for slug in (entry.slug for entry in site.entries if entry.slug in present):
        known = None if published is None else published.standing(slug)
        if known is None:
            field.append(Contender(slug, START, votes=counted.get(slug, 0)))
        else:
            width = known.upper - known.lower
            field.append(Contender(slug, known.score, width, counted.get(slug, 0)))
    return field


def history(session: Session, axis: str, holder: str) -> History:
    """The pairs that the session has judged on the axis, and the pair it was shown last."""
    last = session.execute(
        select(Ballot.left, Ballot.right)
        .where(Ballot.session == holder, Ballot.axis == axis)
        .order_by(Ballot.drawn_at.desc())
        .limit(1)
    ).one_or_none()
    judged = frozenset(votes.pairs_judged(session, axis, holder))
    return History(judged, None if last is None else frozenset(last))
