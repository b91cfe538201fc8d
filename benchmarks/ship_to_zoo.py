"""Put trained policies into the zoo, under the names of their tasks.

::

    unspoken train syncro-Ia-3p
    python benchmarks/ship_to_zoo.py runs/syncro-Ia-3p-seed0
    unspoken improve runs/syzygy-trial-2p-seed0 better.safetensors
    python benchmarks/ship_to_zoo.py better.safetensors

Takes the last checkpoint of each run, not the one that did best in an evaluation: that one had luck. The
weights are rounded to bfloat16, which the hidden layers compute in anyway where the processor can: half the
space. A checkpoint that was improved stays as it is. What is written is evaluated, and says how often it
wins.
"""

import sys
from dataclasses import asdict
from pathlib import Path

import torch

from unspoken.agents import load_agent
from unspoken.agents.checkpoint import (
    POLICY,
    load_policy,
    load_with_description,
    save_with_description,
    step_folders,
)
from unspoken.train.evaluate import evaluate

ZOO = Path(__file__).parent.parent / "agents" / "zoo"
GAMES = 10_000
"""Of the evaluation."""


def ship(source: Path) -> Path:
    """Write a checkpoint, or the last policy of a run, into the zoo; returns its file."""
    if source.suffix == ".safetensors":
        tensors, content = load_with_description(source)
    else:
        policy, description = load_policy(step_folders(source)[-1] / POLICY)
        tensors = {name: tensor.to(torch.bfloat16) for name, tensor in policy.state_dict().items()}
        content = asdict(description)
    task = content["task"]
    file = ZOO / f"{task}.safetensors"
    # The folder of the run is nobody else's business, and its own evaluations were few games.
    training = content["training"]
    training["command"] = training["command"].partition(" --folder")[0]
    training.pop("win_rate", None)
    training.pop("games", None)
    save_with_description(file, tensors, content)
    result = evaluate(task, load_agent(file), GAMES)
    training["evaluation"] = {
        "command": f"unspoken evaluate {task} --seats zoo:{task} --games {GAMES}",
        "games": result.games,
        "wins": result.wins,
        "win_rate": result.win_rate,
        "low": round(result.low, 4),
        "high": round(result.high, 4),
    }
    save_with_description(file, tensors, content)
    return file


def main() -> None:
    """Ship every run and checkpoint that is named."""
    if not sys.argv[1:]:
        sys.exit("python benchmarks/ship_to_zoo.py RUN|CHECKPOINT...: name one or more")
    for run in sys.argv[1:]:
        print(ship(Path(run)))


if __name__ == "__main__":
    main()
