"""`versus`: Davidson with an anchor solved for calibration, ranks and tiers from bootstraps."""

from __future__ import annotations

import math
from typing import TypedDict

import numpy as np

from arena.ratings import bootstrap, calibration, davidson, diagnostics
from arena.ratings.arrays import IntVector
from arena.ratings.counts import PairCounts, Records
from arena.ratings.figures import Evaluation
from arena.ratings.forecasts import beats_typical
from arena.ratings.held_out import HeldOut
from arena.ratings.intervals import standard_errors
from arena.ratings.method import Method
from arena.ratings.order import board_order
from arena.ratings.parts import Anchor, Estimates, Evidence, Mark, Rows, Scale, given
from arena.ratings.resampling import Resampling
from arena.ratings.tiers import (
    FIRM_PERCENT,
    LAST_PERCENT,
    TIERS,
    alternates,
    rank_range,
    replicate_ranks,
    tier_of,
)

UNCALIBRATED_ANCHOR = 0.5
FEWEST_DECIDED = 200
"""Decided calibration votes under which the anchor is not solved."""
FEWEST_VOTES = 8
"""Comparisons from which an entry is published."""
REPLICATES = 1000
REACH = 2.0
"""Standard errors to either side."""


def anchor(counts: PairCounts, held_out: HeldOut | None) -> Anchor:
    """The weight at which forecasts of held-out votes have temperature 1.

    Raises
    ------
    refusals.NoAnchor, refusals.CalibrationCostsAccuracy
        See `calibration.solve`.
    """
    decisive = 0 if held_out is None else sum(held_out.calibration.side_wins)
    why = None
    if held_out is None or decisive < FEWEST_DECIDED:
        why = f"{decisive} decided calibration votes are fewer than {FEWEST_DECIDED}"
    elif not held_out.training(counts).total_votes:
        why = "every pair was drawn at random, which leaves no votes for a fit to be scored"
    if held_out is None or why is not None:
        note = f"The anchor is {UNCALIBRATED_ANCHOR} and not solved: {why}."
        return Anchor(
            UNCALIBRATED_ANCHOR,
            notes=(note,),
            held_out=_evaluation(counts, held_out, UNCALIBRATED_ANCHOR),
        )
    solved = calibration.solve(held_out.training(counts), held_out.calibration)
    weight = solved.solved.anchor
    return Anchor(
        weight,
        solved.solved.temperature,
        solved.trace,
        held_out=_evaluation(counts, held_out, weight),
    )


def _evaluation(counts: PairCounts, held_out: HeldOut | None, weight: float) -> Evaluation | None:
    if held_out is None or not held_out.evaluation.total_votes:
        return None
    return diagnostics.evaluate(counts, held_out, weight)


def joint_interval(
    evidence: Evidence,
    fit: davidson.Fit,
    anchor: Anchor,
    scale: Scale,
    resampling: Resampling,
) -> Estimates:
    """Two standard errors from the joint information, and refits of resampled votes.

    The interval is not cut off at the ends of the scale; whoever draws it does that.
    """
    strength = scale.strength(fit.theta)
    covariance = fit.covariance[:-1, :-1]
    se = standard_errors(covariance, evidence.names)
    score = scale.score(strength)
    reach = REACH * scale.unit * se
    number = resampling.number(REPLICATES)
    resampled = bootstrap.davidson_replicates(
        evidence.pairs, anchor.weight, fit, number, resampling.rng, resampling.watch
    )
    return Estimates(strength, score, score - reach, score + reach, se, covariance, resampled)


def by_strength(rows: Rows) -> IntVector:
    """Published rows by strength, then slug; after them the others likewise."""
    published = rows.records.votes >= FEWEST_VOTES
    return board_order(rows.names, published.astype(np.float64), rows.estimates.strength)


def marks(rows: Rows, order: IntVector) -> list[Mark]:
    """Rank, range and tiers of published rows; arrows where a strength is only a bound."""
    published = order[rows.records.votes[order] >= FEWEST_VOTES]
    firm = _published_marks(rows, published) if published.size else []
    return firm + [
        Mark(rank=None, provisional=True, **_bounds(rows.records, index))
        for index in order[published.size :].tolist()
    ]


class _Bounds(TypedDict):
    floor: bool
    ceiling: bool


def _bounds(records: Records, index: int) -> _Bounds:
    ties = records.ties[index]
    return {
        "floor": bool(records.losses[index] + ties == 0),
        "ceiling": bool(records.wins[index] + ties == 0),
    }


def _published_marks(rows: Rows, published: IntVector) -> list[Mark]:
    """Those of entries with enough votes, in the order of the board."""
    estimates = rows.estimates.of(published)
    ranks = replicate_ranks(given(estimates.replicates))
    low, high = rank_range(ranks)
    home = tier_of(np.arange(1, published.size + 1), published.size)
    chances = beats_typical(estimates.strength, given(estimates.covariance))
    return [
        Mark(
            rank=place + 1,
            provisional=False,
            rank_low=int(low[place]),
            rank_high=int(high[place]),
            tier=TIERS[home[place]],
            tier_alternate=alternate,
            beats_typical=None if math.isnan(chances[place]) else float(chances[place]),
            **_bounds(rows.records, int(published[place])),
        )
        for place, alternate in enumerate(alternates(ranks, home))
    ]


VERSUS = Method(
    name="versus",
    model=davidson.fit,
    anchor=anchor,
    interval=joint_interval,
    scale=Scale(origin=50.0, unit=2.0 / math.log(2.0), centred=False, digits=1, ends=(0.0, 100.0)),
    order=by_strength,
    marks=marks,
    constants={
        "uncalibrated_anchor": UNCALIBRATED_ANCHOR,
        "fewest_decided": FEWEST_DECIDED,
        "fewest_votes": FEWEST_VOTES,
        "replicates": REPLICATES,
        "reach": REACH,
        "anchors": (calibration.LIGHTEST, calibration.HEAVIEST),
        "most_costly": calibration.MOST_COSTLY,
        "tiers": LAST_PERCENT,
        "firm_percent": FIRM_PERCENT,
    },
)
