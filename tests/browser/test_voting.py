"""A visitor votes, with scripts off: everything the site is for, in a real browser."""

from __future__ import annotations

import re
import subprocess

import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer
from playwright.sync_api import Browser, Page, Response

from world import installed

KEY = "a key for the browser tests alone"
TOKEN = 'form.ballot input[name="ballot"]'


def press(page: Page, name: str) -> Response:
    """Press a button and return the answer to the post itself."""
    with page.expect_response(lambda it: it.request.method == "POST") as answer:
        page.get_by_role("button", name=name, exact=False).first.click()
    page.wait_for_load_state()
    return answer.value


def choose(page: Page, choice: str) -> int:
    """Press one of the four; returns the status of the post."""
    with page.expect_response(lambda it: it.request.method == "POST") as answer:
        page.locator(f'form.ballot button[value="{choice}"]').click()
    page.wait_for_load_state()
    return answer.value.status


def test_a_visitor_votes_thirty_times_ties_and_skips(site: str, page: Page) -> None:
    page.goto(site)
    for number in range(30):
        choice = ("left", "right", "left", "tie", "skip")[number % 5]
        assert choose(page, choice) == 303
        assert page.locator(".receipt").inner_text().startswith("Counted:")
        if choice != "skip":
            assert len(re.findall(r"\b1[45]\d\d\b", page.locator(".receipt").inner_text())) == 2
    assert "Choice 31." in page.locator(".question").inner_text()


def test_a_ballot_sent_again_keeps_the_first_choice(site: str, page: Page) -> None:
    page.goto(site)
    token = page.locator(TOKEN).get_attribute("value") or ""
    assert choose(page, "left") == 303
    put(page, token)
    assert choose(page, "left") == 409
    assert page.get_by_role("heading", name="Counted, once").is_visible()
    put(page, token)
    assert choose(page, "tie") == 409
    assert page.get_by_role("heading", name="Your first choice stands").is_visible()
    assert choose(page, "tie") == 303


def test_going_back_offers_a_fresh_pair(site: str, page: Page) -> None:
    page.goto(site)
    assert choose(page, "left") == 303
    page.go_back()
    assert choose(page, "left") == 303


def test_undo_is_one_click(site: str, page: Page) -> None:
    page.goto(site)
    choose(page, "left")
    assert press(page, "Undo").status == 303
    assert page.locator(".receipt").inner_text().startswith("Taken back:")


def put(page: Page, token: str) -> None:
    """Write a token into the ballot on the page, as somebody who tampers would."""
    page.locator(TOKEN).evaluate("(field, value) => { field.value = value }", token)


def test_a_forged_ballot_is_refused(site: str, page: Page) -> None:
    page.goto(site)
    forged = URLSafeTimedSerializer("not the key of the site", salt="arena.ballot")
    put(page, forged.dumps(["x", "live-with", "y"]))
    assert choose(page, "left") == 400
    assert choose(page, "left") == 303


def test_another_browsers_ballot_is_refused(site: str, page: Page, browser: Browser) -> None:
    page.goto(site)
    context = browser.new_context(java_script_enabled=False)
    other = context.new_page()
    other.goto(site)
    put(page, other.locator(TOKEN).get_attribute("value") or "")
    assert choose(page, "left") == 403
    assert page.get_by_role("heading", name="This ballot is not yours").is_visible()
    context.close()


def test_a_ballot_that_ran_out_is_refused_and_a_fresh_one_is_there(site: str, page: Page) -> None:
    page.goto(site)
    token = page.locator(TOKEN).get_attribute("value") or ""
    signer = URLSafeTimedSerializer(KEY, salt="arena.ballot")
    payload, signed = signer.loads(token, return_timestamp=True)
    put(page, old_token(payload, int(signed.timestamp()) - 301))
    assert choose(page, "left") == 410
    assert "good for five minutes" in page.locator(".note").inner_text()
    assert choose(page, "left") == 303


def old_token(payload: object, signed_at: int) -> str:
    """The site's own token, as it would have been signed earlier."""

    class Earlier(TimestampSigner):
        def get_timestamp(self) -> int:
            return signed_at

    signed = URLSafeTimedSerializer(KEY, salt="arena.ballot", signer=Earlier).dumps(payload)
    return str(signed)


def test_the_keyboard_alone_is_enough(site: str, page: Page) -> None:
    page.goto(site)
    for _ in range(20):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.value || ''")
        if focused == "right":
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert (focused, outline) == ("right", "solid")
    page.keyboard.press("Enter")
    page.wait_for_url("**/vote/live-with?after=*")


@pytest.mark.parametrize("keys", ["1", "2", "3", "4"])
def test_every_choice_has_an_access_key(site: str, page: Page, keys: str) -> None:
    page.goto(site)
    assert page.locator(f'form.ballot button[accesskey="{keys}"]').count() == 1


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844)])
def test_the_whole_ballot_fits_a_phone(
    site: str, browser: Browser, width: int, height: int
) -> None:
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": width, "height": height}
    )
    page = context.new_page()
    page.goto(site)
    for button in page.locator("form.ballot button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height
        assert box["height"] >= 44
    context.close()


PAGES = ["/", "/leaderboard/live-with", "/roster", "/roster/upkie", "/method", "/sources",
         "/privacy", "/takedown", "/nowhere"]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "height"), [(320, 256), (360, 740), (768, 1024), (1440, 900)])
def test_no_page_scrolls_sideways(
    season: str, browser: Browser, path: str, width: int, height: int
) -> None:
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": width, "height": height}
    )
    page = context.new_page()
    page.goto(season + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_nothing_is_asked_of_another_host_and_nothing_is_blocked(season: str, page: Page) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    for path in PAGES[:-1]:
        page.goto(season + path)
    assert all(url.startswith(season) for url in asked)
    assert complaints == []


def test_a_phone_takes_avif_and_the_ballot_weighs_little(season: str, browser: Browser) -> None:
    context = browser.new_context(
        java_script_enabled=False,
        viewport={"width": 390, "height": 844},
        device_scale_factor=3,
    )
    page = context.new_page()
    answers: list[Response] = []

    def keep(answer: Response) -> None:
        answers.append(answer)

    page.on("response", keep)
    page.goto(season)
    page.wait_for_load_state("networkidle")
    pictures = [it for it in answers if "/images/" in it.url]
    assert len(pictures) == 2
    assert all("-960.avif" in it.url for it in pictures)
    assert sum(len(it.body()) for it in answers) <= 60 * 1024
    context.close()


def test_the_pictures_shift_nothing(season: str, page: Page) -> None:
    page.route("**/images/*", lambda route: route.abort())
    page.goto(f"{season}/roster/upkie")
    without = page.locator("h1").bounding_box()
    page.unroute("**/images/*")
    page.goto(f"{season}/roster/upkie")
    assert page.locator("h1").bounding_box() == without


def test_every_figure_of_an_entry_has_a_source(season: str, page: Page) -> None:
    page.goto(f"{season}/roster/boston-dynamics-spot")
    figures = page.locator("section", has=page.get_by_role("heading", name="Figures"))
    rows = figures.locator(".facts tr").all()
    assert len(rows) >= 5
    for row in rows:
        address = row.locator(".src a").get_attribute("href") or ""
        assert address.startswith("https://")
        assert "retrieved" in row.inner_text()
    assert "Report this picture" in page.locator("figcaption").first.inner_text()


def test_w3m_shows_a_ballot(site: str) -> None:
    w3m = installed("w3m")
    shown = subprocess.run([w3m, "-dump", site], capture_output=True, text=True, timeout=60).stdout
    assert "Which would you rather live with?" in shown
    assert "Too close to call" in shown


def test_lynx_shows_both_names_and_all_four_buttons(site: str) -> None:
    lynx = installed("lynx")
    shown = subprocess.run(
        [lynx, "-dump", "-nolist", site], capture_output=True, text=True, timeout=60
    ).stdout
    assert "Which would you rather live with?" in shown
    assert "Too close to call" in shown
    assert "I don’t know one of them" in shown
