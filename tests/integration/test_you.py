"""One's own choices: listed, taken back, taken away, forgotten; and nobody else's."""

from __future__ import annotations

import csv
import html
import io
import json
import re

import pytest
from flask import Flask
from sqlalchemy import func, select

from arena.database import db
from arena.votes import Retraction, Vote
from world import Voter


def tokens(page: str) -> list[str]:
    """The tokens of the undo buttons, in the order of the page."""
    found = re.findall(r'action="/you/undo">.*?name="ballot" value="([^"]+)"', page, re.S)
    return [html.unescape(it) for it in found]


def number_of(app: Flask, column) -> int:
    with app.app_context():
        return db.session.scalars(select(func.count(column))).one()


def test_the_last_twenty_choices_stand_on_the_page_the_newest_first(app: Flask) -> None:
    voter = Voter(app)
    for number in range(23):
        voter.vote(("left", "right", "tie", "skip")[number % 4])
    assert voter.open("/you") == 200
    assert len(tokens(voter.page)) == 20
    assert "too close to call" in voter.page
    assert "did not know one of them" in voter.page
    assert "23" in voter.text
    rows = list(csv.DictReader(io.StringIO(voter.client.get("/you.csv").get_data(as_text=True))))
    first = voter.page.index("<li>")
    newest = rows[-1]
    names = {"jelly": "Jelly", "trifle": "Trifle", "rice": "Rice &amp; &lt;Raisins&gt;"}
    item = voter.page[first : voter.page.index("</li>", first)]
    assert names[newest["left"]] in item
    assert names[newest["right"]] in item


def test_any_of_them_can_be_taken_back_once(app: Flask) -> None:
    voter = Voter(app)
    for _ in range(3):
        voter.vote("left")
    voter.open("/you")
    token = tokens(voter.page)[1]
    for _ in range(2):
        assert voter.send(token, None, "/you/undo") == 303
        assert voter.page.count("· taken back") == 1
        assert len(tokens(voter.page)) == 2
    assert number_of(app, Retraction.number) == 1


def test_a_stranger_sees_nothing_and_takes_nothing_back(app: Flask) -> None:
    voter = Voter(app)
    voter.vote("left")
    voter.open("/you")
    (token,) = tokens(voter.page)
    for stranger in (Voter(app), Voter(app)):
        stranger.vote("tie")
        assert stranger.send(token, None, "/you/undo") == 403
    assert Voter(app).send(token, None, "/you/undo") == 403
    assert number_of(app, Retraction.number) == 0
    nobody = Voter(app)
    nobody.open("/you")
    assert "no session here" in nobody.page
    assert nobody.client.get("/you.json").get_data(as_text=True) == "[]\n"


@pytest.mark.parametrize("token", [None, "", "forged"])
def test_a_token_that_is_not_ours_is_refused(app: Flask, token: str | None) -> None:
    voter = Voter(app)
    voter.vote("left")
    assert voter.send(token, None, "/you/undo") == 400


def test_everything_can_be_taken_away_with_what_became_of_it(app: Flask) -> None:
    voter = Voter(app)
    voter.vote("left")
    voter.vote("tie")
    voter.undo()
    answer = voter.client.get("/you.csv")
    assert answer.mimetype == "text/csv"
    assert answer.headers["Cache-Control"] == "no-store"
    assert 'filename="choices.csv"' in answer.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.get_data(as_text=True))))
    assert [(row["outcome"], row["status"]) for row in rows] == [
        ("left", "counted"),
        ("tie", "retracted"),
    ]
    assert "session" not in rows[0]
    found = json.loads(voter.client.get("/you.json").get_data(as_text=True))
    assert [{k: str(v) for k, v in it.items()} for it in found] == rows
    assert voter.client.get("/you.xml").status_code == 404


def test_forgetting_ends_the_session_and_keeps_the_votes(app: Flask) -> None:
    voter = Voter(app)
    voter.vote("left")
    token = voter.vote("right")
    assert voter.send(None, None, "/you/forget") == 303
    assert "Forgotten." in voter.page
    assert "no session here" in voter.page
    assert tokens(voter.page) == []
    assert number_of(app, Vote.number) == 2
    assert voter.send(token, None, "/undo") == 403
    voter.vote("tie")
    voter.open("/you")
    assert len(tokens(voter.page)) == 1


def test_another_site_can_neither_undo_nor_forget(app: Flask) -> None:
    voter = Voter(app)
    voter.vote("left")
    voter.open("/you")
    (token,) = tokens(voter.page)
    for path in ("/you/undo", "/you/forget"):
        answer = voter.client.post(
            path, data={"ballot": token}, headers={"Sec-Fetch-Site": "cross-site"}
        )
        assert answer.status_code == 403
    assert number_of(app, Retraction.number) == 0


def test_the_page_is_private_and_sets_no_cookie(app: Flask) -> None:
    answer = app.test_client().get("/you")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


def test_leans_are_said_with_the_choices_behind_them(app: Flask) -> None:
    voter = Voter(app)
    voter.open("/you")
    for _ in range(40):
        token = voter.ballot()
        sides = re.findall(r'value="(left|right)".*?<b>([^<]+)</b>', voter.page, re.S)
        names = {html.unescape(name): side for side, name in sides}
        voter.send(token, names.get("Jelly", "tie"))
    voter.open("/you")
    assert "You pick set puddings over others:" in voter.text
    lean = voter.page[voter.page.index('<details class="lean">') :]
    count = int(re.findall(r"others: (\d+) of \d+ decided", lean)[0])
    items = lean[: lean.index("</details>")].count("<li>")
    assert items == count
    assert "of them would look like a lean" in voter.text


def test_without_six_decided_choices_no_lean_is_said(app: Flask) -> None:
    voter = Voter(app)
    for _ in range(3):
        voter.vote("left")
    voter.open("/you")
    assert "A lean takes 6 decided choices at least." in voter.text
