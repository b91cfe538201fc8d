"""The exact share of all deals that the belief team wins, counted over its whole tree of plans.

    python benchmarks/belief_exact.py syzygy-base5-3p syzygy-trial-2p syzygy-trial-3p syzygy-divine-3p
    python benchmarks/belief_exact.py --search-limit 0 syzygy-base-4p    # no search: much faster

Every deal is counted once, so there is no sampling error. With the default search limit these are the plans
that the agent plays; with another one they are made without books of first turns. Prints a table; with
``--json FILE`` also writes it.
"""

import argparse
import json
import time
from pathlib import Path

from unspoken.agents.syzygy.belief import new_tree
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
            tree = new_tree(n, config.n_players, config.has_blackhole)
        else:
            tree = PlanTree(n, config.n_players, config.has_blackhole, limit)
        start = time.perf_counter()
        wins = tree.count_wins()
        deals = tree.count_deals()
        seconds = time.perf_counter() - start
        results.append(
            {
                "task": task,
                "search_limit": tree.search_limit,
                "wins": wins,
                "deals": deals,
                "win_rate": wins / deals,
                "seconds": seconds,
            }
        )
        share = f"{wins:6} of {deals:6}  {100 * wins / deals:8.4f}%"
        print(f"{task:20} search {tree.search_limit:5}  {share}  {seconds:7.1f} s")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
