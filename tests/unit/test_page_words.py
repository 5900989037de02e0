"""How pages write figures and join words."""

from __future__ import annotations

import pytest

from arena.web.page import opening, ordinal, percent, running, thousands


@pytest.mark.parametrize(
    ("words", "opened", "run_on"),
    [
        ("heavier than most", "Heavier than most", "heavier than most"),
        ("A walking robot", "A walking robot", "a walking robot"),
        ("BMW's arm", "BMW's arm", "BMW's arm"),
        ("iRobot's cleaner", "IRobot's cleaner", "iRobot's cleaner"),
        ("B1 by name", "B1 by name", "B1 by name"),
        ("", "", ""),
    ],
)
def test_words_open_a_line_or_run_on_in_one(words: str, opened: str, run_on: str) -> None:
    assert opening(words) == opened
    assert running(words) == run_on


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
        (21, "21st"), (102, "102nd"), (111, "111th"), (1013, "1013th"),
    ],
)  # fmt: skip
def test_a_place_is_said_as_people_say_it(place: int, said: str) -> None:
    assert ordinal(place) == said


def test_figures_are_rounded_and_parted() -> None:
    assert percent(0.416) == "42 %"
    assert thousands(1234567) == "1,234,567"
