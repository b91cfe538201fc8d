"""Write the golden playthroughs anew: `python -m tests.playthroughs.regenerate`, from the repository's root.

A playthrough is one whole game with everything that anybody is shown in it. `tests/test_playthroughs.py`
plays each file's actions again and compares line by line, so that no change of rules, deals or observations
passes unnoticed. After a change that was meant, regenerate and read the difference. Of Syzygy everything
is written out here; for Syncro see `syncro.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.playthroughs import syncro
from tests.syzygy_games import EngineGame
from unspoken.envs.syzygy import SyzygyConfig

FOLDER = Path(__file__).parent

GAMES = {
    "syzygy-base-4p": (SyzygyConfig(), 1),
    "syzygy-base5-3p-won": (SyzygyConfig(n_players=3, n_planets=5), 4),
    "syzygy-trial-3p": (SyzygyConfig(n_players=3, variant="trial"), 3),
    "syzygy-divine-4p": (SyzygyConfig(variant="divine"), 4),
    "syzygy-base-2p-emotions-no-memory": (SyzygyConfig(n_players=2, emotions=3, memory="none"), 5),
}
"""File name (without .txt) -> configuration and seed; the seed deals the row and draws the actions."""

SETTINGS = ("variant", "n_players", "n_planets", "emotions", "memory", "reward")
CARDS = "abcdefghijkl"
"""Cards are named by where they lay at the start, from the left."""


def _spaced(values: list[str]) -> str:
    return " ".join(f"{value:>3}" for value in values)


def _numbers(values: list[int]) -> str:
    return " ".join(str(value) for value in values)


def _table(game: EngineGame) -> list[str]:
    """The row as it lies on the table, drawn from what seat 0 sees of it, and the hidden values below."""
    view = game.features(0)
    blackhole = game.n // 2 if game.config.has_blackhole else None
    cards = ["*" if origin == blackhole else CARDS[origin] for origin in view["origin"]]
    looked_at = view["confirmed"][0] - 1
    cards = [f"[{card}]" if position == looked_at else card for position, card in enumerate(cards)]
    lines = [f"row      {_spaced(cards)}"]
    for seat in range(game.config.n_players):
        lines.append(f"chips {seat}  {_spaced([str(chip or '.') for chip in view[f'chip_{seat}']])}")
    lines.append(f"hidden   {_spaced([str(value) for value in game.row])}")
    return lines


def _view(game: EngineGame, seat: int) -> list[str]:
    """Everything `seat` is shown, as named values: a line for the table, a line for each seat's record."""
    view = game.features(seat)
    scalars = "  ".join(
        f"{name} {_numbers(view[name])}" for name in ("phase", "turn", "seat", "confirmed", "value", "origin")
    )
    lines = [f"seat {seat} sees  {scalars}"]
    for k in range(game.config.n_players):
        record = "  ".join(f"{name} {_numbers(view[name])}" for name in view if name.endswith(f"_{k}"))
        lines.append(f"             {record}")
    return lines


def playthrough(config: SyzygyConfig, seed: int, choose: Callable[[list[int]], int]) -> list[str]:
    """The lines of the game dealt by `seed`; `choose` picks one of the legal action numbers."""
    game = EngineGame(config, seed=seed)
    names = [game.game.action_name(action) for action in range(config.n_actions)]
    lines = ["# Syzygy, one game. Written by: python -m tests.playthroughs.regenerate"]
    lines += [f"{name} = {getattr(config, name)}" for name in SETTINGS]
    lines += [f"seed = {seed}", f"actions = {config.n_actions}", f"features = {game.layout.size}"]
    lines += [f"feature {f.name}: {f.size} of 0..{f.cardinality - 1}" for f in game.layout.features]
    lines += ["", *_table(game)]
    decision = 0
    while not game.finished:
        mover, turn, legal = game.player, game.features(0)["turn"][0], game.legal_actions()
        action = choose(legal)
        lines += ["", f"## Decision {decision}: seat {mover}, turn {turn} of {config.n_turns}"]
        for seat in range(config.n_players):
            lines += _view(game, seat)
        lines.append(f"legal        {', '.join(names[number] for number in legal)}")
        lines.append(f"plays        {action} = {names[action]}")
        reward = game.step(action)
        lines.append(f"reward       {reward:g}")
        lines += _table(game)
        decision += 1
    lines += ["", f"## The end after {decision} decisions"]
    for seat in range(config.n_players):
        lines += _view(game, seat)
    lines.append(f"planets      {_numbers(game.row)}")
    lines.append(f"potential    {game.potential()} of {config.max_potential}")
    lines.append(f"result       {'won' if game.won else 'lost'}")
    return lines


def main() -> None:
    """Write every playthrough and remove those that are no longer listed."""
    for path in FOLDER.glob("*.txt"):
        if path.stem not in {*GAMES, *syncro.GAMES}:
            path.unlink()
    for name, (config, seed) in GAMES.items():
        lines = playthrough(config, seed, random.Random(seed).choice)
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}: {len(lines)} lines, {lines[-1].split()[-1]}")
    for name, adventure in syncro.GAMES.items():
        lines = syncro.write(name, adventure)
        print(f"{name}: {len(lines)} lines, {lines[-1]}")


if __name__ == "__main__":
    main()
