"""Publications: what one refit of one axis by one method had to say, kept for good.

Each is written whole or not at all, with everything its figures follow from, so that it can be
worked out again and compared for as long as the database lives.
"""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass, fields
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, select
from sqlalchemy.orm import Mapped, mapped_column

from arena.basis import Basis
from arena.database import Base, Moment, db, now, writing
from arena.ratings.figures import Bin, Evaluation, Scores, Trial
from arena.ratings.methods import METHODS, Figures, Standing

PUBLISHED_METHODS = tuple(METHODS)
KEPT_IN_MEMORY = 256
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
    """One refit of one axis by one method, how it was made, and how good the fit was."""

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
    config: Mapped[str] = mapped_column(Text)
    """The method's version and constants: JSON."""
    trace: Mapped[str] = mapped_column(Text)
    """The anchors that were tried, in order: JSON rows of anchor, slope, temperature, loss."""
    notes: Mapped[str] = mapped_column(Text)
    """Sentences about how the fit was come by: JSON."""
    held_out: Mapped[str] = mapped_column(Text, server_default="null")
    """How good its forecasts of held-out votes were: JSON."""


class PublishedStanding(Base):
    """Where one entry stood in one publication."""

    __tablename__ = "published_standings"
    __table_args__ = (UniqueConstraint("publication", "entry"), {"sqlite_with_rowid": False})

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
    beats_typical: Mapped[float | None]


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

    @cached_property
    def bars(self) -> dict[str, tuple[float, float]]:
        """Score and length of the interval of each rated entry."""
        return {it.entry: (it.score, it.upper - it.lower) for it in self.figures.board}

    def standing(self, entry: str) -> Standing | None:
        """The entry's standing, or None if it was not rated."""
        return self._standings.get(entry)


def newest(axis: str, method: str) -> Published | None:
    """The newest publication of an axis by a method; None before the first."""
    query = (
        select(Publication.id)
        .where(Publication.axis == axis, Publication.method == method)
        .order_by(Publication.id.desc())
        .limit(1)
    )
    found = db.session.scalar(query)
    return None if found is None else _load(database(), found)


def by_number(number: int) -> Published | None:
    """A publication; None if there is none of that number."""
    known = db.session.scalar(select(Publication.id).where(Publication.id == number))
    return None if known is None else _load(database(), known)


def of_board(axis: str, method: str, most: int) -> list[Published]:
    """The last publications of an axis by a method, the oldest first."""
    query = (
        select(Publication.id)
        .where(Publication.axis == axis, Publication.method == method)
        .order_by(Publication.id.desc())
        .limit(most)
    )
    numbers = db.session.scalars(query).all()
    return [_load(database(), number) for number in reversed(numbers)]


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
        trace=tuple(Trial(*trial) for trial in json.loads(row.trace)),
        notes=tuple(json.loads(row.notes)),
        held_out=evaluation_of(json.loads(row.held_out)),
    )


def evaluation_of(kept: dict[str, Any] | None) -> Evaluation | None:
    """What `asdict` made of an evaluation, an evaluation again."""
    if kept is None:
        return None
    return Evaluation(
        scores=Scores(**kept["scores"]), curve=tuple(Bin(**it) for it in kept["curve"])
    )


def write(axis: str, figures: Figures, basis: Basis) -> None:
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
            config=json.dumps(METHODS[figures.method].described),
            trace=json.dumps([astuple(trial) for trial in figures.trace]),
            notes=json.dumps(figures.notes),
            held_out=json.dumps(None if figures.held_out is None else asdict(figures.held_out)),
        )
        session.add(publication)
        session.flush()
        session.add_all(
            PublishedStanding(publication=publication.id, position=position, **asdict(standing))
            for position, standing in enumerate(figures.board, start=1)
        )


def database() -> str:
    """Which database this process works on, for what it keeps in memory."""
    return str(db.engine.url)


def basis_behind(publication: int) -> Basis:
    """What a publication was fitted to."""
    query = select(Publication.basis).where(Publication.id == publication)
    return Basis.from_bytes(db.session.scalars(query).one())


def anchor_beside(publication: int) -> float | None:
    """The anchor of the newest `versus` publication on the same counts; None without one."""
    digest = select(Publication.basis_digest).where(Publication.id == publication)
    axis = select(Publication.axis).where(Publication.id == publication)
    query = (
        select(Publication.anchor)
        .where(
            Publication.axis == axis.scalar_subquery(),
            Publication.method == "versus",
            Publication.basis_digest == digest.scalar_subquery(),
        )
        .order_by(Publication.id.desc())
        .limit(1)
    )
    return db.session.scalars(query).first()


def digest_of(publication: int) -> str:
    query = select(Publication.basis_digest).where(Publication.id == publication)
    return db.session.scalars(query).one()
