"""Task names, and the configuration that each stands for.

``syzygy-{base,trial,divine}-{2..6}p`` are the printed games of Syzygy; ``syzygy-base{4..12}-{2..6}p`` have
another number of planets. ``syncro-{Ia..IIe,chapter1,chapter2,adventure}-{2..5}p`` are the levels of Syncro,
its chapters and the whole of it.
"""

from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from unspoken.envs.syncro.config import SCENARIOS, SyncroConfig
from unspoken.envs.syncro.limits import HAND_LIMITS
from unspoken.envs.syzygy.config import (
    MAX_PLANETS,
    MAX_PLAYERS,
    MIN_PLANETS,
    MIN_PLAYERS,
    VARIANTS,
    SyzygyConfig,
)

GameConfig = SyzygyConfig | SyncroConfig

GAMES: dict[str, type[GameConfig]] = {"syzygy": SyzygyConfig, "syncro": SyncroConfig}
"""Each game with its configuration."""


class UnknownOptionError(TypeError, ValueError):
    """An option that a game does not have: a ``TypeError``, as for any unexpected keyword argument.

    It says so in Python's words, which TorchRL looks for when it tries out what an environment takes.
    """


def _named_tasks() -> dict[str, dict[str, Any]]:
    tasks: dict[str, dict[str, Any]] = {}
    players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    for variant, planets in VARIANTS.items():
        for n_players in players:
            tasks[f"syzygy-{variant}-{n_players}p"] = {
                "variant": variant,
                "n_planets": planets,
                "n_players": n_players,
            }
    for planets in range(MIN_PLANETS, MAX_PLANETS + 1):
        if planets == VARIANTS["base"]:
            continue
        for n_players in players:
            tasks[f"syzygy-base{planets}-{n_players}p"] = {
                "variant": "base",
                "n_planets": planets,
                "n_players": n_players,
            }
    for scenario in SCENARIOS:
        for n_players in sorted(HAND_LIMITS):
            name = f"syncro-{scenario.replace('-', '')}-{n_players}p"
            tasks[name] = {"scenario": scenario, "n_players": n_players}
    return tasks


TASKS = _named_tasks()
"""Every task name with the fields it fixes."""


def task_names() -> tuple[str, ...]:
    """Every task name, the printed games first."""
    return tuple(TASKS)


def task_config(task: str, **options: Any) -> GameConfig:
    """The configuration of a task, or of a game with every field given as an option.

    Args:
        task: a task name, or ``"syzygy"`` or ``"syncro"``.
        options: fields of ``SyzygyConfig`` or ``SyncroConfig`` that the task's name leaves open.

    Raises:
        ValueError: unknown task, an option that contradicts the name, or a value that is not
        allowed. UnknownOptionError (both a ``TypeError`` and a ``ValueError``): there is no such option.
        TypeError: a value of the wrong type.
    """
    if not isinstance(task, str):
        raise TypeError(f"task={task!r}: must be a string such as 'syzygy-base-4p'")
    if task in GAMES:
        fixed: dict[str, Any] = {}
    elif task in TASKS:
        fixed = TASKS[task]
    else:
        near = get_close_matches(task, [*GAMES, *TASKS], 3, 0.0)
        names = ", ".join(map(repr, near))
        raise ValueError(f"task={task!r}: unknown; did you mean {names}? See unspoken.envs.task_names()")
    game = task.partition("-")[0]
    allowed = [field.name for field in fields(GAMES[game]) if field.init]
    for name, value in options.items():
        if name not in allowed:
            raise UnknownOptionError(
                f"{name}={value!r}: unexpected keyword argument {name!r}; allowed are {', '.join(allowed)}"
            )
        if name in fixed and value != fixed[name]:
            raise ValueError(
                f"{name}={value!r}: task {task!r} fixes it at {fixed[name]!r}; use {game!r} to choose freely"
            )
    return GAMES[game](**{**options, **fixed})


def task_name(config: GameConfig) -> str:
    """The name of the task with this configuration's game, players, and planets or scenario."""
    if isinstance(config, SyncroConfig):
        return f"{config.game}-{config.scenario.replace('-', '')}-{config.n_players}p"
    resized = "" if config.n_planets == VARIANTS[config.variant] else str(config.n_planets)
    return f"{config.game}-{config.variant}{resized}-{config.n_players}p"
