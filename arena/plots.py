"""Charts with two axes: from figures to the positions that one SVG macro draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.charts import Scale, Tick, round_ticks

Point = tuple[float, float]
Range = tuple[float, float]

MOST_TICKS_ACROSS = 5
MOST_TICKS_UP = 5


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points.

    Attributes
    ----------
    style : `main`, `second` or `reference`; the style sheet knows them.
    path : in a square from 0 to 100, down being more.
    """

    style: str
    path: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A measured point, with its interval where it has one."""

    x: str
    y: str
    low: str | None
    high: str | None


@dataclass(frozen=True, slots=True)
class Plot:
    """What the macro draws.

    Attributes
    ----------
    label : one sentence that says what is to be seen, for those who do not see it.
    across, up : what the two axes mean, with units.
    columns, rows : lines of the grid with what is written at them.
    """

    label: str
    across: str
    up: str
    columns: tuple[Tick, ...]
    rows: tuple[Tick, ...]
    curves: tuple[Curve, ...]
    dots: tuple[Dot, ...]


def plot(
    label: str,
    *,
    across: str,
    up: str,
    x: Range,
    y: Range,
    curves: Iterable[tuple[str, Sequence[Point]]] = (),
    dots: Iterable[tuple[Point, Range | None]] = (),
    columns: Sequence[tuple[float, str]] | None = None,
) -> Plot:
    """Place curves and points on two scales.

    Parameters
    ----------
    x, y : ends of the scales.
    curves : style and points, from left to right.
    dots : points, each with the ends of its interval upwards or None.
    columns : values and labels of the grid's columns instead of round numbers.
    """
    wide, high = Scale(*_apart(x)), Scale(*_apart(y))
    ticks = round_ticks(wide.low, wide.high, MOST_TICKS_ACROSS) if columns is None else columns
    return Plot(
        label=label,
        across=across,
        up=up,
        columns=tuple(Tick(wide.at(value), text) for value, text in ticks),
        rows=tuple(
            Tick(_above(high, value), text)
            for value, text in round_ticks(high.low, high.high, MOST_TICKS_UP)
        ),
        curves=tuple(Curve(style, _path(wide, high, points)) for style, points in curves),
        dots=tuple(
            Dot(
                x=wide.at(point[0]),
                y=_above(high, point[1]),
                low=None if ends is None else _above(high, ends[0]),
                high=None if ends is None else _above(high, ends[1]),
            )
            for point, ends in dots
        ),
    )


def steps(low: float, high: float, number: int = 80) -> list[float]:
    """Places along an axis, both ends among them."""
    return [low + (high - low) * place / number for place in range(number + 1)]


def stairs(points: Sequence[Point]) -> list[Point]:
    """The same points with each level held until the next begins."""
    found = list(points[:1])
    for (_, level), (x, y) in pairwise(points):
        found += [(x, level), (x, y)]
    return found


def _apart(ends: Range) -> Range:
    """Ends that differ, so that there is a scale between them."""
    return ends if ends[1] > ends[0] else (ends[0] - 0.5, ends[0] + 0.5)


def _above(scale: Scale, value: float) -> str:
    return f"{100.0 - scale.part(value):.1f}%"


def _path(wide: Scale, high: Scale, points: Sequence[Point]) -> str:
    places = (f"{wide.part(x):.2f} {100.0 - high.part(y):.2f}" for x, y in points)
    return "M" + "L".join(places) if points else ""
