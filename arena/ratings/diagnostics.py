"""How far forecasts kept their word: scores, calibration curve, tie profile, settled entries.

Forecasts are scored only on votes that the fit has not seen; the tie profile alone is read over the
whole log, because it asks about the shape of the model and not about its skill.

References
----------
Davidson (1970), On extending the Bradley-Terry model to accommodate ties.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import expit, xlogy

from arena.ratings import davidson
from arena.ratings.arrays import IntVector, Vector
from arena.ratings.calibration import Decided, decided
from arena.ratings.counts import PairCounts
from arena.ratings.figures import Bin, Evaluation, Scores
from arena.ratings.forecasts import forecaster
from arena.ratings.held_out import HeldOut
from arena.ratings.pairs import Pairs
from arena.ratings.parts import Evidence, evidence_of
from arena.ratings.threads import reproducible_blas

COIN = math.log(2.0)
"""Nats a decided vote of somebody who always says one in two."""
GAPS = (0.0, 0.5, 1.0, 2.0, 4.0, math.inf)
"""Edges of the tie profile, in natural-log strength."""
CONFIDENCES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Edges of the calibration curve: the chance given to the side that was favoured."""
SETTLED_SE = 0.5
DIGITS = 12
"""A chance that lies on an edge stays there, whatever its logit lost in rounding."""


def evaluate(counts: PairCounts, held_out: HeldOut, anchor: float) -> Evaluation:
    """Fit without the held-out parts, and score the evaluation part.

    Parameters
    ----------
    counts : all votes.
    held_out : those on uniformly random pairs, in their parts.
    anchor : weight c, solved on the calibration part.

    Raises
    ------
    newton.NotPositive
        If the information cannot be factorised.
    """
    evidence = evidence_of(held_out.training(counts))
    with reproducible_blas():
        fit = davidson.fit(evidence.pairs, anchor)
        seen = decided(fit, evidence, anchor, held_out.evaluation)
    return Evaluation(_scores(fit, evidence, anchor, held_out.evaluation, seen), curve(seen))


def curve(seen: Decided) -> tuple[Bin, ...]:
    """Calibration of decided votes, each told from the side that the forecast favoured."""
    chance: Vector = np.round(expit(np.abs(seen.logits)), DIGITS)
    won = np.where(seen.logits == 0.0, 0.5, seen.logits > 0.0)
    return _bins(CONFIDENCES, chance, chance, won, seen.votes)


def tie_profile(pairs: Pairs, fit: davidson.Fit) -> tuple[Bin, ...]:
    """Share of ties by the gap in strength: as the model has it, and as it is.

    Parameters
    ----------
    pairs : games by pair, those that the fit is of.
    fit : strengths and tie affinity.
    """
    gap = np.abs(fit.theta[pairs.first] - fit.theta[pairs.second])
    _, _, tie = davidson.chances(gap, fit.nu)
    games = pairs.games
    realized = np.divide(pairs.ties, games, out=np.zeros_like(games), where=games > 0)
    return _bins(GAPS, gap, tie, realized, games)


def settled(se: Sequence[float | None]) -> int:
    """How many strengths are known to within a standard error of 0.5."""
    return sum(value is not None and value <= SETTLED_SE for value in se)


def prequential(forecasts: Vector, first_won: Vector) -> tuple[Bin, ...]:
    """Calibration of forecasts that were put on record before each vote was cast.

    Parameters
    ----------
    forecasts : (k,) chance of the first side, given that somebody wins.
    first_won : (k,) 1 where it won and 0 where it lost; ties and skips left out.
    """
    with np.errstate(divide="ignore"):
        logits = np.log(forecasts) - np.log1p(-forecasts)
    return curve(Decided(np.where(first_won > 0.5, logits, -logits), np.ones(forecasts.size)))


def _bins(
    edges: tuple[float, ...], by: Vector, expected: Vector, realized: Vector, votes: Vector
) -> tuple[Bin, ...]:
    """Means by bin, weighted by votes; what lies on the last edge belongs to the last bin."""
    last = len(edges) - 2
    place: IntVector = np.clip(np.searchsorted(edges, by, side="right") - 1, 0, last)
    total, sums, came = (
        np.bincount(place, weights, last + 1)
        for weights in (votes, votes * expected, votes * realized)
    )
    return tuple(
        Bin(
            low=edges[index],
            high=edges[index + 1],
            votes=int(number),
            expected=float(sums[index] / number) if number else None,
            realized=float(came[index] / number) if number else None,
        )
        for index, number in enumerate(total)
    )


def _scores(
    fit: davidson.Fit, evidence: Evidence, anchor: float, votes: PairCounts, seen: Decided
) -> Scores:
    number = int(seen.total)
    won = np.where(seen.logits == 0.0, 0.5, seen.logits > 0.0)
    three_ways, ties = _loss_three_ways(fit, evidence, anchor, votes), votes.total_ties
    total = votes.total_votes
    frequencies = np.array([(total - ties) / 2, (total - ties) / 2, ties])
    return Scores(
        decided=number,
        temperature=_finite(seen.temperature()) if number else None,
        loss=seen.loss() if number else None,
        accuracy=float(seen.votes @ won) / number if number else None,
        votes=total,
        loss_three_ways=three_ways / total if total else None,
        loss_of_frequencies=(
            -float(xlogy(frequencies, frequencies / total).sum()) / total if total else None
        ),
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _loss_three_ways(
    fit: davidson.Fit, evidence: Evidence, anchor: float, votes: PairCounts
) -> float:
    """Nats lost on all votes together, with the chances at the shrunk gaps."""
    names = sorted({*evidence.names, *votes.entries})
    place = np.array([names.index(name) for name in votes.entries], dtype=np.int64)
    seer = forecaster(fit, evidence.names, names, anchor)
    z = seer.logits(place[votes.first], place[votes.second])
    came = (votes.wins_first, votes.wins_second, votes.ties)
    chances = davidson.chances(z, fit.nu)
    return -sum(float(xlogy(n, p).sum()) for n, p in zip(came, chances, strict=True))
