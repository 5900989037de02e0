"""Two entries against each other: what is expected, what happened, and how they hang together."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from arena import outlooks, publishing
from arena.basis import Basis
from arena.database import db
from arena.outlooks import Expected

KEPT_IN_MEMORY = 16

Met = Mapping[str, Mapping[str, "Record"]]


@dataclass(frozen=True, slots=True)
class Record:
    """What the counted votes on one pair came to, from the first entry's side."""

    wins: int = 0
    ties: int = 0
    losses: int = 0

    @property
    def votes(self) -> int:
        """All of them."""
        return self.wins + self.ties + self.losses


@dataclass(frozen=True, slots=True)
class Leg:
    """Two entries that met, on the way from one to another."""

    first: str
    second: str
    record: Record


@dataclass(frozen=True, slots=True)
class Matchup:
    """All that can be said of a pair.

    Attributes
    ----------
    expected : from the first entry's side; None before the first `versus` publication.
    record : their own votes.
    path : the shortest chain of pairs that met, where they have not; None where none joins them.
    """

    expected: Expected | None
    record: Record
    path: tuple[Leg, ...] | None


def matchup(axis: str, first: str, second: str) -> Matchup:
    """What the newest publication has to say of a pair, met or not."""
    outlook = outlooks.current(db.session(), axis)
    if outlook is None:
        return Matchup(None, Record(), None)
    met = met_by(outlook.publication)
    record = met.get(first, {}).get(second, Record())
    path = None if record.votes else shortest(met, first, second)
    return Matchup(outlook.expect(first, second), record, path)


def shortest(met: Met, first: str, second: str) -> tuple[Leg, ...] | None:
    """The shortest chain of pairs that met; of equally short ones the first by name."""
    came_from: dict[str, str] = {first: first}
    queue = deque([first])
    while queue:
        here = queue.popleft()
        if here == second:
            break
        for other in sorted(met.get(here, {})):
            if other not in came_from:
                came_from[other] = here
                queue.append(other)
    if second not in came_from:
        return None
    legs: list[Leg] = []
    here = second
    while here != first:
        before = came_from[here]
        legs.append(Leg(before, here, met[before][here]))
        here = before
    return tuple(reversed(legs))


def met_by(publication: int) -> Met:
    """Who met whom in the votes that a publication rests on, and what came of it."""
    return _met(publishing.database(), publication)


@lru_cache(maxsize=KEPT_IN_MEMORY)
def _met(_database: str, publication: int) -> Met:
    """A publication never changes, so a process works this out once."""
    return met_in(publishing.basis_behind(publication))


def met_in(basis: Basis) -> Met:
    """Records by entry and opponent, skips left out."""
    found: dict[str, dict[str, Record]] = {}
    counts = basis.counts
    rows = zip(
        counts.first.tolist(),
        counts.second.tolist(),
        counts.wins_first.tolist(),
        counts.ties.tolist(),
        counts.wins_second.tolist(),
        strict=True,
    )
    for one, other, wins, ties, losses in rows:
        if wins + ties + losses:
            a, b = counts.entries[one], counts.entries[other]
            found.setdefault(a, {})[b] = Record(wins, ties, losses)
            found.setdefault(b, {})[a] = Record(losses, ties, wins)
    return found
