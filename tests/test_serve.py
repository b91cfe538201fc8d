"""A served table: whole games, what each seat is told, and what a page may do wrong."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the served table needs unspoken[serve]")

from tests.serve_pages import Page, Served, served, take_turns
from unspoken.envs import make_game
from unspoken.envs.engine.game import action_table
from unspoken.envs.faces.display import scene_of
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.replay_file import load_replay, play_through
from unspoken.train.server.bots import Bots, Position
from unspoken.train.server.messages import Problem, read_message

VIEW = {
    "type", "number", "game_number", "scene", "your_turn", "legal", "log", "connected", "waiting_for",
    "consented", "visit", "result", "everything", "again",
}  # fmt: skip
TASKS = ("syzygy-base-4p", "syzygy-trial-2p", "syncro-Ia-3p", "syncro-IIb-2p")


def seen_by(one: OneGame, seat: int | None) -> dict[str, Any]:
    """The scene as JSON gives it back."""
    return json.loads(json.dumps(one.game.renderer.describe(one.game, scene_of(one, seat))))


@pytest.mark.parametrize("task", TASKS)
def test_each_view_of_a_whole_game_is_what_that_seat_may_know_and_nothing_else(
    task: str, tmp_path: Path
) -> None:
    with served(task, "1", record=tmp_path) as here:
        page = here.join(1)
        welcome = page.next()
        views = page.play_to_the_end()
    (file,) = tmp_path.iterdir()
    by_number: dict[int, list[Any]] = {}
    for view in views:
        assert set(view) == VIEW
        by_number.setdefault(view["number"], []).append(view)
    for number, (one, _) in enumerate(play_through(load_replay(file))):
        yours = one.seat == 1 and not one.finished
        for view in by_number.pop(number):
            assert view["scene"] == seen_by(one, 1)
            assert view["your_turn"] is yours
            assert view["legal"] == (np.flatnonzero(one.mask(1)).tolist() if yours else [])
            assert view["waiting_for"] == ([1] if yours or one.finished else [])
            assert view["everything"] == (seen_by(one, None) if one.finished else None)
            assert len(view["log"]) == min(number, 50)
    assert by_number == {}
    assert views[-1]["result"] == {
        "won": one.score == one.game.max_score,
        "score": one.score,
        "max_score": one.game.max_score,
        "truncated": False,
        "tries": one.tries,
    }
    assert welcome["actions"] == json.loads(json.dumps(action_table(one.game)))


def test_the_welcome_says_who_sits_where() -> None:
    with served("syzygy-base-4p", "0,2", "syzygy/greedy,syzygy/convention", emotions=2) as here:
        welcome = here.join(2).next()
    del welcome["actions"]
    assert welcome == {
        "type": "welcome",
        "game": "syzygy",
        "task": "syzygy-base-4p",
        "table": 0,
        "seat": 2,
        "n_players": 4,
        "seats": [
            {"kind": "person", "name": "player_0"},
            {"kind": "bot", "name": "syzygy/greedy"},
            {"kind": "you", "name": "player_2"},
            {"kind": "bot", "name": "syzygy/convention"},
        ],
        "config": {
            "variant": "base",
            "n_planets": 9,
            "n_positions": 9,
            "n_turns": 16,
            "emotions": 2,
            "memory": "perfect",
        },
        "recorded": False,
        "study": False,
        "consent_text": None,
        "consented": None,
    }


def test_two_deals_of_syzygy_that_differ_in_hidden_cards_send_the_same_until_one_is_seen() -> None:
    def sent(swapped: bool) -> list[str]:
        with served("syzygy-base-2p", "all") as here:
            if swapped:
                exchange_planets(here, 7, 8)
            pages = {seat: here.join(seat) for seat in (0, 1)}
            looks = iter([0, 7, 1, 8, 2])

            def choose(seat: int, view: Any) -> int | None:
                if view["scene"]["phase"] == "destination":
                    return view["legal"][0]
                origins = [card["origin"] for card in view["scene"]["cards"]]
                look = next(looks)  # 7 and 8 are looked at by player_1 only
                return None if look == 2 else origins.index(look)

            take_turns(pages, choose)
            return pages[0].texts

    plain, swapped = sent(False), sent(True)
    assert plain == swapped
    assert len(plain) == 11  # a welcome, a view before the other one came, and one for each decision


def exchange_planets(here: Served, first: int, second: int) -> None:
    """Exchange two hidden planets of a row of four-bit lanes."""
    states = here.seats.tables[0].match.one._states
    row = int(states["planets"][0])
    a, b = row >> 4 * first & 15, row >> 4 * second & 15
    assert a != b
    states["planets"][0] = row ^ (a ^ b) << 4 * first ^ (a ^ b) << 4 * second


def test_two_deals_of_syncro_that_differ_in_hidden_spells_send_the_same() -> None:
    def sent(swapped: bool) -> list[str]:
        with served("syncro-Ia-2p", "all") as here:
            states = here.seats.tables[0].match.one._states
            hand = states["hand"][0][1][: int(states["hand_size"][0][1])]
            if swapped:
                hand[:] = hand % 5 + 1  # others in every place
            pages = {seat: here.join(seat) for seat in (0, 1)}
            steps = iter(range(6))

            def choose(seat: int, view: Any) -> int | None:
                if next(steps, None) is None:
                    return None
                if seat == 0:
                    return view["legal"][0]
                # This seat plays no spell, so nobody learns of its hand.
                return next(one for one in view["legal"] if names[one] in ("PASS", "ESTIMATE average"))

            take_turns(pages, choose)
            return pages[0].texts

    names = [each["name"] for each in action_table(make_game("syncro-Ia-2p"))]
    assert sent(False) == sent(True)


def test_what_wizards_decide_together_is_told_when_all_have_decided() -> None:
    def sent(estimate: str) -> tuple[list[str], list[Any]]:
        with served("syncro-Ia-3p", "all") as here:
            pages = {seat: here.join(seat) for seat in range(3)}
            logs: list[Any] = []
            said: list[int] = []

            def choose(seat: int, view: Any) -> int | None:
                names = {each: game.action_name(each) for each in view["legal"]}
                if view["scene"]["decision"] != "estimate":
                    return None if said else next(each for each in names if names[each] == "PASS")
                wanted = "ESTIMATE average" if said else f"ESTIMATE {estimate}"
                said.append(seat)
                return next(each for each in names if names[each] == wanted)

            views = take_turns(pages, choose)
            logs = [views[seat]["log"][-3:] for seat in range(3)]
            hidden = [text for text in pages[last_of(said)].texts if '"decision":"estimate"' in text]
            return hidden, logs

    def last_of(said: list[int]) -> int:
        return said[-1]

    game = make_game("syncro-Ia-3p")
    good, bad = sent("good"), sent("bad")
    assert good[0] == bad[0]
    assert any('"text":"has chosen"' in text for text in good[0])
    assert [entry["text"] for entry in good[1][0]] == [
        "ESTIMATE good",
        "ESTIMATE average",
        "ESTIMATE average",
    ]
    assert good[1][0] == good[1][1] == good[1][2]


def test_a_person_sees_its_own_hidden_decision() -> None:
    with served("syncro-Ia-3p", "all") as here:
        pages = {seat: here.join(seat) for seat in range(3)}
        game = make_game("syncro-Ia-3p")
        chosen: list[int] = []

        def choose(seat: int, view: Any) -> int | None:
            if view["scene"]["decision"] == "estimate":
                chosen.append(seat)
                return None if len(chosen) > 1 else view["legal"][0]
            return next(each for each in view["legal"] if game.action_name(each) == "PASS")

        views = take_turns(pages, choose)
    texts = {seat: view["log"][-1]["text"] for seat, view in views.items()}
    assert texts.pop(chosen[0]).startswith("ESTIMATE")
    assert set(texts.values()) == {"has chosen"}


def test_people_play_with_each_other_and_the_table_waits_for_all_of_them() -> None:
    with served("syzygy-base-4p", "1,3") as here:
        first = here.join(1)
        view = first.view()
        assert (view["number"], view["connected"], view["waiting_for"]) == (0, [1], [3])
        second = here.join(3)
        view = first.view(lambda view: view["your_turn"])
        assert (view["number"], view["connected"], view["waiting_for"]) == (2, [1, 3], [1])
        assert second.view(lambda view: view["number"] == 2)["waiting_for"] == [1]
        first.act(view)
        view = second.view(lambda view: view["number"] == 3)
        assert view["log"][-1] == {"seat": 1, "text": "CONFIRM 0", "spells": []}


def test_a_game_waits_for_a_lost_connection_and_goes_on_where_it_was() -> None:
    with served("syzygy-base-4p", "0,2") as here:
        stays, goes = here.join(0), here.join(2)
        view = stays.view(lambda view: len(view["connected"]) == 2)
        goes.socket.close()
        assert stays.view(lambda view: view["connected"] == [0])["waiting_for"] == [0, 2]
        stays.act(view)
        view = stays.view(lambda view: view["number"] == 1)
        stays.act(view)
        view = stays.view(lambda view: view["number"] == 2)
        assert (view["scene"]["to_act"], view["waiting_for"]) == (1, [2])
        back = here.join(2)
        assert back.next()["type"] == "welcome"
        view = back.next()
        assert (view["number"], view["connected"]) == (2, [0, 2])
        assert back.view(lambda view: view["your_turn"])["number"] == 4


def test_the_newer_of_two_windows_has_the_seat() -> None:
    with served("syzygy-base-4p") as here:
        old = here.join(0)
        view = old.view()
        new = here.join(0)
        assert old.problem() == "replaced"
        assert old.close_code() == 4001
        old.act(view)
        new.act(new.view())
        assert new.view(lambda view: view["number"] == 1)["connected"] == [0]


def test_another_game_begins_when_all_people_want_one() -> None:
    with served("syzygy-base4-2p", "all") as here:
        pages = {seat: here.join(seat) for seat in (0, 1)}
        game = make_game("syzygy-base4-2p")
        pages[0].view()
        pages[0].say("again")
        assert pages[0].problem() == "stale"
        views = take_turns(pages, lambda seat, view: game.config.pass_action)
        assert (views[0]["waiting_for"], views[0]["again"]) == ([0, 1], [])
        pages[1].say("again")
        view = pages[0].view()
        assert (view["waiting_for"], view["again"], view["game_number"]) == ([0], [1], 1)
        pages[0].act({"number": view["number"], "legal": [0]})
        assert pages[0].problem() == "stale"
        pages[0].say("again")
        view = pages[0].view(lambda view: view["game_number"] == 2)
        assert (view["number"], view["log"], view["result"], view["your_turn"]) == (0, [], None, True)


def test_a_move_that_cannot_be_made_is_answered_and_changes_nothing() -> None:
    with served("syzygy-base-4p", "0,1") as here:
        page, other = here.join(0), here.join(1)
        view = page.view(lambda view: len(view["connected"]) == 2)
        other.act({"number": 0, "legal": [0]})
        assert other.problem() == "not-your-turn"
        for action in (-1, 9, 19, 10**30):
            page.act(view, action)
            assert page.problem() == "illegal"
        page.say("act", number=7, action=0)
        assert page.problem() == "stale"
        assert page.view() == view
        page.act(view)
        page.act(view)
        assert page.problem() == "stale"
        assert page.view()["number"] == 1
        page.say("consent", given=True)
        assert page.problem() == "unknown-type"
        page.say("resend")
        assert page.view()["number"] == 1


MALFORMED = {
    "": "not-json",
    "hello": "not-json",
    "{": "not-json",
    "[]": "not-json",
    "3": "not-json",
    "null": "not-json",
    "[" * 4000: "not-json",
    '{"a":' * 800: "not-json",
    '{"type":"act","number":NaN,"action":0}': "not-json",
    '{"type":"act","number":0,"action":Infinity}': "not-json",
    "{}": "unknown-type",
    '{"type":null}': "unknown-type",
    '{"type":["act"]}': "unknown-type",
    '{"type":"undo"}': "unknown-type",
    '{"type":"act"}': "bad-field",
    '{"type":"act","number":0}': "bad-field",
    '{"type":"act","number":0,"action":"0"}': "bad-field",
    '{"type":"act","number":0,"action":true}': "bad-field",
    '{"type":"act","number":0.0,"action":0}': "bad-field",
    '{"type":"act","number":0,"action":0,"seat":1}': "bad-field",
    '{"type":"act","number":0,"action":0,"ms":-1}': "bad-field",
    '{"type":"consent","given":1}': "bad-field",
    '{"type":"again","now":true}': "bad-field",
}


def test_malformed_messages_are_answered_and_lose_no_game() -> None:
    with served("syzygy-base-4p") as here:
        page = here.join(0)
        view = page.view()
        for text, code in MALFORMED.items():
            page.socket.send_text(text)
            assert page.problem() == code, text[:60]
        page.socket.send_bytes(b'{"type":"resend"}')
        assert page.problem() == "not-json"
        page.act(view)
        assert page.view()["number"] == 1


def test_a_message_says_what_it_says() -> None:
    act = read_message('{"type":"act","number":3,"action":4,"ms":null}')
    assert vars(act) == {"number": 3, "action": 4, "ms": None}
    with pytest.raises(Problem, match="'ms' must be from 0 to 86400000"):
        read_message('{"type":"act","number":3,"action":4,"ms":99999999999}')


def test_a_message_that_is_too_long_ends_the_connection_and_not_the_game() -> None:
    with served("syzygy-base-4p") as here:
        page = here.join(0)
        page.view()
        page.socket.send_text(" " * 5000)
        assert page.close_code() == 1009
        assert here.join(0).view()["number"] == 0


def test_a_flood_of_messages_is_cut_off_and_loses_no_game() -> None:
    with served("syzygy-base-4p", "0,1") as here:
        page, other = here.join(0), here.join(1)
        page.view(lambda view: len(view["connected"]) == 2)
        for _ in range(1000):
            other.say("resend")
        assert other.problem() == "too-many"
        assert other.close_code() == 1008
        view = page.view(lambda view: view["connected"] == [0])
        page.act(view)
        assert page.view()["number"] == 1
        assert here.join(1).view()["number"] == 1


def test_tables_are_apart() -> None:
    with served("syzygy-base-4p", "0,1", tables=3) as here:
        assert len(set(here.seats.tokens.values())) == 6
        pages = [[here.join(seat, table) for seat in (0, 1)] for table in range(3)]
        assert [page.next()["table"] for page, _ in pages] == [0, 1, 2]
        views = [page.view(lambda view: len(view["connected"]) == 2) for page, _ in pages]
        pages[1][0].act(views[1])
        assert pages[1][1].view(lambda view: view["number"] == 1)["log"] == [
            {"seat": 0, "text": "CONFIRM 0", "spells": []}
        ]
        pages[2][0].say("resend")
        assert pages[2][0].view()["number"] == 0
        deals = {json.dumps(seen_by(table.match.one, None)["cards"]) for table in here.seats.tables}
        assert len(deals) == 3


def test_a_stopping_server_tells_people_and_keeps_what_is_unfinished(tmp_path: Path) -> None:
    with served("syzygy-base-4p", record=tmp_path, tables=2) as here:
        page: Page = here.join(0)
        page.act(page.view())
        page.view(lambda view: view["number"] == 1)
        for table in here.seats.tables:
            here.client.portal.call(table.stop)  # type: ignore[union-attr]
        assert page.problem() == "server-stopping"
        assert page.close_code() == 1001
        late = here.join(0)
        assert late.problem() == "server-stopping"
        assert late.close_code() == 1001
    (file,) = tmp_path.iterdir()
    replay = load_replay(file)
    assert replay.result is None
    assert [decision.action for decision in replay.decisions] == [0]
    assert replay.seats == ("human", "syzygy/convention", "syzygy/convention", "syzygy/convention")


def test_a_bot_that_fails_is_told_and_asked_again_when_somebody_comes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(bots: Bots, position: Position) -> int:
        raise RuntimeError("no idea")

    with served("syzygy-base-4p", "1") as here:
        with monkeypatch.context() as patched:
            patched.setattr(Bots, "act", fail)
            assert here.join(1).problem() == "server-error"
        assert "table 0: a bot failed" in caplog.text
        assert here.join(1).view(lambda view: view["your_turn"])["number"] == 2
