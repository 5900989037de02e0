"""`arena`: Bradley-Terry with one virtual win and one virtual loss, sorted by the lower bound."""

from __future__ import annotations

import math

import numpy as np

from arena.ratings import bradley_terry
from arena.ratings.arrays import IntVector
from arena.ratings.bootstrap import bradley_terry_replicates
from arena.ratings.counts import PairCounts
from arena.ratings.held_out import HeldOut
from arena.ratings.method import Method
from arena.ratings.order import board_order, ranks_left_open
from arena.ratings.parts import Anchor, Estimates, Evidence, Mark, Rows, Scale
from arena.ratings.resampling import Resampling

VIRTUAL_GAMES = 1.0
REPLICATES = 100
PERCENTILES = (2.5, 97.5)
SETTLED_VOTES = 12
SCALE = Scale(origin=1500.0, unit=400.0 / math.log(10.0), centred=True, digits=0)


def anchor(_counts: PairCounts, _held_out: HeldOut | None) -> Anchor:
    """One virtual win and one virtual loss against average strength."""
    return Anchor(VIRTUAL_GAMES)


def bars(
    evidence: Evidence,
    fit: bradley_terry.Fit,
    anchor: Anchor,
    scale: Scale,
    resampling: Resampling,
) -> Estimates:
    """Percentiles of the scores of bootstrap replicates, each centred by itself."""
    strength = scale.strength(fit.theta)
    number = resampling.number(REPLICATES)
    theta = bradley_terry_replicates(
        evidence.pairs, anchor.weight, fit, number, resampling.rng, resampling.watch
    )
    scores = scale.score(scale.strength(theta))
    lower, upper = np.percentile(scores, PERCENTILES, axis=1)
    return Estimates(strength, scale.score(strength), lower, upper)


def by_lower_bound(rows: Rows) -> IntVector:
    """Rows by lower end, then score, then slug: little evidence does not lead a board."""
    return board_order(rows.names, rows.estimates.lower, rows.estimates.score)


def marks(rows: Rows, order: IntVector) -> list[Mark]:
    """Ranks in board order, ranges from the bars, provisional under twelve votes."""
    best, worst = ranks_left_open(rows.estimates.lower, rows.estimates.upper)
    return [
        Mark(
            rank=rank,
            provisional=bool(rows.records.votes[index] < SETTLED_VOTES),
            rank_low=int(best[index]),
            rank_high=int(worst[index]),
        )
        for rank, index in enumerate(order, start=1)
    ]


ARENA = Method(
    name="arena",
    model=bradley_terry.fit,
    anchor=anchor,
    interval=bars,
    scale=SCALE,
    order=by_lower_bound,
    marks=marks,
    constants={
        "virtual_games": VIRTUAL_GAMES,
        "replicates": REPLICATES,
        "percentiles": PERCENTILES,
        "settled_votes": SETTLED_VOTES,
    },
)
