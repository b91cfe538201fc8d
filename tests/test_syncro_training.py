"""Syncro is trained, evaluated and loaded like any game; a policy belongs to the cards it learned with."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.syncro_files import renamed_cards
from tests.test_checkpoint import run_until, weights
from tests.test_ppo import SMALL
from unspoken.agents import load_agent
from unspoken.agents.checkpoint import CheckpointError, load_policy, save_policy
from unspoken.agents.sb3_agent import SB3Agent
from unspoken.envs import make_game, make_vec
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.progress import fingerprint
from unspoken.train.cli import main
from unspoken.train.config import TrainConfig
from unspoken.train.crossplay import crossplay
from unspoken.train.evaluate import evaluate
from unspoken.train.ppo import PPO
from unspoken.train.run_folder import RunFolder
from unspoken.train.sb3_ppo import Settings, make_model

TASK = "syncro-Ia-3p"
SHORT = {**SMALL, "task": TASK, "rollout_steps": 16, "checkpoint_every": 1024}


@pytest.fixture
def other_cards(tmp_path: Path) -> str:
    return renamed_cards(tmp_path / "cards")


def saved_policy(folder: Path, task: str = TASK, **game: Any) -> Path:
    ppo = PPO(TrainConfig(**{**SHORT, "task": task, "num_envs": 4, "game": game}))
    path = folder / "mine.safetensors"
    save_policy(path, ppo.policy, ppo.describe())
    return path


class TestPolicies:
    def test_its_description_is_small_and_names_the_cards_by_their_fingerprint(self, tmp_path: Path) -> None:
        path = saved_policy(tmp_path)
        description = json.loads(path.with_suffix(".json").read_text())
        assert path.with_suffix(".json").stat().st_size < 5000
        assert description["environment"] == "syncro_v0"
        assert description["task"] == TASK
        assert description["game"] == {
            "scenario": "I-a",
            "n_players": 3,
            "unlocked": False,
            "cards": fingerprint(SyncroConfig().card_set),
        }

    @pytest.mark.parametrize("task", [TASK, "syncro-IIe-2p", "syncro-chapter2-5p", "syncro-adventure-4p"])
    def test_it_is_loaded_and_plays(self, tmp_path: Path, task: str) -> None:
        agent = load_agent(saved_policy(tmp_path, task))
        vec = make_vec(task, 8, seed=0)
        vec.reset()
        agent.reset(vec.game, 8, 0)
        for _ in range(10):
            actions, _ = agent.act(vec.features, vec.mask, vec.player, None)
            vec.step(actions)
            assert not vec.illegal.any()

    def test_it_is_refused_with_other_cards(self, tmp_path: Path, other_cards: str) -> None:
        agent = load_agent(saved_policy(tmp_path))
        message = (
            "agent 'mine': .*trained for the cards with fingerprint '.{16}' and cannot play the cards with"
        )
        with pytest.raises(ValueError, match=message):
            agent.reset(make_game(TASK, cards=other_cards), 1, 0)

    def test_one_of_other_cards_is_loaded_and_refused_with_the_house_cards(
        self, tmp_path: Path, other_cards: str
    ) -> None:
        agent = load_agent(saved_policy(tmp_path, cards=other_cards))
        agent.reset(make_game(TASK, cards=other_cards), 1, 0)
        with pytest.raises(ValueError, match="trained for the cards with fingerprint"):
            agent.reset(make_game(TASK), 1, 0)

    def test_it_is_refused_by_another_game_level_or_setting(self, tmp_path: Path) -> None:
        agent = load_agent(saved_policy(tmp_path))
        for task, options, message in (
            ("syzygy-base-3p", {}, "environment 'syncro_v0' and cannot play environment 'syzygy_v0'"),
            ("syncro-Ib-3p", {}, "task 'syncro-Ia-3p' and cannot play task 'syncro-Ib-3p'"),
            (TASK, {"unlocked": True}, "setting unlocked False and cannot play setting unlocked True"),
        ):
            with pytest.raises(ValueError, match=message):
                agent.reset(make_game(task, **options), 1, 0)
        agent.reset(make_game(TASK, reward="shaped"), 1, 0)

    def test_one_of_the_adventure_goes_on_with_a_saved_one(self, tmp_path: Path) -> None:
        agent = load_agent(saved_policy(tmp_path, "syncro-adventure-2p"))
        agent.reset(make_game("syncro-adventure-2p", first_level="II-b"), 1, 0)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"environment": "syncro_v9"}, "trained for environment 'syncro_v9'"),
            ({"features": ["decision 1 6"]}, "trained for feature layout"),
            ({"features": ["decision 1"]}, "not the description of a policy"),
            ({"game": {"scenario": "III-a"}}, "not the description of a policy: scenario='III-a'"),
        ],
    )
    def test_one_of_another_version_is_refused(
        self, tmp_path: Path, changes: dict[str, Any], message: str
    ) -> None:
        path = saved_policy(tmp_path)
        description = path.with_suffix(".json")
        description.write_text(json.dumps(json.loads(description.read_text()) | changes))
        with pytest.raises(CheckpointError, match=message):
            load_policy(path)


class TestRuns:
    def test_a_run_that_was_stopped_ends_with_the_same_weights(self, tmp_path: Path) -> None:
        config = TrainConfig(**SHORT)
        run_until(tmp_path / "whole", 4096, config)
        run_until(tmp_path / "stopped", 2048, config)
        run_until(tmp_path / "stopped", 4096, config)
        last = "checkpoints/step-000000004096"
        assert torch.equal(weights(tmp_path / "whole" / last), weights(tmp_path / "stopped" / last))

    def test_the_command_trains_and_the_run_is_evaluated(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], other_cards: str
    ) -> None:
        folder = tmp_path / "run"
        settings = [f"{key}={list(value) if key == 'hidden' else value}" for key, value in SHORT.items()]
        assert main(["train", TASK, *settings[1:], "--folder", str(folder)]) == 0
        assert f"next: unspoken evaluate {TASK} --seats {folder}" in capsys.readouterr().out
        command = ["evaluate", TASK, "--seats", str(folder), "--games", "20", "--json"]
        assert main(command) == 0
        result = json.loads(capsys.readouterr().out)
        assert result["max_score"] == 1
        assert result["score"] == result["win_rate"]
        assert main([*command, "--set", f"cards={other_cards}"]) == 2
        assert "trained for the cards with fingerprint" in capsys.readouterr().err

    def test_the_best_policy_of_a_game_of_several_levels_is_the_one_that_won_most_levels(
        self, tmp_path: Path
    ) -> None:
        ppo = PPO(TrainConfig(**{**SHORT, "task": "syncro-chapter1-2p", "num_envs": 4}))
        evaluation = evaluate("syncro-chapter1-2p", "random", 2)
        with RunFolder(tmp_path / "run", ppo, "") as run:
            for steps, score in enumerate((0.5, 1.25, 1.0)):
                ppo.steps = steps
                run.save_best(ppo, dataclasses.replace(evaluation, win_rate=0.0, score=score))
        _, description = load_policy(tmp_path / "run")
        assert description.training["steps"] == 1

    def test_the_command_that_is_named_next_has_the_settings_of_the_game(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], other_cards: str
    ) -> None:
        settings = ["total_steps=64", "num_envs=8", "rollout_steps=8", "evaluate_games=5", "threads=1"]
        game = [f"game.cards={other_cards}", "game.unlocked=true"]
        assert main(["train", TASK, *settings, *game, "--folder", str(tmp_path / "run")]) == 0
        command = capsys.readouterr().out.splitlines()[-1].removeprefix("next: unspoken ")
        assert command.endswith(f" --set cards={other_cards} unlocked=true")
        assert main(command.replace("10000", "5").split()) == 0

    def test_a_run_goes_on_only_with_its_own_cards(self, tmp_path: Path, other_cards: str) -> None:
        config = TrainConfig(**SHORT, game={"cards": other_cards})
        run_until(tmp_path / "run", 1024, config)
        fog = Path(other_cards) / "fog.yaml"
        fog.write_text(fog.read_text().replace("name: Other", "name: Third", 1))
        with pytest.raises(ValueError, match="trained for the cards with fingerprint"):
            run_until(tmp_path / "run", 2048, config)


class TestStableBaselines:
    def test_its_policy_is_saved_with_the_cards_it_was_trained_for(
        self, tmp_path: Path, other_cards: str
    ) -> None:
        settings = Settings(num_envs=8, n_steps=8, batch_size=64, width=16, threads=1, n_epochs=1)
        model = make_model(TASK, settings)
        model.learn(64)
        model.save(tmp_path / "model.zip")
        agent = load_agent(tmp_path / "model.zip")
        assert evaluate(TASK, agent, 20, seed=1).scores.tolist() == (
            evaluate(TASK, SB3Agent(model), 20, seed=1).scores.tolist()
        )
        with pytest.raises(ValueError, match="trained for the cards with fingerprint"):
            evaluate(TASK, agent, 1, cards=other_cards)


class TestEvaluation:
    def test_a_level_is_won_or_lost(self) -> None:
        result = evaluate("syncro-Ic-2p", "random", 200, seed=3)
        assert result.score == result.win_rate
        assert (result.max_score, result.tries) == (1, 1.0)
        assert result.scores.tolist() == result.outcomes.tolist()

    def test_a_chapter_is_won_if_all_its_levels_are(self) -> None:
        result = evaluate("syncro-chapter1-3p", "random", 60, seed=1)
        assert result.max_score == 4
        assert result.outcomes.tolist() == (result.scores == 4).tolist()
        assert result.wins == result.outcomes.sum()
        assert result.score == pytest.approx(result.scores.mean())
        assert result.score_error == pytest.approx(1.959964 * result.scores.std() / np.sqrt(60), rel=1e-4)
        # Each level that was won took a try or more, and a level that was not won took ten.
        lost = result.games - result.wins
        assert result.tries * result.games >= result.scores.sum() + 10 * lost

    def test_the_command_says_how_many_levels_were_won(self, capsys: pytest.CaptureFixture[str]) -> None:
        command = ["evaluate", "syncro-adventure-5p", "--seats", "random", "--games", "8"]
        assert main(command) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[1].startswith("won ")
        assert re.fullmatch(r"levels won: \d\.\d\d ± \d\.\d\d of 9, \d+\.\d tries a game", lines[2])
        assert main([*command, "--json", "--set", "first_level=II-d"]) == 0
        result = json.loads(capsys.readouterr().out)
        assert result["max_score"] == 2
        assert {"score", "score_error", "tries"} <= result.keys()
        assert not {"scores", "outcomes"} & result.keys()

    def test_crossplay_shows_the_levels_won(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        mine = saved_policy(tmp_path, "syncro-chapter1-2p")
        result = crossplay("syncro-chapter1-2p", ["random", mine], games=4)
        assert result.max_score == 4
        pairing = result.pairings[0][1]
        assert pairing.score == pytest.approx(np.mean([order.score for order in pairing.seat_orders]))
        assert result.as_dict()["scores"][0][1] == pairing.score
        assert main(["crossplay", "syncro-chapter1-2p", "random", str(mine), "--games", "2"]) == 0
        assert "mean number of levels won, of 4" in capsys.readouterr().out

    def test_the_same_seed_gives_the_same_scores_on_any_number_of_threads(self) -> None:
        first, again = (
            evaluate("syncro-IIa-4p", "random", 100, seed=5, threads=threads).scores for threads in (1, 2)
        )
        assert first.tolist() == again.tolist()
