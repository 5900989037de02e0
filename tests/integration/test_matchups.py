"""Two against each other: met, never met, and not joined at all."""

from __future__ import annotations

import hashlib
import io

import pytest
from flask import Flask

from arena import imports, matchups, outlooks, refits
from arena.database import db
from arena.exchange import read_rows
from arena.matchups import Leg, Record


def votes(app: Flask, *rows: str) -> None:
    """Bring votes in and publish them; outside a context of the application."""
    text = "\n".join(["left,right,outcome,count,axis", *(f"{row},sunday" for row in rows), ""])
    data = text.encode()
    with app.app_context():
        site = app.extensions["arena"].site
        digest = hashlib.sha256(data).hexdigest()
        imports.import_votes(site, list(read_rows(io.BytesIO(data))), digest=digest)
        refits.refit_axis(site, "sunday")


def test_two_that_met_have_their_record_and_a_chance_that_agrees_with_the_other_way_round(
    app: Flask,
) -> None:
    votes(app, "jelly,trifle,left,6", "trifle,jelly,left,2", "jelly,trifle,tie,1")
    with app.app_context():
        one = matchups.matchup("sunday", "jelly", "trifle")
        other = matchups.matchup("sunday", "trifle", "jelly")
        assert one.record == Record(6, 1, 2)
        assert other.record == Record(2, 1, 6)
        assert one.path is None
        assert one.expected.p == pytest.approx(1 - other.expected.p)
        assert one.expected.lower == pytest.approx(1 - other.expected.upper)
        assert one.expected.tie == pytest.approx(other.expected.tie)
        assert one.expected.lower < one.expected.p < one.expected.upper
        outlook = outlooks.current(db.session(), "sunday")
        assert one.expected == outlook.expect("jelly", "trifle")


def test_two_that_never_met_are_joined_by_whom_both_met(app: Flask) -> None:
    votes(app, "jelly,trifle,left,3", "trifle,rice,left,3")
    with app.app_context():
        found = matchups.matchup("sunday", "jelly", "rice")
        assert found.record.votes == 0
        assert found.path == (
            Leg("jelly", "trifle", Record(3, 0, 0)),
            Leg("trifle", "rice", Record(3, 0, 0)),
        )
        assert found.expected.p > 0.6
    page = app.test_client().get("/matchup/sunday/jelly/rice").get_data(as_text=True)
    assert "They have never met." in page
    assert "extrapolation" in page


def test_where_no_chain_joins_them_that_is_said(app: Flask) -> None:
    votes(app, "jelly,trifle,left,3")
    page = app.test_client().get("/matchup/sunday/jelly/rice").get_data(as_text=True)
    assert "no chain of votes joins them" in page


def test_the_shortest_chain_is_taken_and_names_decide_between_equals() -> None:
    pairs = [("a", "b"), ("b", "z"), ("a", "c"), ("c", "z"), ("z", "y"), ("a", "d"), ("d", "e")]
    met: dict[str, dict[str, Record]] = {}
    for one, other in pairs:
        met.setdefault(one, {})[other] = met.setdefault(other, {})[one] = Record(1, 0, 0)
    assert [leg.second for leg in matchups.shortest(met, "a", "y") or ()] == ["b", "z", "y"]
    assert matchups.shortest(met, "a", "nobody") is None


def test_without_votes_there_is_no_forecast(app: Flask) -> None:
    page = app.test_client().get("/matchup/sunday/jelly/rice").get_data(as_text=True)
    assert "No forecast yet" in page


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/matchup/monday/jelly/rice", 404),
        ("/matchup/sunday/jelly/nobody", 404),
        ("/matchup/sunday/jelly/jelly", 404),
        ("/matchup/sunday?a=jelly&b=rice", 303),
        ("/matchup/sunday?a=jelly&b=jelly", 200),
        ("/matchup/sunday?a=nobody", 200),
        ("/matchup/monday", 404),
    ],
)
def test_every_address_has_its_answer(app: Flask, address: str, status: int) -> None:
    answer = app.test_client().get(address)
    assert answer.status_code == status
    if status == 303:
        assert answer.headers["Location"] == "/matchup/sunday/jelly/rice"
    if address.endswith("a=jelly&b=jelly"):
        assert "Choose two different" in answer.get_data(as_text=True)
