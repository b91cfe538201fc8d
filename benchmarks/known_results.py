"""Measure what ``unspoken tasks`` shows: the win rates of the bots in every printed game and in the small
ones.

::

    python benchmarks/known_results.py --games 10000
    python benchmarks/known_results.py --agents syzygy/convention --tasks syzygy-base-4p

Only the given agents and tasks are measured anew; the rest of ``configs/known_results.yaml`` stays. Every
entry can be repeated with ``unspoken evaluate TASK --seats AGENT --games GAMES --seed 0``.
"""

import argparse
from pathlib import Path

import yaml

from unspoken.agents import agent_names
from unspoken.envs import task_names
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
# `unspoken evaluate TASK --seats AGENT --games GAMES --seed 0` prints. `syzygy/oracle` sees all cards.
"""


def main() -> None:
    printed = [name for name in task_names() if name.split("-")[1] in ("base", "trial", "divine")]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agents", nargs="+", default=list(agent_names()))
    parser.add_argument("--tasks", nargs="+", default=[*printed, *SMALL])
    parser.add_argument("--games", type=int, default=10_000)
    arguments = parser.parse_args()
    known = known_results() or {}
    for task in arguments.tasks:
        entry = known.setdefault(task, {})
        if task in BOUNDS:
            entry["bound"] = BOUNDS[task]
        results = entry.setdefault("results", {})
        for agent in arguments.agents:
            result = evaluate(task, agent, arguments.games)
            results[agent] = {
                "win_rate": result.win_rate,
                "low": round(result.low, 6),
                "high": round(result.high, 6),
                "games": result.games,
            }
            print(
                task, agent, f"{result.win_rate:.4f}", f"{result.games_per_second:,.0f} games/s", flush=True
            )
    order = [name for name in task_names() if name in known]
    text = yaml.safe_dump(
        {name: known[name] for name in order}, sort_keys=False, default_flow_style=None, width=110
    )
    FILE.write_text(HEAD + text, encoding="utf-8")


if __name__ == "__main__":
    main()
