"""Votes that no fit may see which is scored on them.

Only ballots drawn uniformly at random are held out, because the model had no hand in choosing
them. A session goes to one part as a whole, so that nobody's votes stand on both sides.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from arena.ratings.counts import PairCounts

TRAINING, CALIBRATION, EVALUATION = PARTS = ("training", "calibration", "evaluation")
CALIBRATION_SHARE = 60
"""Of a hundred sessions, how many calibrate; the others evaluate."""


@dataclass(frozen=True, eq=False, slots=True)
class HeldOut:
    """Votes on uniformly random ballots, in their two parts.

    Attributes
    ----------
    calibration : the part on which the anchor is solved.
    evaluation : the part on which the result is scored.
    """

    calibration: PairCounts
    evaluation: PairCounts

    def training(self, counts: PairCounts) -> PairCounts:
        """The counts without either part.

        Raises
        ------
        ValueError
            If a part holds a vote that the counts do not.
        """
        return counts.minus(self.calibration).minus(self.evaluation)


def part_of(session: str) -> str:
    """Which part all votes of a session belong to, by SHA-256 of its name."""
    digest = hashlib.sha256(session.encode()).digest()
    place = int.from_bytes(digest[:8], "big") % 100
    return CALIBRATION if place < CALIBRATION_SHARE else EVALUATION
