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


@dataclass(frozen=True, slots=True)
class Bin:
    """Votes whose forecasts are alike: what was expected of them, and what came.

    Attributes
    ----------
    low, high : edges, low included.
    votes : how many fell in.
    expected, realized : mean forecast and what came to pass; None without votes.
    """

    low: float
    high: float
    votes: int
    expected: float | None
    realized: float | None


@dataclass(frozen=True, slots=True)
class Scores:
    """Losses on held-out votes, in nats a vote; smaller is better.

    Attributes
    ----------
    decided : number of decided votes scored.
    temperature : T on them; None where no division of the log odds would be best.
    loss : of the forecasts on them, given that somebody wins; a coin loses ln 2.
    accuracy : share of them that the favoured side won; an even forecast counts half.
    votes : number of votes scored three ways, ties among them.
    loss_three_ways : of the forecasts on those.
    loss_of_frequencies : of always forecasting how often each outcome came: even halves for the
        two sides, and the share of ties among them.
    """

    decided: int
    temperature: float | None
    loss: float | None
    accuracy: float | None
    votes: int
    loss_three_ways: float | None
    loss_of_frequencies: float | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a diagnostic fit is worth on votes that neither it nor its anchor has seen.

    Attributes
    ----------
    scores : of the evaluation part.
    curve : calibration of its decided votes by the favoured side's chance.
    """

    scores: Scores
    curve: tuple[Bin, ...]


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
    held_out : how good its forecasts of votes were that a diagnostic fit had not seen, where the
        method forecasts and there are such votes.
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
    held_out: Evaluation | None = None

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
