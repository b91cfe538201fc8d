"""The tasks, with their sizes and what is known about them."""

import argparse
import json
from importlib import resources
from typing import Any

import yaml

from unspoken.envs import make_game, task_names
from unspoken.train.text import percent, table


def known_results() -> dict[str, Any]:
    """What is known, by task: ``results`` (win rates of agents in every seat), ``bound`` and ``cards``.

    ``bound`` is more than any team wins that knows only what its players look at, even if they could talk.
    ``cards`` is the fingerprint of the cards that Syncro was played with. A result of a game of several
    levels also has ``score``, the mean number of levels won, ``max_score`` and ``tries``.

    Read from ``configs/known_results.yaml``; ``python benchmarks/known_results.py`` measures it anew.
    """
    text = resources.files("unspoken.configs").joinpath("known_results.yaml").read_text(encoding="utf-8")
    known: dict[str, Any] = yaml.safe_load(text)
    return known


def describe_tasks(part: str = "") -> list[dict[str, Any]]:
    """Every task whose name contains ``part``.

    Each as ``task``, ``players``, ``horizon`` (most decisions of a game), ``actions``,
    ``features`` (compact entries of an observation), ``onehot`` (its length as one-hot vector) and ``known``
    (see ``known_results``).

    Raises:
        ValueError: there is none.
    """
    known = known_results()
    found = []
    for name in task_names():
        if part not in name:
            continue
        game = make_game(name)
        found.append(
            {
                "task": name,
                "players": game.config.n_players,
                "horizon": game.config.max_decisions,
                "actions": game.config.n_actions,
                "features": game.layout.size,
                "onehot": game.layout.onehot_size,
                "known": known.get(name, {}),
            }
        )
    if not found:
        raise ValueError(f"task {part!r}: no task has this in its name; see unspoken tasks")
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken tasks``."""
    parser.add_argument(
        "part", nargs="?", default="", metavar="PART", help="only tasks with this in their name"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON list and nothing else")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken tasks``: print the table, with the win rates of the bots and the bound.

    Of a game of several levels the table has the mean number of levels won, such as 3.25/4.
    """
    tasks = describe_tasks(arguments.part)
    if arguments.json:
        print(json.dumps(tasks))
        return
    columns = ("task", "players", "horizon", "actions", "features", "onehot")
    agents = list(
        dict.fromkeys(_column(agent) for task in tasks for agent in task["known"].get("results", {}))
    )
    bound = ["bound"] * any("bound" in task["known"] for task in tasks)
    rows = [
        [*(str(task[column]) for column in columns), *_known(task["known"], agents, bool(bound))]
        for task in tasks
    ]
    print(table([*columns, *agents, *bound], rows))


def _column(agent: str) -> str:
    """The column of an agent: bots of different games that go by one name share theirs."""
    return "learned" if agent.startswith("zoo:") else agent.rpartition("/")[2]


def _known(known: dict[str, Any], agents: list[str], bound: bool) -> list[str]:
    """What is known about a task, in the columns of the table."""
    shown = {
        _column(agent): f"{result['score']:.2f}/{result['max_score']}"
        if "score" in result
        else percent(result["win_rate"])
        for agent, result in known.get("results", {}).items()
    }
    cells = [shown.get(agent, "") for agent in agents]
    return [*cells, percent(known["bound"]) if "bound" in known else ""] if bound else cells
