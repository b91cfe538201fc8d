"""The page of a recorded game in a real browser, without a network."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import chromium, needs_browser
from tests.recorded_games import played
from unspoken.train.replay_file import Decision, Replay
from unspoken.train.replay_page import page as make_page
from unspoken.train.showing import show_replay

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.slow, needs_browser]


def thoughtful(task: str) -> Replay:
    """A recorded game with thoughts about its first decision."""
    replay = played(task, seed=4)
    first = replay.decisions[0]
    other = replay.decisions[-1].action
    known = Decision(first.seat, first.action, {first.action: 0.875, other: 0.125}, 0.25)
    names = ("<u id=injected>x</u></script>", *replay.seats[1:])
    return replace(replay, decisions=(known, *replay.decisions[1:]), seats=names)


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with chromium() as started:
        yield started


@pytest.fixture(params=["syzygy-base4-2p", "syncro-IIe-3p"])
def replay(request: pytest.FixtureRequest) -> Replay:
    return thoughtful(request.param)


@pytest.fixture
def page(browser: "Browser", replay: Replay, tmp_path: Path) -> "Iterator[Page]":
    """The page, shown on a desktop; nothing may go wrong in it, and nothing may be asked of a network."""
    showing = show_replay(replay)
    path = tmp_path / "game.html"
    path.write_text(make_page(showing, showing.views), encoding="utf-8")
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    troubles: list[str] = []
    opened.on("console", lambda message: troubles.append(message.text))
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("requestfailed", lambda request: troubles.append(request.url))
    opened.goto(path.as_uri())
    opened.wait_for_selector("#replay:not([hidden])")
    yield opened
    assert troubles == []
    context.close()


def step(page: "Page") -> str:
    return page.locator("#count").inner_text()


def test_it_is_stepped_through_by_buttons(page: "Page", replay: Replay) -> None:
    last = len(replay.decisions)
    assert step(page) == f"0 of {last}"
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    assert step(page) == f"2 of {last}"
    page.get_by_role("button", name="Back").click()
    assert step(page) == f"1 of {last}"
    page.get_by_role("button", name="End").click()
    assert step(page) == f"{last} of {last}"
    assert "Lost." in page.locator("#now").inner_text()
    assert page.locator("#choice").inner_text() == "The game is over."
    page.get_by_role("button", name="Next").click(force=True)  # it says that it does nothing now
    assert step(page) == f"{last} of {last}"
    page.get_by_role("button", name="Start").click()
    assert step(page) == f"0 of {last}"


def test_it_is_stepped_through_by_keys_and_slider(page: "Page", replay: Replay) -> None:
    last = len(replay.decisions)
    for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        page.keyboard.press(key)
        assert step(page) == f"{expected} of {last}"
    page.locator("#slider").focus()
    page.keyboard.press("ArrowRight")
    assert step(page) == f"1 of {last}"
    page.locator("#slider").fill("4")
    assert step(page) == f"4 of {last}"


def test_every_control_is_reached_by_the_keyboard(page: "Page") -> None:
    reached = []
    for _ in range(7):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    assert reached == ["first", "back", "next", "last", "play", "slider", "view"]


def test_it_plays_by_itself(page: "Page", replay: Replay) -> None:
    page.locator("#slider").fill(str(len(replay.decisions) - 2))
    button = page.locator("#play")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    page.locator("#play[aria-pressed=false]").wait_for()
    assert step(page) == f"{len(replay.decisions)} of {len(replay.decisions)}"


def test_thoughts_are_bars_with_numbers(page: "Page", replay: Replay) -> None:
    first = replay.decisions[0]
    assert page.locator("#choice").inner_text().startswith(f"player_{first.seat} chooses ")
    rows = page.locator(".chance")
    assert rows.locator(".chance-number").all_inner_texts() == ["87.5%", "12.5%"]
    widths = [bar["width"] for bar in (one.bounding_box() for one in rows.locator("i").all()) if bar]
    assert widths[0] == pytest.approx(7 * widths[1], rel=0.02)
    assert page.locator("#value").inner_text() == "Expected reward: 0.25 (1 is a win)"


def test_a_seat_sees_less(page: "Page", replay: Replay) -> None:
    view = page.get_by_label("View")
    assert view.locator("option").all_inner_texts()[:2] == [
        "all cards turned up",
        "player_0 (<u id=injected>x</u></script>)",
    ]
    acting = replay.decisions[0].seat
    view.select_option(str(1 + acting))
    assert page.locator(".chance").count() == 2
    shown = page.locator("#table").inner_text()
    view.select_option(str(1 + (acting + 1) % len(replay.seats)))
    assert page.locator(".chance").count() == 0
    assert page.locator("#choice").inner_text() == "Somebody else decides now."
    assert page.locator("#table").inner_html() != shown


def test_names_are_text(page: "Page") -> None:
    assert "<u id=injected>x</u></script>" in page.locator("#outcome").inner_text()
    assert page.locator("#injected").count() == 0


def test_what_happens_is_read_out(page: "Page") -> None:
    live = page.locator("[aria-live=polite]")
    page.keyboard.press("ArrowRight")
    assert live.inner_text().startswith("Step 1 of ")
    assert "Last: player_" in live.inner_text()
    assert page.get_by_role("main").get_by_role("img").count() > 0


def test_it_fits_a_phone(page: "Page") -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.keyboard.press("End")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Back").click()


def test_a_damaged_page_says_so(browser: "Browser", tmp_path: Path) -> None:
    showing = show_replay(played("syzygy-base4-2p"))
    text = make_page(showing, [None])
    at = text.index('id="data">') + 40
    path = tmp_path / "game.html"
    path.write_text(text[:at] + "AAAA" + text[at + 4 :], encoding="utf-8")
    opened = browser.new_page()
    opened.goto(path.as_uri())
    opened.wait_for_selector("#problem:not([hidden])")
    assert opened.locator("#problem").inner_text().startswith("The recorded game in this page is damaged: ")
    opened.close()
