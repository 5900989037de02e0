"""Every page: found by walking the application's own addresses, and held to the same rules."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import pysqlite3.dbapi2 as sqlite
import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.engine import make_url

from arena import create_app, publishing, refits, simulation, takedowns
from arena.database import db, writing
from arena.settings import Settings
from world import PUDDINGS, Voter

SAMPLES = {
    "axis": "sunday",
    "first": "jelly",
    "second": "trifle",
    "slug": "jelly",
    "key": "no-such-key",
    "form": "csv",
    "name": "jelly-480.avif",
    "filename": "arena.css",
}


def addresses(app: Flask) -> list[str]:
    """One address for every rule that answers to GET."""
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()):
            found.append(re.sub(r"<(?:[^:>]+:)?([^>]+)>", lambda it: SAMPLES[it[1]], rule.rule))
    return sorted(found)


def season(app: Flask, count: int = 60) -> None:
    """A few simulated votes, published."""
    with app.app_context():
        for _ in simulation.simulate(app.extensions["arena"].site, count, seed=3):
            pass


def test_no_address_answers_with_a_fault_of_ours(app: Flask) -> None:
    for filled in (False, True):
        if filled:
            season(app)
        for address in addresses(app):
            assert app.test_client().get(address).status_code in (200, 404, 503), address


def test_only_pages_with_a_ballot_set_a_cookie(app: Flask) -> None:
    season(app)
    for address in addresses(app):
        answer = app.test_client().get(address)
        draws = address == "/" or address.startswith("/vote/")
        assert ("Set-Cookie" in answer.headers) == draws, address
        if draws:
            assert answer.headers["Cache-Control"] == "no-store"
            assert "HttpOnly" in answer.headers["Set-Cookie"]
            assert "SameSite=Lax" in answer.headers["Set-Cookie"]


def test_every_answer_forbids_scripts_and_strangers(app: Flask) -> None:
    for address in [*addresses(app), "/nowhere"]:
        headers = app.test_client().get(address).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'"), address
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Content-Type-Options"] == "nosniff"


class Outline(HTMLParser):
    """What a test wants to know of a page."""

    VOID = frozenset({"meta", "link", "img", "input", "source", "br", "path", "line", "circle"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.headings: list[str] = []
        self.feed(page)
        self.faults += [f"<{tag}> is never closed" for tag in self.open if tag != "p"]
        self.faults += [f"id {it} twice" for it in self.ids if self.ids.count(it) > 1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.faults += [f"{name} on <{tag}>" for name in given if name.startswith("on")]
        self.faults += ["<style>" for _ in "x" if "style" in given or tag == "style"]
        if tag == "script":
            self.faults.append("<script>")
        for name in ("src", "href", "action", "srcset"):
            value = given.get(name) or ""
            loads = tag in ("img", "source", "link", "form")
            if loads and re.match(r"(?:https?:)?//", value):
                self.faults.append(f"<{tag} {name}={value}>")
        if tag == "img" and not {"alt", "width", "height"} <= given.keys():
            self.faults.append(f"<img> lacks { ({'alt', 'width', 'height'} - given.keys()) }")
        if "id" in given and given["id"] is not None:
            self.ids.append(given["id"])
        if tag == "h1":
            self.headings.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Drawn shapes close themselves."""

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.open:
            self.faults.append(f"</{tag}> closes nothing")
            return
        while self.open and self.open.pop() != tag:
            pass


def test_every_page_is_whole_and_holds_no_script(app: Flask) -> None:
    for filled in (False, True):
        if filled:
            season(app)
        for address in [*addresses(app), "/nowhere", "/takedown?entry=jelly", "/roster?q=zzz"]:
            answer = app.test_client().get(address)
            if answer.mimetype == "text/html":
                outline = Outline(answer.get_data(as_text=True))
                assert outline.faults == [], address
                assert outline.headings == ["h1"], address


def test_a_ballot_page_is_light(robots: Flask) -> None:
    voter = Voter(robots)
    voter.vote()
    page = voter.page
    style = voter.client.get("/static/arena.css").data
    assert len(gzip.compress(page.encode())) + len(gzip.compress(style)) <= 14 * 1024
    assert len(gzip.compress(style)) <= 6 * 1024
    manifest = robots.extensions["arena"].pictures
    heaviest = sorted(
        file.bytes
        for picture in manifest.pictures.values()
        for file in picture.files
        if file.format == "avif" and file.slot == 960
    )
    assert sum(heaviest[-2:]) + 14 * 1024 <= 60 * 1024


def test_a_name_is_text_and_never_markup(app: Flask) -> None:
    page = app.test_client().get("/roster/rice").get_data(as_text=True)
    assert "Rice &amp; &lt;Raisins&gt;" in page
    assert "<Raisins>" not in page


def test_an_entry_without_facts_shows_an_empty_table_with_the_reason(voter: Voter) -> None:
    voter.open("/roster/rice")
    assert "No figures." in voter.text
    assert "could be traced to a source" in voter.text


def test_every_figure_stands_with_its_source(voter: Voter) -> None:
    voter.open("/roster/trifle")
    assert "Sugar 42 g" in voter.text
    assert voter.page.count('href="https://example.org/puddings"') == 3
    assert "retrieved 30 November 2026" in voter.text


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("tri", ["Trifle"]),
        ("LAYERED", ["Trifle"]),
        ("wobbles jelly", ["Jelly"]),
        ("é", ["Jelly", "Rice & <Raisins>", "Trifle"]),
        ("", ["Jelly", "Rice & <Raisins>", "Trifle"]),
        ("<b>", []),
        ("zzz", []),
    ],
)
def test_the_search_finds_names_lines_and_categories(
    voter: Voter, search: str, found: list[str]
) -> None:
    assert voter.client.get("/roster", query_string={"q": search}).status_code == 200
    page = voter.client.get("/roster", query_string={"q": search}).get_data(as_text=True)
    names = re.findall(r"<b>([^<]+)</b>", page.split('<ul class="gallery">')[-1])
    wanted = [
        name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for name in found
    ]
    assert sorted(names) == wanted if found else "matches" in page


def test_a_fresh_site_says_that_there_are_no_votes(voter: Voter) -> None:
    voter.open("/leaderboard/sunday")
    assert "Nobody’s choice is on this board yet." in voter.text
    voter.open("/method")
    assert "So far nobody has voted." in voter.text


def test_the_first_vote_is_on_the_next_board_and_dashed(app: Flask, voter: Voter) -> None:
    voter.vote("left")
    with app.app_context():
        refits.refit(app.extensions["arena"].site, "sunday", "arena")
    voter.open("/leaderboard/sunday")
    assert voter.page.count('class="rail few"') == 2
    assert "1 counted vote," in voter.text
    assert "Not rated yet" in voter.text


def test_only_skips_are_said_to_be_so(app: Flask, voter: Voter) -> None:
    voter.vote("skip")
    with app.app_context():
        refits.refit(app.extensions["arena"].site, "sunday", "arena")
    voter.open("/leaderboard/sunday")
    assert "every choice on this question was" in voter.text


def test_the_page_the_json_and_the_csv_agree(app: Flask) -> None:
    season(app)
    client = app.test_client()
    board = json.loads(client.get("/leaderboard/sunday.json").data)
    rows = client.get("/leaderboard/sunday.csv").get_data(as_text=True).splitlines()
    page = client.get("/leaderboard/sunday").get_data(as_text=True)
    slugs = [row["entry"] for row in board["board"]]
    assert [row.split(",")[0] for row in rows[1:]] == slugs
    assert re.findall(r'<tr id="([^"]+)"', page) == slugs
    for row in board["board"]:
        assert f"{row['lower']:.0f} to {row['upper']:.0f}" in page
    assert [row["lower"] for row in board["board"]] == sorted(
        (row["lower"] for row in board["board"]), reverse=True
    )
    assert {"axis", "publication", "published_at", "unpublished", "method"} <= board.keys()


def test_a_failed_refit_keeps_the_last_board_and_says_so(app: Flask) -> None:
    season(app)
    with app.app_context():
        before = publishing.newest("sunday", "arena")
        with writing() as session:
            session.execute(text("UPDATE pair_tallies SET left_wins = -5"))
        outcome = refits.refit(app.extensions["arena"].site, "sunday", "arena")
        assert outcome.fault is not None
        assert publishing.newest("sunday", "arena") == before
    voter = Voter(app)
    voter.open("/leaderboard/sunday")
    assert "The last refit, at" in voter.text
    assert "was not published" in voter.text
    assert '<table class="board"' in voter.page


def test_health_is_503_until_the_first_refit_and_after_a_fault(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/healthz").status_code == 503
    with app.app_context():
        refits.refit_all(app.extensions["arena"].site)
    assert client.get("/healthz").status_code == 200
    assert client.get("/healthz").json["status"] == "ok"


def test_health_is_503_where_the_database_can_only_be_read(app: Flask, tmp_path: Path) -> None:
    with app.app_context():
        refits.refit_all(app.extensions["arena"].site)
        file = Path(str(db.engine.url.database))
        db.session.remove()
        db.engine.dispose()
    url = make_url(f"sqlite:///file:{file}?mode=ro&uri=true")
    reader = create_app(Settings(PUDDINGS, url, ("k" * 40,)))
    assert reader.test_client().get("/healthz").status_code == 503


def test_health_is_200_while_somebody_else_writes(app: Flask) -> None:
    with app.app_context():
        refits.refit_all(app.extensions["arena"].site)
        file = str(db.engine.url.database)
    with sqlite.connect(file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert app.test_client().get("/healthz").status_code == 200
        other.execute("ROLLBACK")


def test_a_picture_is_cached_for_good_under_its_hash_alone(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/roster/jelly").get_data(as_text=True)
    found = re.search(r'src="(/images/jelly-480\.webp\?v=[0-9a-f]{12})"', page)
    assert found is not None
    answer = client.get(found[1])
    assert answer.mimetype == "image/webp"
    assert "immutable" in answer.headers["Cache-Control"]
    assert "immutable" not in client.get("/images/jelly-480.webp?v=x").headers["Cache-Control"]
    again = client.get(found[1], headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    style = re.search(r'href="(/static/arena\.css\?v=[0-9a-f]{12})"', page)
    assert style is not None
    assert "immutable" in client.get(style[1]).headers["Cache-Control"]
    assert "immutable" not in client.get("/static/arena.css").headers["Cache-Control"]
    assert client.get("/images/manifest.json").status_code == 404
    assert client.get("/images/originals/jelly.png").status_code == 404


def test_the_first_pictures_are_not_lazy_and_the_last_are(robots: Flask) -> None:
    page = robots.test_client().get("/roster").get_data(as_text=True)
    pictures = re.findall(r"<img [^>]+>", page)
    assert "lazy" not in pictures[0]
    assert "lazy" in pictures[-1]


def test_a_page_that_has_not_changed_is_not_sent_again(app: Flask) -> None:
    client = app.test_client()
    tag = client.get("/method").headers["ETag"]
    assert client.get("/method", headers={"If-None-Match": tag}).status_code == 304


def test_the_map_of_the_site_names_every_entry_and_no_host(app: Flask) -> None:
    text = app.test_client().get("/sitemap.xml", headers={"Host": "evil.example"}).text
    assert "<loc>/roster/jelly</loc>" in text
    assert "evil" not in text


def test_asking_whether_a_ballot_is_there_draws_none(app: Flask) -> None:
    answer = app.test_client().head("/")
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/vote/nowhere", 404),
        ("GET", "/leaderboard/nowhere", 404),
        ("GET", "/leaderboard/nowhere.json", 404),
        ("GET", "/leaderboard/sunday?method=astrology", 404),
        ("GET", "/roster/nobody", 404),
        ("GET", "/images/nobody-480.avif", 404),
        ("GET", "/static/../arena.css", 404),
        ("GET", "/takedown/nonsense", 404),
        ("POST", "/", 405),
        ("GET", "/undo", 405),
        ("PUT", "/vote", 405),
    ],
)
def test_a_wrong_turn_gets_a_page_that_leads_on(
    app: Flask, method: str, path: str, status: int
) -> None:
    answer = app.test_client().open(path, method=method)
    assert answer.status_code == status
    assert "A fresh ballot" in answer.text


def test_a_fault_of_ours_is_a_page_without_a_traceback(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("the secret inner life")

    answer = app.test_client().get("/broken")
    assert answer.status_code == 500
    assert "A fault of ours" in answer.text
    assert "secret" not in answer.text
    assert "secret inner life" in caplog.text


def test_a_database_that_is_away_is_503_and_the_ballot_can_be_sent_again(
    app: Flask, tmp_path: Path
) -> None:
    voter = Voter(app)
    token = voter.ballot()
    with writing_elsewhere(tmp_path / "arena.sqlite3"):
        answer = voter.client.post(
            "/vote", data={"ballot": token, "choice": "left"}, environ_base=voter.environ
        )
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "2"
        assert token in answer.text
        assert voter.open("/") == 503
    assert voter.send(token, "left") == 303


@contextmanager
def writing_elsewhere(file: Path) -> Iterator[None]:
    """Hold the write lock of a SQLite file from outside."""
    connection = sqlite.connect(file, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("ROLLBACK")
    connection.close()


def test_another_site_runs_on_the_same_code(make_app: Callable[..., Flask]) -> None:
    app = make_app(PUDDINGS)
    voter = Voter(app)
    voter.vote("left")
    assert "Which would you rather have on a Sunday?" in voter.text
    for path in ("/", "/roster", "/leaderboard/sunday", "/method", "/sources", "/privacy"):
        voter.open(path)
        assert "robot" not in voter.text.lower(), path


def test_a_takedown_goes_from_the_form_to_a_picture_that_is_gone(app: Flask) -> None:
    client = app.test_client()
    filled = {"entry": "jelly", "name": "A. Cook", "contact": "a@example.org", "claim": "Mine."}
    filled |= {"claim": "Mine,\u00a0and\r\nmine\u3000alone."}
    answer = client.post("/takedown", data=filled)
    assert answer.status_code == 201
    reference = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", answer.text)
    link = re.search(r'href="(/takedown/[^"]+)"', answer.text)
    assert reference is not None
    assert link is not None
    assert "Open." in client.get(link[1]).text
    assert "A. Cook" not in client.get(link[1]).text
    with app.app_context():
        takedowns.decide(reference[0].lower(), takedowns.ACCEPTED, "It was the cook’s.")
    assert client.get("/images/jelly-480.avif").status_code == 410
    page = client.get("/roster/jelly").text
    assert 'class="absent"' in page
    assert "It was the cook’s." in page
    assert "/images/jelly" not in page
    assert "Accepted" in client.get(link[1]).text
    with app.app_context():
        takedowns.decide(reference[0], takedowns.REJECTED, "A mistake.")
    assert client.get("/images/jelly-480.avif").status_code == 200


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("entry", "", "Choose the picture"),
        ("entry", "nobody", "Choose the picture"),
        ("name", "  ", "who is asking"),
        ("name", "\u200b", "who is asking"),
        ("name", "A\u202eB", "cannot be shown"),
        ("claim", "Mine.\x00", "cannot be shown"),
        ("contact", "", "a way to reach you"),
        ("claim", "", "what you own"),
        ("name", "x" * 201, "longer than 200"),
        ("claim", "x" * 4001, "longer than 4000"),
    ],
)
def test_a_request_that_lacks_something_is_marked_and_keeps_what_was_written(
    app: Flask, field: str, value: str, said: str
) -> None:
    filled = {"entry": "jelly", "name": "A. Cook", "contact": "here", "claim": "Mine."}
    answer = app.test_client().post("/takedown", data=filled | {field: value})
    assert answer.status_code == 400
    assert said in answer.text
    assert "A. Cook" in answer.text or field == "name"
    with app.app_context():
        assert takedowns.cases() == []


def test_nothing_kept_names_a_network_address(app: Flask, tmp_path: Path) -> None:
    address = "203.0.113.77"
    voter = Voter(app, address)
    voter.vote("left")
    voter.client.post(
        "/takedown",
        data={"entry": "jelly", "name": "n", "contact": "c", "claim": "m"},
        environ_base=voter.environ,
    )
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
    for file in tmp_path.iterdir():
        if file.is_file():
            assert address.encode() not in file.read_bytes(), file


@pytest.mark.parametrize("address", ["/roster/a%00b", "/vote/a%00b", "/?after=%00"])
def test_an_address_with_a_nul_leads_nowhere(app: Flask, address: str) -> None:
    assert app.test_client().get(address).status_code == 404


def test_the_method_page_works_its_example_out_and_draws_it(app: Flask) -> None:
    page = app.test_client().get("/method").get_data(as_text=True)
    for figure in ("1.0986", "2.1972", "90 %", "1,120", "1.3863", "2.0240"):
        assert figure in page
    assert page.count('class="plot"') == 2
    for name in ("arena", "preferences", "versus"):
        assert f'id="{name}"' in page
    season(app)
    filled = app.test_client().get("/method").get_data(as_text=True)
    assert "nobody yet" in page
    assert "nobody yet" not in filled
