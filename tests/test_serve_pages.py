"""The addresses of a served table: what is there, what is not, and who may use it."""

import pytest

pytest.importorskip("starlette", reason="the served table needs unspoken[serve]")

from starlette.websockets import WebSocketDisconnect

from tests.serve_pages import Page, served


def test_pages_hold_no_secret_and_say_how_they_may_be_used() -> None:
    with served("syzygy-base-4p") as here:
        page = here.client.get(here.address(0))
        assert (page.status_code, page.headers["referrer-policy"]) == (200, "no-referrer")
        assert page.headers["content-security-policy"].startswith("default-src 'self';")
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in page.headers
        start = here.client.get("/")
        assert (start.status_code, "ask the host" in start.text) == (200, True)
        assert not any(token in start.text + page.text for token in here.seats.tokens.values())
        style = here.client.get("/static/table.css")
        assert (style.status_code, style.headers["content-type"]) == (200, "text/css; charset=utf-8")


@pytest.mark.parametrize(
    "path",
    [
        "/seat/none",
        "/seat/%C3%A9",
        "/seat/",
        "/static/none.js",
        "/static/__init__.py",
        "/static/..%2F__init__.py",
        "/static/..%2F..%2Fcli.py",
        "/static/%2Fetc%2Fpasswd",
        "/static/../cli.py",
        "/other",
    ],
)
def test_what_is_not_there_is_not_found(path: str) -> None:
    with served("syzygy-base-4p") as here:
        answer = here.client.get(path)
    assert (answer.status_code, "ask the host" in answer.text) == (404, True)


def test_a_wrong_link_is_told_to_the_page_that_asks() -> None:
    with served("syzygy-base-4p") as here, here.client.websocket_connect("/seat/none/ws") as socket:
        assert Page(socket).close_code() == 4404


def test_another_site_may_not_use_a_seat() -> None:
    with served("syzygy-base-4p") as here:
        for origin in ("http://elsewhere.example", "null", "http://testserver.elsewhere.example", "http://["):
            with pytest.raises(WebSocketDisconnect):
                here.join(0, origin=origin)
        assert here.join(0, origin="http://testserver").view()["number"] == 0
