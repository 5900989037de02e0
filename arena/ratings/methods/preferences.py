"""`preferences`: Bradley-Terry with one virtual tie, intervals from the full information."""

from __future__ import annotations

from collections.abc import Sequence

from arena.ratings import bradley_terry
from arena.ratings.arrays import IntVector
from arena.ratings.counts import PairCounts
from arena.ratings.figures import Standing
from arena.ratings.held_out import HeldOut
from arena.ratings.intervals import centred_standard_errors
from arena.ratings.method import Method
from arena.ratings.order import board_order, ranks_left_open
from arena.ratings.parts import Anchor, Estimates, Evidence, Mark, Rows, Scale
from arena.ratings.resampling import Resampling

VIRTUAL_GAMES = 0.5
"""A tie is half a win and half a loss."""
NORMAL_975 = 1.959964


def anchor(_counts: PairCounts, _held_out: HeldOut | None) -> Anchor:
    """One virtual tie against strength 1."""
    return Anchor(VIRTUAL_GAMES)


def normal_interval(
    evidence: Evidence,
    fit: bradley_terry.Fit,
    _anchor: Anchor,
    scale: Scale,
    _resampling: Resampling,
) -> Estimates:
    """The score and 1.959964 standard errors of it to either side."""
    strength = scale.strength(fit.theta)
    se = centred_standard_errors(fit.covariance, evidence.names)
    reach = NORMAL_975 * scale.unit * se
    score = scale.score(strength)
    return Estimates(strength, score, score - reach, score + reach, se)


def by_score(rows: Rows) -> IntVector:
    """Rows by score, then slug."""
    return board_order(rows.names, rows.estimates.score)


def marks(rows: Rows, order: IntVector) -> list[Mark]:
    """Ranks in board order; a row is provisional while its interval overlaps a neighbour's."""
    estimates = rows.estimates
    best, worst = ranks_left_open(estimates.lower, estimates.upper)
    lower, upper = estimates.lower[order], estimates.upper[order]
    overlaps = (lower[:-1] <= upper[1:]).tolist()
    provisional = zip([False, *overlaps], [*overlaps, False], strict=True)
    return [
        Mark(
            rank=rank,
            provisional=above or below,
            rank_low=int(best[index]),
            rank_high=int(worst[index]),
        )
        for rank, (index, (above, below)) in enumerate(
            zip(order, provisional, strict=True), start=1
        )
    ]


def winner(board: Sequence[Standing]) -> str | None:
    """The leader, if its lower end lies above every other upper end."""
    if not board or any(board[0].lower <= row.upper for row in board[1:]):
        return None
    return board[0].entry


PREFERENCES = Method(
    name="preferences",
    model=bradley_terry.fit,
    anchor=anchor,
    interval=normal_interval,
    scale=Scale(origin=0.0, unit=1.0, centred=True, digits=2),
    order=by_score,
    marks=marks,
    constants={"virtual_games": VIRTUAL_GAMES, "reach": NORMAL_975},
)
