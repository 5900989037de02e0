"""From figures to the few numbers that the SVG macros draw: positions on one shared scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

MOST_TICKS = 6
MARGIN = 0.03
LEAST_SPAN = 1.2
"""No scale is narrower than what this gap in log strength comes to."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across a chart and what is written at it."""

    at: str
    label: str


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from `low` to `high`, drawn from 0 to 100 per cent."""

    low: float
    high: float
    ticks: tuple[Tick, ...] = ()

    def part(self, value: float) -> float:
        """Where a value lies, in per cent of the width, kept inside it."""
        inside = min(max(value, self.low), self.high)
        return 100.0 * (inside - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        """The same as an SVG length."""
        return f"{self.part(value):.1f}%"


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval with its point, as positions on a scale."""

    low: str
    point: str
    high: str
    dashed: bool
    label: str


def scale_over(
    values: Iterable[float],
    middle: float,
    least: float,
    ends: tuple[float, float] | None = None,
) -> Scale:
    """A scale that holds all values, is never narrower than `least`, and has round ticks.

    Parameters
    ----------
    middle : always within.
    ends : beyond which nothing is drawn.
    """
    known = [*values, middle - least / 2, middle + least / 2]
    low, high = min(known), max(known)
    if ends is not None:
        low, high = max(low, ends[0]), min(high, ends[1])
    margin = MARGIN * (high - low)
    bare = Scale(low - margin, high + margin)
    return Scale(bare.low, bare.high, tuple(Tick(bare.at(v), t) for v, t in round_ticks(low, high)))


def round_ticks(low: float, high: float, most: int = MOST_TICKS) -> list[tuple[float, str]]:
    """Round values from low to high with how each is written, at most seven."""
    rough = (high - low) / most
    power = floor(log10(rough))
    step = next(it for it in (1, 2, 2.5, 5, 10) if it * 10.0**power >= rough * (1 - 1e-9))
    step *= 10.0**power
    digits = max(0, -floor(log10(step) + 1e-9))
    if round(step, digits) != round(step, digits + 2):
        digits += 1
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    found = [round(place * step, 9) for place in range(first, last + 1)]
    return [(value, f"{value:.{digits}f}".replace("-", "−")) for value in found]


def bar(scale: Scale, lower: float, score: float, upper: float, *, dashed: bool, label: str) -> Bar:
    """Place an interval on a scale."""
    return Bar(scale.at(lower), scale.at(score), scale.at(upper), dashed, label)
