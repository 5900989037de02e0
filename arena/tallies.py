"""Counts of each pair as displayed, kept in the vote's own transaction.

A refit reads these and not the log, so that its cost does not grow with the number of votes.
"""

from __future__ import annotations

from sqlalchemy import Integer, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena.database import Base

Cell = tuple[str, str, str, int]
"""Left, right, choice and how often."""

COLUMN_OF = {"left": "left_wins", "right": "right_wins", "tie": "ties", "skip": "skips"}


class PairTally(Base):
    """Choices counted on one pair of one axis in one orientation."""

    __tablename__ = "pair_tallies"

    axis: Mapped[str] = mapped_column(String(64), primary_key=True)
    left: Mapped[str] = mapped_column(String(64), primary_key=True)
    right: Mapped[str] = mapped_column(String(64), primary_key=True)
    left_wins: Mapped[int] = mapped_column(Integer, default=0)
    right_wins: Mapped[int] = mapped_column(Integer, default=0)
    ties: Mapped[int] = mapped_column(Integer, default=0)
    skips: Mapped[int] = mapped_column(Integer, default=0)


def add(session: Session, axis: str, left: str, right: str, choice: str, by: int) -> None:
    """Count a choice (`by` = 1), or take it out again (`by` = -1).

    The caller holds the rating rows of both entries, so nobody else counts this pair meanwhile.
    """
    row = session.get(PairTally, (axis, left, right), populate_existing=True)
    if row is None:
        row = PairTally(axis=axis, left=left, right=right, **dict.fromkeys(COLUMN_OF.values(), 0))
        session.add(row)
    column = COLUMN_OF[choice]
    setattr(row, column, getattr(row, column) + by)


def cells(session: Session, axis: str) -> list[Cell]:
    """What a fit of this axis reads, sorted: one statement, so one moment of the log."""
    rows = session.scalars(select(PairTally).where(PairTally.axis == axis))
    return sorted(
        (row.left, row.right, choice, getattr(row, column))
        for row in rows
        for choice, column in COLUMN_OF.items()
        if getattr(row, column)
    )
