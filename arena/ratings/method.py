"""A method is a value: six parts that lead from pair counts to a board."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Generic

import numpy as np
from numpy.random import PCG64, Generator

from arena.ratings.counts import PairCounts
from arena.ratings.figures import Figures, Standing
from arena.ratings.graph import graph_of
from arena.ratings.held_out import HeldOut
from arena.ratings.newton import NotPositive
from arena.ratings.parts import (
    Anchor,
    AnchorRule,
    Estimates,
    Evidence,
    Fit,
    FitT,
    Interval,
    Mark,
    Marks,
    Model,
    Order,
    Rows,
    Scale,
    evidence_of,
)
from arena.ratings.refusals import PivotNotPositive
from arena.ratings.resampling import Resampling, Watch, unwatched
from arena.ratings.threads import reproducible_blas


@dataclass(frozen=True, eq=False)
class Method(Generic[FitT]):
    """A whole way from pair counts to a board.

    Attributes
    ----------
    name : as the contract calls it.
    model, anchor, interval, scale, order, marks : the six parts.
    constants : what is fixed in them, for the record of each publication.
    version : raised whenever equal counts come to other figures than before.
    """

    name: str
    model: Model[FitT] = field(repr=False)
    anchor: AnchorRule = field(repr=False)
    interval: Interval[FitT] = field(repr=False)
    scale: Scale = field(repr=False)
    order: Order = field(repr=False)
    marks: Marks = field(repr=False)
    constants: Mapping[str, object] = field(default_factory=dict, repr=False)
    version: int = 1

    @property
    def described(self) -> dict[str, object]:
        """Version and constants, as a publication keeps them."""
        return {"version": self.version, **self.constants}

    def publish(
        self,
        counts: PairCounts,
        *,
        held_out: HeldOut | None = None,
        unlisted: Collection[str] = (),
        replicates: int | None = None,
        watch: Watch = unwatched,
    ) -> Figures:
        """Everything the method has to say about the counts; the counts decide all of it.

        Parameters
        ----------
        counts : votes by pair.
        held_out : those of them that forecasts may be scored on.
        unlisted : entries whose games are fitted but that stand on no board.
        replicates : number of bootstrap replicates instead of the method's own.
        watch : is told how many of them are done.

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
            resampling = Resampling(Generator(PCG64(counts.seed())), replicates, watch)
            anchor, fit, estimates = self._estimate(counts, evidence, held_out, resampling)
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
            notes=(*anchor.notes, *_doubts(fit)),
            held_out=anchor.held_out,
        )

    def _estimate(
        self,
        counts: PairCounts,
        evidence: Evidence,
        held_out: HeldOut | None,
        resampling: Resampling,
    ) -> tuple[Anchor, Fit, Estimates]:
        try:
            anchor = self.anchor(counts, held_out)
            fit = self.model(evidence.pairs, anchor.weight)
            estimates = self.interval(evidence, fit, anchor, self.scale, resampling)
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


def _doubts(fit: Fit) -> tuple[str, ...]:
    """What must be said of a search that ran out of steps."""
    if fit.converged:
        return ()
    return (f"The fit has not converged after {fit.iterations} steps: its last digits are open.",)


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
