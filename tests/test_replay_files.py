"""Recorded games on disk: read back as written, played again by the rules, refused where they do not fit."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.recorded_games import TASKS, played, saved
from tests.syncro_files import renamed_cards
from unspoken.envs import make_game, make_vec
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.replay_file import (
    Decision,
    Recorder,
    Replay,
    load_replay,
    play_through,
    save_replay,
)
from unspoken.train.replay_format import ReplayError, Result, recorded_game


def final(replay: Replay) -> OneGame:
    """The game after the last decision."""
    *_, (one, decision) = play_through(replay)
    assert decision is None
    return one


class TestWholeGames:
    @pytest.mark.parametrize("task", TASKS)
    def test_a_game_is_read_back_and_ends_as_it_did(self, task: str, tmp_path: Path) -> None:
        replay = played(task, seed=2**64 - 1, slot=7, episode=3)
        back = load_replay(saved(tmp_path, replay))
        assert back == replay
        assert back.task == task
        assert back.result is not None
        assert Result.of(final(back)) == back.result

    def test_options_are_kept(self, tmp_path: Path) -> None:
        options = {"n_planets": 5, "emotions": 3, "memory": "none", "reward": "shaped"}
        back = load_replay(saved(tmp_path, played("syzygy", **options)))
        assert recorded_game(back).config == make_game("syzygy", **options).config

    def test_what_a_policy_thought_is_kept(self, tmp_path: Path) -> None:
        replay = played("syzygy-base4-2p", decisions=1)
        thoughtful = Decision(0, replay.decisions[0].action, {0: 0.25, 3: 0.75}, -0.5)
        replay = replace(replay, decisions=(thoughtful,))
        assert load_replay(saved(tmp_path, replay)).decisions == (thoughtful,)

    @pytest.mark.parametrize("task", ["syzygy-base4-2p", "syncro-Ia-2p"])
    def test_a_game_of_a_batch_is_dealt_again_by_its_slot_and_episode(self, task: str) -> None:
        vec = make_vec(task, 6, seed=5)
        vec.reset()
        vec.reset()
        one = OneGame(vec.game)
        one.deal(5, slot=4, episode=1)
        np.testing.assert_array_equal(one.features(0, True), vec.observe(0, everything=True)[4])
        vec.reset()
        one.deal(None)
        np.testing.assert_array_equal(one.features(0, True), vec.observe(0, everything=True)[4])

    def test_a_game_that_goes_on_can_be_kept_and_gone_on_with(self, tmp_path: Path) -> None:
        whole = played("syncro-Ia-2p", seed=3)
        begun = load_replay(saved(tmp_path, played("syncro-Ia-2p", seed=3, decisions=9)))
        assert begun.result is None
        assert begun.decisions == whole.decisions[:9]
        one = final(begun)
        for decision in whole.decisions[9:]:
            one.play(decision.action)
        assert Result.of(one) == whole.result

    def test_a_file_is_a_decision_a_line(self, tmp_path: Path) -> None:
        replay = played("syzygy-base4-2p")
        lines = saved(tmp_path, replay).read_text().splitlines()
        assert len(lines) == len(replay.decisions) + 18
        first = replay.decisions[0]
        assert json.loads(lines[-len(replay.decisions) - 2].rstrip(",")) == {
            "seat": first.seat,
            "action": first.action,
        }

    def test_a_file_that_cannot_be_written_leaves_the_old_one_as_it_was(self, tmp_path: Path) -> None:
        replay = played("syzygy-base4-2p")
        path = saved(tmp_path, replay)
        (tmp_path / "game.json.tmp").mkdir()
        with pytest.raises(OSError, match="game"):
            save_replay(path, replace(replay, seed=0))
        assert load_replay(path) == replay

    def test_a_recorder_wants_a_name_for_each_seat(self) -> None:
        with pytest.raises(ValueError, match="1 seats: must be 3, a name for each seat"):
            Recorder(make_game("syzygy-base-3p"), ["greedy"], 1)


class TestIllegalActions:
    @pytest.mark.parametrize("action", [9, -1, 99])
    def test_one_that_ended_the_game_is_part_of_its_replay(self, action: int) -> None:
        game = make_game("syzygy-base5-3p")
        one = OneGame(game, "compact")
        one.deal(1)
        recorder = Recorder(game, ["a", "b", "c"], 1)
        recorder.append(0, action)
        one.play(action)
        replay = recorder.replay(one)
        assert replay.result == Result(0.0, False, illegal=True, truncated=False, tries=1)
        assert final(replay).illegal
        name = game.action_name(replay.decisions[0].action)
        assert name == ("MOVE 4" if action == 9 else "NOOP")

    def test_any_other_is_refused(self) -> None:
        replay = played("syzygy-base5-3p")
        wrong = (*replay.decisions[:2], Decision(1, 9), *replay.decisions[3:])
        with pytest.raises(ReplayError, match=r"decision 3: action=9 \(MOVE 4\): illegal for seat 1; legal"):
            final(replace(replay, decisions=wrong))


class TestGamesThatDoNotFit:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda it: {"decisions": it.decisions[:-1]}, "decisions the game goes on; result must be null"),
            (
                lambda it: {"decisions": (*it.decisions, it.decisions[-1])},
                "the game is over after decision 23",
            ),
            (lambda it: {"result": None}, "after 23 decisions the game is over; result must not be null"),
            (
                lambda it: {"result": replace(it.result, score=1.0)},
                r"result: score=1.0: after 23 decisions the game has score=0.0",
            ),
            (lambda it: {"result": replace(it.result, won=True)}, "result: won=True: "),
            (
                lambda it: {"decisions": (replace(it.decisions[0], seat=1), *it.decisions[1:])},
                "decision 1: seat=1: must be 0, the seat to act",
            ),
            (
                lambda it: {"decisions": (replace(it.decisions[0], action=50), *it.decisions[1:])},
                "decision 1: action=50: must be from 0 to 10",
            ),
            (
                lambda it: {"decisions": (replace(it.decisions[0], probabilities={77: 1.0}),)},
                "decision 1: action=77: must be from 0 to 10",
            ),
            (lambda it: {"seats": ("a", "b")}, r"seats=\['a', 'b'\]: must be 3 names"),
            (lambda it: {"task": "syzygy-base-3p"}, "task='syzygy-base-3p': must be 'syzygy-base5-3p'"),
            (lambda it: {"options": {"n_players": 9}}, "options: n_players=9: must be from 2 to 6"),
            (lambda it: {"options": {"colour": 1}}, "options: colour=1: unexpected keyword argument"),
        ],
    )
    def test_what_differs_is_named(self, change: Callable[[Replay], dict[str, Any]], message: str) -> None:
        replay = played("syzygy-base5-3p", seed=3)
        assert len(replay.decisions) == 23
        with pytest.raises(ReplayError, match=f"^replay: .*{message}"):
            final(replace(replay, **change(replay)))

    def test_other_cards_must_be_given(self, tmp_path: Path) -> None:
        cards = renamed_cards(tmp_path / "cards")
        replay = load_replay(saved(tmp_path, played("syncro-Ia-2p", cards=cards)))
        with pytest.raises(ReplayError, match=f"played with the cards of fingerprint {replay.cards}, which"):
            recorded_game(replay)
        assert recorded_game(replay, cards).config.cards == cards
        other = played("syncro-Ia-2p")
        with pytest.raises(ReplayError, match=f"fingerprint {other.cards}"):
            recorded_game(other, cards)


class TestDamagedFiles:
    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            (
                "format",
                "unspoken-syncro-adventure",
                "format='unspoken-syncro-adventure': must be 'unspoken",
            ),
            ("version", 2, "version=2: must be 1, the version that this release reads"),
            ("version", True, "version=True: must be 1"),
            ("kind", "seat", "kind='seat': must be 'game'; what one seat saw cannot be played again"),
            ("kind", "film", "kind='film': must be 'game'$"),
            ("game", "chess", "game='chess': must be one of 'syzygy', 'syncro'"),
            ("game", ["syzygy"], r"game=\['syzygy'\]: must be one of"),
            (
                "environment",
                "syzygy_v1",
                "environment='syzygy_v1': must be 'syzygy_v0', the rules of",
            ),
            ("seed", -1, "seed=-1: must be an integer from 0 to 18446744073709551615"),
            ("seed", 1.0, "seed=1.0: must be an integer"),
            ("slot", None, "slot=None: must be an integer"),
            ("seats", [], r"seats=\[\]: must be a list of names"),
            ("seats", [1, 2], r"seats=\[1, 2\]: must be a list of names"),
            ("options", [], r"options=\[\]: must be an object"),
            ("decisions", {}, r"decisions=\{\}: must be a list"),
            ("decisions", [3], "decision 1: 3: must be an object"),
            ("decisions", [{"seat": 2, "action": 0}], "decision 1: seat=2: must be an integer from 0 to 1"),
            ("decisions", [{"seat": 0}], "decision 1: has no 'action'; must be an integer"),
            ("decisions", [{"seat": 0, "action": 0, "x": 1}], "decision 1: 'x': there is no such field"),
            (
                "decisions",
                [{"seat": 0, "action": 0, "probabilities": {"0": 1.5}}],
                r"probabilities=\{'0': 1.5\}: must be an object of actions with numbers from 0 to 1, or null",
            ),
            (
                "decisions",
                [{"seat": 0, "action": 0, "value": float("nan")}],
                "decision 1: value=nan: must be a number, or null",
            ),
            ("result", 1, "result=1: must be an object, or null"),
            ("result", {"score": "1"}, "result: score='1': must be a number"),
            ("cards", 5, "cards=5: must be a fingerprint, or null"),
            ("moves", 5, "'moves': there is no such field"),
        ],
    )
    def test_a_field_that_is_not_allowed_is_named(
        self, field: str, value: object, message: str, tmp_path: Path
    ) -> None:
        path = saved(tmp_path, played("syzygy-base4-2p", decisions=3))
        path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
        with pytest.raises(ReplayError, match=rf"game\.json: .*{message}|game\.json: {message}"):
            load_replay(path)

    def test_a_field_that_is_missing_is_named(self, tmp_path: Path) -> None:
        path = saved(tmp_path, played("syzygy-base4-2p", decisions=3))
        content = json.loads(path.read_text())
        for field in content.keys() - {"result", "cards"}:
            path.write_text(json.dumps({name: content[name] for name in content if name != field}))
            with pytest.raises(ReplayError, match=f"has no '{field}'; must be "):
                load_replay(path)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('{"format": "unspoken-replay", "ver', r"damaged or cut off, not JSON \(Unterminated string"),
            ("", "damaged or cut off, not JSON"),
            ("[" * 100_000, "not JSON .nested too deeply|not JSON"),
            ("[]", r"\[\]: must be an object"),
        ],
    )
    def test_what_is_not_such_a_file_is_refused(self, text: str, message: str, tmp_path: Path) -> None:
        path = tmp_path / "game.json"
        path.write_text(text)
        with pytest.raises(ReplayError, match=message):
            load_replay(path)

    def test_a_file_must_be_there(self, tmp_path: Path) -> None:
        with pytest.raises(ReplayError, match=r"game\.json: cannot be read: No such file"):
            load_replay(tmp_path / "game.json")
        (tmp_path / "game.json").write_bytes(b"\xff\xfe")
        with pytest.raises(ReplayError, match="damaged"):
            load_replay(tmp_path / "game.json")
