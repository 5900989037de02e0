"""A method is a value: six parts that lead from pair counts to a board.

model     games and virtual games -> strengths at the maximum
anchor    how much weight the virtual games have
interval  how far the strengths are to be trusted
scale     strength -> score
order     which row stands above which
marks     rank, range, tier and the signs beside a row
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.random import PCG64, Generator

from arena.ratings.counts import IntVector, Matrix, PairCounts, Pairs, Records, Vector
from arena.ratings.figures import Figures, Standing, Trial
from arena.ratings.graph import graph_of
from arena.ratings.held_out import HeldOut
from arena.ratings.newton import NotPositive
from arena.ratings.refusals import PivotNotPositive
from arena.ratings.threads import reproducible_blas


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
    """

    weight: float
    temperature: float | None = None
    trace: tuple[Trial, ...] = ()
    notes: tuple[str, ...] = ()


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
    """

    origin: float
    unit: float
    centred: bool

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
        replicates: int | None,
        rng: Generator,
        /,
    ) -> Estimates:
        """Estimates with their uncertainty; `replicates` None means the method's own number."""


AnchorRule = Callable[[PairCounts, HeldOut | None], Anchor]
Order = Callable[[Rows], IntVector]
Marks = Callable[[Rows, IntVector], list[Mark]]


@dataclass(frozen=True, eq=False)
class Method(Generic[FitT]):
    """A whole way from pair counts to a board.

    Attributes
    ----------
    name : as the contract calls it.
    model, anchor, interval, scale, order, marks : the six parts.
    """

    name: str
    model: Model[FitT] = field(repr=False)
    anchor: AnchorRule = field(repr=False)
    interval: Interval[FitT] = field(repr=False)
    scale: Scale = field(repr=False)
    order: Order = field(repr=False)
    marks: Marks = field(repr=False)

    def publish(
        self,
        counts: PairCounts,
        *,
        held_out: HeldOut | None = None,
        unlisted: Collection[str] = (),
        replicates: int | None = None,
    ) -> Figures:
        """Everything the method has to say about the counts; the counts decide all of it.

        Parameters
        ----------
        counts : votes by pair.
        held_out : those of them that forecasts may be scored on.
        unlisted : entries whose games are fitted but that stand on no board.
        replicates : number of bootstrap replicates instead of the method's own.

        Raises
        ------
        ValueError
            If fewer than one replicate is asked for.
        refusals.Refused
            If a figure cannot be stood by; nothing partial is returned.
        """
        if replicates is not None and replicates < 1:
            raise ValueError(f"{replicates} replicates is less than one")
        evidence = evidence_of(counts)
        if not evidence.names:
            return self._empty(counts)
        with reproducible_blas():
            anchor, fit, estimates = self._estimate(counts, evidence, held_out, replicates)
        rows = _listed(evidence, estimates, unlisted)
        order = self.order(rows)
        marks = self.marks(rows, order)
        graph = graph_of(evidence.pairs)
        return Figures(
            method=self.name,
            votes=counts.total_votes,
            ties=counts.total_ties,
            skips=counts.total_skips,
            entries=len(evidence.names),
            connected=graph.connected,
            components=graph.components,
            strongly_connected=graph.strongly_connected,
            converged=fit.converged,
            iterations=fit.iterations,
            log_likelihood=fit.log_likelihood,
            model={"anchor": anchor.weight, "nu": fit.nu, "temperature": anchor.temperature},
            board=tuple(
                _standing(rows, int(index), mark) for index, mark in zip(order, marks, strict=True)
            ),
            unrated=_unrated(counts),
            trace=anchor.trace,
            notes=anchor.notes,
        )

    def _estimate(
        self,
        counts: PairCounts,
        evidence: Evidence,
        held_out: HeldOut | None,
        replicates: int | None,
    ) -> tuple[Anchor, Fit, Estimates]:
        rng = Generator(PCG64(counts.seed()))
        try:
            anchor = self.anchor(counts, held_out)
            fit = self.model(evidence.pairs, anchor.weight)
            estimates = self.interval(evidence, fit, anchor, self.scale, replicates, rng)
        except NotPositive as error:
            parameters = (*evidence.names, "the tie affinity")
            raise PivotNotPositive(parameters[error.index], error.value) from error
        return anchor, fit, estimates

    def _empty(self, counts: PairCounts) -> Figures:
        """The figures where nothing was voted on."""
        return Figures(
            method=self.name,
            votes=0,
            ties=0,
            skips=counts.total_skips,
            entries=0,
            connected=False,
            components=0,
            strongly_connected=False,
            converged=True,
            iterations=0,
            log_likelihood=0.0,
            model={"anchor": None, "nu": None, "temperature": None},
            board=(),
            unrated=_unrated(counts),
        )


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


def _listed(evidence: Evidence, estimates: Estimates, unlisted: Collection[str]) -> Rows:
    listed = np.flatnonzero([name not in unlisted for name in evidence.names])
    names = tuple(evidence.names[index] for index in listed)
    return Rows(names, evidence.records.of(listed), estimates.of(listed))


def _unrated(counts: PairCounts) -> tuple[str, ...]:
    votes = counts.records().votes
    return tuple(name for name, number in zip(counts.entries, votes, strict=True) if number == 0)


def _standing(rows: Rows, index: int, mark: Mark) -> Standing:
    records, estimates = rows.records, rows.estimates
    return Standing(
        entry=rows.names[index],
        rank=mark.rank,
        strength=float(estimates.strength[index]),
        se=None if estimates.se is None else float(estimates.se[index]),
        score=float(estimates.score[index]),
        lower=float(estimates.lower[index]),
        upper=float(estimates.upper[index]),
        votes=int(records.votes[index]),
        wins=int(records.wins[index]),
        ties=int(records.ties[index]),
        losses=int(records.losses[index]),
        rank_low=mark.rank_low,
        rank_high=mark.rank_high,
        tier=mark.tier,
        tier_alternate=mark.tier_alternate,
        provisional=mark.provisional,
        floor=mark.floor,
        ceiling=mark.ceiling,
        beats_typical=mark.beats_typical,
    )
