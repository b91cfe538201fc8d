"""Recorded games for the tests: random play of any task."""

from pathlib import Path
from typing import Any

import numpy as np

from tests.face_games import draw_legal
from unspoken.envs import make_game
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.replay_file import Recorder, Replay, save_replay

TASKS = ["syzygy-base5-3p", "syzygy-trial-2p", "syncro-Ia-3p", "syncro-IIe-5p", "syncro-chapter1-2p"]
"""A task of each kind."""


def played(
    task: str, seed: int = 1, decisions: int = 10_000, slot: int = 0, episode: int = 0, **options: Any
) -> Replay:
    """A game of random legal play, recorded to its end or for so many decisions."""
    game = make_game(task, **options)
    one = OneGame(game, "compact")
    one.deal(seed, slot, episode)
    random = np.random.default_rng(seed)
    recorder = Recorder(game, ["random"] * game.config.n_players, seed, slot, episode)
    while not one.finished and len(recorder.decisions) < decisions:
        action = draw_legal(random, one.mask(one.seat))
        recorder.append(one.seat, action)
        one.play(action)
    return recorder.replay(one)


def saved(folder: Path, replay: Replay) -> Path:
    """The replay's file."""
    path = folder / "game.json"
    save_replay(path, replay)
    return path
