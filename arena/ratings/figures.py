"""What a fit has to say, in the words of the board's JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Standing:
    """Where one entry stands in a publication.

    Attributes
    ----------
    entry : slug.
    rank : position among published entries from 1; None where the method asks for more votes.
    strength : natural-log strength.
    se : standard error of the strength; None where the method does not work one out.
    score, lower, upper : on the method's scale.
    votes, wins, ties, losses : record; skips are in none of them.
    rank_low, rank_high : best and worst rank that the evidence leaves open.
    tier, tier_alternate : home tier, and the other one it may as well be in.
    provisional : whether the evidence is still thin, by the method's own rule.
    floor, ceiling : whether the strength is only a lower, or only an upper, bound.
    beats_typical : mean chance of beating another published entry; None where the method works
        out no chances. It stands on the board's page, not in its JSON.
    """

    entry: str
    rank: int | None
    strength: float
    se: float | None
    score: float
    lower: float
    upper: float
    votes: int
    wins: int
    ties: int
    losses: int
    rank_low: int | None
    rank_high: int | None
    tier: str | None
    tier_alternate: str | None
    provisional: bool
    floor: bool | None
    ceiling: bool | None
    beats_typical: float | None = None

    def to_json_dict(self) -> dict[str, object]:
        """The row as it stands in a board's JSON."""
        row = asdict(self)
        del row["beats_typical"]
        return row


@dataclass(frozen=True)
class Trial:
    """One anchor that was tried on held-out votes.

    Attributes
    ----------
    anchor : weight c of the virtual games.
    slope : of the held-out likelihood at the forecasts as they stand; T > 1 where negative.
    temperature : T, over 1 where the forecasts are overconfident.
    loss : nats a held-out decided vote.
    """

    anchor: float
    slope: float
    temperature: float
    loss: float


@dataclass(frozen=True)
class Figures:
    """Everything that one fit by one method has to say.

    Attributes
    ----------
    method : its name.
    votes, ties, skips : counted votes, ties among them, and skips beside them.
    entries : number of entries with a counted vote.
    connected, components, strongly_connected : the pair graph and Ford's condition.
    converged, iterations, log_likelihood : of the point fit; the likelihood is that of the votes.
    model : anchor, nu and temperature, None where the method has none.
    board : standings in the method's order.
    unrated : entries without a counted vote.
    trace : the anchors that were tried, in order, where the anchor is solved.
    notes : sentences about how the fit was come by, for people to read.
    """

    method: str
    votes: int
    ties: int
    skips: int
    entries: int
    connected: bool
    components: int
    strongly_connected: bool
    converged: bool
    iterations: int
    log_likelihood: float
    model: Mapping[str, float | None]
    board: tuple[Standing, ...]
    unrated: tuple[str, ...] = ()
    trace: tuple[Trial, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json_dict(self) -> dict[str, object]:
        """The figures as `arena fit --format json` gives them out."""
        return {
            "method": self.method,
            "votes": self.votes,
            "ties": self.ties,
            "skips": self.skips,
            "entries": self.entries,
            "connected": self.connected,
            "components": self.components,
            "strongly_connected": self.strongly_connected,
            "converged": self.converged,
            "iterations": self.iterations,
            "log_likelihood": self.log_likelihood,
            "model": dict(self.model),
            "board": [row.to_json_dict() for row in self.board],
        }
