"""An entry's story: its rating over time, its rivals, its best win and its worst loss."""

from __future__ import annotations

from datetime import timedelta

from flask import Flask
from test_changes import BEGIN, at
from test_matchups import votes

from arena import careers, publishing
from arena.careers import Career, Meeting
from arena.matchups import Record

ALL = ("jelly", "rice", "trifle")


def career_of(app: Flask, entry: str, listed: tuple[str, ...] = ALL) -> Career | None:
    with app.app_context():
        published = publishing.newest("sunday", "arena")
        assert published is not None
        return careers.career(published, entry, listed)


def test_rivals_are_the_nearest_and_wins_and_losses_the_most_telling(app: Flask) -> None:
    votes(
        app,
        "jelly,trifle,left,9",
        "jelly,trifle,right,1",
        "trifle,rice,left,9",
        "rice,jelly,left,1",
        "jelly,rice,left,8",
        "jelly,rice,tie,2",
    )
    jelly = career_of(app, "jelly")
    assert jelly is not None
    assert [it.entry for it in jelly.rivals] == ["trifle", "rice"]
    assert jelly.best_win == Meeting("trifle", Record(9, 0, 1))
    assert jelly.worst_loss == Meeting("rice", Record(8, 2, 1))
    rice = career_of(app, "rice")
    assert rice is not None
    assert rice.best_win == Meeting("jelly", Record(1, 2, 8))
    assert rice.worst_loss == Meeting("trifle", Record(0, 0, 9))


def test_who_has_left_the_roster_is_nobodys_rival(app: Flask) -> None:
    votes(app, "jelly,trifle,left,9", "trifle,rice,left,9")
    jelly = career_of(app, "jelly", ("jelly", "rice"))
    assert jelly is not None
    assert [it.entry for it in jelly.rivals] == ["rice"]
    assert jelly.best_win is None
    assert jelly.worst_loss is None


def test_an_entry_without_a_vote_has_no_story(app: Flask) -> None:
    votes(app, "jelly,trifle,left,9")
    assert career_of(app, "rice") is None
    assert "Rivals" not in app.test_client().get("/roster/rice").get_data(as_text=True)


def test_over_time_each_day_has_its_last_and_the_newest_day_all(app: Flask) -> None:
    for hours in (0, 1, 25, 50, 51):
        with at(hours):
            votes(app, f"jelly,trifle,left,{hours + 1}")
    jelly = career_of(app, "jelly")
    assert jelly is not None
    assert [it.at - BEGIN for it in jelly.points] == [timedelta(hours=h) for h in (1, 25, 50, 51)]
    assert jelly.points[-1].score > jelly.points[0].score
    page = app.test_client().get("/roster/jelly").get_data(as_text=True)
    assert page.count('class="plot"') == 1
    assert "5 January 2026 to 7 January 2026" in page
