"""Two publications compared, by hand and on the page, and the feed that tells of them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask
from test_matchups import votes

from arena import changes, refits
from arena.publishing import Published
from arena.ratings.counts import tally
from arena.ratings.methods import METHODS

ATOM = "{http://www.w3.org/2005/Atom}"
BEGIN = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@contextmanager
def at(hours: float) -> Iterator[None]:
    with time_machine.travel(BEGIN + timedelta(hours=hours), tick=False):
        yield


@pytest.fixture
def week(app: Flask) -> Flask:
    """Four publications over three days; the leader changes on the last."""
    for hours, row in [
        (0, "jelly,trifle,left,4"),
        (1, "jelly,trifle,left,5"),
        (26, "trifle,rice,left,3"),
        (50, "rice,jelly,left,30"),
    ]:
        with at(hours):
            votes(app, row)
    return app


def published(rows: list[tuple[str, str, str, int]], number: int) -> Published:
    figures = METHODS["arena"].publish(tally(rows), replicates=20)
    return Published(number, "sunday", BEGIN, figures)


def test_who_came_who_left_and_who_moved() -> None:
    before = published([("a", "b", "left", 9), ("b", "c", "left", 9)], 1)
    after = published([("b", "a", "left", 9), ("a", "d", "left", 9)], 2)
    found = changes.between(before, after)
    assert [it.entry for it in found.came] == ["d"]
    assert [it.entry for it in found.left] == ["c"]
    assert {it.after.entry: it.places for it in found.moves} == {"a": -1, "b": 1}
    assert found.new_leader
    assert found.votes == 0
    for move in found.moves:
        assert move.score == pytest.approx(move.after.score - move.before.score)
        widths = [it.rank_high - it.rank_low for it in (move.before, move.after)]
        assert move.clearer == widths[0] - widths[1]


def test_rows_without_a_rank_win_and_lose_no_places() -> None:
    before = published([("a", "b", "left", 9)], 1)
    board = tuple(replace(it, rank=None) for it in before.figures.board)
    after = replace(before, figures=replace(before.figures, board=board))
    assert {it.places for it in changes.between(before, after).moves} == {0}


def test_dates_are_the_last_of_each_day_and_all_of_the_newest(week: Flask) -> None:
    with week.app_context():
        listed = changes.dates("sunday", "arena")
        assert [it.at for it in listed] == [BEGIN + timedelta(hours=it) for it in (50, 26, 1)]
        old, newest = changes.usual(listed) or (None, None)
        assert (old, newest) == (listed[1], listed[0])
    with at(51):
        votes(week, "rice,jelly,left,1")
    with week.app_context():
        assert len(changes.dates("sunday", "arena")) == 4


def test_the_page_says_who_leads_now(week: Flask) -> None:
    page = week.test_client().get("/changes/sunday").get_data(as_text=True)
    assert "30 counted votes more" in page
    assert 'href="/roster/rice">Rice &amp; &lt;Raisins&gt;</a> leads now' in page
    assert "▲" in page
    assert "▼" in page


def test_any_two_dates_can_be_compared_in_either_order(week: Flask) -> None:
    with week.app_context():
        first, *_, last = (it.id for it in reversed(changes.dates("sunday", "arena")))
    client = week.test_client()
    pages = [
        client.get(f"/changes/sunday?from={a}&to={b}").get_data(as_text=True)
        for a, b in ((first, last), (last, first))
    ]
    assert pages[0] == pages[1]
    assert "33 counted votes more" in pages[0]


@pytest.mark.parametrize(
    "query", ["from=1", "from=0&to=2", "from=x&to=2", "from=999999999999&to=2", "from=²&to=1"]
)
def test_a_publication_that_is_not_of_this_board_is_not_found(week: Flask, query: str) -> None:
    client = week.test_client()
    assert client.get(f"/changes/sunday?{query}").status_code == 404
    assert client.get("/changes/sunday?method=whim").status_code == 404
    assert client.get("/changes/wobblier?from=1&to=2").status_code == 404


def test_the_first_publication_has_nothing_to_be_compared_with(app: Flask) -> None:
    client = app.test_client()
    assert "Nothing has been published" in client.get("/changes/sunday").get_data(as_text=True)
    votes(app, "jelly,trifle,left,4")
    assert "one publication so far" in client.get("/changes/sunday").get_data(as_text=True)


def test_the_feed_is_atom_and_tells_of_changes_only(week: Flask) -> None:
    with week.app_context():
        refits.refit_all(week.extensions["arena"].site)  # nothing new: no publication, no news
    answer = week.test_client().get("/changes.atom")
    assert answer.mimetype == "application/atom+xml"
    feed = ET.fromstring(answer.get_data(as_text=True))
    entries = feed.findall(f"{ATOM}entry")
    titles = [it.findtext(f"{ATOM}title") for it in entries]
    assert titles[0] is not None
    assert titles[0].endswith("Rice & <Raisins> leads now")
    assert len(titles) == 2
    ids = [it.findtext(f"{ATOM}id") for it in entries]
    assert len(set(ids)) == len(ids)
    for it in entries:
        link = it.find(f"{ATOM}link")
        assert link is not None
        assert week.test_client().get(link.attrib["href"]).status_code == 200
    updated = [it.findtext(f"{ATOM}updated") for it in entries]
    assert updated == sorted(updated, reverse=True)
    assert feed.findtext(f"{ATOM}updated") == updated[0]


def test_a_feed_without_news_is_a_feed(app: Flask) -> None:
    feed = ET.fromstring(app.test_client().get("/changes.atom").get_data(as_text=True))
    assert feed.findall(f"{ATOM}entry") == []
