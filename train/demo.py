"""Train a silent team on a small game, compare it with the bots, and watch it play."""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from unspoken.agents.learned import LearnedAgent
from unspoken.envs import make_game, syzygy_v0
from unspoken.envs.syzygy import SyzygyConfig, actions
from unspoken.train.config import load_config
from unspoken.train.curve import curve_points, draw_curve, save_curve
from unspoken.train.evaluate import evaluate
from unspoken.train.run import choose_folder, run_training
from unspoken.train.run_folder import read_metrics
from unspoken.train.text import percent, table

TASK = "syzygy-base5-3p"
BOTS = {"random": "random", "convention": "syzygy/convention"}
GAMES = 10_000
EVALUATION_SEED = 2
"""Of the final deals, which training and its own evaluations do not use."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken demo``."""
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="changed settings of the training")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="for the files (default: runs/demo-seedS)")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"a team (default {GAMES})")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken demo``."""
    started = time.perf_counter()
    config = load_config(TASK, arguments.settings)
    folder = arguments.folder or choose_folder("demo", config)
    game = make_game(TASK).config
    assert isinstance(game, SyzygyConfig)
    print(
        f"Syzygy with {game.n_planets} planets: a row of cards face down, {game.n_players} players, "
        f"{game.n_turns} turns.\nIn a turn a player looks at one card and moves it. Nobody speaks. "
        "If the row is sorted at the end, all have won.\n\n"
        f"Training a team with PPO ({config.total_steps:,} decisions):"
    )
    run_training(config, folder, "unspoken demo " + " ".join(arguments.settings))
    metrics = read_metrics(folder)
    evaluated = curve_points(metrics)
    print(f"\nGames won by the team while it learns:\n\n{draw_curve(evaluated)}\n")

    agent = LearnedAgent.load(folder)
    agent.name = "trained"
    print(f"{arguments.games:,} new games, the same deals for each team:\n")
    rows, rates = [], {}
    teams: dict[str, str | LearnedAgent] = {**BOTS, "trained": agent}
    for name, team in teams.items():
        result = evaluate(TASK, team, arguments.games, EVALUATION_SEED)
        interval = f"{percent(result.low)} to {percent(result.high)}"
        rows.append((name, percent(result.win_rate), interval, f"{result.games_per_second:,.0f}"))
        rates[name] = result.win_rate
    print(table(("team", "won", "95% interval", "games/s"), rows))
    bots = {name: rates[name] for name in BOTS}
    save_curve(folder / "curve.png", TASK, evaluated, curve_points(metrics, "train_win_rate"), bots)

    print("\nOne game of the trained team (planets as they really lie; no player sees them all):\n")
    print(play(agent, game))
    print(
        f"\n{folder}{os.sep}\n"
        "  curve.png     the learning curve\n"
        "  metrics.csv   every measurement; tensorboard --logdir shows the same\n"
        "  checkpoints/  the team: unspoken evaluate "
        f"{TASK} --seats {folder}\n"
        f"Everything took {time.perf_counter() - started:.0f} s."
    )


def play(agent: LearnedAgent, config: SyzygyConfig, seed: int = 1) -> str:
    """One game of a team as text, a line a turn."""
    env = syzygy_v0.raw_env(config.n_players, config.n_planets, config.variant, observation="compact")
    env.reset(seed=seed)

    def row() -> str:
        values = env.feature_layout.decode(env.state())["value"]
        return " ".join(f"{value:2}" for value in values)

    lines = [f"{'the deal':48}{row()}"]
    agent.reset(env.game, 1, seed)
    meanings = actions(config)
    source = planet = -1
    while not any(env.terminations.values()):
        name = env.agent_selection
        seen = env.observe(name)
        seat = np.array([env.possible_agents.index(name)], np.int8)
        chosen, _ = agent.act(seen["observation"][None], seen["action_mask"][None], seat, None)
        action = meanings[int(chosen[0])]
        if action.kind == "CONFIRM":
            source = action.position
            planet = env.feature_layout.decode(env.state())["value"][source]
        env.step(int(chosen[0]))
        turn = sum(line.startswith(" ") for line in lines) + 1
        if action.kind == "MOVE":
            did = f"finds planet {planet} at {source}, moves it to {action.position}"
            lines.append(f" {turn:2} {name}: {did:33}{row()}")
        elif action.kind == "PASS":
            lines.append(f" {turn:2} {name}: {'passes':33}{row()}")
    won = all(reward > 0 for reward in env.rewards.values())
    lines.append("The row is sorted: won." if won else "The row is not sorted: lost.")
    return "\n".join(lines)
