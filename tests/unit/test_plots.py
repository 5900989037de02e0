"""Figures become positions: right way up, in order, and never outside the chart."""

from __future__ import annotations

from arena.plots import plot, stairs, steps


def drawn(**given):
    defaults = {"across": "x", "up": "y", "x": (0.0, 10.0), "y": (0.0, 1.0)}
    return plot("A chart.", **{**defaults, **given})


def test_more_is_higher_and_later_is_further_right() -> None:
    it = drawn(curves=[("main", [(0.0, 0.0), (5.0, 0.5), (10.0, 1.0)])])
    assert it.curves[0].path == "M0.00 100.00L50.00 50.00L100.00 0.00"


def test_a_point_keeps_its_interval_and_nothing_leaves_the_chart() -> None:
    it = drawn(dots=[((2.5, 0.75), (0.5, 1.5)), ((20.0, -3.0), None)])
    assert [(dot.x, dot.y, dot.low, dot.high) for dot in it.dots] == [
        ("25.0%", "25.0%", "50.0%", "0.0%"),
        ("100.0%", "100.0%", None, None),
    ]


def test_grid_lines_stand_at_round_values() -> None:
    it = drawn()
    assert [(tick.at, tick.label) for tick in it.rows] == [
        ("100.0%", "0.0"),
        ("80.0%", "0.2"),
        ("60.0%", "0.4"),
        ("40.0%", "0.6"),
        ("20.0%", "0.8"),
        ("0.0%", "1.0"),
    ]


def test_a_scale_without_extent_is_given_some() -> None:
    it = drawn(x=(3.0, 3.0), curves=[("main", [(3.0, 0.5)])])
    assert it.curves[0].path == "M50.00 50.00"


def test_an_empty_curve_draws_nothing() -> None:
    assert drawn(curves=[("main", [])]).curves[0].path == ""


def test_stairs_hold_each_level_until_the_next() -> None:
    assert stairs([(0, 1), (2, 3)]) == [(0, 1), (2, 1), (2, 3)]
    assert stairs([]) == []


def test_steps_hold_both_ends() -> None:
    assert steps(0.0, 1.0, 4) == [0.0, 0.25, 0.5, 0.75, 1.0]
