"""From pair counts to a publication: one refit of one axis by one method, all or nothing.

A publication is kept for good, with the counts it was fitted to. A refit that fails leaves the
last one standing and puts its reason on record, so that the board can say so.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import cached_property, lru_cache

import numpy as np
from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, select
from sqlalchemy.orm import Mapped, mapped_column

from arena.basis import Basis, basis_of
from arena.database import Base, Moment, db, now, writing
from arena.ratings.elo import expected
from arena.ratings.methods import Figures, Standing
from arena.roster import Site

PUBLISHED_METHODS = ("arena",)
KEPT_IN_MEMORY = 64
SHARED_COLUMNS = (
    "votes",
    "ties",
    "skips",
    "entries",
    "connected",
    "components",
    "strongly_connected",
    "converged",
    "iterations",
    "log_likelihood",
)


class Publication(Base):
    """One refit of one axis by one method, and how good the fit was."""

    __tablename__ = "publications"
    __table_args__ = (Index(None, "axis", "method", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    axis: Mapped[str] = mapped_column(String(64))
    method: Mapped[str] = mapped_column(String(32))
    published_at: Mapped[datetime] = mapped_column(Moment)
    basis_digest: Mapped[str] = mapped_column(String(64))
    basis: Mapped[bytes] = mapped_column(LargeBinary)
    """What was fitted, as `Basis.to_bytes` writes it."""
    votes: Mapped[int]
    ties: Mapped[int]
    skips: Mapped[int]
    entries: Mapped[int]
    connected: Mapped[bool]
    components: Mapped[int]
    strongly_connected: Mapped[bool]
    converged: Mapped[bool]
    iterations: Mapped[int]
    log_likelihood: Mapped[float]
    anchor: Mapped[float | None]
    nu: Mapped[float | None]
    temperature: Mapped[float | None]


class PublishedStanding(Base):
    """Where one entry stood in one publication."""

    __tablename__ = "published_standings"
    __table_args__ = (UniqueConstraint("publication", "entry"),)

    publication: Mapped[int] = mapped_column(ForeignKey("publications.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    entry: Mapped[str] = mapped_column(String(64), index=True)
    rank: Mapped[int | None]
    strength: Mapped[float]
    se: Mapped[float | None]
    score: Mapped[float]
    lower: Mapped[float]
    upper: Mapped[float]
    votes: Mapped[int]
    wins: Mapped[int]
    ties: Mapped[int]
    losses: Mapped[int]
    rank_low: Mapped[int | None]
    rank_high: Mapped[int | None]
    tier: Mapped[str | None] = mapped_column(String(1))
    tier_alternate: Mapped[str | None] = mapped_column(String(1))
    provisional: Mapped[bool]
    floor: Mapped[bool | None]
    ceiling: Mapped[bool | None]


class RefitRecord(Base):
    """The latest attempt to refit an axis by a method."""

    __tablename__ = "refits"

    axis: Mapped[str] = mapped_column(String(64), primary_key=True)
    method: Mapped[str] = mapped_column(String(32), primary_key=True)
    tried_at: Mapped[datetime] = mapped_column(Moment)
    succeeded_at: Mapped[datetime | None] = mapped_column(Moment)
    fault: Mapped[str | None] = mapped_column(Text)


@dataclass(frozen=True)
class Published:
    """A publication as every page reads it."""

    id: int
    axis: str
    published_at: datetime
    figures: Figures

    @cached_property
    def _standings(self) -> dict[str, Standing]:
        return {standing.entry: standing for standing in self.figures.board}

    def standing(self, entry: str) -> Standing | None:
        """The entry's standing, or None if it was not rated."""
        return self._standings.get(entry)

    def forecast(self, left: str, right: str) -> float | None:
        """P(left wins given that somebody wins); None if either was not rated."""
        a, b = self.standing(left), self.standing(right)
        return None if a is None or b is None else expected(a.score, b.score)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a refit came to.

    Attributes
    ----------
    published : the publication that stands now; None if there has never been one.
    is_new : False where nothing was counted or taken out since the last one.
    fault : why the refit failed, if it did.
    """

    axis: str
    method: str
    published: Published | None
    is_new: bool
    fault: str | None


def refit(site: Site, axis: str, method: str) -> Outcome:
    """Fit the axis by the method and publish, or put on record why not.

    Where neither the counts nor the roster changed, the last publication goes on standing.

    Raises
    ------
    database.Busy
        Nothing was recorded.
    """
    db.session.rollback()
    basis = basis_of(db.session(), site, axis)
    last = newest(axis, method)
    if last is not None and _digest_of(last.id) == basis.digest:
        _put_on_record(axis, method, fault=None)
        return Outcome(axis, method, last, is_new=False, fault=None)
    try:
        figures = basis.figures(method)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
        fault = f"{type(error).__name__}: {error}"
        _put_on_record(axis, method, fault=fault)
        return Outcome(axis, method, last, is_new=False, fault=fault)
    _write(axis, figures, basis)
    _put_on_record(axis, method, fault=None)
    return Outcome(axis, method, newest(axis, method), is_new=True, fault=None)


def refit_all(site: Site) -> list[Outcome]:
    """Refit every axis by every method that is published."""
    return [refit(site, axis.slug, method) for axis in site.axes for method in PUBLISHED_METHODS]


def newest(axis: str, method: str) -> Published | None:
    """The newest publication of an axis by a method; None before the first."""
    query = (
        select(Publication.id)
        .where(Publication.axis == axis, Publication.method == method)
        .order_by(Publication.id.desc())
        .limit(1)
    )
    found = db.session.scalar(query)
    return None if found is None else _load(str(db.engine.url), found)


def record_of(axis: str, method: str) -> RefitRecord | None:
    """The latest attempt to refit; None before the first."""
    return db.session.get(RefitRecord, (axis, method), populate_existing=True)


@lru_cache(maxsize=KEPT_IN_MEMORY)
def _load(_database: str, publication_id: int) -> Published:
    """Read a publication; one never changes, so a process reads each once."""
    row = db.session.get_one(Publication, publication_id)
    return Published(row.id, row.axis, row.published_at, figures_of(row))


def figures_of(row: Publication) -> Figures:
    """The figures of a publication as they stand in the database now."""
    standings = db.session.scalars(
        select(PublishedStanding)
        .where(PublishedStanding.publication == row.id)
        .order_by(PublishedStanding.position)
    )
    board = tuple(
        Standing(**{field.name: getattr(standing, field.name) for field in fields(Standing)})
        for standing in standings
    )
    return Figures(
        method=row.method,
        votes=row.votes,
        ties=row.ties,
        skips=row.skips,
        entries=row.entries,
        connected=row.connected,
        components=row.components,
        strongly_connected=row.strongly_connected,
        converged=row.converged,
        iterations=row.iterations,
        log_likelihood=row.log_likelihood,
        model={"anchor": row.anchor, "nu": row.nu, "temperature": row.temperature},
        board=board,
        unrated=(),
    )


def _write(axis: str, figures: Figures, basis: Basis) -> None:
    """Write a publication with all its standings, or nothing."""
    with writing() as session:
        publication = Publication(
            axis=axis,
            method=figures.method,
            published_at=now(),
            basis_digest=basis.digest,
            basis=basis.to_bytes(),
            **{name: getattr(figures, name) for name in SHARED_COLUMNS},
            **figures.model,
        )
        session.add(publication)
        session.flush()
        session.add_all(
            PublishedStanding(publication=publication.id, position=position, **asdict(standing))
            for position, standing in enumerate(figures.board, start=1)
        )


def _put_on_record(axis: str, method: str, fault: str | None) -> None:
    with writing() as session:
        at = now()
        record = session.get(RefitRecord, (axis, method), populate_existing=True)
        if record is None:
            record = RefitRecord(axis=axis, method=method, succeeded_at=None)
            session.add(record)
        record.tried_at = at
        record.fault = fault
        if fault is None:
            record.succeeded_at = at


def _digest_of(publication: int) -> str:
    query = select(Publication.basis_digest).where(Publication.id == publication)
    return db.session.scalars(query).one()
