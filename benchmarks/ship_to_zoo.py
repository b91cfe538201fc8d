"""Put trained policies into the zoo, under the names of their tasks.

::

    unspoken train syncro-Ia-3p
    python benchmarks/ship_to_zoo.py runs/syncro-Ia-3p-seed0

Takes the last checkpoint of each run, not the one that did best in an evaluation: that one had luck. The
weights are rounded to bfloat16, which the hidden layers compute in anyway where the processor can: half the
space.
"""

import sys
from dataclasses import asdict
from pathlib import Path

import torch

from unspoken.agents.checkpoint import POLICY, load_policy, save_with_description, step_folders

ZOO = Path(__file__).parent.parent / "agents" / "zoo"


def ship(run: Path) -> Path:
    """Write the last policy of a run into the zoo; returns its file."""
    policy, description = load_policy(step_folders(run)[-1] / POLICY)
    rounded = {name: tensor.to(torch.bfloat16) for name, tensor in policy.state_dict().items()}
    file = ZOO / f"{description.task}.safetensors"
    save_with_description(file, rounded, asdict(description))
    return file


def main() -> None:
    """Ship every run that is named."""
    if not sys.argv[1:]:
        sys.exit("python benchmarks/ship_to_zoo.py RUN...: name one or more folders of runs")
    for run in sys.argv[1:]:
        print(ship(Path(run)))


if __name__ == "__main__":
    main()
