"""Policies that come with the package are small, say where they come from, and win as often as they claim."""

import json
from pathlib import Path

import pytest

from unspoken.agents import load_agent
from unspoken.agents.load import zoo_names
from unspoken.envs import make_game
from unspoken.train.config import load_config
from unspoken.train.deals import exact_win_rate
from unspoken.train.evaluate import evaluate

ZOO = Path(__file__).parent.parent / "agents" / "zoo"


def test_there_is_a_policy_for_the_printed_game() -> None:
    assert "zoo:syzygy-base-4p" in zoo_names()


@pytest.mark.parametrize("name", zoo_names())
def test_a_policy_wins_as_often_as_it_says(name: str) -> None:
    file = ZOO / f"{name.removeprefix('zoo:')}.json"
    assert file.with_suffix(".safetensors").stat().st_size < 4_000_000
    description = json.loads(file.read_text(encoding="utf-8"))
    training = description["training"]
    assert training["evaluation"]["low"] < training["evaluation"]["win_rate"] < training["evaluation"]["high"]
    program, command, config, *overrides = training["command"].split()
    assert (program, command) == ("unspoken", "train")
    assert load_config(config, overrides).seed == training["config"]["seed"]
    if "improvements" in training:
        improvement = training["improvements"][-1]
        exact = exact_win_rate(make_game(description["task"]), load_agent(name))
        assert exact == improvement["wins"] / improvement["deals"]
    result = evaluate(description["task"], load_agent(name), 1000, seed=4)
    assert result.illegal == 0
    assert result.low <= training["evaluation"]["win_rate"] <= result.high
