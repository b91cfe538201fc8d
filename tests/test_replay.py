"""A recorded game to look at: in the terminal, as a page, as a moving picture, and as one seat saw it."""

import base64
import io
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.recorded_games import played, saved
from tests.syncro_files import renamed_cards
from unspoken.train.cli import main
from unspoken.train.replay_file import Decision, Replay
from unspoken.train.replay_page import page
from unspoken.train.showing import Showing, open_recording, show_replay


def thoughtful(seed: int = 1) -> Replay:
    """A game of two with thoughts about the first two decisions, both of seat 0."""
    replay = played("syzygy-base4-2p", seed)
    first, second = replay.decisions[:2]
    thoughts = (
        Decision(0, first.action, {first.action: 0.75, 8: 0.25}, 0.5),
        Decision(0, second.action, {second.action: 1.0}, 0.625),
    )
    return replace(replay, decisions=(*thoughts, *replay.decisions[2:]), seats=("zoo:</script>", "b"))


def shown(replay: Replay) -> Showing:
    return show_replay(replay)


def unpacked(text: str) -> dict[str, Any]:
    """The data in a page."""
    packed = re.search(r'id="data">([A-Za-z0-9+/=]+)</script>', text)
    assert packed is not None
    content: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed[1])))
    return content


class TestTerminal:
    def test_every_step_is_printed(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        replay = thoughtful()
        assert main(["replay", str(saved(tmp_path, replay)), "--all"]) == 0
        out = capsys.readouterr().out
        steps = re.findall(r"^Step (\d+) of (\d+)$", out, re.MULTILINE)
        last = str(len(replay.decisions))
        assert steps == [(str(step), last) for step in range(len(replay.decisions) + 1)]
        assert out.count("all cards turned up") == len(steps)
        assert len(re.findall(r"^player_. chooses [A-Z]", out, re.MULTILINE)) == len(replay.decisions)
        assert out.endswith("\nLost.\n\n")

    def test_thoughts_are_shown(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        replay = thoughtful()
        main(["replay", str(saved(tmp_path, replay)), "--all"])
        out = capsys.readouterr().out
        name = shown(replay).game.action_name(replay.decisions[0].action)
        assert f"player_0 chooses {name}.\n  {name}  75.00% ###############\n" in out
        assert "  expected reward 0.50\n" in out

    def test_a_seat_sees_its_own_thoughts_only(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = str(saved(tmp_path, thoughtful()))
        main(["replay", path, "--all", "--seat", "1"])
        out = capsys.readouterr().out
        assert "expected reward" not in out
        assert "player_0 chooses CONFIRM" not in out
        assert "as player_1 sees it" in out
        assert "all cards turned up" not in out

    def test_a_person_steps_back_and_forth(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replay = played("syzygy-base4-2p")
        last = len(replay.decisions)
        monkeypatch.setattr("sys.stdin", io.StringIO(f"\nn\nb\nb\nb\ne\n3\nup\n{last + 1}\n\nq\n"))
        assert main(["replay", str(saved(tmp_path, replay))]) == 0
        out = capsys.readouterr().out
        steps = [int(step) for step in re.findall(r"^(?:.*: )?Step (\d+) of", out, re.MULTILINE)]
        assert steps == [0, 1, 2, 1, 0, 0, last, 3, 4]
        assert f"'up': must be Enter, b, e, q or a number from 0 to {last}: " in out
        assert f"'{last + 1}': must be Enter" in out
        assert "\x1b" not in out

    def test_enter_at_the_end_and_the_end_of_the_input_leave(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = str(saved(tmp_path, played("syzygy-base4-2p")))
        for text, prompts in (("e\n\n", 2), ("", 1)):
            monkeypatch.setattr("sys.stdin", io.StringIO(text))
            assert main(["replay", path]) == 0
            assert capsys.readouterr().out.count("q quit: ") == prompts

    def test_colours_where_they_are_asked_for(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.delenv("NO_COLOR", raising=False)
        main(["replay", str(saved(tmp_path, played("syncro-Ia-2p", decisions=2))), "--all"])
        assert "\x1b[" in capsys.readouterr().out

    def test_a_game_with_other_cards(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        cards = renamed_cards(tmp_path / "cards")
        path = str(saved(tmp_path, played("syncro-IIa-2p", cards=cards)))
        assert main(["replay", path, "--all"]) == 2
        assert "which must be given" in capsys.readouterr().err
        assert main(["replay", path, "--all", "--cards", cards]) == 0

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--seat", "2"], "seat=2: must be one of 0, 1"),
            (["--out", "x.json"], "--out x.json: needs --seat, whose view is to be written"),
            (["--ms", "5"], "--ms 5: must be from 20 to 60000"),
        ],
    )
    def test_a_wrong_request_is_answered_in_one_line(
        self, arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = str(saved(tmp_path, played("syzygy-base4-2p")))
        assert main(["replay", path, *arguments]) == 2
        assert capsys.readouterr().err == f"unspoken replay: {message}\n"


class TestSeatFile:
    def test_it_shows_what_the_seat_saw(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        whole, seat = str(saved(tmp_path, thoughtful())), str(tmp_path / "seat.json")
        assert main(["replay", whole, "--seat", "0", "--out", seat]) == 0
        assert capsys.readouterr().out.endswith("steps as player_0 saw them\n")
        main(["replay", whole, "--seat", "0", "--all"])
        expected = capsys.readouterr().out
        assert main(["replay", seat, "--all"]) == 0
        assert capsys.readouterr().out == expected
        assert main(["replay", seat, "--all", "--seat", "0"]) == 0
        assert capsys.readouterr().out == expected

    def test_it_has_no_other_view(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        whole, seat = str(saved(tmp_path, thoughtful())), str(tmp_path / "seat.json")
        main(["replay", whole, "--seat", "0", "--out", seat])
        capsys.readouterr()
        assert main(["replay", seat, "--seat", "1"]) == 2
        assert capsys.readouterr().err == "unspoken replay: seat=1: must be one of 0\n"
        assert main(["replay", seat, "--seat", "0", "--out", seat]) == 2
        assert "is what one seat saw; it is such a file already" in capsys.readouterr().err

    def test_its_page_is_that_of_the_seat(self, tmp_path: Path) -> None:
        replay = replace(thoughtful(), seats=("a", "b"))
        main(["replay", str(saved(tmp_path, replay)), "--seat", "0", "--out", str(tmp_path / "seat.json")])
        own = unpacked(page(open_recording(tmp_path / "seat.json"), [0]))
        assert own == unpacked(page(shown(replay), [0]))


class TestPage:
    def test_it_holds_the_scenes_of_all_views(self, tmp_path: Path) -> None:
        replay = thoughtful()
        path = tmp_path / "game.html"
        assert main(["replay", str(saved(tmp_path, replay)), "--html", str(path)]) == 0
        content = unpacked(path.read_text(encoding="utf-8"))
        assert [view["seat"] for view in content["views"]] == [None, 0, 1]
        assert [view["name"] for view in content["views"]] == [
            "all cards turned up",
            "player_0 (zoo:</script>)",
            "player_1 (b)",
        ]
        for view in content["views"]:
            assert len(view["scenes"]) == len(replay.decisions) + 1
            assert {scene["observer"] for scene in view["scenes"]} == {view["seat"]}
        action = replay.decisions[0].action
        assert content["decisions"][0] == {
            "seat": 0,
            "action": action,
            "chances": [[action, 0.75], [8, 0.25]],
            "value": 0.5,
        }
        assert content["actions"][8]["name"] == "PASS"
        assert content["decisions"][-1] is None
        assert (content["maxScore"], content["finished"]) == (1, True)

    def test_the_page_of_a_seat_holds_nothing_else(self) -> None:
        content = unpacked(page(shown(thoughtful()), [1]))
        assert [view["seat"] for view in content["views"]] == [1]
        assert {decision["seat"] for decision in content["decisions"] if decision} == {1}
        assert "zoo:" not in json.dumps(content)

    def test_deals_that_differ_only_in_what_a_seat_never_sees_give_the_same_page(self) -> None:
        """Seat 1 is not to act yet, and seat 0 has looked at a card in secret."""
        pages = []
        for seed in (1, 2):
            replay = played("syzygy-base-2p", seed, decisions=0)
            pages.append(page(shown(replace(replay, decisions=(Decision(0, 3),))), [1]))
        assert pages[0] == pages[1]

    def test_it_needs_nothing_but_itself(self) -> None:
        text = page(shown(thoughtful()), [None])
        assert "default-src 'none'" in text
        for part in ("src=", "@import", r"url\((?!#)", r"fetch\(", "XMLHttpRequest", r"import\("):
            assert re.search(part, text) is None
        links = set(re.findall(r"https?://[^\s\"'`<>)]+", text))
        assert links <= {"http://www.w3.org/2000/svg"}
        assert set(re.findall(r'href="([^"]*)"', text)) <= {"data:,"}

    def test_scripts_end_where_they_should(self) -> None:
        text = page(shown(thoughtful()), [None])
        assert text.count("<script") == text.count("</script>") == 2
        assert "{{" not in text

    def test_long_games_are_small(self) -> None:
        replay = played("syncro-chapter2-5p", seed=3)
        assert len(replay.decisions) > 200
        assert len(page(shown(replay), shown(replay).views)) < 1_000_000


class TestMovingPicture:
    def test_it_has_a_picture_a_step(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        replay = played("syzygy-base4-2p", decisions=5)
        path = tmp_path / "game.gif"
        command = ["replay", str(saved(tmp_path, replay)), "--gif", str(path), "--ms", "500", "--seat", "1"]
        assert main(command) == 0
        assert capsys.readouterr().out.startswith(f"{path}: 6 pictures, ")
        with Image.open(path) as moving:
            durations = []
            for number in range(moving.n_frames):
                moving.seek(number)
                durations.append(moving.info["duration"])
        assert durations == [500] * 5 + [2000]
