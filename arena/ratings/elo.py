"""The number that moves on the click: one Elo step, as pure arithmetic.

The live number follows the log event by event; keeping and undoing its steps is the business of
whoever keeps the log.

References
----------
Elo (1978), The Rating of Chessplayers, Past and Present.
"""

from __future__ import annotations

import math

START = 1500.0
SPREAD = 400.0
"""A lead of this many points means odds of ten to one."""

POINTS_OF_LEFT = {"left": 1.0, "tie": 0.5, "right": 0.0}


def expected(a: float, b: float) -> float:
    """Points that a rating of `a` expects from one game against `b`, between 0 and 1."""
    lead = (a - b) / SPREAD
    if lead < 0:
        odds = math.pow(10.0, lead)
        return odds / (1.0 + odds)
    return 1.0 / (1.0 + math.pow(10.0, -lead))


def k_factor(votes: int) -> float:
    """How far one vote may move an entry that has had `votes` counted votes before.

    Raises
    ------
    ValueError
        If the number of votes is negative.
    """
    if votes < 0:
        raise ValueError(f"{votes} votes is less than none")
    if votes < 30:
        return 40.0
    return 24.0 if votes < 100 else 16.0


def moves(
    rating_left: float, votes_left: int, rating_right: float, votes_right: int, outcome: str
) -> tuple[float, float]:
    """What one vote adds to the rating of the left and of the right entry.

    Parameters
    ----------
    rating_left, rating_right : ratings before the vote.
    votes_left, votes_right : counted votes of each before this one; each has its own K.
    outcome : left, right, tie or skip; a skip moves nothing.

    Raises
    ------
    ValueError
        If the outcome is unknown.
    """
    if outcome == "skip":
        return 0.0, 0.0
    points = POINTS_OF_LEFT.get(outcome)
    if points is None:
        raise ValueError(f"outcome {outcome!r} is none of left, right, tie, skip")
    surprise = points - expected(rating_left, rating_right)
    return k_factor(votes_left) * surprise, -k_factor(votes_right) * surprise
