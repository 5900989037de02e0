"""Vote files: what is counted, and how each fault is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.exchange import VoteFileFaults, neutralised, read_votes, restored
from arena.ratings.held_out import CALIBRATION, part_of

HEADER = "left,right,outcome"


def lines_of(text: str | bytes) -> list[bytes]:
    data = text.encode() if isinstance(text, str) else text
    return data.splitlines(keepends=True)


def faults_of(text: str | bytes) -> list[str]:
    with pytest.raises(VoteFileFaults) as refusal:
        read_votes(lines_of(text))
    return refusal.value.faults


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}\na,b,left\na,b,left\nb,a,tie\na,b,skip\n",
        "\ufeffoutcome,count,mood,right,left\r\nleft,2,glad,b,a\r\ntie,1,,a,b\r\nskip,,,b,a\r\n",
        f"{HEADER}\n\na , b,left\na,b, left\nb,a,tie\n\na,b,skip",
    ],
)
def test_columns_may_come_in_any_order_and_unknown_ones_are_ignored(text: str) -> None:
    counts = read_votes(lines_of(text)).counts
    assert (counts.total_votes, counts.total_ties, counts.total_skips) == (3, 1, 1)
    assert counts.wins_first.tolist() == [2]


def test_random_pairs_of_known_sessions_are_held_out() -> None:
    session = next(name for name in "abcdefgh" if part_of(name) == CALIBRATION)
    text = (
        f"{HEADER},strategy,session\na,b,left,random,{session}\na,b,tie,random,\n"
        f"a,b,right,starved,{session}\n"
    )
    found = read_votes(lines_of(text))
    assert found.counts.total_votes == 3
    assert found.held_out.calibration.side_wins == (1, 0)
    assert found.held_out.evaluation.total_votes == 0


def test_one_axis_of_several_can_be_chosen() -> None:
    text = f"{HEADER},axis\na,b,left,x\na,b,tie,y\n"
    assert read_votes(lines_of(text), "y").counts.total_ties == 1
    assert "mixed (x, y)" in faults_of(text)[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: header: the file is empty"),
        ("left,right\n", "line 1: outcome: this column is missing"),
        ("left,right,outcome,left\n", "line 1: left: this column is there twice"),
        (f"{HEADER}\na,b,left\na,,left\n", "line 3: right: is missing"),
        (f"{HEADER}\na\n", "line 2: right: is missing"),
        (f"{HEADER}\na,a,left\n", "line 2: right: 'a' stands on both sides"),
        (f"{HEADER}\na,b,Left\n", "line 2: outcome: 'Left' is none of left, right, tie, skip"),
        (f"{HEADER},count\na,b,left,0\n", "line 2: count: '0' is no whole number"),
        (f"{HEADER},count\na,b,left,1.5\n", "line 2: count: '1.5' is no whole number"),
        (f"{HEADER},count\na,b,left,²\n", "line 2: count: '²' is no whole number"),
        (f"{HEADER},count\na,b,left,{'9' * 5000}\n", "line 2: count: is longer than"),
        (f"{HEADER},strategy\na,b,left,whim\n", "line 2: strategy: 'whim' is none of random"),
        (f"{HEADER},at\na,b,left,noon\n", "line 2: at: 'noon' is no time of ISO 8601"),
        (f"{HEADER},at\na,b,left,2026-12-01T10:00:00+02:00\n", "line 2: at: "),
        (f"{HEADER}\n{'a' * 300},b,left\n", "line 2: left: is longer than"),
        (f"{HEADER}\na\x1b[31m,b,left\n", "line 2: left: holds characters"),
        (f"{HEADER}\n{'a' * 200_000},b,left\n", "line 2: field larger than"),
        (f"{HEADER}\na,b,left\n".encode() + b"\xff,b,left\n", "line 3: is not UTF-8 text"),
        (f"{HEADER}\na,b\x00,left\n", "line 2: "),
        (f'{HEADER},note\na,b,left,"oops\nb,a,left,fine\n', "line 2: a quote is opened here"),
        (f'{HEADER}\n"a,b,left\nc,d,left\n', "line 2: a quote is opened here"),
        (f'{HEADER},note\na,b,left,"two\nlines"\na,a,left,\n', "line 4: right: 'a' stands"),
        ('{"left": "a", "right": "b"}\n', "line 1: outcome: is missing"),
        ('{"left": "a"\n', "line 1: is not JSON"),
        ('{"left": "a", "right": "b", "outcome": "tie"}\n[]\n', "line 2: is no JSON object"),
        (f"{HEADER}\na,b,left,7,8\n", "line 2: row: has 5 cells, more than the header"),
        (f"{HEADER},seconds\na,b,left,-1\n", "line 2: seconds: '-1' is no number of seconds"),
        (f"{HEADER},status\na,b,left,lost\n", "line 2: status: 'lost' is none of counted"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str | bytes, said: str) -> None:
    assert faults_of(text)[0].startswith(said)


def test_every_fault_is_told_up_to_a_hundred() -> None:
    assert len(faults_of(f"{HEADER}\n" + "a,a,left\n" * 3)) == 3
    assert len(faults_of(f"{HEADER}\n" + "a,a,left\n" * 1000)) == 100


def test_a_file_without_votes_counts_none() -> None:
    assert read_votes(lines_of(HEADER)).counts.total_votes == 0


@given(st.text(alphabet="'=+-@ab1", max_size=6))
def test_what_was_neutralised_comes_back(cell: str) -> None:
    if not (cell.startswith("'") and restored(cell) != cell):
        assert restored(neutralised(cell)) == cell
        assert not neutralised(cell).startswith(("=", "+", "-", "@"))


def test_an_axis_that_no_line_names_is_said() -> None:
    lines = b"left,right,outcome,axis\na,b,left,sunday\n".splitlines(keepends=True)
    with pytest.raises(VoteFileFaults, match=r"no vote is on 'monday' \(sunday\)"):
        read_votes(lines, "monday")
    with pytest.raises(VoteFileFaults, match="no line names one"):
        read_votes([b"left,right,outcome\n", b"a,b,left\n"], "monday")


def test_lines_that_end_as_on_old_macs_are_said_with_the_mend() -> None:
    with pytest.raises(VoteFileFaults, match="line 1: lines must end in a line feed"):
        read_votes([b"left,right,outcome\ra,b,left\r"])
