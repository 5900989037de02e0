"""The parts that a method is composed of, and what passes between them.

model     games and virtual games -> strengths at the maximum
anchor    how much weight the virtual games have
interval  how far the strengths are to be trusted
scale     strength -> score
order     which row stands above which
marks     rank, range, tier and the signs beside a row
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from arena.ratings.arrays import IntVector, Matrix, Vector
from arena.ratings.counts import PairCounts, Records
from arena.ratings.figures import Evaluation, Trial
from arena.ratings.held_out import HeldOut
from arena.ratings.pairs import Pairs
from arena.ratings.resampling import Resampling


class Fit(Protocol):
    """What every model hands back: the strengths and how they were found."""

    @property
    def theta(self) -> Vector:
        """(n,) natural-log strengths, the phantom at 0."""

    @property
    def nu(self) -> float | None:
        """Tie affinity; None where ties are no outcome of their own."""

    @property
    def log_likelihood(self) -> float:
        """Of the votes alone, without constants."""

    @property
    def iterations(self) -> int:
        """Steps of the search."""

    @property
    def converged(self) -> bool:
        """Whether the last of them was negligible."""


FitT = TypeVar("FitT", bound=Fit)
FitT_co = TypeVar("FitT_co", bound=Fit, covariant=True)
FitT_contra = TypeVar("FitT_contra", bound=Fit, contravariant=True)


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """The games as the parts of a method see them.

    Attributes
    ----------
    names : (n,) rated entries, sorted.
    pairs : games among them.
    records : (n,) what their votes came to.
    """

    names: tuple[str, ...]
    pairs: Pairs
    records: Records


@dataclass(frozen=True, slots=True)
class Anchor:
    """The weight of the virtual games and how it was come by.

    Attributes
    ----------
    weight : virtual wins, and as many losses, of each entry against the phantom.
    temperature : of the forecasts on held-out votes; None where none was measured.
    trace : the weights that were tried, where it was solved.
    notes : sentences for people to read.
    held_out : how good forecasts with this weight are on the evaluation part.
    """

    weight: float
    temperature: float | None = None
    trace: tuple[Trial, ...] = ()
    notes: tuple[str, ...] = ()
    held_out: Evaluation | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Estimates:
    """Strengths on the method's scale, with their uncertainty.

    Attributes
    ----------
    strength : (n,) natural-log strengths as published.
    score, lower, upper : (n,) on the method's scale.
    se : (n,) standard errors of the strengths; None where there are none.
    covariance : (n, n) of the strengths, where chances are worked out from it.
    replicates : (n, r) strengths of bootstrap replicates, where ranks are read from them.
    """

    strength: Vector
    score: Vector
    lower: Vector
    upper: Vector
    se: Vector | None = None
    covariance: Matrix | None = None
    replicates: Matrix | None = None

    def of(self, rows: IntVector) -> Estimates:
        """Those of some of the entries."""
        if np.array_equal(rows, np.arange(self.strength.size)):
            return self
        return Estimates(
            self.strength[rows],
            self.score[rows],
            self.lower[rows],
            self.upper[rows],
            None if self.se is None else self.se[rows],
            None if self.covariance is None else self.covariance[np.ix_(rows, rows)],
            None if self.replicates is None else self.replicates[rows],
        )


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """The entries that a board lists, before they are put in order.

    Attributes
    ----------
    names : (k,) slugs, sorted.
    records : (k,) what their votes came to, games against unlisted entries included.
    estimates : (k,) of them.
    """

    names: tuple[str, ...]
    records: Records
    estimates: Estimates


@dataclass(frozen=True, slots=True)
class Scale:
    """A fixed straight line from strength to score.

    Attributes
    ----------
    origin : score of strength 0.
    unit : points for a factor of e in strength.
    centred : whether strengths are first shifted to mean 0.
    digits : decimals that a score is shown with.
    ends : beyond which no bar is drawn; None where the scale has none.
    """

    origin: float
    unit: float
    centred: bool
    digits: int
    ends: tuple[float, float] | None = None

    def strength(self, theta: Matrix) -> Matrix:
        """Strengths as published, of one fit (n,) or of r replicates (n, r)."""
        return theta - theta.mean(axis=0) if self.centred else theta

    def score(self, strength: Matrix) -> Matrix:
        """Scores of published strengths."""
        return self.origin + self.unit * strength


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands beside one row of the board; see `Standing` for the fields."""

    rank: int | None
    provisional: bool
    rank_low: int | None = None
    rank_high: int | None = None
    tier: str | None = None
    tier_alternate: str | None = None
    floor: bool | None = None
    ceiling: bool | None = None
    beats_typical: float | None = None


class Model(Protocol[FitT_co]):
    """Fits strengths to games."""

    def __call__(self, pairs: Pairs, weight: float, /) -> FitT_co:
        """Strengths at the maximum with that weight of virtual games."""


class Interval(Protocol[FitT_contra]):
    """Works out how far a fit is to be trusted."""

    def __call__(
        self,
        evidence: Evidence,
        fit: FitT_contra,
        anchor: Anchor,
        scale: Scale,
        resampling: Resampling,
        /,
    ) -> Estimates:
        """Estimates with their uncertainty."""


AnchorRule = Callable[[PairCounts, HeldOut | None], Anchor]
Order = Callable[[Rows], IntVector]
Marks = Callable[[Rows, IntVector], list[Mark]]


def given(matrix: Matrix | None) -> Matrix:
    """An estimate that the method's own interval has worked out.

    Raises
    ------
    TypeError
        If it has not: the parts of the method do not belong together.
    """
    if matrix is None:
        raise TypeError("the interval of this method has not worked out what its marks need")
    return matrix


def evidence_of(counts: PairCounts) -> Evidence:
    """The rated entries, their games and records."""
    rated = counts.rated()
    every = counts.records()
    return Evidence(
        names=tuple(counts.entries[index] for index in rated),
        pairs=counts.pairs(),
        records=every.of(rated),
    )
