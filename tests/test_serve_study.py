"""The log of a study: what is written, and that nothing is without consent."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the served table needs unspoken[serve]")

from tests.serve_pages import Page, served
from unspoken.envs import __version__
from unspoken.train.server.study import OUR_CONSENT, ConsentForm, read_consent

TASK = "syzygy-base4-2p"
PASS = 8


def lines(log: Path) -> list[Any]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def agree(page: Page, given: bool = True) -> None:
    page.say("consent", given=given)
    view = page.view(lambda view: view["consented"] is given)
    assert (view["visit"] is not None) is given


def pass_to_the_end(page: Page) -> None:
    page.say("resend")
    view = page.view()
    while view["result"] is None:
        if view["your_turn"]:
            page.act(view, PASS, ms=1234)
        view = page.view()


def test_a_game_that_its_people_let_be_recorded_is_one_line(tmp_path: Path) -> None:
    log = tmp_path / "study.jsonl"
    with served(TASK, "0", "syzygy/greedy", study=log) as here:
        page = here.join(0)
        welcome = page.next()
        assert (welcome["study"], welcome["consent_text"], welcome["consented"]) == (
            True,
            OUR_CONSENT.text,
            None,
        )
        agree(page)
        pass_to_the_end(page)
        tokens = list(here.seats.tokens.values())
    (line,) = lines(log)
    decisions, seats = line.pop("decisions"), line.pop("seats")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", line.pop("began"))
    assert line == {
        "format": "unspoken-study",
        "version": 1,
        "package": __version__,
        "consent": {"version": "1", "text": OUR_CONSENT.text, "given_by": [0]},
        "task": TASK,
        "game": "syzygy",
        "options": {
            "n_players": 2, "n_planets": 4, "variant": "base", "reward": "sparse", "emotions": 1,
            "memory": "perfect",
        },
        "cards": None,
        "environment": "syzygy_v0",
        "seed": 5,
        "slot": 0,
        "episode": 0,
        "finished": True,
        "result": {"won": line["result"]["won"], "score": line["result"]["score"], "max_score": 1,
                   "truncated": False, "tries": 1},
    }  # fmt: skip
    assert seats[1] == {"kind": "bot", "name": "syzygy/greedy"}
    assert (seats[0]["kind"], len(seats[0]["id"])) == ("person", 16)
    own = [decision for decision in decisions if decision["seat"] == 0]
    assert [(each["action"], each["legal"], each["page_ms"]) for each in own] == [(PASS, 5, 1234)] * 4
    assert all(0 <= each["seconds"] < 60 for each in own)
    bot = [decision for decision in decisions if decision["seat"] == 1]
    assert len(bot) >= 4
    assert all(each["seconds"] is None and each["page_ms"] is None for each in bot)
    assert not any(token in log.read_text(encoding="utf-8") for token in tokens)


def test_a_person_keeps_its_number_in_further_games_and_loses_it_with_its_consent(tmp_path: Path) -> None:
    log = tmp_path / "study.jsonl"
    with served(TASK, study=log) as here:
        page = here.join(0)
        agree(page)
        for game in range(3):
            pass_to_the_end(page)
            page.say("again")
            page.view(lambda view, game=game: view["game_number"] == game + 2)
            if game == 1:
                agree(page, False)
                agree(page)
    people = [line["seats"][0]["id"] for line in lines(log)]
    assert people[0] == people[1] != people[2]
    assert [line["episode"] for line in lines(log)] == [0, 1, 2]


def test_nobody_plays_before_the_question_is_answered(tmp_path: Path) -> None:
    with served(TASK, "1", study=tmp_path / "study.jsonl") as here:
        page = here.join(1)
        view = page.view()
        assert (view["consented"], view["waiting_for"], view["number"]) == (None, [1], 0)
        agree(page, False)
        assert page.view(lambda view: view["your_turn"])["number"] > 0
    with served(TASK, "0", study=tmp_path / "study.jsonl") as here:
        page = here.join(0)
        page.act(page.view())
        assert page.problem() == "consent-needed"


def test_without_the_consent_of_all_a_game_is_played_and_not_recorded(tmp_path: Path) -> None:
    log, replays = tmp_path / "study.jsonl", tmp_path / "replays"
    with served(TASK, "all", study=log, record=replays) as here:
        pages = [here.join(0), here.join(1)]
        agree(pages[0])
        agree(pages[1], False)
        view = pages[0].view(lambda view: view["waiting_for"] == [0])
        pages[0].act(view, PASS)
        view = pages[1].view(lambda view: view["number"] == 1)
        pages[1].act(view, PASS)
        agree(pages[1])
        assert pages[0].view(lambda view: view["number"] == 2)["your_turn"]
    assert lines(log) == []
    assert list(replays.iterdir()) == []


def test_consent_that_is_taken_back_leaves_the_game_out(tmp_path: Path) -> None:
    log = tmp_path / "study.jsonl"
    with served(TASK, study=log) as here:
        page = here.join(0)
        agree(page)
        page.say("resend")
        page.act(page.view(), PASS)
        page.view(lambda view: view["your_turn"])
        agree(page, False)
        agree(page)
        pass_to_the_end(page)
    assert lines(log) == []


def test_an_abandoned_game_is_recorded_as_unfinished_and_lines_are_added(tmp_path: Path) -> None:
    log = tmp_path / "study.jsonl"
    log.write_text('{"earlier": true}\n', encoding="utf-8")
    with served(TASK, study=log) as here:
        page = here.join(0)
        agree(page)
        page.say("resend")
        page.act(page.view(), 0)
        page.view(lambda view: view["number"] == 1)
    earlier, line = lines(log)
    assert earlier == {"earlier": True}
    assert (line["finished"], line["result"]) == (False, None)
    assert [decision["action"] for decision in line["decisions"]] == [0]


def test_a_log_that_cannot_be_written_is_an_error_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Is a directory"), served(TASK, study=tmp_path):
        pass


def test_a_host_may_ask_with_a_text_of_its_own(tmp_path: Path) -> None:
    text = tmp_path / "consent.txt"
    text.write_text("Dürfen wir?\n", encoding="utf-8")
    consent = read_consent(text)
    assert consent == ConsentForm("Dürfen wir?", "fa5c43d76971")
    log = tmp_path / "study.jsonl"
    with served(TASK, "0", "syzygy/greedy", study=log, consent=consent) as here:
        page = here.join(0)
        assert page.next()["consent_text"] == "Dürfen wir?"
        agree(page)
        pass_to_the_end(page)
    assert lines(log)[0]["consent"] == {"version": consent.version, "text": consent.text, "given_by": [0]}


@pytest.mark.parametrize(
    "data", [b"", b"  \n", b"\xff\xfe", b"a" * 10_001], ids=["empty", "blank", "bytes", "long"]
)
def test_a_text_that_nobody_can_read_is_refused(data: bytes, tmp_path: Path) -> None:
    text = tmp_path / "consent.txt"
    text.write_bytes(data)
    with pytest.raises(ValueError, match=r"^consent='.*consent\.txt': "):
        read_consent(text)
