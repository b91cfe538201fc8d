"""What one seat saw of a recorded game, on disk: all that it could know, and nothing else."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.recorded_games import TASKS, played
from unspoken.envs import make_game
from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.replay_file import Recorder, Replay
from unspoken.train.replay_format import ReplayError, recorded_game
from unspoken.train.seat_file import SeatReplay, save_seat_replay, seat_replay, seat_replay_of, seat_step


def seen(replay: Replay, seat: int) -> SeatReplay:
    return seat_replay(replay, seat, recorded_game(replay))


def written(folder: Path, seen: SeatReplay) -> Path:
    path = folder / "seat.json"
    save_seat_replay(path, seen)
    return path


def read(path: Path) -> SeatReplay:
    return seat_replay_of(json.loads(path.read_text()), str(path))


def passing(seed: int) -> Replay:
    """A game of Syzygy in which nobody looks at a card."""
    game = make_game("syzygy-base-2p")
    one = OneGame(game, "compact")
    one.deal(seed)
    recorder = Recorder(game, ["a", "b"], seed)
    while not one.finished:
        recorder.append(one.seat, game.config.pass_action, {game.config.pass_action: 1.0}, 0.25)
        one.play(game.config.pass_action)
    return recorder.replay(one)


class TestSeats:
    @pytest.mark.parametrize("task", TASKS)
    def test_what_a_seat_saw_is_read_back(self, task: str, tmp_path: Path) -> None:
        replay = played(task)
        for seat in range(len(replay.seats)):
            kept = seen(replay, seat)
            assert read(written(tmp_path, kept)) == kept
            assert len(kept.steps) == len(replay.decisions) + 1
            for step, decision in zip(kept.steps, replay.decisions, strict=False):
                assert step.to_act == decision.seat
                assert step.decision == (decision if decision.seat == seat else None)
                assert bool(step.legal) == (decision.seat == seat)
            assert kept.steps[-1].to_act is None

    def test_deals_that_differ_only_in_what_it_never_sees_give_the_same_file(self, tmp_path: Path) -> None:
        first = written(tmp_path, seen(passing(1), 0)).read_bytes()
        assert passing(1).result == passing(2).result
        assert written(tmp_path, seen(passing(2), 0)).read_bytes() == first

    def test_hands_of_others_make_no_difference(self) -> None:
        """Two wizards have swapped their hands; the third one sees the same until a spell is turned up."""
        replay = played("syncro-Ia-3p", seed=4)
        game = recorded_game(replay)
        dealt, swapped = OneGame(game, "compact"), OneGame(game, "compact")
        dealt.deal(4)
        state = dealt.get_state()
        record = state["states"][0]
        (watching,) = {0, 1, 2} - {dealt.seat, (dealt.seat + 1) % 3}
        others = [dealt.seat, (dealt.seat + 1) % 3]
        assert record["hand"][others[0]].tolist() != record["hand"][others[1]].tolist()
        record["hand"][others] = record["hand"][others[::-1]]
        swapped.set_state(state)
        steps = []
        for decision in replay.decisions[:3]:
            assert swapped.is_legal(decision.action)
            assert seat_step(dealt, decision, watching) == seat_step(swapped, decision, watching)
            steps.append(seat_step(dealt, decision, others[0]) == seat_step(swapped, decision, others[0]))
            dealt.play(decision.action)
            swapped.play(decision.action)
        assert steps[0] is False

    def test_a_choice_is_hidden_until_all_have_made_it(self) -> None:
        replay = played("syncro-Ia-3p", seed=4)
        names = make_game("syncro-Ia-3p").action_name
        first, second, third = replay.decisions[:3]
        assert [names(each.action).split()[0] for each in (first, second, third)] == ["ESTIMATE"] * 3
        steps = seen(replay, third.seat).steps
        assert [step.last for step in steps[:4]] == [
            None,
            (first.seat, None),
            (second.seat, None),
            (third.seat, third.action),
        ]

    def test_nothing_of_the_deal_or_the_others_is_in_the_file(self, tmp_path: Path) -> None:
        game = make_game("syzygy-base-2p")
        replay = replace(passing(123456789), seats=("me", "somebody"))
        content = json.loads(written(tmp_path, seen(replay, 0)).read_text())
        assert content.keys() & {"seed", "slot", "episode", "seats", "decisions"} == set()
        assert "123456789" not in str(content)
        assert "somebody" not in str(content)
        thinks = [step for step in content["steps"] if "value" in step or "probabilities" in step]
        assert {step["to_act"] for step in thinks} == {0}
        layout: FeatureLayout = game.layout
        value = layout["value"].slice
        assert {number for step in content["steps"] for number in step["features"][value]} == {0}

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("seat", 2, "seat=2: must be an integer from 0 to 1"),
            ("agent", None, "agent=None: must be a string"),
            ("steps", [], r"steps=\[\]: must be a list of at least one step"),
            ("seed", 1, "'seed': there is no such field"),
            ("cards", "0123", "played with the cards of fingerprint 0123"),
        ],
    )
    def test_a_field_that_is_not_allowed_is_named(
        self, field: str, value: object, message: str, tmp_path: Path
    ) -> None:
        path = written(tmp_path, seen(played("syncro-Ia-2p", decisions=3), 0))
        path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
        with pytest.raises(ReplayError, match=message):
            read(path)

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("features", [0, 1], r"step 0: features=\[0, 1\]: must be \d+ integers that fit the feature lay"),
            ("to_act", 7, "step 0: to_act=7: must be from 0 to 1, or null"),
            ("last", [0], r"step 0: last=\[0\]: must be a seat and an action or null, or null"),
            ("legal", [99], r"step 0: legal=\[99\]: must be a list of actions, or null"),
            ("action", 1, "step 0: action=1: must be left out: it is not the turn of seat 1"),
            ("probabilities", {"99": 1}, "must be of actions from 0 to 8"),
            ("hand", [1], "step 0: 'hand': there is no such field"),
        ],
    )
    def test_a_field_of_a_step_that_is_not_allowed_is_named(
        self, field: str, value: object, message: str, tmp_path: Path
    ) -> None:
        path = written(tmp_path, seen(played("syzygy-base4-2p", decisions=3), 1))
        content = json.loads(path.read_text())
        content["steps"][0][field] = value
        path.write_text(json.dumps(content))
        with pytest.raises(ReplayError, match=message):
            read(path)

    def test_the_view_of_another_seat_is_refused(self, tmp_path: Path) -> None:
        path = written(tmp_path, seen(played("syzygy-base4-2p", decisions=3), 1))
        path.write_text(json.dumps(json.loads(path.read_text()) | {"seat": 0}))
        with pytest.raises(ReplayError, match="must be the view of seat 0"):
            read(path)
