"""Which texts of people are taken."""

from __future__ import annotations

import pytest

from arena.legible import is_blank, is_legible


@pytest.mark.parametrize(
    "text",
    [
        "山田\u3000太郎",
        "Société\u00a0anonyme",
        "می\u200cخواهم",
        "क्\u200dष",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "soft\u00adhyphen",
        "Ægir Þór",
    ],
)
def test_every_script_may_be_written(text: str) -> None:
    assert is_legible(text)
    assert not is_blank(text)


@pytest.mark.parametrize("text", ["a\x00b", "a\x1b[31m", "a\u202eb", "a\nb", "a\u2028b"])
def test_what_shows_other_than_it_is_may_not(text: str) -> None:
    assert not is_legible(text)


def test_breaks_that_are_allowed_pass() -> None:
    assert is_legible("a\n\tb", "\n\t")


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\u3000\u00a0", "\u2060\ufeff"])
def test_what_nobody_sees_is_blank(text: str) -> None:
    assert is_blank(text)
