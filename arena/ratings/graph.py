"""Who can be compared with whom: the pair graph and Ford's condition.

Strengths of entries that no chain of games joins cannot be compared, and a maximum without virtual
games exists only where every entry reaches every other along "beat or tied".

References
----------
Ford (1957), Solution of a ranking problem from binary comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from arena.ratings.arrays import IntVector
from arena.ratings.pairs import Pairs


@dataclass(frozen=True, eq=False, slots=True)
class Graph:
    """How the entries hang together.

    Attributes
    ----------
    component : (n,) number of each entry's connected component in the graph of pairs that met.
    strong_component : (n,) number of its strong component along "beat or tied" edges.
    """

    component: IntVector
    strong_component: IntVector

    @property
    def components(self) -> int:
        """Number of connected components."""
        return np.unique(self.component).size

    @property
    def connected(self) -> bool:
        """Whether chains of games join all entries; False if there are none."""
        return self.components == 1

    @property
    def strongly_connected(self) -> bool:
        """Ford's condition; False if there are no entries."""
        return np.unique(self.strong_component).size == 1


def graph_of(pairs: Pairs) -> Graph:
    """Components of the pair graph, in time linear in the pairs."""
    beat = np.concatenate([pairs.wins_first + pairs.ties, pairs.wins_second + pairs.ties]) > 0
    winner = np.concatenate([pairs.first, pairs.second])[beat]
    loser = np.concatenate([pairs.second, pairs.first])[beat]
    return Graph(
        component=_components(pairs.n, pairs.first, pairs.second, "weak"),
        strong_component=_components(pairs.n, winner, loser, "strong"),
    )


def strong_components_of_wins(pairs: Pairs) -> IntVector:
    """(n,) number of each entry's strong component along wins alone, ties left out."""
    beat = np.concatenate([pairs.wins_first, pairs.wins_second]) > 0
    winner = np.concatenate([pairs.first, pairs.second])[beat]
    loser = np.concatenate([pairs.second, pairs.first])[beat]
    return _components(pairs.n, winner, loser, "strong")


def members(component: IntVector, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Names by component, each sorted, in the order of their first names."""
    by_number: dict[int, list[str]] = {}
    for number, name in zip(component.tolist(), names, strict=True):
        by_number.setdefault(number, []).append(name)
    return tuple(sorted(tuple(sorted(group)) for group in by_number.values()))


def _components(
    n: int, tail: IntVector, head: IntVector, kind: Literal["weak", "strong"]
) -> IntVector:
    if n == 0:
        return np.zeros(0, dtype=np.int64)
    edges = sparse.csr_array((np.ones(tail.size, dtype=np.int8), (tail, head)), shape=(n, n))
    _, label = csgraph.connected_components(edges, directed=True, connection=kind)
    return label.astype(np.int64)
