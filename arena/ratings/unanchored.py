"""Bradley-Terry without virtual games: exact, and there only where Ford's condition holds.

No board is made from it. It answers what votes alone say: for the cycle test, and for the worked
example of the method page.

References
----------
Ford (1957), Solution of a ranking problem from binary comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.ratings import newton
from arena.ratings.arrays import Matrix, Vector
from arena.ratings.bradley_terry import AnchoredLikelihood
from arena.ratings.graph import graph_of
from arena.ratings.pairs import Pairs


class NoMaximum(ArithmeticError):
    """Some group of entries is unbeaten, or winless, against all others: strengths run away."""


@dataclass(frozen=True, eq=False, slots=True)
class CentredLikelihood:
    """Log-likelihood of the games alone, less half the squared sum of the strengths.

    Games decide gaps only. The second term decides where 0 lies, at the mean, and takes nothing
    from the likelihood at the maximum.

    Attributes
    ----------
    games : the same with no virtual games.
    """

    games: AnchoredLikelihood

    @property
    def pairs(self) -> Pairs:
        """The games."""
        return self.games.pairs

    @property
    def bound(self) -> None:
        """Strengths are not bounded."""
        return None

    def value(self, at: Vector) -> float:
        """The function itself."""
        return self.games.data_value(at) - 0.5 * float(at.sum()) ** 2

    def slope(self, at: Vector) -> tuple[Vector, Vector]:
        """(n,) gradient; curvatures as of the games."""
        gradient, weights = self.games.slope(at)
        return gradient - at.sum(), weights

    def information(self, weights: Vector) -> Matrix:
        """(n, n) observed information, upper triangle."""
        information: Matrix = self.games.information(weights) + 1.0
        return information

    def times(self, weights: Vector, vector: Vector) -> Vector:
        """(n,) product of the information with a vector."""
        product: Vector = self.games.times(weights, vector) + vector.sum()
        return product

    def diagonal(self, weights: Vector) -> Vector:
        """(n,) diagonal of the information."""
        return self.games.diagonal(weights) + 1.0

    def reach(self, step: Vector) -> float:
        """The most by which a step changes the log odds of a game."""
        return self.games.reach(step)


def strengths(pairs: Pairs, start: Vector | None = None) -> Vector:
    """(n,) natural-log strengths at the maximum of the games alone, with mean 0.

    Parameters
    ----------
    pairs : games by pair; a tie is half a point to each side.
    start : (n,) where to begin; the maximum does not depend on it.

    Raises
    ------
    NoMaximum
        If not every entry reaches every other along "beat or tied" (Ford 1957).
    """
    if not graph_of(pairs).strongly_connected:
        raise NoMaximum("not every entry reaches every other along wins and ties")
    games = AnchoredLikelihood(pairs, 0.0)
    begin = np.zeros(pairs.n) if start is None else start
    return newton.maximise(CentredLikelihood(games), begin).at
