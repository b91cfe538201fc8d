"""The golden playthroughs of Syncro: each level, a chapter and an adventure, as a person would tell them.

A file holds the set-up of every level, each decision in words with its number, and below it the lines of the
table that it has changed, hidden things included. ``views`` is a digest of all that the wizards are shown and
may do after the decision. Written with the others by ``python -m tests.playthroughs.regenerate``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.syncro_games import EngineGame, engine_state
from unspoken.agents import Table, agent_names, load_agent
from unspoken.envs import make_vec
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.progress import fingerprint

FOLDER = Path(__file__).parent
COMMAND = "python -m tests.playthroughs.regenerate"

GAMES = {
    "syncro-Ia-3p": SyncroConfig("I-a", 3),
    "syncro-Ib-2p": SyncroConfig("I-b", 2),
    "syncro-Ic-4p": SyncroConfig("I-c", 4),
    "syncro-Id-5p": SyncroConfig("I-d", 5),
    "syncro-IIa-3p": SyncroConfig("II-a", 3),
    "syncro-IIb-4p": SyncroConfig("II-b", 4),
    "syncro-IIc-2p": SyncroConfig("II-c", 2),
    "syncro-IId-5p": SyncroConfig("II-d", 5, unlocked=True),
    "syncro-IIe-3p": SyncroConfig("II-e", 3),
    "syncro-chapter1-3p": SyncroConfig("chapter-1", 3),
    "syncro-adventure-4p": SyncroConfig("adventure", 4),
}
"""File name (without .txt) -> configuration."""

TEAMS = ("syncro/convention", "syncro/estimate", "syncro/solo", "random")
"""Who plays: the first of these bots that there is."""
SEEDS = range(20)
"""Of these deals the one in which the team wins most, and of several the one that is over soonest."""
ESTIMATES = ("", "good", "average", "bad")


def words(values: list[Any]) -> str:
    return " ".join(str(value) for value in values) or "-"


def listed(names: list[str]) -> str:
    return ", ".join(names) or "-"


def described_slot(state: dict[str, Any], slot: int) -> str:
    """A card of the horde and the spells on it."""
    cards = {number: (name, face_up) for number, name, face_up in state["horde"]}
    if slot not in cards:
        return "gone"
    name, face_up = cards[slot]
    strength = dict(state["strengths"]).get(slot)
    text = f"{name} {strength}" if strength is not None else name
    text += "" if face_up else ", face down"
    spells = [
        f"{value} of player_{owner}{'' if known is None else ' face down'}"
        for value, owner, known in state["spells"].get(slot, [])
    ]
    absorbed = state["absorbed"].get(slot, [])
    text += f" | {', '.join(spells)}" if spells else ""
    return text + (f" | absorbed {words(absorbed)}" if absorbed else "")


def table(game: EngineGame) -> dict[str, str]:
    """Every line of the table, by what it is about, hidden cards turned up."""
    state = engine_state(game.config, game.states)
    record = game.states[0]
    lines = {
        "level": f"{state['level']}, try {state['tries']}",
        "levels won": str(state["levels_won"]),
        "leader": f"player_{state['leader']}",
    }
    for seat, hand in enumerate(state["hands"]):
        lines[f"player_{seat}"] = words([value for value, _ in hand])
        said = ESTIMATES[int(record.estimate[seat])]
        if record.said_sum[seat]:
            said = f"sum {record.said_sum[seat]}"
        lines[f"player_{seat} said"] = f"{said} of {record.said_size[seat]} spells" if said else "-"
        if any(state["rewards"]) or state["reward_discards"]:
            lines[f"player_{seat} reward"] = state["rewards"][seat] or "-"
    for slot in range(int(record.n_slots)):
        lines[f"slot {slot}"] = described_slot(state, slot)
    lines["spell deck"] = f"{len(state['spell_deck'])} spells"
    lines["spell discards"] = words(state["spell_discards"])
    lines["owed"] = str(state["owed"])
    if record.level >= 4:
        lines["fog deck"] = f"{len(state['fog_deck'])} cards"
        lines["fog discards"] = listed(state["fog_discards"])
        lines["curses"] = listed(state["curses"])
        lines["reward deck"] = f"{len(state['reward_deck'])} cards"
        lines["reward discards"] = listed(state["reward_discards"])
        lines["lieutenants beaten"] = listed(state["lieutenant_box"])
    return lines


def decks(game: EngineGame) -> Iterator[str]:
    """The decks from the top."""
    state = engine_state(game.config, game.states)
    yield line("from the top", words(state["spell_deck"]))
    if game.states[0].level >= 4:
        for name in ("fog_deck", "reward_deck", "lieutenant_deck"):
            yield line(name.replace("_", " "), listed(state[name]))


def line(name: str, text: str) -> str:
    return f"  {name:<19}{text}"


def views(game: EngineGame) -> str:
    """A digest of what every wizard is shown and of what may be done now."""
    seen = np.array([value for vector in game.vectors() for value in vector] + game.mask(), np.int8)
    return hashlib.sha256(seen.tobytes()).hexdigest()[:8]


def playthrough(config: SyncroConfig, seed: int, team: str, choose: Callable[[], int]) -> list[str]:
    """The lines of the game dealt by ``seed``; ``choose`` gives the numbers of the actions in order."""
    game = EngineGame(config, seed=seed)
    lines = [
        f"# Syncro, one game. Written by: {COMMAND}",
        f"scenario = {config.scenario}",
        f"n_players = {config.n_players}",
        f"unlocked = {config.unlocked}",
        f"cards = {fingerprint(config.card_set)}",
        f"team = {team}",
        f"seed = {seed}",
        f"actions = {config.n_actions}",
        f"features = {game.layout.size}",
    ]
    before = table(game)
    lines += ["", f"## {before['level']}"]
    lines += [line(name, text) for name, text in before.items()]
    lines += decks(game)
    number = 0
    while not game.finished:
        seat, action = game.player, choose()
        name = game.game.action_name(action)
        reward = game.step(action)
        earned = f"  reward {reward:g}" if reward else ""
        lines.append(f"{number}. player_{seat}: {action} = {name}  views {views(game)}{earned}")
        after = table(game)
        if after["level"] != before["level"]:
            lines += ["", f"## {after['level']}"]
            lines += [line(name, text) for name, text in after.items()]
            lines += decks(game)
        else:
            lines += [line(name, text) for name, text in after.items() if before.get(name) != text]
            lines += [
                line(name, "gone") for name, text in before.items() if name not in after and text != "gone"
            ]
        before = after
        number += 1
    state = game.states[0]
    lines += ["", f"## The end after {number} decisions"]
    lines.append(f"{'won' if state.won else 'lost'}, levels won {state.levels_won}, tries {state.all_tries}")
    return lines


def team_name() -> str:
    """The bot that plays."""
    return next(name for name in TEAMS if name in agent_names())


def played(config: SyncroConfig, seed: int, team: str) -> tuple[float, list[int]]:
    """The score and the actions of a team of ``team`` in the game dealt by ``seed``."""
    options = {"scenario": config.scenario, "n_players": config.n_players, "unlocked": config.unlocked}
    vec = make_vec("syncro", 1, seed=seed, **options)
    vec.reset()
    seats = Table(vec, [load_agent(team)] * config.n_players, seed)
    actions: list[int] = []
    while not vec.done[0]:
        actions.append(int(seats.act()[0]))
        vec.step([actions[-1]])
    return float(vec.score[0]), actions


def write(name: str, config: SyncroConfig) -> list[str]:
    """Choose a game, write it, and return its lines."""
    team = team_name()
    games = ((seed, *played(config, seed, team)) for seed in SEEDS)
    seed, _, actions = max(games, key=lambda game: (game[1], -len(game[2])))
    lines = playthrough(config, seed, team, iter(actions).__next__)
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lines
