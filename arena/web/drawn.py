"""The engine's figures as charts that several pages show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, log

from arena import careers
from arena.plots import Plot, Point, Range, plot, stairs
from arena.ratings.calibration import HEAVIEST, LIGHTEST
from arena.ratings.figures import Bin, Standing, Trial
from arena.ratings.sides import share_of

HOTTEST = 3.0
"""Temperatures beyond are drawn here."""


def trace(trials: Sequence[Trial]) -> Plot | None:
    """Temperature by anchor; None where the anchor was not solved."""
    if not trials:
        return None
    known = sorted((log(it.anchor), min(it.temperature, HOTTEST)) for it in trials)
    ends = (log(LIGHTEST), log(HEAVIEST))
    levels = [it for _, it in known]
    return plot(
        "The temperature falls as the anchor grows heavier, and passes through 1 at the solved "
        "anchor.",
        across="Weight of the anchor, on a logarithmic scale",
        up="Temperature of the forecasts on held-out votes",
        x=ends,
        y=(min([*levels, 0.9]), max([*levels, 1.1])),
        curves=[("reference", [(ends[0], 1.0), (ends[1], 1.0)]), ("main", known)],
        dots=[((log(trials[-1].anchor), trials[-1].temperature), None)],
        columns=[(log(it), f"{it:g}") for it in (0.02, 0.1, 0.5, 2.0, 8.0)],
    )


def calibration(bins: Iterable[Bin]) -> Plot:
    """What was forecast for the favoured side against how often it won."""
    return plot(
        "Points near the broken diagonal mean that what was forecast came to pass that often.",
        across="Chance that the forecast gave the favoured side",
        up="How often that side won, with its 95 % interval",
        x=(0.5, 1.0),
        y=(0.3, 1.0),
        curves=[("reference", [(0.5, 0.5), (1.0, 1.0)])],
        dots=[_dot(it) for it in bins if it.expected is not None and it.realized is not None],
    )


def ties(bins: Sequence[Bin]) -> Plot:
    """The share of ties by the gap in strength: the model's as steps, the votes' as points."""
    met = [it for it in bins if it.expected is not None and it.realized is not None]
    top = max([0.1, *(it.expected or 0.0 for it in met), *(_dot(it)[1][1] for it in met)])
    return plot(
        "The line is the share of ties that the model has at each gap in strength, the points are "
        "the shares among the votes.",
        across="Gap in strength, natural logarithm",
        up="Share of ties: model (line) and votes (points, with their 95 % interval)",
        x=(0.0, float(len(bins))),
        y=(0.0, min(top, 1.0)),
        curves=[("main", [(place + 0.5, it.expected or 0.0) for place, it in _placed(bins)])],
        dots=[((place + 0.5, it.realized or 0.0), _dot(it)[1]) for place, it in _placed(bins)],
        columns=[(place + 0.5, between(it)) for place, it in enumerate(bins)],
    )


def errors(board: Iterable[Standing], settled: float) -> Plot | None:
    """Standard errors by number of votes; None where there are none."""
    known = [(it.votes, it.se) for it in board if it.se is not None]
    if not known:
        return None
    most, widest = max(votes for votes, _ in known), max(se for _, se in known)
    return plot(
        "Each point is an entry: the more votes it has, the smaller its standard error; below the "
        "broken line it counts as settled.",
        across="Votes",
        up="Standard error of the strength, natural logarithm",
        x=(0.0, float(most)),
        y=(0.0, max(widest, settled)),
        curves=[("reference", [(0.0, settled), (float(most), settled)])],
        dots=[((float(votes), se), None) for votes, se in known],
    )


def over_time(points: Sequence[careers.Point]) -> Plot | None:
    """Score by time with its interval at the newest; None until there are two publications."""
    if len(points) < 2:
        return None
    begin, end = points[0].at, points[-1].at
    span = max((end - begin).total_seconds(), 1.0)
    levels = [level for it in points for level in (it.lower, it.upper)]

    def steps_of(name: str) -> list[Point]:
        known = [((it.at - begin).total_seconds() / span, getattr(it, name)) for it in points]
        return stairs(known)

    last = points[-1]
    form = "%-d %b" if (end - begin).days else "%H:%M"
    return plot(
        "The score over time, with the ends of its interval as broken lines.",
        across=f"{begin:%-d %B %Y}, UTC"
        if begin.date() == end.date()
        else f"{begin:%-d %B %Y} to {end:%-d %B %Y}, UTC",
        up="Score, and the ends of its interval",
        x=(0.0, 1.0),
        y=(min(levels), max(levels)),
        curves=[
            ("reference", steps_of("lower")),
            ("reference", steps_of("upper")),
            ("main", steps_of("score")),
        ],
        dots=[((1.0, last.score), (last.lower, last.upper))],
        columns=[(part, (begin + part * (end - begin)).strftime(form)) for part in (0.0, 0.5, 1.0)],
    )


def between(it: Bin) -> str:
    """The edges of a bin of gaps."""
    return f"{it.low:g}+" if it.high == inf else f"{it.low:g}–{it.high:g}"


def _placed(bins: Sequence[Bin]) -> list[tuple[int, Bin]]:
    return [(place, it) for place, it in enumerate(bins) if it.expected is not None]


def _dot(it: Bin) -> tuple[Point, Range]:
    """A bin's mean forecast and share, with Wilson's interval of the share."""
    share = it.realized or 0.0
    found = share_of(min(round(share * it.votes), it.votes), it.votes)
    return (it.expected or 0.0, share), (found.lower or 0.0, found.upper or 0.0)
