"""Counts of each pair as displayed, kept in the vote's own transaction.

A refit reads these and not the log, so that its cost does not grow with the number of votes. Votes
that forecasts may be scored on are counted apart, by the part that their session belongs to.
"""

from __future__ import annotations

from sqlalchemy import Integer, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena.database import Base
from arena.ratings.held_out import PARTS, TRAINING, part_of

Cell = tuple[str, str, str, int]
"""Left, right, choice and how often."""

HELD_OUT_STRATEGY = "random"
"""The model had no hand in choosing these pairs."""

COLUMN_OF = {"left": "left_wins", "right": "right_wins", "tie": "ties", "skip": "skips"}


class PairTally(Base):
    """Choices counted on one pair of one axis in one orientation, within one part of the votes."""

    __tablename__ = "pair_tallies"

    axis: Mapped[str] = mapped_column(String(64), primary_key=True)
    left: Mapped[str] = mapped_column(String(64), primary_key=True)
    right: Mapped[str] = mapped_column(String(64), primary_key=True)
    part: Mapped[str] = mapped_column(String(12), primary_key=True)
    left_wins: Mapped[int] = mapped_column(Integer, default=0)
    right_wins: Mapped[int] = mapped_column(Integer, default=0)
    ties: Mapped[int] = mapped_column(Integer, default=0)
    skips: Mapped[int] = mapped_column(Integer, default=0)


def part(strategy: str, holder: str) -> str:
    """The part that a vote belongs to, by how its pair was drawn and whose session holds it."""
    return part_of(holder) if strategy == HELD_OUT_STRATEGY else TRAINING


def add(
    session: Session, axis: str, left: str, right: str, part: str, choice: str, by: int
) -> None:
    """Count a choice (`by` = 1), or take it out again (`by` = -1).

    The caller holds the rating rows of both entries, so nobody else counts this pair meanwhile.
    """
    key = (axis, left, right, part)
    row = session.get(PairTally, key, populate_existing=True)
    if row is None:
        row = PairTally(
            axis=axis,
            left=left,
            right=right,
            part=part,
            **dict.fromkeys(COLUMN_OF.values(), 0),
        )
        session.add(row)
    column = COLUMN_OF[choice]
    setattr(row, column, getattr(row, column) + by)


def cells(session: Session, axis: str) -> dict[str, tuple[Cell, ...]]:
    """What a fit of this axis reads, by part: one statement, so one moment of the log."""
    found: dict[str, list[Cell]] = {part: [] for part in PARTS}
    for row in session.scalars(select(PairTally).where(PairTally.axis == axis)):
        found[row.part] += (
            (row.left, row.right, choice, getattr(row, column))
            for choice, column in COLUMN_OF.items()
            if getattr(row, column)
        )
    return {part: tuple(sorted(rows)) for part, rows in found.items()}
