"""Which slugs of the roster the database has met, and which have left.

The roster is files; the database holds slugs. An entry or axis whose file is gone is retired the
next time the roster is loaded, at once for every process; its votes stay in the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import String, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena.database import Base, Moment, now
from arena.roster.types import Site


class RosterSlug(Base):
    """One slug that is or was on the roster."""

    __tablename__ = "roster_slugs"

    kind: Mapped[str] = mapped_column(String(5), primary_key=True)
    slug: Mapped[str] = mapped_column(String(64), primary_key=True)
    added_at: Mapped[datetime] = mapped_column(Moment)
    retired_at: Mapped[datetime | None] = mapped_column(Moment)


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What loading the roster changed: slugs that came (or came back) and slugs that left."""

    added: tuple[str, ...]
    retired: tuple[str, ...]


def enrol(session: Session, site: Site) -> Enrolment:
    """Bring the database's slugs in line with the files, inside the caller's transaction."""
    wanted = {("axis", axis.slug) for axis in site.axes} | {
        ("entry", entry.slug) for entry in site.entries
    }
    known = {(row.kind, row.slug): row for row in session.scalars(select(RosterSlug))}
    added, retired = [], []
    for key in sorted(wanted):
        row = known.get(key)
        if row is None:
            session.add(RosterSlug(kind=key[0], slug=key[1], added_at=now(), retired_at=None))
            added.append(key[1])
        elif row.retired_at is not None:
            row.retired_at = None
            added.append(key[1])
    for key, row in sorted(known.items()):
        if key not in wanted and row.retired_at is None:
            row.retired_at = now()
            retired.append(key[1])
    return Enrolment(tuple(added), tuple(retired))


def known(session: Session, kind: str) -> frozenset[str]:
    """Slugs of this kind that are or were on the roster: the log may name them."""
    return frozenset(session.scalars(select(RosterSlug.slug).where(RosterSlug.kind == kind)))


def present(session: Session, kind: str) -> frozenset[str]:
    """Slugs of this kind ("axis" or "entry") that the database holds as present.

    Every ballot asks, and the answer hardly ever changes: a process keeps it as long as the counts
    and the latest times of the table are the same.
    """
    coming, leaving = RosterSlug.added_at, RosterSlug.retired_at
    query = select(func.count(), func.count(leaving), func.max(coming), func.max(leaving))
    state = tuple(session.execute(query.where(RosterSlug.kind == kind)).one())
    key = (str(session.get_bind().engine.url), kind)
    kept = _present.get(key)
    if kept is None or kept[0] != state:
        slugs = select(RosterSlug.slug).where(RosterSlug.kind == kind, leaving.is_(None))
        kept = _present[key] = (state, frozenset(session.scalars(slugs)))
    return kept[1]


_present: dict[tuple[str, str], tuple[tuple[object, ...], frozenset[str]]] = {}
