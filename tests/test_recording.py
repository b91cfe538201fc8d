"""Evaluated games are recorded as they were played, with what learned policies thought."""

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from unspoken.agents.base import State, Thinker, Thought
from unspoken.agents.checkpoint import PolicyDescription
from unspoken.agents.learned import LearnedAgent
from unspoken.agents.policy import MlpNetwork
from unspoken.envs import make_game
from unspoken.train import recording
from unspoken.train.cli import main
from unspoken.train.evaluate import evaluate
from unspoken.train.replay_file import Replay, load_replay, play_through
from unspoken.train.replay_format import recorded_game


class FirstLegal:
    """Plays the first legal action; it thinks nothing."""

    name = "first"
    sees_state = False

    def reset(self, game: object, num_games: int, seed: int) -> State:
        return None

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        return mask.argmax(1), state


class Outside(FirstLegal):
    """Plays an action that there is not."""

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        return np.full(len(mask), -1), state


class Counting(FirstLegal):
    """Remembers how often it has decided in a game, and thinks of it."""

    def reset(self, game: object, num_games: int, seed: int) -> State:
        return np.zeros((num_games, 1), np.float32)

    def think(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> Thought:
        assert state is not None
        return Thought(mask / mask.sum(1, keepdims=True), state[:, 0], state + 1)


def recorded(folder: Path) -> list[Replay]:
    return [load_replay(path) for path in sorted(folder.iterdir())]


def learned(task: str, memory: int = 0) -> LearnedAgent:
    """An untrained policy of some opinion."""
    game = make_game(task)
    torch.manual_seed(0)
    policy = MlpNetwork(game.layout, game.items, [16], memory)
    with torch.no_grad():
        policy.head.weight.mul_(50)
    return LearnedAgent(policy, PolicyDescription.of(policy, game, {}), "untrained")


@pytest.mark.parametrize("seats", ["syzygy/greedy", "random", ["syzygy/oracle", "random"]])
def test_each_game_is_the_one_that_was_counted(seats: str | list[str], tmp_path: Path) -> None:
    result = evaluate("syzygy-base4-2p", seats, 40, seed=6, record=tmp_path / "games")
    replays = recorded(tmp_path / "games")
    assert sorted(path.name for path in (tmp_path / "games").iterdir())[::39] == [
        "game-000000.json",
        "game-000039.json",
    ]
    assert [replay.slot for replay in replays] == list(range(40))
    assert {replay.seats for replay in replays} == {result.seats}
    for replay, won in zip(replays, result.outcomes, strict=True):
        *_, (one, _) = play_through(replay)
        assert replay.result is not None
        assert replay.result.won == (one.score == 1) == won
    assert sum(len(replay.decisions) for replay in replays) == result.decisions * 40


def test_the_first_games_of_several_parts_and_episodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unspoken.train.game_parts.GAMES_AT_A_TIME", 8)
    monkeypatch.setattr("unspoken.train.game_parts.PART_SLOTS", 3)
    monkeypatch.setattr("unspoken.train.game_parts.PART_EPISODES", 1)
    result = evaluate(
        "syzygy-base4-2p", "syzygy/greedy", 25, seed=2, record=tmp_path / "games", record_games=19
    )
    replays = recorded(tmp_path / "games")
    assert [(replay.episode, replay.slot) for replay in replays] == [divmod(game, 8) for game in range(19)]
    assert [replay.result.won for replay in replays if replay.result] == result.outcomes[:19].tolist()
    for replay in replays:
        list(play_through(replay))


def test_what_is_recorded_changes_nothing(tmp_path: Path) -> None:
    results = [
        evaluate("syncro-Ia-2p", "syncro/solo", 20, seed=1, record=record)
        for record in (None, tmp_path / "games")
    ]
    np.testing.assert_array_equal(results[0].scores, results[1].scores)
    assert results[0].decisions == results[1].decisions


@pytest.mark.parametrize("task", ["syzygy-base4-2p", "syncro-Ia-2p"])
def test_a_learned_policy_says_what_it_thought(task: str, tmp_path: Path) -> None:
    agent = learned(task)
    assert isinstance(agent, Thinker)
    evaluate(task, [agent, FirstLegal()], 3, record=tmp_path / "games")
    for replay in recorded(tmp_path / "games"):
        for one, decision in play_through(replay):
            if decision is None:
                continue
            if decision.seat == 1:
                assert (decision.probabilities, decision.value) == (None, None)
                continue
            assert decision.probabilities is not None
            assert all(one.is_legal(action) for action in decision.probabilities)
            assert sum(decision.probabilities.values()) == pytest.approx(1, abs=1e-3)
            assert max(decision.probabilities, key=lambda it: decision.probabilities[it]) == decision.action
            thought = agent.think(
                one.features(0)[None], one.mask(0)[None], np.zeros(1, np.int8), agent.reset(one.game, 1, 0)
            )
            assert decision.value == pytest.approx(float(thought.values[0]), abs=6e-5)


def test_a_policy_with_memory_remembers_its_own_decisions_only(tmp_path: Path) -> None:
    evaluate("syzygy-base4-2p", [Counting(), FirstLegal()], 2, record=tmp_path / "games")
    for replay in recorded(tmp_path / "games"):
        values = [decision.value for decision in replay.decisions if decision.seat == 0]
        assert values == list(range(len(values)))


def test_a_network_with_memory_thinks_as_it_plays(tmp_path: Path) -> None:
    agent = learned("syzygy-base4-2p", memory=8)
    evaluate("syzygy-base4-2p", agent, 4, record=tmp_path / "games")
    for replay in recorded(tmp_path / "games"):
        for decision in replay.decisions:
            assert decision.probabilities is not None
            assert decision.probabilities[decision.action] == max(decision.probabilities.values())


def test_an_action_that_there_is_not_is_kept_as_none(tmp_path: Path) -> None:
    result = evaluate("syzygy-base4-2p", [FirstLegal(), Outside()], 2, record=tmp_path / "games")
    assert result.illegal == 2
    for replay in recorded(tmp_path / "games"):
        assert recorded_game(replay).action_name(replay.decisions[-1].action) == "NOOP"
        assert replay.result is not None
        assert replay.result.illegal
        list(play_through(replay))


def test_parts_may_be_played_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent there and back is plain data."""

    def elsewhere(function: Any, pieces: Sequence[Any], address: str, **options: Any) -> list[Any]:
        return [pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(function))(piece))) for piece in pieces]

    monkeypatch.setattr("unspoken.train.evaluate.map_on_ray", elsewhere)
    monkeypatch.setattr("unspoken.train.game_parts.PART_SLOTS", 8)
    for folder, ray in (("here", None), ("there", "auto")):
        evaluate("syzygy-base4-2p", "syzygy/greedy", 20, record=tmp_path / folder, ray=ray)
    assert recorded(tmp_path / "here") == recorded(tmp_path / "there")


def test_the_command_says_where_the_games_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "games"
    command = f"evaluate syzygy-base4-2p --seats random --games 9 --record {folder} --record-games 2"
    assert main(command.split()) == 0
    line = f"recorded 2 games: unspoken replay {folder}/game-000000.json"
    assert capsys.readouterr().out.splitlines()[-1] == line
    assert len(recorded(folder)) == 2


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_replay_that_cannot_be_written_does_not_lose_the_result(
    form: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recording, "save_replay", full)
    command = f"evaluate syzygy-base4-2p --seats random --games 9 --record {tmp_path / 'games'}"
    assert main([*command.split(), *form]) == 2
    printed = capsys.readouterr()
    assert ('"games": 9' if form else "of 9 games") in printed.out
    assert "recorded" not in printed.out
    assert "a replay could not be written: [Errno 28] No space left on device" in printed.err


def test_a_folder_with_something_in_it_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "note").touch()
    with pytest.raises(ValueError, match=r"record='.*': holds something else; must be new or an empty"):
        evaluate("syzygy-base4-2p", "random", 10**9, record=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"record_games": 5}, "record_games=5: needs record, a folder for the replays"),
        ({"record": "games", "record_games": 0}, "record_games=0: must be from 1 to 10, the games played"),
        ({"record": "games", "record_games": 11}, "record_games=11: must be from 1 to 10"),
    ],
)
def test_how_many_games_are_recorded_must_fit(
    arguments: dict[str, object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message):
        evaluate("syzygy-base4-2p", "random", 10, **arguments)
    assert list(tmp_path.iterdir()) == []
