"""One Hypothesis strategy that feeds every method: small vote logs of every shape."""

from __future__ import annotations

from hypothesis import strategies as st

Row = tuple[str, str, str, int]

NAMES = ("ash", "birch", "cedar", "elm", "fir", "hazel")
OUTCOMES = ("left", "right", "tie", "skip")


@st.composite
def vote_rows(draw: st.DrawFn, most: int = 20, outcomes: tuple[str, ...] = OUTCOMES) -> list[Row]:
    """Rows of a vote file: undefeated entries, islands, empty logs and large counts included."""
    names = draw(st.sampled_from([NAMES[:2], NAMES[:3], NAMES]))
    counts = st.one_of(st.integers(1, 5), st.sampled_from([1, 40, 1000]))
    rows = []
    for _ in range(draw(st.integers(0, most))):
        left, right = draw(st.permutations(names))[:2]
        rows.append((left, right, draw(st.sampled_from(outcomes)), draw(counts)))
    return rows
