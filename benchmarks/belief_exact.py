"""The exact share of all deals that the belief team wins, counted over its whole tree of plans.

    python benchmarks/belief_exact.py syzygy-base5-3p syzygy-trial-2p syzygy-trial-3p syzygy-divine-3p
    python benchmarks/belief_exact.py --search-limit 0 syzygy-base-4p    # no search: much faster

Every deal is counted once, so there is no sampling error. With the default search limit these are the plans
that the agent plays. Prints a table; with ``--json FILE`` also writes it.
"""

import argparse
import json
import time
from pathlib import Path

from unspoken.agents.syzygy.belief import search_limit
from unspoken.agents.syzygy.belief_tree import PlanTree
from unspoken.envs.tasks import task_config


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tasks", nargs="+", help="Syzygy tasks with at most 9 positions")
    parser.add_argument("--search-limit", type=int, help="search in nodes with at most this many rows")
    parser.add_argument("--json", type=Path, help="where to write the rows of the table")
    arguments = parser.parse_args()
    results = []
    for task in arguments.tasks:
        config = task_config(task)
        n = config.n_positions
        limit = arguments.search_limit
        if limit is None:
            limit = search_limit(n, config.n_players, config.has_blackhole)
        tree = PlanTree(n, config.n_players, config.has_blackhole, limit)
        start = time.perf_counter()
        wins = tree.count_wins()
        deals = tree.count_deals()
        seconds = time.perf_counter() - start
        results.append(
            {
                "task": task,
                "search_limit": limit,
                "wins": wins,
                "deals": deals,
                "win_rate": wins / deals,
                "seconds": seconds,
            }
        )
        print(
            f"{task:20} search {limit:5}  {wins:6} of {deals:6}  {100 * wins / deals:8.4f}%  {seconds:7.1f} s"
        )
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
