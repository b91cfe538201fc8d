"""Task names, and the configuration that each stands for.

``syzygy-{base,trial,divine}-{2..6}p`` are the printed games; ``syzygy-base{4..12}-{2..6}p`` have another
number of planets.
"""

from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from unspoken.envs.syzygy.config import (
    MAX_PLANETS,
    MAX_PLAYERS,
    MIN_PLANETS,
    MIN_PLAYERS,
    VARIANTS,
    SyzygyConfig,
)

GAMES = ("syzygy",)


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
    return tasks


TASKS = _named_tasks()
"""Every task name with the fields it fixes."""


def task_names() -> tuple[str, ...]:
    """Every task name, the printed games first."""
    return tuple(TASKS)


def task_config(task: str, **options: Any) -> SyzygyConfig:
    """The configuration of a task, or of a game with every field given as an option.

    Args:
        task: a task name, or ``"syzygy"``.
        options: fields of ``SyzygyConfig`` that the task's name leaves open.

    Raises:
        ValueError: unknown task, unknown option, an option that contradicts the name, or a value that is not
        allowed. TypeError: a value of the wrong type.
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
    allowed = [field.name for field in fields(SyzygyConfig)]
    for name, value in options.items():
        if name not in allowed:
            raise ValueError(f"{name}={value!r}: unknown option; allowed are {', '.join(allowed)}")
        if name in fixed and value != fixed[name]:
            raise ValueError(
                f"{name}={value!r}: task {task!r} fixes it at {fixed[name]!r}; use 'syzygy' to choose freely"
            )
    return SyzygyConfig(**{**options, **fixed})


def task_name(config: SyzygyConfig) -> str:
    """The name of the task with this configuration's game, players and planets."""
    resized = "" if config.n_planets == VARIANTS[config.variant] else str(config.n_planets)
    return f"{config.game}-{config.variant}{resized}-{config.n_players}p"
