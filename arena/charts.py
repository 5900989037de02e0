"""From figures to the few numbers that the SVG macros draw: positions on one shared scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor

STEPS = (25, 50, 100, 150, 200, 250, 300, 500, 1000)
MOST_TICKS = 6
MARGIN = 0.03


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from `low` to `high`, drawn from 0 to 100 per cent."""

    low: float
    high: float
    ticks: tuple[int, ...]

    def at(self, value: float) -> str:
        """Where a value lies, in per cent of the width, kept inside it."""
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{100 * part:.1f}%"


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval with its point, as positions on a scale."""

    low: str
    point: str
    high: str
    dashed: bool
    label: str


def scale_over(values: Iterable[float], middle: float = 1500.0, least: float = 200.0) -> Scale:
    """A scale that holds all values, is never narrower than `least`, and has round ticks."""
    known = [*values, middle - least / 2, middle + least / 2]
    low, high = min(known), max(known)
    span = high - low
    step = next((step for step in STEPS if span / step <= MOST_TICKS), STEPS[-1])
    ticks = range(ceil(low / step) * step, floor(high / step) * step + 1, step)
    return Scale(low - MARGIN * span, high + MARGIN * span, tuple(ticks))


def bar(scale: Scale, lower: float, score: float, upper: float, *, dashed: bool) -> Bar:
    """Place an interval on a scale."""
    label = f"{score:.0f}, between {lower:.0f} and {upper:.0f}"
    return Bar(scale.at(lower), scale.at(score), scale.at(upper), dashed, label)
