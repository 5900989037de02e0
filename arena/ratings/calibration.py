"""The weight of the versus anchor, solved so that forecasts mean what they say.

Too heavy an anchor makes forecasts timid, too light a one makes them overconfident. The temperature
T measures which: it is the number by which held-out log odds ask to be divided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from arena.ratings import davidson
from arena.ratings.arrays import Vector
from arena.ratings.counts import PairCounts
from arena.ratings.figures import Trial
from arena.ratings.forecasts import forecaster
from arena.ratings.parts import Evidence, evidence_of
from arena.ratings.refusals import CalibrationCostsAccuracy, NoAnchor

LIGHTEST, HEAVIEST = 0.02, 8.0
CLOSE_ENOUGH = 1e-6
"""The bisection on ln c stops at a bracket this narrow."""
MOST_COSTLY = 0.02
"""Nats a held-out vote that calibration may cost."""
FLATTEST, STEEPEST = 1e-12, 1e12


@dataclass(frozen=True, eq=False, slots=True)
class Decided:
    """Forecasts of decided games, from the winner's side.

    Attributes
    ----------
    logits : (k,) marginal log odds of the winner.
    votes : (k,) how many votes each stands for.
    """

    logits: Vector
    votes: Vector

    @property
    def total(self) -> float:
        """Number of decided votes."""
        return float(self.votes.sum())

    def slope(self, beta: float = 1.0) -> float:
        """Slope of the log-likelihood of log odds multiplied by beta."""
        return float(self.votes @ (self.logits * expit(-beta * self.logits)))

    def loss(self) -> float:
        """Nats a vote, of the forecasts as they stand."""
        return float(self.votes @ np.logaddexp(0.0, -self.logits)) / self.total

    def temperature(self) -> float:
        """T = 1 / beta at the best beta: over 1 overconfident, under 1 timid.

        0 where every forecast pointed at the winner, infinite where shrinking all the way to even
        odds is best.
        """
        if self.slope(0.0) <= 0.0:
            return math.inf
        if not (self.logits[self.votes > 0] < 0.0).any():
            return 0.0
        low, high = FLATTEST, 1.0
        while self.slope(high) > 0.0 and high < STEEPEST:
            high *= 2.0
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.slope(middle) > 0.0 else (low, middle)
        return 2.0 / (low + high)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The anchor that was solved for.

    Attributes
    ----------
    solved : the last trial, at the anchor to be used.
    trace : every trial in the order in which it was made.
    votes : decided votes of the part that it was solved on.
    """

    solved: Trial
    trace: tuple[Trial, ...]
    votes: int


def decided(fit: davidson.Fit, evidence: Evidence, weight: float, votes: PairCounts) -> Decided:
    """Forecasts that a fit makes of other votes' decided games.

    Parameters
    ----------
    fit, evidence, weight : the fit, what it was fitted to, and the anchor's weight.
    votes : votes that the fit has not seen.
    """
    names = sorted({*evidence.names, *votes.entries})
    seer = forecaster(fit, evidence.names, names, weight)
    place = np.array([names.index(name) for name in votes.entries], dtype=np.int64)
    z = seer.logits(place[votes.first], place[votes.second])
    return Decided(
        logits=np.concatenate([z, -z]),
        votes=np.concatenate([votes.wins_first, votes.wins_second]).astype(np.float64),
    )


class Trials:
    """Diagnostic fits to the training votes, each begun where the last one ended."""

    def __init__(self, training: PairCounts, votes: PairCounts) -> None:
        self.evidence = evidence_of(training)
        self.votes = votes
        self.start: Vector | None = None

    def at(self, anchor: float) -> Trial:
        """Fit with that anchor and score the held-out votes."""
        fit = davidson.fit(self.evidence.pairs, anchor, self.start)
        self.start = fit.at
        seen = decided(fit, self.evidence, anchor, self.votes)
        return Trial(anchor, seen.slope(), seen.temperature(), seen.loss())


def solve(training: PairCounts, votes: PairCounts) -> Calibration:
    """The anchor at which the forecasts of held-out votes have temperature 1.

    Parameters
    ----------
    training : votes that the diagnostic fits see.
    votes : held-out votes, of which the decided ones count.

    Raises
    ------
    NoAnchor
        If the temperature does not pass through 1 over the range.
    CalibrationCostsAccuracy
        If another anchor met on the way forecasts better by more than 0.02 nats a vote.
    """
    trials = Trials(training, votes)
    low, high = trials.at(LIGHTEST), trials.at(HEAVIEST)
    trace = [low, high]
    if not low.slope < 0.0 < high.slope:
        raise NoAnchor(low.anchor, low.temperature, high.anchor, high.temperature)
    while math.log(high.anchor / low.anchor) > CLOSE_ENOUGH:
        middle = trials.at(math.sqrt(low.anchor * high.anchor))
        trace.append(middle)
        low, high = (middle, high) if middle.slope < 0.0 else (low, middle)
    solved = trials.at(_crossing(low, high))
    trace.append(solved)
    best = min(trace, key=lambda trial: trial.loss)
    if solved.loss > best.loss + MOST_COSTLY:
        raise CalibrationCostsAccuracy(solved.anchor, solved.loss, best.anchor, best.loss)
    decisive = int(votes.wins_first.sum() + votes.wins_second.sum())
    return Calibration(solved, tuple(trace), decisive)


def _crossing(low: Trial, high: Trial) -> float:
    """Where the straight line through two slopes of a narrow bracket is zero."""
    rise = high.slope - low.slope
    share = -low.slope / rise if rise > 0.0 else 0.5
    return low.anchor * math.exp(share * math.log(high.anchor / low.anchor))
