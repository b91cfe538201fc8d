"""Measure what ``unspoken tasks`` shows: the win rates of the bots in every printed game of Syzygy and in the
small ones, and in the levels of Syncro.

::

    python benchmarks/known_results.py --games 10000
    python benchmarks/known_results.py --agents syzygy/convention --tasks syzygy-base-4p
    python benchmarks/known_results.py --agents zoo:syncro-Ia-3p --tasks syncro-Ia-3p

Only the given agents and tasks are measured anew, each agent in its own game; the rest of
``configs/known_results.yaml`` stays, but for results of Syncro with other cards than today's. Every entry
can be repeated with ``unspoken evaluate TASK --seats AGENT --games GAMES --seed 0``.
"""

import argparse
from pathlib import Path
from typing import Any

import yaml

from unspoken.agents import agent_names
from unspoken.envs import make_game, task_names
from unspoken.envs.engine.whole_file import write_whole
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.progress import fingerprint
from unspoken.train.evaluate import evaluate
from unspoken.train.tasks import known_results

FILE = Path(__file__).parent.parent / "configs" / "known_results.yaml"
SMALL = ("syzygy-base5-3p", "syzygy-base7-3p", "syzygy-base5-2p", "syzygy-base7-2p")

# With two players eight looks are too few. Counted over all deals, for one mind that has all the looks.
BOUNDS = {"syzygy-base-2p": 0.583, "syzygy-trial-2p": 0.914}

HEAD = """\
# What is known about the tasks: win rates of teams of one bot in every seat, with their 95% intervals, and
# `bound`: more than any team wins that knows only what its players look at, even if they could talk.
# Written by `python benchmarks/known_results.py`; each win rate is what
# `unspoken evaluate TASK --seats AGENT --games GAMES --seed 0` prints. Oracles see all cards. `cards` is the
# fingerprint of the cards of Syncro; games of several levels also have the mean number of levels won.
"""


def plays(agent: str, task: str) -> bool:
    """Whether an agent is of the task's game, and a shipped policy of the task itself."""
    if agent.startswith("zoo:"):
        return agent == f"zoo:{task}"
    return "/" not in agent or agent.partition("/")[0] == task.partition("-")[0]


def measure(task: str, agent: str, games: int) -> dict[str, Any]:
    """What the file holds of one team."""
    result = evaluate(task, agent, games)
    print(task, agent, f"{result.win_rate:.4f}", f"{result.games_per_second:,.0f} games/s", flush=True)
    entry: dict[str, Any] = {
        "win_rate": result.win_rate,
        "low": round(result.low, 6),
        "high": round(result.high, 6),
        "games": result.games,
    }
    if result.max_score > 1:
        entry |= {
            "score": round(result.score, 4),
            "score_error": round(result.score_error, 4),
            "max_score": result.max_score,
            "tries": round(result.tries, 4),
        }
    return entry


def note(task: str, agent: str, result: dict[str, Any]) -> None:
    """Put a result into the file, at once, so that a long series of measurements can be broken off."""
    known = known_results() or {}
    entry = known.setdefault(task, {})
    if task in BOUNDS:
        entry["bound"] = BOUNDS[task]
    config = make_game(task).config
    if isinstance(config, SyncroConfig):
        cards = fingerprint(config.card_set)
        if entry.get("cards") != cards:
            entry.clear()
        entry["cards"] = cards
    entry.setdefault("results", {})[agent] = result
    order = [name for name in task_names() if name in known]
    text = yaml.safe_dump(
        {name: known[name] for name in order}, sort_keys=False, default_flow_style=None, width=110
    )
    write_whole(FILE, HEAD + text)


def main() -> None:
    printed = [name for name in task_names() if name.split("-")[1] in ("base", "trial", "divine")]
    printed += [name for name in task_names() if name.startswith("syncro-")]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agents", nargs="+", default=list(agent_names()))
    parser.add_argument("--tasks", nargs="+", default=[*printed, *SMALL])
    parser.add_argument("--games", type=int, default=10_000)
    arguments = parser.parse_args()
    for task in arguments.tasks:
        for agent in arguments.agents:
            if plays(agent, task):
                note(task, agent, measure(task, agent, arguments.games))


if __name__ == "__main__":
    main()
