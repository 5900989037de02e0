"""A visitor reads what the votes came to, with scripts off; page, command, JSON and CSV agree."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from world import served

METHODS = ("arena", "preferences", "versus")
AXIS = "live-with"


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Address and folder of the real site with enough votes for every method."""
    folder = tmp_path_factory.mktemp("read")
    for address in served(folder, "simulate", "--votes", "1500", "--seed", "4"):
        yield address, folder


def arena(folder: Path, *words: str) -> str:
    """What a command prints about the same database."""
    environment = {
        **os.environ,
        "ARENA_DATABASE_URL": f"sqlite:///{folder / 'arena.sqlite3'}",
        "ARENA_SECRET_KEY": "a key for the browser tests alone",
    }
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def fetched(page: Page, address: str) -> str:
    """A file of the site, as the browser gets it."""
    answer = page.request.get(address)
    assert answer.ok, address
    return answer.text()


def shown(page: Page) -> list[tuple[str, str, str, str]]:
    """Slug, rank, interval and score of each row, as the page has them."""
    rows = []
    for row in page.locator("table.board tbody tr").all():
        rank = row.locator(".rank").inner_text().split()[0]
        interval = (row.locator(".range").text_content() or "").strip()
        score = re.findall(r"[−\d.]+", row.locator("td.figure").first.inner_text())[0]
        rows.append((row.get_attribute("id") or "", rank, interval, score))
    return rows


@pytest.mark.parametrize("method", METHODS)
def test_page_command_json_and_csv_agree_digit_for_digit(
    read: tuple[str, Path], page: Page, method: str
) -> None:
    site, folder = read
    page.goto(f"{site}/leaderboard/{AXIS}?method={method}")
    board = shown(page)
    assert len(board) > 20
    served = json.loads(fetched(page, f"{site}/leaderboard/{AXIS}.json?method={method}"))
    printed = json.loads(arena(folder, "leaderboard", AXIS, "--method", method, "--format", "json"))
    assert served == printed
    text = fetched(page, f"{site}/leaderboard/{AXIS}.csv?method={method}")
    assert text == arena(folder, "leaderboard", AXIS, "--method", method, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    digits = {"arena": 0, "preferences": 2, "versus": 1}[method]
    for on_page, row, line in zip(board, served["board"], rows, strict=True):
        slug, rank, interval, score = on_page
        assert (slug, int(rank)) == (row["entry"], row["rank"])
        assert float(line["score"]) == row["score"]
        figures = [f"{row[name]:.{digits}f}".replace("-", "−") for name in ("lower", "upper")]
        assert interval.replace("−0.00", "0.00") == " to ".join(figures).replace("−0.00", "0.00")
        assert float(score.replace("−", "-")) == pytest.approx(row["score"], abs=0.6 / 10**digits)
    table = arena(folder, "leaderboard", AXIS, "--method", method).splitlines()
    assert len(table) == len(rows) + 1


def test_boards_are_switched_filtered_and_sorted_by_links(
    read: tuple[str, Path], page: Page
) -> None:
    site, _ = read
    page.goto(f"{site}/leaderboard/{AXIS}")
    whole = shown(page)
    page.get_by_role("link", name="preferences", exact=True).click()
    assert "method=preferences" in page.url
    page.get_by_role("link", name="arena", exact=True).click()
    page.get_by_role("link", name="Votes", exact=True).click()
    votes = [int(it.inner_text()) for it in page.locator("td.votes > span:first-child").all()]
    assert votes == sorted(votes, reverse=True)
    page.get_by_role("link", name="Rank", exact=True).click()
    assert shown(page) == whole
    page.get_by_text("Show only some").click()
    page.locator(".filters .chips a").first.click()
    narrowed = shown(page)
    assert 0 < len(narrowed) < len(whole)
    assert set(narrowed) < set(whole)
    page.get_by_role("link", name="all", exact=True).first.click()
    page.get_by_role("link", name="maker", exact=True).click()
    assert "by=maker" in page.url
    assert page.locator("table.board tbody tr").count() > 2


def test_two_entries_are_compared_through_the_form(read: tuple[str, Path], page: Page) -> None:
    site, _ = read
    page.goto(f"{site}/leaderboard/{AXIS}")
    page.get_by_role("link", name="compare two").click()
    page.locator('select[name="a"]').select_option("boston-dynamics-spot")
    page.locator('select[name="b"]').select_option("unitree-a1")
    page.get_by_role("button", name="Compare").click()
    assert urlsplit(page.url).path == f"/matchup/{AXIS}/boston-dynamics-spot/unitree-a1"
    assert page.get_by_role("heading", name="Spot or Unitree A1?").is_visible()
    said = page.locator("main").inner_text()
    first = int(re.findall(r"wins (\d+) in a hundred", said)[0])
    page.get_by_role("link", name="The other way round").click()
    second = int(re.findall(r"wins (\d+) in a hundred", page.locator("main").inner_text())[0])
    assert abs(first + second - 100) <= 1


def test_choices_are_listed_undone_taken_away_and_forgotten(
    read: tuple[str, Path], page: Page
) -> None:
    site, folder = read
    page.goto(site)
    for choice in ("left", "tie", "right"):
        page.locator(f'form.ballot button[value="{choice}"]').click()
    page.get_by_role("navigation", name="Site").get_by_role("link", name="You").click()
    assert page.locator(".choices li").count() == 3
    page.get_by_role("button", name="Undo").nth(1).click()
    assert "taken back" in page.locator(".choices li").nth(1).inner_text()
    assert page.get_by_role("button", name="Undo").count() == 2
    rows = list(csv.DictReader(io.StringIO(fetched(page, f"{site}/you.csv"))))
    assert [(it["outcome"], it["status"]) for it in rows] == [
        ("left", "counted"),
        ("tie", "retracted"),
        ("right", "counted"),
    ]
    exported = list(csv.DictReader(io.StringIO(arena(folder, "votes", "export", "--all"))))
    mine = {(it["left"], it["right"], it["at"], it["status"]) for it in rows}
    assert mine <= {(it["left"], it["right"], it["at"], it["status"]) for it in exported}
    page.get_by_role("button", name="Forget me").click()
    assert "Forgotten." in page.locator("main").inner_text()
    assert page.locator(".choices li").count() == 0
    assert page.context.cookies() == []


def test_the_public_log_fits_to_the_board(read: tuple[str, Path], page: Page) -> None:
    site, folder = read
    arena(folder, "refit")
    text = fetched(page, f"{site}/data/votes.csv?axis={AXIS}")
    file = folder / "votes.csv"
    file.write_text(text, encoding="utf-8")
    for method in METHODS:
        fitted = json.loads(arena(folder, "fit", str(file), "--method", method, "--format", "json"))
        board = json.loads(
            arena(folder, "leaderboard", AXIS, "--method", method, "--format", "json")
        )
        strengths = {it["entry"]: it["strength"] for it in fitted["board"]}
        assert fitted["votes"] == board["votes"]
        for row in board["board"]:
            assert strengths[row["entry"]] == pytest.approx(row["strength"], abs=1e-7)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize(
    "path",
    [
        f"/leaderboard/{AXIS}?method=versus",
        f"/leaderboard/{AXIS}?by=kind",
        f"/diagnostics/{AXIS}",
        f"/changes/{AXIS}",
        f"/matchup/{AXIS}/boston-dynamics-spot/unitree-a1",
        "/roster/boston-dynamics-spot",
        "/you",
        "/data",
        "/method",
    ],
)
def test_no_page_is_wider_than_its_window(
    read: tuple[str, Path], page: Page, path: str, width: int
) -> None:
    site, _ = read
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site + path)
    assert page.locator("h1").count() == 1
    box = page.locator("body").bounding_box()
    assert box is not None
    assert box["width"] <= width
    reach = page.evaluate("document.documentElement.scrollWidth")
    assert reach <= width
