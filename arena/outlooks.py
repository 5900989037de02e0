"""What the newest `versus` publication expects of any pair, prepared once a refit.

Every ballot keeps a forecast, and the `versus` chooser ranks all pairs by what they would teach.
Both follow from the strengths and their covariance; working them out for each ballot would cost
more than the ballot.
"""

from __future__ import annotations

import io
import json
import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sqlalchemy import ForeignKey, LargeBinary, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena.basis import Basis
from arena.database import Base, db, writing
from arena.publishing import Published, basis_behind, database, newest
from arena.ratings import davidson
from arena.ratings.arrays import IntVector, Matrix, Vector
from arena.ratings.forecasts import shrunk, tie_chance
from arena.ratings.information import information, most_informative
from arena.ratings.methods.versus import UNCALIBRATED_ANCHOR
from arena.ratings.parts import evidence_of
from arena.ratings.threads import reproducible_blas

METHOD = "versus"
MOST_PAIRS = 1000
"""Pairs kept for the chooser: what is on cooldown or judged must leave enough to draw from."""
KEPT_IN_MEMORY = 16
REACH = 1.959964
CLOSE = 1e-5


class OutlookRow(Base):
    """The outlook of one axis; a projection, replaced by every refit."""

    __tablename__ = "outlooks"

    axis: Mapped[str] = mapped_column(String(64), primary_key=True)
    publication: Mapped[int] = mapped_column(ForeignKey("publications.id"))
    data: Mapped[bytes] = mapped_column(LargeBinary)
    """As `Outlook.to_bytes` writes it."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of a game, from the first entry's side.

    Attributes
    ----------
    p, lower, upper : chance that it wins, given that somebody does, with its 95 % interval.
    tie : chance of a tie.
    publication : the publication that says so.
    """

    p: float
    lower: float
    upper: float
    tie: float
    publication: int


@dataclass(frozen=True, eq=False)
class Outlook:
    """Strengths with their covariance, and the pairs most worth comparing.

    Attributes
    ----------
    publication : the publication that they are from.
    names : (n,) entries with a vote, sorted.
    theta : (n,) strengths.
    covariance : (n, n) of them, rounded to single precision.
    nu : tie affinity.
    anchor : weight c; an entry without a vote is normal with mean 0 and variance 2 / c.
    first, second : (k,) indices of the pairs most worth comparing, the best first.
    worth : (k,) what each is worth.
    """

    publication: int
    names: tuple[str, ...]
    theta: Vector
    covariance: Matrix
    nu: float
    anchor: float
    first: IntVector
    second: IntVector
    worth: Vector

    @cached_property
    def place(self) -> dict[str, int]:
        """Index of each entry that has a vote."""
        return {name: index for index, name in enumerate(self.names)}

    @cached_property
    def informative(self) -> tuple[tuple[frozenset[str], float], ...]:
        """The pairs most worth comparing with what each is worth, the best first."""
        rows = zip(self.first.tolist(), self.second.tolist(), self.worth.tolist(), strict=True)
        return tuple((frozenset((self.names[a], self.names[b])), worth) for a, b, worth in rows)

    def expect(self, first: str, second: str) -> Expected:
        """What is expected of a game between two entries, voted on or not."""
        difference = self._strength(first) - self._strength(second)
        variance = self._variance(first) + self._variance(second)
        if first in self.place and second in self.place:
            variance -= 2.0 * float(self.covariance[self.place[first], self.place[second]])
        variance = max(variance, 0.0)
        shrunk_gap = shrunk(difference, variance)
        reach = REACH * math.sqrt(variance)
        lower, p, upper = expit([difference - reach, shrunk_gap, difference + reach]).tolist()
        return Expected(p, lower, upper, tie_chance(shrunk_gap, self.nu), self.publication)

    def _strength(self, name: str) -> float:
        return float(self.theta[self.place[name]]) if name in self.place else 0.0

    def _variance(self, name: str) -> float:
        place = self.place.get(name)
        return 2.0 / self.anchor if place is None else float(self.covariance[place, place])

    @property
    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        """Everything but the names, for comparison."""
        model = np.array([self.nu, self.anchor])
        return self.theta, self.covariance, model, self.first, self.second, self.worth

    def to_bytes(self) -> bytes:
        """The arrays as numpy writes them."""
        file = io.BytesIO()
        np.savez(
            file,
            names=np.frombuffer(json.dumps(self.names).encode(), dtype=np.uint8),
            theta=self.theta,
            covariance=self.covariance[np.triu_indices(len(self.names))].astype(np.float32),
            nu=np.array(self.nu),
            anchor=np.array(self.anchor),
            pairs=np.stack([self.first, self.second]).astype(np.int32),
            worth=self.worth,
        )
        return file.getvalue()

    @classmethod
    def from_bytes(cls, publication: int, kept: bytes) -> Outlook:
        """The outlook that `to_bytes` wrote."""
        with np.load(io.BytesIO(kept), allow_pickle=False) as arrays:
            names = tuple(json.loads(arrays["names"].tobytes()))
            covariance = np.zeros((len(names), len(names)))
            covariance[np.triu_indices(len(names))] = arrays["covariance"]
            covariance += np.triu(covariance, 1).T
            first, second = arrays["pairs"].astype(np.int64)
            return cls(
                publication=publication,
                names=names,
                theta=arrays["theta"],
                covariance=covariance,
                nu=float(arrays["nu"]),
                anchor=float(arrays["anchor"]),
                first=first,
                second=second,
                worth=arrays["worth"],
            )


def outlook_of(basis: Basis, publication: int, anchor: float | None) -> Outlook:
    """What a fit of this basis with this anchor expects; without votes there was none."""
    anchor = UNCALIBRATED_ANCHOR if anchor is None else anchor
    evidence = evidence_of(basis.counts)
    with reproducible_blas():
        fit = davidson.fit(evidence.pairs, anchor)
        covariance = fit.covariance[:-1, :-1]
    worth = information(fit.theta, covariance, fit.nu, evidence.records.votes)
    gone = np.isin(evidence.names, basis.unlisted)
    worth[gone, :] = worth[:, gone] = 0.0
    first, second = most_informative(worth, MOST_PAIRS)
    useful = worth[first, second] > 0.0
    first, second = first[useful], second[useful]
    return Outlook(
        publication=publication,
        names=evidence.names,
        theta=fit.theta,
        covariance=covariance,
        nu=fit.nu,
        anchor=anchor,
        first=first,
        second=second,
        worth=worth[first, second],
    )


def refresh(axis: str) -> None:
    """Prepare the outlook of the newest `versus` publication, unless it stands already.

    Raises
    ------
    database.Busy
        Nothing was changed.
    """
    published = newest(axis, METHOD)
    if published is None:
        return
    row = db.session.get(OutlookRow, axis, populate_existing=True)
    if row is not None and row.publication == published.id:
        return
    data = _afresh(published).to_bytes()
    with writing() as session:
        session.merge(OutlookRow(axis=axis, publication=published.id, data=data))


def is_sound(row: OutlookRow, published: Published) -> bool:
    """Whether an outlook is what its publication expects, to single precision."""
    try:
        wanted = _afresh(published)
        kept = Outlook.from_bytes(row.publication, row.data)
    except (ValueError, KeyError, OSError, EOFError, BadZipFile):
        return False
    return kept.names == wanted.names and all(
        one.shape == other.shape and np.allclose(one, other, rtol=CLOSE, atol=CLOSE)
        for one, other in zip(kept.arrays, wanted.arrays, strict=True)
    )


def _afresh(published: Published) -> Outlook:
    basis = basis_behind(published.id)
    return outlook_of(basis, published.id, published.figures.model["anchor"])


def current(session: Session, axis: str) -> Outlook | None:
    """The outlook of an axis as it stands; None before the first `versus` publication."""
    publication = session.scalar(select(OutlookRow.publication).where(OutlookRow.axis == axis))
    if publication is None:
        return None
    return _load(database(), axis, publication)


@lru_cache(maxsize=KEPT_IN_MEMORY)
def _load(_database: str, axis: str, publication: int) -> Outlook | None:
    """Read an outlook; under the number of its publication it never changes."""
    query = select(OutlookRow.data).where(
        OutlookRow.axis == axis, OutlookRow.publication == publication
    )
    data = db.session.scalar(query)
    return None if data is None else Outlook.from_bytes(publication, data)
