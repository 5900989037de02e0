"""The log out and in: nothing lost, nobody named, nothing twice, all or nothing."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import func, select

from arena import imports, public_log, publishing, refits, verification
from arena.database import db
from arena.downloads import FORMATS
from arena.exchange import VoteFileFaults, read_rows, read_votes
from arena.imports import Imported
from arena.votes import Vote
from world import axes_of, both_databases, season


def exported(app: Flask, form: str = "csv", *, axis: str | None = None, whole: bool = False) -> str:
    with app.app_context():
        found = public_log.records(axis, uncounted=whole)
        return "".join(FORMATS[form](public_log.COLUMNS, found))


def brought_in(app: Flask, text: str, axis: str | None = None) -> Imported:
    data = text.encode()
    with app.app_context():
        rows = list(read_rows(io.BytesIO(data)))
        digest = hashlib.sha256(data).hexdigest()
        done = imports.import_votes(app.extensions["arena"].site, rows, digest=digest, axis=axis)
        for slug in done.axes:
            refits.refit_axis(app.extensions["arena"].site, slug)
        return done


def votes_in(app: Flask) -> int:
    with app.app_context():
        return db.session.scalars(select(func.count(Vote.number))).one()


def test_the_export_holds_every_counted_vote_and_names_nobody(app: Flask) -> None:
    season(app, 400)
    rows = list(csv.DictReader(io.StringIO(exported(app))))
    every = list(csv.DictReader(io.StringIO(exported(app, whole=True))))
    with app.app_context():
        sessions = set(db.session.scalars(select(Vote.session)))
    assert len(every) == votes_in(app)
    assert {row["status"] for row in rows} == {"counted"}
    assert Counter(row["status"] for row in every)["retracted"] > 0
    assert Counter(row["status"] for row in every)["invalidated"] > 0
    assert len(rows) == Counter(row["status"] for row in every)["counted"]
    assert not {row["session"] for row in rows} & sessions
    again = list(csv.DictReader(io.StringIO(exported(app))))
    assert not {row["session"] for row in rows} & {row["session"] for row in again}


def test_csv_and_jsonl_say_the_same_but_for_pseudonyms(app: Flask) -> None:
    season(app, 100)
    rows = list(csv.DictReader(io.StringIO(exported(app))))
    lines = [json.loads(line) for line in exported(app, "jsonl").splitlines()]
    for row, line in zip(rows, lines, strict=True):
        assert {**row, "session": ""} == {**{k: str(v) for k, v in line.items()}, "session": ""}


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_fit_of_the_export_is_the_board(app: Flask, form: str) -> None:
    season(app, 500)
    axis = axes_of(app)[0]
    votes = read_votes(io.BytesIO(exported(app, form, axis=axis).encode()))
    with app.app_context():
        basis = publishing.basis_behind(publishing.newest(axis, "versus").id)
        for mine, theirs in [
            (votes.counts, basis.counts),
            (votes.held_out.calibration, basis.held_out.calibration),
            (votes.held_out.evaluation, basis.held_out.evaluation),
        ]:
            assert mine.first_on_left.tolist() == theirs.first_on_left.tolist()
            assert mine.first_on_right.tolist() == theirs.first_on_right.tolist()


@both_databases
def test_what_goes_out_comes_in_again(
    make_app: Callable[..., Flask], tmp_path, new_database: Callable[[], Flask]
) -> None:
    source = make_app()
    season(source, 300)
    text = exported(source)
    boards = {}
    with source.app_context():
        for axis in axes_of(source):
            boards[axis] = publishing.newest(axis, "preferences").figures.board
    target = new_database()
    done = brought_in(target, text)
    assert done.votes == len(text.splitlines()) - 1
    with target.app_context():
        assert verification.verify(axes_of(target)) == []
        for axis, board in boards.items():
            found = publishing.newest(axis, "preferences").figures.board
            assert [row.entry for row in found] == [row.entry for row in board]
            assert [row.score for row in found] == pytest.approx([row.score for row in board])
    with_pseudonyms_alike = [
        {k: v for k, v in row.items() if k != "session"}
        for row in csv.DictReader(io.StringIO(exported(target)))
    ]
    before = [
        {k: v for k, v in row.items() if k != "session"}
        for row in csv.DictReader(io.StringIO(text))
    ]
    assert sorted(map(str, with_pseudonyms_alike)) == sorted(map(str, before))


def test_a_file_comes_in_once(app: Flask) -> None:
    text = "left,right,outcome,axis\njelly,trifle,left,sunday\n"
    brought_in(app, text)
    with pytest.raises(VoteFileFaults, match="line 1: this file was imported before"):
        brought_in(app, text)
    assert votes_in(app) == 1


def test_a_vote_that_is_there_already_keeps_its_file_out(app: Flask) -> None:
    season(app, 50)
    before = votes_in(app)
    with pytest.raises(VoteFileFaults, match="line 2: this vote is in the log already"):
        brought_in(app, exported(app))
    assert votes_in(app) == before


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("jelly,nobody,left,sunday", "line 3: right: 'nobody' is not on the roster"),
        ("jelly,trifle,left,monday", "line 3: axis: there is no question 'monday' on this site"),
        ("jelly,trifle,left,", "line 3: axis: is missing; the site has several questions"),
    ],
)
def test_one_line_at_fault_keeps_the_file_out(app: Flask, row: str, said: str) -> None:
    text = f"left,right,outcome,axis\njelly,trifle,left,sunday\n{row}\n"
    with pytest.raises(VoteFileFaults, match=said):
        brought_in(app, text)
    assert votes_in(app) == 0


def test_counts_become_votes_and_skips_stay_skips(app: Flask) -> None:
    text = "left,right,outcome,count\njelly,trifle,left,3\njelly,trifle,skip,2\n"
    assert brought_in(app, text, axis="sunday") == Imported(5, ("sunday",))
    with app.app_context():
        figures = publishing.newest("sunday", "arena").figures
        assert (figures.votes, figures.skips) == (3, 2)


def test_times_order_the_log_and_the_voters_pace_is_kept(app: Flask) -> None:
    text = (
        "left,right,outcome,axis,at,session,seconds\n"
        "jelly,trifle,left,sunday,2026-01-02T00:00:00+00:00,ann,2.5\n"
        "trifle,jelly,tie,sunday,2026-01-01T00:00:00Z,ann,\n"
    )
    brought_in(app, text)
    rows = list(csv.DictReader(io.StringIO(exported(app))))
    assert [(row["outcome"], row["seconds"]) for row in rows] == [("tie", "0.0"), ("left", "2.5")]
    assert len({row["session"] for row in rows}) == 1
