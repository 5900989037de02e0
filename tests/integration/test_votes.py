"""A vote's journey: what counts, what is refused and with which words, what undo does."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from flask import Flask
from itsdangerous import URLSafeTimedSerializer
from sqlalchemy import func, select

from arena.ballots import Ballot, Tokens
from arena.database import db
from arena.elo import LiveMove, LiveRating
from arena.tallies import PairTally
from arena.votes import Retraction, Vote
from world import KEY, PUDDINGS, Voter, both_databases

START = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


def stored(app: Flask, table: type = Vote) -> int:
    """How many rows a table has."""
    with app.app_context():
        return db.session.scalars(select(func.count()).select_from(table)).one()


@both_databases
def test_a_vote_is_counted_and_moves_both_ratings(app: Flask) -> None:
    voter = Voter(app)
    voter.vote("left")
    with app.app_context():
        vote = db.session.scalars(select(Vote)).one()
        ratings = {row.entry: row.rating for row in db.session.scalars(select(LiveRating))}
    assert vote.choice == "left"
    assert ratings == {vote.left: 1520.0, vote.right: 1480.0}
    assert "Counted:" in voter.text
    assert "1520 ▲ up 20" in voter.text


def test_a_tie_between_equals_moves_nothing_but_counts(app: Flask, voter: Voter) -> None:
    voter.vote("tie")
    with app.app_context():
        assert {row.rating for row in db.session.scalars(select(LiveRating))} == {1500.0}
        assert {row.votes for row in db.session.scalars(select(LiveRating))} == {1}
    assert "too close to call" in voter.text


def test_a_skip_is_recorded_and_moves_nothing(app: Flask, voter: Voter) -> None:
    voter.vote("skip")
    with app.app_context():
        assert {row.votes for row in db.session.scalars(select(LiveRating))} == {0}
        assert db.session.scalars(select(func.sum(PairTally.skips))).one() == 1


def test_the_row_of_a_ballot_says_how_it_was_drawn(app: Flask, voter: Voter) -> None:
    voter.ballot()
    with app.app_context():
        ballot = db.session.scalars(select(Ballot)).one()
    assert ballot.strategy in ("uncertain", "starved", "random")
    assert ballot.forecast is None
    assert ballot.publication is None
    assert len(ballot.session) == 32
    assert ballot.address is not None
    assert "192.0.2.1" not in ballot.address


@both_databases
def test_the_second_of_two_clicks_reads_as_good_news_and_carries_the_next_ballot(
    app: Flask,
) -> None:
    voter = Voter(app)
    token = voter.vote("left")
    assert voter.send(token, "left") == 409
    assert "Counted, once" in voter.text
    assert 'action="/vote"' in voter.page
    assert stored(app) == 1


def test_another_choice_on_a_counted_ballot_says_which_one_stands(app: Flask, voter: Voter) -> None:
    token = voter.vote("tie")
    assert voter.send(token, "right") == 409
    assert "Your first choice stands" in voter.text
    assert "too close to call" in voter.text
    assert stored(app) == 1


def test_a_ballot_that_was_counted_stays_counted_after_its_time(app: Flask, voter: Voter) -> None:
    with time_machine.travel(START, tick=False) as clock:
        token = voter.vote("left")
        clock.shift(timedelta(minutes=6))
        assert voter.send(token, "left") == 409


@pytest.mark.parametrize(("seconds", "status"), [(299, 303), (300, 303), (301, 410), (86_400, 410)])
def test_a_ballot_is_good_for_five_minutes(
    app: Flask, voter: Voter, seconds: int, status: int
) -> None:
    with time_machine.travel(START, tick=False) as clock:
        token = voter.ballot()
        clock.shift(timedelta(seconds=seconds))
        assert voter.send(token, "left") == status
    assert stored(app) == (1 if status == 303 else 0)


def _foreign_signature(voter: Voter) -> str:
    return URLSafeTimedSerializer("another key altogether", salt="arena.ballot").dumps(
        ["x", "sunday", "y"]
    )


def _undo_token(voter: Voter) -> str:
    token = voter.ballot()
    payload = URLSafeTimedSerializer(KEY, salt="arena.ballot").loads(token)
    return URLSafeTimedSerializer(KEY, salt="arena.undo").dumps(payload)


@pytest.mark.parametrize(
    "forge",
    [
        lambda voter: None,
        lambda voter: "",
        lambda voter: "nonsense",
        lambda voter: "\0\uffff" * 50,
        lambda voter: voter.ballot()[:-1],
        lambda voter: voter.ballot() + "x",
        lambda voter: "x" + voter.ballot(),
        _foreign_signature,
        _undo_token,
    ],
    ids=["missing", "empty", "nonsense", "odd bytes", "cut", "longer", "shifted", "key", "purpose"],
)
def test_a_token_that_is_not_ours_is_refused(
    app: Flask, voter: Voter, forge: Callable[[Voter], str | None]
) -> None:
    token = forge(voter)
    voter.open("/")
    assert voter.send(token, "left") == 400
    assert "not a ballot of ours" in voter.text
    assert 'action="/vote"' in voter.page
    assert stored(app) == 0


@pytest.mark.parametrize("choice", [None, "", "LEFT", "both", "left ", "left\0"])
def test_an_unknown_choice_is_refused(app: Flask, voter: Voter, choice: str | None) -> None:
    assert voter.send(voter.ballot(), choice) == 400
    assert "None of the four choices came" in voter.text
    assert stored(app) == 0


def test_a_ballot_of_another_session_is_refused(app: Flask, voter: Voter) -> None:
    other = Voter(app)
    token = other.ballot()
    voter.ballot()
    assert voter.send(token, "left") == 403
    assert "not yours" in voter.text
    assert other.send(token, "left") == 303


def test_a_ballot_without_a_cookie_is_refused(app: Flask, voter: Voter) -> None:
    assert Voter(app).send(voter.ballot(), "left") == 403
    assert stored(app) == 0


def test_a_ballot_signed_with_the_previous_key_is_redeemed(
    app: Flask, make_app: Callable[..., Flask]
) -> None:
    old = Tokens((KEY,))
    new = Tokens((KEY, "the key that came after it"))
    ballot = Ballot(id="b", axis="sunday", session="s")
    assert new.read(old.sign(ballot), Tokens.VOTE).ballot == "b"


def test_a_ballot_of_a_withdrawn_entry_is_refused(
    app: Flask, voter: Voter, make_app: Callable[..., Flask], tmp_path: Path
) -> None:
    token = voter.ballot()
    with app.app_context():
        ballot = db.session.scalars(select(Ballot)).one()
    make_app(without(tmp_path, f"puddings/{ballot.left}.toml"))
    assert voter.send(token, "left") == 410
    assert "has left" in voter.text
    assert stored(app) == 0


def test_a_ballot_of_a_withdrawn_axis_is_refused(
    app: Flask, voter: Voter, make_app: Callable[..., Flask], tmp_path: Path
) -> None:
    token = voter.ballot("/vote/wobblier")
    make_app(without(tmp_path, axis="wobblier"))
    assert voter.send(token, "left") == 410
    assert stored(app) == 0


def without(tmp_path: Path, entry: str | None = None, axis: str | None = None) -> Path:
    """A copy of the pudding site that lacks an entry or an axis."""
    root = tmp_path / "site"
    shutil.copytree(PUDDINGS, root)
    if entry is not None:
        (root / "sources" / entry).unlink()
    if axis is not None:
        file = root / "sources" / "site.toml"
        block = rf'\[\[axes\]\]\nslug = "{axis}"\n(?:.+\n)+'
        file.write_text(re.sub(block, "", file.read_text()))
    return root


@pytest.mark.parametrize("limit", [1, 3])
def test_too_many_votes_from_one_network_are_refused_until_the_minute_is_over(
    make_app: Callable[..., Flask], limit: int
) -> None:
    app = make_app(votes_per_minute=limit)
    with time_machine.travel(START, tick=False) as clock:
        for _ in range(limit):
            Voter(app).vote()
        late = Voter(app)
        token = late.ballot()
        answer = late.client.post(
            "/vote", data={"ballot": token, "choice": "left"}, environ_base=late.environ
        )
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "60"
        assert Voter(app, "198.51.100.7").vote()
        clock.shift(timedelta(seconds=60))
        assert late.send(token, "left") == 303
    assert stored(app) == limit + 2


def test_too_many_ballots_from_one_network_are_refused(make_app: Callable[..., Flask]) -> None:
    app = make_app(ballots_per_minute=2)
    voter = Voter(app)
    assert [voter.open("/") for _ in range(3)] == [200, 200, 429]


def test_the_limit_of_ballots_never_hides_what_was_counted(make_app: Callable[..., Flask]) -> None:
    voter = Voter(make_app(ballots_per_minute=2))
    token = voter.ballot()
    voter.ballot()
    data = {"ballot": token, "choice": "left"}
    answer = voter.client.post("/vote", data=data, environ_base=voter.environ)
    assert voter.open(answer.headers["Location"]) == 429
    assert "Counted:" in voter.text
    assert "What was counted stays counted" in voter.text
    assert voter.send(token, "left") == 409
    assert "Counted, once" in voter.text
    assert voter.send("forged", "left") == 400


def test_a_choice_taken_back_is_not_called_counted(voter: Voter) -> None:
    token = voter.vote()
    voter.undo()
    assert voter.send(token, "left") == 409
    assert "This choice no longer counts" in voter.text


def test_a_body_that_is_too_large_is_refused(app: Flask, voter: Voter) -> None:
    assert voter.send(voter.ballot() + "x" * 70_000, "left") == 413
    assert stored(app) == 0


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[nonsense"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, 303),
        ({"Origin": "http://localhost"}, 303),
        ({}, 303),
    ],
)
def test_a_post_from_another_site_is_refused(
    app: Flask, voter: Voter, headers: dict[str, str], status: int
) -> None:
    token = voter.ballot()
    answer = voter.client.post(
        "/vote",
        data={"ballot": token, "choice": "left"},
        headers=headers,
        environ_base=voter.environ,
    )
    assert answer.status_code == status


@both_databases
def test_undo_takes_everything_back_and_twice_is_once(app: Flask) -> None:
    voter = Voter(app)
    voter.vote("left")
    page = voter.page
    assert voter.undo() == 303
    assert "Taken back:" in voter.text
    voter.page = page
    assert voter.undo() == 303
    with app.app_context():
        assert {row.rating for row in db.session.scalars(select(LiveRating))} == {1500.0}
        assert {row.votes for row in db.session.scalars(select(LiveRating))} == {0}
        assert db.session.scalars(select(func.sum(PairTally.left_wins))).one() == 0
    assert stored(app) == 1
    assert stored(app, Retraction) == 1


def test_a_retracted_ballot_cannot_be_voted_on_again(app: Flask, voter: Voter) -> None:
    token = voter.vote("left")
    voter.undo()
    assert voter.send(token, "right") == 409
    assert stored(app) == 1


def test_an_undo_that_overtakes_its_vote_still_takes_effect(app: Flask, voter: Voter) -> None:
    token = voter.ballot()
    assert voter.send(token, None, "/undo") == 303
    assert voter.send(token, "left") == 303
    assert "Taken back:" in voter.text
    assert stored(app, LiveMove) == 0


def test_nobody_undoes_the_vote_of_another(app: Flask, voter: Voter) -> None:
    token = voter.vote("left")
    other = Voter(app)
    other.open("/")
    assert other.send(token, None, "/undo") == 403
    assert stored(app, Retraction) == 0


def test_two_tabs_never_speak_of_each_others_votes(app: Flask, voter: Voter) -> None:
    first, second = voter.ballot(), voter.ballot("/vote/wobblier")
    voter.send(first, "left")
    about_first = voter.text
    voter.send(second, "tie")
    assert "too close to call" in voter.text
    assert "Counted:" in about_first
    assert "too close to call" not in about_first.split("Counted:")[1].split("Undo")[0]


def test_a_receipt_is_shown_to_its_own_session_alone(app: Flask, voter: Voter) -> None:
    voter.vote("left")
    with app.app_context():
        ballot = db.session.scalars(select(Vote.ballot)).one()
    other = Voter(app)
    other.open(f"/vote/sunday?after={ballot}")
    assert "Counted" not in other.text


def test_the_roster_has_an_end_and_says_so(app: Flask, voter: Voter) -> None:
    seen = set()
    for number in range(1, 4):
        voter.open("/")
        assert f"Pair {number} of 3." in voter.text
        voter.vote("left")
    with app.app_context():
        seen = {frozenset(row) for row in db.session.execute(select(Vote.left, Vote.right))}
    assert len(seen) == 3
    assert "judged every pair" in voter.text
    assert "Wobblier" in voter.text


@both_databases
def test_sixty_four_simultaneous_posts_of_one_ballot_leave_one_vote(app: Flask) -> None:
    voter = Voter(app)
    token = voter.ballot()
    cookie = voter.client.get_cookie("arena")
    assert cookie is not None

    def post(choice: str) -> int:
        client = app.test_client()
        client.set_cookie("arena", cookie.value)
        answer = client.post("/vote", data={"ballot": token, "choice": choice})
        return answer.status_code

    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(post, ["left", "right", "tie", "skip"] * 16))
    assert sorted(set(statuses)) == [303, 409]
    assert statuses.count(303) == 1
    assert stored(app) == 1
