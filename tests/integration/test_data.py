"""Public data: every file has the columns that are described, and says what the boards say."""

from __future__ import annotations

import csv
import io
import json

import pytest
from flask import Flask
from sqlalchemy import func, select

from arena import boards, publishing
from arena.database import db
from arena.open_data import TABLES
from arena.publishing import Publication
from arena.votes import Vote
from world import axes_of, season


def rows(app: Flask, address: str) -> list[dict[str, str]]:
    text = app.test_client().get(address).get_data(as_text=True)
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("name", TABLES)
def test_every_file_has_its_described_columns_in_every_format(app: Flask, name: str) -> None:
    season(app, 60)
    columns = list(TABLES[name].columns)
    client = app.test_client()
    text = client.get(f"/data/{name}.csv").get_data(as_text=True)
    assert text.splitlines()[0].split(",") == columns
    whole = json.loads(client.get(f"/data/{name}.json").get_data(as_text=True))
    lines = client.get(f"/data/{name}.jsonl").get_data(as_text=True).splitlines()
    assert [list(it) for it in whole] == [columns] * len(whole)
    assert len(lines) == len(whole) == len(rows(app, f"/data/{name}.csv")) > 0


@pytest.mark.parametrize("name", TABLES)
def test_an_empty_site_has_files_too(app: Flask, name: str) -> None:
    assert isinstance(json.loads(app.test_client().get(f"/data/{name}.json").text), list)


def test_the_schema_describes_them_all(app: Flask) -> None:
    schema = app.test_client().get("/data/schema.json").get_json()
    assert schema.keys() == TABLES.keys()
    assert all(what for table in schema.values() for what in table["columns"].values())


def test_standings_are_those_of_the_newest_boards(app: Flask) -> None:
    season(app, 200)
    found = rows(app, "/data/standings.csv")
    with app.app_context():
        site = app.extensions["arena"].site
        for axis in axes_of(app):
            for method in publishing.PUBLISHED_METHODS:
                board = publishing.newest(axis, method)
                here = [it for it in found if it["publication"] == str(board.id)]
                text = boards.as_csv(boards.lines(site, board))
                for row, line in zip(
                    [it for it in here if it["rank"]],
                    csv.DictReader(io.StringIO(text)),
                    strict=True,
                ):
                    assert {name: row[name] for name in line} == line


def test_publications_and_votes_are_all_there_and_can_be_narrowed(app: Flask) -> None:
    season(app, 200)
    with app.app_context():
        publications = db.session.scalars(select(func.count(Publication.id))).one()
        votes = dict(db.session.execute(select(Vote.axis, func.count()).group_by(Vote.axis)).all())
    assert len(rows(app, "/data/publications.csv")) == publications
    for axis, number in votes.items():
        assert len(rows(app, f"/data/votes.csv?all=1&axis={axis}")) == number
        assert {it["axis"] for it in rows(app, f"/data/publications.csv?axis={axis}")} == {axis}
    first = rows(app, "/data/publications.csv")[0]["publication"]
    assert {it["publication"] for it in rows(app, f"/data/standings.csv?publication={first}")} == {
        first
    }


@pytest.mark.parametrize(
    "address", ["/data/sessions.csv", "/data/votes.xls", "/data/votes.csv?axis=monday"]
)
def test_what_is_not_there_is_not_found(app: Flask, address: str) -> None:
    assert app.test_client().get(address).status_code == 404


def test_facts_carry_their_citations(robots: Flask) -> None:
    found = rows(robots, "/data/facts.csv")
    site = robots.extensions["arena"].site
    assert len(found) == sum(len(entry.facts) for entry in site.entries)
    assert all(it["source_url"] and it["source_name"] and it["retrieved"] for it in found)
