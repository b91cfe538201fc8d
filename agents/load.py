"""From a name to an agent."""

from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from unspoken.agents.base import Agent

BOTS = {
    "random": "unspoken.agents.random_agent:RandomAgent",
    "syzygy/greedy": "unspoken.agents.syzygy.greedy:GreedyAgent",
    "syzygy/convention": "unspoken.agents.syzygy.convention:ConventionAgent",
    "syzygy/belief": "unspoken.agents.syzygy.belief:BeliefAgent",
    "syzygy/oracle": "unspoken.agents.syzygy.oracle:OracleAgent",
    "syncro/solo": "unspoken.agents.syncro.solo:SoloAgent",
    "syncro/estimate": "unspoken.agents.syncro.estimate:EstimateAgent",
    "syncro/convention": "unspoken.agents.syncro.convention:ConventionAgent",
    "syncro/oracle": "unspoken.agents.syncro.oracle:OracleAgent",
}
"""Every bot's name and class. A bot's module is imported when the bot is asked for."""

LEARNED = "unspoken.agents.learned:LearnedAgent"
SB3 = "unspoken.agents.sb3_agent:SB3Agent"
ZOO = "zoo:"


def agent_names() -> tuple[str, ...]:
    """The names of the bots, weakest first within a game."""
    return tuple(BOTS)


def zoo_names() -> tuple[str, ...]:
    """The names of the checkpoints that come with the package, as ``load_agent`` takes them."""
    folder = _zoo_folder()
    return tuple(sorted(ZOO + path.stem for path in folder.glob("*.safetensors"))) if folder.is_dir() else ()


def load_agent(name: str | Path) -> Agent:
    """The agent with this name.

    Args:
        name: a bot (``agent_names()``), ``"zoo:TASK"`` for a checkpoint that comes with the package, or the
            path of a run's folder, of a checkpoint (``.safetensors``), or of a Stable-Baselines3 model
            (``.zip``). Only the last two kinds import torch.

    Raises:
        ValueError: there is no such agent; the message lists the names there are.
        ImportError: the agent needs a package that is not installed.
    """
    text = str(name)
    if text in BOTS:
        agent: Agent = _find(BOTS[text])()
        return agent
    if text.startswith(ZOO):
        return _load_from_zoo(text)
    path = Path(text)
    if path.is_file() and path.suffix == ".zip":
        return _load_learned(SB3, path)
    if path.is_dir() or (path.is_file() and path.suffix in (".safetensors", ".json")):
        return _load_learned(LEARNED, path)
    if path.exists():
        raise ValueError(
            f"agent {text!r}: not a run's folder, a .safetensors checkpoint or a Stable-Baselines3 .zip"
        )
    near = get_close_matches(text, BOTS, 1, 0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    known = ", ".join((*BOTS, *zoo_names()))
    raise ValueError(
        f"agent {text!r}: unknown; {hint}there are {known}, and the paths of runs and checkpoints"
    )


def _load_from_zoo(name: str) -> Agent:
    path = _zoo_folder() / f"{name.removeprefix(ZOO)}.safetensors"
    if name not in zoo_names():
        known = ", ".join(zoo_names()) or "none in this version"
        raise ValueError(f"agent {name!r}: no such checkpoint; there are: {known}")
    return _load_learned(LEARNED, path)


def _load_learned(target: str, path: Path) -> Agent:
    try:
        agent: Agent = _find(target).load(path)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("unspoken"):
            raise
        raise ImportError(f"agent {str(path)!r} needs {error.name}: pip install 'unspoken[train]'") from None
    return agent


def _find(target: str) -> Any:
    module, name = target.split(":")
    return getattr(import_module(module), name)


def _zoo_folder() -> Path:
    return Path(__file__).parent / "zoo"
