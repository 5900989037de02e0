"""What the choices of everybody lean to on one axis: worked out after each refit, never on a page.

Each session is counted once a direction, by its own majority, so that one eager voter weighs no
more than one who voted ten times; the plain count of choices stands beside it.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import String, Text, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena.database import Base, LogNumber, db, writing
from arena.profiles import Key, Lean, Profile, profile_of_counts, signs_of
from arena.roster import Site
from arena.votes import Event, Invalidation, Retraction, Vote

BATCH = 5000
DECIDED = ("left", "right")


class CrowdRow(Base):
    """The counts of one axis up to one number of the log; a projection."""

    __tablename__ = "crowds"

    axis: Mapped[str] = mapped_column(String(64), primary_key=True)
    up_to: Mapped[int] = mapped_column(LogNumber)
    data: Mapped[str] = mapped_column(Text)
    """JSON; see `Counts`."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted of the decided choices of an axis.

    Attributes
    ----------
    sessions, choices : how many there were.
    by_session : direction to how many sessions went its way by majority, of how many that had one.
    by_choice : direction to how many choices went its way, of how many that say something.
    """

    sessions: int
    choices: int
    by_session: dict[Key, tuple[int, int]]
    by_choice: dict[Key, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Crowd:
    """The leans of everybody.

    Attributes
    ----------
    profile : by sessions.
    counts : what it was worked out from.
    """

    profile: Profile
    counts: Counts

    def plain(self, lean: Lean) -> tuple[int, int]:
        """The plain count beside a lean: choices that went its way, of those that say something."""
        key = (lean.attribute.slug, lean.value)
        chosen, of = self.counts.by_choice.get(key, (0, 0))
        return (chosen if lean.towards else of - chosen), of


def refresh(site: Site, axis: str) -> None:
    """Count an axis up to the newest record, unless nothing has come since.

    Raises
    ------
    database.Busy
        Nothing was changed.
    """
    session = db.session()
    newest = session.scalar(select(func.max(Event.number))) or 0
    row = session.get(CrowdRow, axis, populate_existing=True)
    if row is not None and row.up_to == newest and _roster_of(row.data) == roster_digest(site):
        return
    data = _dumped(counted(session, site, axis, newest), roster_digest(site))
    with writing() as locked:
        locked.merge(CrowdRow(axis=axis, up_to=newest, data=data))


def current(site: Site, axis: str) -> Crowd | None:
    """The leans of everybody as last counted; None before the first count."""
    row = db.session.get(CrowdRow, axis, populate_existing=True)
    if row is None:
        return None
    counts = _loaded(row.data)
    return Crowd(profile_of_counts(site, counts.by_session, counts.sessions), counts)


def is_sound(session: Session, site: Site, row: CrowdRow) -> bool:
    """Whether the counts are those of the log up to the number that they name.

    Counts that another state of the roster's files was read for are replaced by the next refresh,
    and say nothing of the log.
    """
    digest = roster_digest(site)
    if _roster_of(row.data) not in (digest, None):
        return True
    return row.data == _dumped(counted(session, site, row.axis, row.up_to), digest)


def roster_digest(site: Site) -> str:
    """SHA-256 over what leans are read from: every fact of every entry."""
    facts = [(it.slug, fact.attribute, fact.value) for it in site.entries for fact in it.facts]
    types = [(it.slug, it.type) for it in site.attributes]
    return hashlib.sha256(json.dumps([types, facts], sort_keys=True).encode()).hexdigest()


def _roster_of(data: str) -> str | None:
    """The digest that counts were made with; None where the text is no such counts."""
    try:
        return str(json.loads(data)["roster"])
    except (ValueError, KeyError, TypeError):
        return None


def counted(session: Session, site: Site, axis: str, up_to: int) -> Counts:
    """Count the decided choices of an axis that stood at one number of the log."""
    by_session: dict[Key, list[int]] = defaultdict(lambda: [0, 0])
    by_choice: dict[Key, list[int]] = defaultdict(lambda: [0, 0])
    known: dict[tuple[str, str], list[tuple[Key, bool]]] = {}
    sessions = choices = 0
    for _holder, rows in groupby(_decided(session, axis, up_to), key=lambda row: row[0]):
        own: dict[Key, list[int]] = defaultdict(lambda: [0, 0])
        sessions += 1
        for _of, winner, loser in rows:
            choices += 1
            pair = (winner, loser)
            if pair not in known:
                known[pair] = list(signs_of(site, winner, loser))
            for key, chosen in known[pair]:
                for tally in (own[key], by_choice[key]):
                    tally[0] += chosen
                    tally[1] += 1
        for key, (went, of) in own.items():
            if 2 * went != of:
                by_session[key][0] += 2 * went > of
                by_session[key][1] += 1
    return Counts(sessions, choices, _pairs(by_session), _pairs(by_choice))


def _decided(session: Session, axis: str, up_to: int) -> Iterator[tuple[str, str, str]]:
    """Session, winner and loser of each decided choice, session by session."""
    retracted = (Retraction.ballot == Vote.ballot) & (Retraction.number <= up_to)
    invalid = (Invalidation.vote == Vote.number) & (Invalidation.number <= up_to)
    query = (
        select(Vote.session, Vote.left, Vote.right, Vote.choice)
        .outerjoin(Retraction, retracted)
        .outerjoin(Invalidation, invalid)
        .where(
            Vote.axis == axis,
            Vote.choice.in_(DECIDED),
            Vote.number <= up_to,
            Retraction.number.is_(None),
            Invalidation.number.is_(None),
        )
        .order_by(Vote.session, Vote.number)
        .execution_options(yield_per=BATCH)
    )
    for holder, left, right, choice in session.execute(query):
        yield (holder, left, right) if choice == "left" else (holder, right, left)


def _pairs(tallies: dict[Key, list[int]]) -> dict[Key, tuple[int, int]]:
    return {key: (chosen, of) for key, (chosen, of) in tallies.items()}


def _dumped(counts: Counts, roster: str) -> str:
    def rows(of: dict[Key, tuple[int, int]]) -> list[list[object]]:
        return sorted(([*key, *value] for key, value in of.items()), key=str)

    return json.dumps(
        {
            "roster": roster,
            "sessions": counts.sessions,
            "choices": counts.choices,
            "by_session": rows(counts.by_session),
            "by_choice": rows(counts.by_choice),
        },
        ensure_ascii=False,
    )


def _loaded(data: str) -> Counts:
    kept: dict[str, Any] = json.loads(data)

    def tallies(name: str) -> dict[Key, tuple[int, int]]:
        return {(slug, value): (chosen, of) for slug, value, chosen, of in kept[name]}

    return Counts(kept["sessions"], kept["choices"], tallies("by_session"), tallies("by_choice"))
