"""The pages in a real browser: whole games by mouse and by keyboard, several people, lost lines, consent."""

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import chromium, needs_browser

pytest.importorskip("starlette", reason="needs the extra 'serve'")
pytest.importorskip("uvicorn", reason="needs the extra 'serve'")
pytest.importorskip("websockets", reason="needs the extra 'serve'")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocketRoute

pytestmark = [pytest.mark.slow, needs_browser]

DESKTOP = {"width": 1280, "height": 1000}
PHONE = {"width": 360, "height": 740}
MY_TURN = "#now.yours"
OVER = "#result:not([hidden])"
TABLES = 6

SERVERS = {
    "syzygy": ["syzygy-base5-3p", "--partners", "random", "--seat", "0,1"],
    "syncro": ["syncro-Ia-3p", "--partners", "syncro/solo", "--seat", "0"],
    "study": ["syzygy-base4-2p", "--partners", "random", "--seat", "0", "--set", "emotions=2"],
}


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[dict[str, subprocess.Popen[str]]]":
    """The servers."""
    log = tmp_path_factory.mktemp("study") / "log.jsonl"
    started = {}
    for name, arguments in SERVERS.items():
        options = ["--pause", "0", "--port", "0", "--seed", "3", "--tables", str(TABLES)]
        options += ["--study", str(log)] if name == "study" else []
        options += ["--record", str(log.parent / "replays")] if name == "syncro" else []
        command = [sys.executable, "-m", "unspoken.train.cli", "serve", *arguments, *options]
        started[name] = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    yield started
    for process in started.values():
        process.terminate()
    for process in started.values():
        process.communicate()


@pytest.fixture(scope="module")
def links(processes: "dict[str, subprocess.Popen[str]]") -> dict[str, list[str]]:
    """The links that each server printed, in order of tables and seats."""
    found = {}
    for name, process in processes.items():
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Ctrl-C"):
                break
        found[name] = re.findall(r"http://\S+", "".join(lines))
        assert found[name], f"the server of {name} did not start"
    return found


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with chromium() as started:
        yield started


@pytest.fixture
def sit(browser: "Browser") -> Iterator[Any]:
    """Opens links, each in a browser of its own; whatever a page complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def watch(page: "Page") -> "Page":
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        return page

    def open_link(link: str, ready: str = "#game:not([hidden])", **options: Any) -> "Page":
        settings: dict[str, Any] = {"viewport": DESKTOP, "reduced_motion": "reduce", **options}
        context = browser.new_context(**settings)
        contexts.append(context)
        page = watch(context.new_page())
        page.goto(link)
        page.wait_for_selector(ready)
        assert "" not in page.locator("#rules [data-number]").all_text_contents()
        page.locator("#to-table").click()
        return page

    yield open_link
    for context in contexts:
        context.close()
    assert complaints == []


def settled(page: "Page") -> bool:
    """Wait until this person is to play, or the game is over; whether it goes on."""
    page.wait_for_selector(f"{MY_TURN}, {OVER}")
    return not page.is_visible(OVER)


def drag(page: "Page", source: "Locator", target: "Locator") -> None:
    source.scroll_into_view_if_needed()
    start, end = source.bounding_box(), target.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()


def drag_by_finger(page: "Page", source: "Locator", target: "Locator") -> None:
    start, end = source.bounding_box(), target.bounding_box()
    assert start is not None
    assert end is not None
    ways = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (start, end)]
    finger = page.context.new_cdp_session(page)
    for kind, places in (("touchStart", ways[:1]), ("touchMove", ways[1:]), ("touchEnd", [])):
        points = [{"x": x, "y": y} for x, y in places]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def focused(page: "Page") -> str:
    """The classes of what has the focus."""
    classes: str = page.evaluate("document.activeElement.className")
    return f" {classes} "


def tab_to(page: "Page", *kinds: str) -> str:
    """Press Tab until something of one of these classes has the focus, and return which."""
    for _ in range(40):
        for kind in kinds:
            if f" {kind} " in focused(page):
                return kind
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab reaches none of {kinds}")


def press_twice(page: "Page", control: "Locator") -> None:
    control.click()
    page.locator(".control.armed").click()


def play_syzygy_by_list(page: "Page") -> None:
    page.locator("#moves").evaluate("details => { details.open = true; }")
    page.locator("#move-list button").first.click()


def test_a_whole_game_of_syzygy_is_played_by_dragging(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["study"][0], ready="#consent:not([hidden])")
    page.locator("#decline").click()
    while settled(page):
        if page.locator(".held").count():
            drag(page, page.locator(".held"), page.locator(".gap.target").first)
            page.locator(".choices .control", has_text="happily").click()
        else:
            drag(page, page.locator(".row .can").last, page.locator(".glass-place"))
    assert page.locator(".planet-card .planet-number").count() >= 4
    assert page.locator("#outcome").inner_text() in ("You have won, together!", "The team has lost.")
    assert page.locator("#turn").is_hidden()


def test_a_card_dragged_back_stays_and_a_pass_is_asked_for_twice(
    sit: Any, links: dict[str, list[str]]
) -> None:
    page = sit(links["study"][1], ready="#consent:not([hidden])")
    page.locator("#decline").click()
    assert settled(page)
    card = page.locator(".row .can").first
    drag(page, card, page.locator(".seats"))
    assert page.locator(".chosen, .ghost").count() == 0
    card.click()
    assert card.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Escape")
    assert page.locator(".chosen").count() == 0
    page.locator(".control", has_text="Pass").click()
    assert page.locator(".control.armed").inner_text() == "Press again to pass"
    assert page.locator("#log > li").count() == 0
    page.locator(".control.armed").click()
    page.locator("#log > li", has_text="You pass").wait_for()


def test_a_whole_game_of_syzygy_is_played_by_keyboard_alone(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["study"][2], ready="#consent:not([hidden])")
    page.locator("#decline").focus()
    page.keyboard.press("Enter")
    while settled(page):
        if page.locator(".held").count():
            tab_to(page, "target")
            page.keyboard.press("ArrowRight")
            assert " gap " in focused(page)
            page.keyboard.press("Enter")
            assert " control " in focused(page)
        else:
            tab_to(page, "can")
            page.keyboard.press("Enter")
            assert page.locator(".chosen").count() == 1
        page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "outcome"


def test_a_whole_game_of_syncro_is_played_by_dragging(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["syncro"][0])
    while settled(page):
        hand = page.locator(".hand-card.can")
        if page.locator(".thumb-good").count() and page.locator(".control .thumb").count():
            page.locator(".control", has_text="good").click()
        elif hand.count():
            hand.last.click()
            target = page.locator(".target").first
            target.evaluate("element => element.classList.add('wanted')")
            page.keyboard.press("Escape")
            drag(page, hand.last, page.locator(".wanted"))
        else:
            press_twice(page, page.locator(".control", has_text="Pass"))
    assert "All cards are turned up below." in page.locator("#outcome-text").inner_text()
    assert page.locator(".spell-down").count() == page.locator("#rules .spell-down").count()


def test_a_whole_game_of_syncro_is_played_by_keyboard_alone(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["syncro"][1])
    while settled(page):
        kind = tab_to(page, "can", "control")
        page.keyboard.press("Enter")
        if kind == "can":
            assert " target " in focused(page)
            page.keyboard.press("Enter")
        elif page.locator(".control.armed").count():
            page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "outcome"


def test_two_people_play_at_one_table_and_ask_for_another_game(sit: Any, links: dict[str, list[str]]) -> None:
    pages = [sit(links["syzygy"][seat]) for seat in range(2)]
    pages[1].locator("#turn", has_text="Player 1 is to play.").wait_for()
    over = False
    while not over:
        for page in pages:
            page.wait_for_selector(f"{MY_TURN}, {OVER}")
            over = page.is_visible(OVER)
            while not over and page.is_visible(MY_TURN):
                play_syzygy_by_list(page)
                page.locator("#turn", has_text="Sending your move").wait_for(state="hidden")
    pages[0].locator("#again").click()
    pages[0].locator("#waiting", has_text="Waiting for Player 2.").wait_for()
    pages[1].locator("#again").click()
    for page in pages:
        page.wait_for_selector(OVER, state="hidden")
    assert settled(pages[0])


def test_the_rules_come_first_and_once(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["syncro"][5])
    assert page.locator("#rules").get_attribute("open") is None
    assert page.locator("#game ~ #rules").count() == 1
    page.reload()
    assert settled(page)
    assert page.locator("#rules").get_attribute("open") is None
    page.locator("#to-rules").click()
    assert page.locator("#rules h3", has_text="Thumbs").is_visible()
    assert page.locator("#rules h3", has_text="Fog").count() == 0


def test_a_reload_in_the_middle_of_a_game_loses_nothing(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["study"][3], ready="#consent:not([hidden])")
    page.locator("#decline").click()
    assert settled(page)
    play_syzygy_by_list(page)
    page.wait_for_selector(".held")
    label = page.locator(".held").get_attribute("aria-label")
    page.reload()
    page.wait_for_selector(".held")
    assert page.locator(".held").get_attribute("aria-label") == label
    assert page.locator("#log > li").count() == 1


def test_a_second_window_takes_the_seat_and_the_first_can_take_it_back(
    sit: Any, links: dict[str, list[str]]
) -> None:
    first = sit(links["syncro"][2])
    second = sit(links["syncro"][2])
    first.locator("#connection", has_text="another window").wait_for()
    assert second.locator("#connection").inner_text().endswith("Connected")
    first.locator("#retry").click()
    first.locator("#connection.open").wait_for()
    second.locator("#connection", has_text="another window").wait_for()


def test_a_move_made_on_a_broken_line_is_sent_again_once(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["syncro"][3])
    assert settled(page)
    lines: list[WebSocketRoute] = []

    def swallow(line: "WebSocketRoute") -> None:
        server = line.connect_to_server()
        lines.append(line)
        if len(lines) == 1:
            line.on_message(lambda message: None if '"act"' in str(message) else server.send(message))

    page.route_web_socket(re.compile("/ws$"), swallow)
    page.reload()
    assert settled(page)
    before = page.locator("#log > li").count()
    page.locator(".control", has_text="good").click()
    page.locator("#turn", has_text="Sending your move").wait_for()
    lines[0].close(code=3000)
    page.locator("#log > li").nth(before).wait_for()
    assert settled(page)
    assert page.locator("#log > li", has_text="You show a thumb up").count() == 1
    assert len(lines) == 2


def test_people_are_told_that_their_games_are_kept(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["syncro"][5])
    assert page.locator("#study").inner_text() == "The host keeps a replay of each game."


def test_nothing_is_shown_or_recorded_before_consent(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["study"][4], ready="#consent:not([hidden])")
    assert page.locator("#game").is_hidden()
    assert "studies how people play" in page.locator("#consent-text").inner_text()
    page.locator("#agree").click()
    page.wait_for_selector("#game:not([hidden])")
    told = page.locator("#study").inner_text()
    assert re.fullmatch(r"Your games are recorded for the study\. Your number in it is [0-9a-f]{16}\.", told)
    page.locator("#change-consent").click()
    page.locator("#study", has_text="Nothing is recorded.").wait_for()


def test_a_phone_has_room_for_everything_and_a_finger_can_play(sit: Any, links: dict[str, list[str]]) -> None:
    page = sit(links["syncro"][4], viewport=PHONE, has_touch=True, color_scheme="dark")
    assert settled(page)
    page.locator(".control", has_text="bad").tap()
    assert settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for control in page.locator(".control, .hand-card.can").all():
        box = control.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
    page.locator(".hand-card.can").first.tap()
    page.locator(".slot.target").first.tap()
    page.locator("#log > li", has_text="You put spell").first.wait_for()
    assert settled(page)
    source = page.locator(".hand-card.can").last
    source.tap()
    page.locator(".slot.target").last.evaluate("element => element.classList.add('wanted')")
    source.tap()
    assert page.locator(".chosen").count() == 0
    page.locator(".wanted").scroll_into_view_if_needed()
    drag_by_finger(page, source, page.locator(".wanted"))
    page.locator("#log > li", has_text="You put spell").nth(1).wait_for()


def test_everything_has_a_name_and_tab_goes_through_the_table_in_order(
    sit: Any, links: dict[str, list[str]]
) -> None:
    for link in (links["syncro"][5], links["study"][5]):
        page = sit(link, ready="#consent:not([hidden]), #game:not([hidden])")
        if page.is_visible("#decline"):
            page.locator("#decline").click()
        assert settled(page)
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, a, input, [role], summary")]
                .filter((one) => one.checkVisibility())
                .filter((one) => !(one.getAttribute("aria-label") || one.getAttribute("aria-labelledby")
                    || one.textContent.trim() || (one.labels && one.labels.length)))
                .map((one) => one.outerHTML)"""
        )
        assert [one for one in nameless if 'role="alert"' not in one] == []
        order = page.evaluate(
            """() => [...document.querySelectorAll("#table [data-item]")].filter((one) => one.tabIndex === 0)
                .map((one) => one.closest("[data-group]").className || one.className)"""
        )
        assert len(order) == len(set(order)) >= 3
        assert page.locator("html").get_attribute("lang") == "en"
        assert page.locator("#live").get_attribute("aria-live") == "polite"


def test_a_host_who_stops_is_told_of(
    sit: Any, links: dict[str, list[str]], processes: "dict[str, subprocess.Popen[str]]"
) -> None:
    page = sit(links["syzygy"][2])
    processes["syzygy"].terminate()
    page.locator("#connection", has_text="The host has stopped the table.").wait_for()
    assert page.locator("#game").get_attribute("inert") is not None
