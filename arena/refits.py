"""One refit of one axis by one method: counts to a publication, or to a reason on record.

A refit that fails leaves the last publication standing and says why, so that the board can say so.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from arena import crowds, diagnostics, outlooks, projections, publishing, verification
from arena.basis import basis_of
from arena.database import Base, Moment, db, insert_if_absent, now, writing
from arena.projections import Replay
from arena.publishing import PUBLISHED_METHODS, Published
from arena.roster import Site


class RefitRecord(Base):
    """The latest attempt to refit an axis by a method."""

    __tablename__ = "refits"

    axis: Mapped[str] = mapped_column(String(64), primary_key=True)
    method: Mapped[str] = mapped_column(String(32), primary_key=True)
    tried_at: Mapped[datetime] = mapped_column(Moment)
    succeeded_at: Mapped[datetime | None] = mapped_column(Moment)
    fault: Mapped[str | None] = mapped_column(Text)


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


def refit(site: Site, axis: str, method: str, *, trusting: bool = True) -> Outcome:
    """Fit the axis by the method and publish, or put on record why not.

    Where neither the counts nor the roster changed, the last publication goes on standing.

    Parameters
    ----------
    trusting : take the last publication's word for its figures. Otherwise they are worked out
        again, and a new one is published if they are not what follows.

    Raises
    ------
    database.Busy
        Nothing was recorded.
    """
    db.session.rollback()
    basis = basis_of(db.session(), site, axis)
    last = publishing.newest(axis, method)
    if (
        last is not None
        and publishing.digest_of(last.id) == basis.digest
        and (trusting or not any(verification.of_publication(db.session(), axis, method)))
    ):
        _put_on_record(axis, method, fault=None)
        return Outcome(axis, method, last, is_new=False, fault=None)
    try:
        figures = basis.figures(method)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
        fault = f"{type(error).__name__}: {error}"
        _put_on_record(axis, method, fault=fault)
        return Outcome(axis, method, last, is_new=False, fault=fault)
    publishing.write(axis, figures, basis)
    _put_on_record(axis, method, fault=None)
    return Outcome(axis, method, publishing.newest(axis, method), is_new=True, fault=None)


def refit_axis(site: Site, axis: str, *, trusting: bool = True) -> list[Outcome]:
    """Refit an axis by every method, and prepare what its ballots will ask."""
    outcomes = [refit(site, axis, method, trusting=trusting) for method in PUBLISHED_METHODS]
    outlooks.refresh(axis)
    return outcomes


def refit_and_diagnose(site: Site, axes: Collection[str]) -> list[Outcome]:
    """Refit axes by every method; then, the boards being out, work their diagnoses out.

    Raises
    ------
    database.Busy
    """
    outcomes = [it for axis in axes for it in refit_axis(site, axis)]
    _study(site, axes)
    return outcomes


def _study(site: Site, axes: Collection[str]) -> None:
    """Work out what is told beside the boards."""
    for axis in axes:
        diagnostics.refresh(axis)
        crowds.refresh(site, axis)


def refit_all(site: Site) -> list[Outcome]:
    """Refit every axis by every method."""
    return [outcome for axis in site.axes for outcome in refit_axis(site, axis.slug)]


def recompute(site: Site, axes: Collection[str]) -> tuple[Replay, list[Outcome]]:
    """Rebuild every projection of these axes from the log, and publish what does not stand.

    Raises
    ------
    database.Busy
        What was not rebuilt stands as it was.
    """
    replayed = projections.recompute(axes)
    outcomes = [it for axis in axes for it in refit_axis(site, axis, trusting=False)]
    _study(site, axes)
    return replayed, outcomes


def record_of(axis: str, method: str) -> RefitRecord | None:
    """The latest attempt to refit; None before the first."""
    return db.session.get(RefitRecord, (axis, method), populate_existing=True)


def _put_on_record(axis: str, method: str, fault: str | None) -> None:
    with writing() as session:
        at = now()
        key = {"axis": axis, "method": method}
        insert_if_absent(session, RefitRecord, [{**key, "tried_at": at}])
        record = session.get_one(RefitRecord, (axis, method), populate_existing=True)
        record.tried_at = at
        record.fault = fault
        if fault is None:
            record.succeeded_at = at
