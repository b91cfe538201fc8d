"""Pages without a browser: what a person's page does at a served table, in the process of the test."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from unspoken.envs import make_game
from unspoken.train.seating import people_seats, seat_names
from unspoken.train.server.app import Seats, make_app
from unspoken.train.server.hosting import make_seats
from unspoken.train.server.study import OUR_CONSENT, ConsentForm

Message = dict[str, Any]


class Page:
    """A page at its seat; keeps all it has been sent."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.texts: list[str] = []

    def next(self) -> Message:
        self.texts.append(self.socket.receive_text())
        return json.loads(self.texts[-1])

    def until(self, found: Callable[[Message], Any]) -> Message:
        while not found(message := self.next()):
            pass
        return message

    def view(self, found: Callable[[Message], Any] = lambda view: True) -> Message:
        """The next view that is as wanted; no problem may come before it."""

        def wanted(message: Message) -> bool:
            assert message["type"] != "problem", message
            return message["type"] == "view" and found(message)

        return self.until(wanted)

    def problem(self) -> str:
        """The code of the next problem."""
        return self.until(lambda message: message["type"] == "problem")["code"]

    def close_code(self) -> int:
        """Read on until the server closes."""
        with pytest.raises(WebSocketDisconnect) as closed:
            self.until(lambda message: False)
        return closed.value.code

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send_text(json.dumps({"type": kind, **fields}))

    def act(self, view: Message, action: int | None = None, **fields: Any) -> None:
        """Answer a view; by default with the first action allowed."""
        chosen = view["legal"][0] if action is None else action
        self.say("act", number=view["number"], action=chosen, **fields)

    def play_to_the_end(self) -> list[Message]:
        """Play alone with bots, always the first action allowed; return all views."""
        views = [self.view()]
        while views[-1]["result"] is None:
            if views[-1]["your_turn"]:
                self.act(views[-1])
            views.append(self.view())
        return views


class Served:
    """Tables, with pages that may come and go."""

    def __init__(self, seats: Seats, client: TestClient) -> None:
        self.seats = seats
        self.client = client
        self._open = ExitStack()

    def address(self, seat: int, table: int = 0) -> str:
        return f"/seat/{self.seats.tokens[table, seat]}"

    def join(self, seat: int, table: int = 0, **headers: str) -> Page:
        session = self.client.websocket_connect(self.address(seat, table) + "/ws", headers=headers)
        return Page(self._open.enter_context(session))

    def close(self) -> None:
        self._open.close()


@contextmanager
def served(
    task: str,
    people: str = "0",
    partners: str | None = None,
    *,
    seed: int = 5,
    tables: int = 1,
    study: Path | None = None,
    consent: ConsentForm = OUR_CONSENT,
    record: Path | None = None,
    **options: Any,
) -> Iterator[Served]:
    """Tables served in this process; files are written when it is left."""
    game = make_game(task, **options)
    names = seat_names(game, people_seats(people, game.config.n_players), partners)
    seats = make_seats(game, names, seed, tables=tables, study=study, consent=consent, record=record)
    with TestClient(make_app(seats)) as client:
        here = Served(seats, client)
        try:
            yield here
        finally:
            here.close()


def take_turns(pages: dict[int, Page], choose: Callable[[int, Message], int | None]) -> dict[int, Message]:
    """Let people alone at a table play; every page gets every view. Stops where ``choose`` says ``None``."""
    views = {
        seat: page.view(lambda view: len(view["connected"]) == len(pages)) for seat, page in pages.items()
    }
    while True:
        (seat,) = (seat for seat, view in views.items() if view["your_turn"])
        action = choose(seat, views[seat])
        if action is None:
            return views
        pages[seat].act(views[seat], action)
        acted = {seat: pages[seat].view()}  # first, since a problem would be told here
        views = {**acted, **{other: page.view() for other, page in pages.items() if other != seat}}
        if views[seat]["result"] is not None:
            return views
