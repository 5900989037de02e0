"""What everybody leans to: each session once, right against a recount, checked by `verify`."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

from flask import Flask
from sqlalchemy import select
from test_diagnoses import cast

from arena import crowds, public_log, refits, verification
from arena.crowds import CrowdRow
from arena.database import db, writing
from world import axes_of, both_databases, season


def refresh(app: Flask) -> crowds.Crowd:
    site = app.extensions["arena"].site
    crowds.refresh(site, "sunday")
    found = crowds.current(site, "sunday")
    assert found is not None
    return found


@both_databases
def test_each_session_counts_once_by_its_own_majority(app: Flask) -> None:
    with app.app_context():
        for number in range(7):
            for choice in ["left", "left", "right"]:
                cast(choice, holder=f"for jelly {number}")
        for _ in range(50):
            cast("right", holder="one eager voter")
        for choice in ["left", "right", "tie", "skip"]:
            cast(choice, holder="even")
        found = refresh(app)
        key = ("family", "set")
        assert found.counts.sessions == 9
        assert found.counts.choices == 7 * 3 + 50 + 2
        assert found.counts.by_session[key] == (7, 8)
        assert found.counts.by_choice[key] == (15, 73)
        assert found.profile.leans == ()  # 7 of 8 is p = 0.07
        cast("left", holder="one more")
        found = refresh(app)
        lean = found.profile.leans[0]
        assert (lean.k, lean.n) == (8, 9)
        layered = next(it for it in found.profile.leans if it.value == "layered")
        assert not layered.towards
        assert found.plain(layered) == (16, 74)
    page = app.test_client().get("/profile/sunday").get_data(as_text=True)
    assert "Voters pick set puddings over others: 8 of 9 sessions." in page
    assert "16&nbsp;of&nbsp;74" in page


@both_databases
def test_the_counts_agree_with_a_recount_of_the_public_log(app: Flask) -> None:
    season(app, 300)
    with app.app_context():
        found = refresh(app)
        decided = [
            it
            for it in public_log.records("sunday")
            if it["outcome"] in ("left", "right")
            and {it["left"], it["right"]} == {"jelly", "trifle"}
        ]
        won = Counter(it[str(it["outcome"])] for it in decided)
        assert found.counts.by_choice["family", "set"] == (won["jelly"], len(decided))
        assert found.counts.sessions == len(
            {
                it["session"]
                for it in public_log.records("sunday")
                if it["outcome"] in ("left", "right")
            }
        )


@both_databases
def test_counts_that_were_tampered_with_are_found_and_mended(app: Flask) -> None:
    season(app, 100)
    with app.app_context():
        site = app.extensions["arena"].site
        refits.refit_and_diagnose(site, axes_of(app))
        cast("left", holder="later")  # what came after the count is no difference
        assert [it for it in verification.verify(axes_of(app)) if "crowds" in it] == []
        with writing() as session:
            row = session.get_one(CrowdRow, "sunday")
            data = json.loads(row.data)
            data["choices"] += 1
            row.data = json.dumps(data)
        (difference,) = [it for it in verification.verify(axes_of(app)) if "crowds" in it]
        assert difference == f"crowds: sunday: not what the log says up to number {row.up_to}"
        refits.recompute(site, axes_of(app))
        assert verification.verify(axes_of(app)) == []


def test_a_count_is_made_again_only_when_something_came(app: Flask) -> None:
    season(app, 60)
    with app.app_context():
        refresh(app)
        before = db.session.scalars(select(CrowdRow.data)).all()
        with writing() as session:
            session.get_one(CrowdRow, "sunday").data = before[0].replace(
                '"choices": ', '"choices":  '
            )
        refresh(app)
        assert db.session.scalars(select(CrowdRow.data)).all() != before
        cast("left", holder="later")
        refresh(app)
        assert ":  " not in db.session.scalars(select(CrowdRow.data)).all()[0]


def test_an_axis_nobody_voted_on_has_no_leans(app: Flask) -> None:
    client = app.test_client()
    assert "has been counted here yet" in client.get("/profile/sunday").get_data(as_text=True)
    assert client.get("/profile/monday").status_code == 404


def test_facts_that_changed_are_counted_afresh(app: Flask) -> None:
    site = app.extensions["arena"].site
    poorer = replace(site, entries=tuple(replace(it, facts=()) for it in site.entries))
    with app.app_context():
        for number in range(8):
            cast("left", holder=f"voter {number}")
        assert refresh(app).profile.leans
        crowds.refresh(poorer, "sunday")
        found = crowds.current(poorer, "sunday")
        assert found is not None
        assert found.profile.leans == ()
