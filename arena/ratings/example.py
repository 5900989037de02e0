"""Three entries and eight games, worked through by the engine: the example of the method page.

Nothing on the page about it is written by hand: the strengths, the chance of a pair that never
met, what the order of the games changes, and where a maximum ceases to exist.

References
----------
Ford (1957), Solution of a ranking problem from binary comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from scipy.special import expit

from arena.ratings import bradley_terry, elo, unanchored
from arena.ratings.counts import tally
from arena.ratings.pairs import Pairs

FIRST, SECOND, THIRD = NAMES = ("A", "B", "C")
GAMES = (*[(FIRST, SECOND)] * 3, (SECOND, FIRST), *[(SECOND, THIRD)] * 3, (THIRD, SECOND))
"""Winner and loser of each: A beats B three times in four, and B likewise beats C."""
ONE_SIDED = ((FIRST, SECOND),) * 4
MENDED = (*ONE_SIDED, (SECOND, FIRST))

Game = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Example:
    """What comes out.

    Attributes
    ----------
    gap_near : strength of A less that of B; ln 3.
    gap_far : of A less that of C, who never met; ln 9.
    chance_far : that A beats C.
    orders : in how many different orders the games may have come.
    fits : how many of the orders were fitted.
    fit_moves : by how much the order changes a strength at most.
    elo_low, elo_high : between which Elo rating A ends, depending on the order.
    has_maximum : whether four games won by one side alone have finite strengths.
    mended_gap : the gap once the other side has won one of five.
    anchored_gap : the gap of the four one-sided games with a virtual win and loss each.
    """

    gap_near: float
    gap_far: float
    chance_far: float
    orders: int
    fits: int
    fit_moves: float
    elo_low: float
    elo_high: float
    has_maximum: bool
    mended_gap: float
    anchored_gap: float


@cache
def example() -> Example:
    """Work it out; the games are fixed, so once is enough."""
    fits = [unanchored.strengths(_pairs(order)) for order in _some_orders()]
    ratings = [_elo_of_first(order) for order in _all_orders()]
    one_sided = bradley_terry.fit(_pairs(ONE_SIDED), 1.0).theta
    mended = unanchored.strengths(_pairs(MENDED))
    gap_far = float(fits[0][0] - fits[0][2])
    return Example(
        gap_near=float(fits[0][0] - fits[0][1]),
        gap_far=gap_far,
        chance_far=float(expit(gap_far)),
        orders=len(ratings),
        fits=len(fits),
        fit_moves=max(float(abs(fit - fits[0]).max()) for fit in fits),
        elo_low=min(ratings),
        elo_high=max(ratings),
        has_maximum=_has_maximum(ONE_SIDED),
        mended_gap=float(mended[0] - mended[1]),
        anchored_gap=float(one_sided[0] - one_sided[1]),
    )


def _pairs(games: Sequence[Game]) -> Pairs:
    return tally((winner, loser, "left", 1) for winner, loser in games).pairs()


def _has_maximum(games: Sequence[Game]) -> bool:
    try:
        unanchored.strengths(_pairs(games))
    except unanchored.NoMaximum:
        return False
    return True


def _all_orders() -> Iterator[list[Game]]:
    """Every different order: where the games of the two pairs stand, and where the upsets fall."""
    half = len(GAMES) // 2
    near, far = GAMES[:half], GAMES[half:]
    for places in combinations(range(len(GAMES)), half):
        for upset_near in range(half):
            for upset_far in range(half):
                queues = [_moved(near, upset_near), _moved(far, upset_far)]
                yield [queues[place not in places].pop(0) for place in range(len(GAMES))]


def _some_orders() -> list[list[Game]]:
    return [list(GAMES), *list(_all_orders())[::97]]


def _moved(games: Sequence[Game], upset: int) -> list[Game]:
    """The same games with the one that went the other way at another place."""
    rest = list(games[:-1])
    rest.insert(upset, games[-1])
    return rest


def _elo_of_first(games: Sequence[Game]) -> float:
    ratings, votes = dict.fromkeys(NAMES, elo.START), dict.fromkeys(NAMES, 0)
    for winner, loser in games:
        gained, lost = elo.moves(
            ratings[winner], votes[winner], ratings[loser], votes[loser], "left"
        )
        ratings[winner] += gained
        ratings[loser] += lost
        votes[winner] += 1
        votes[loser] += 1
    return ratings[FIRST]
