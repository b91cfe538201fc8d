"""Silent cooperation as reinforcement-learning environments.

``make_vec`` builds many games at once (the fast path); ``task_names`` lists the tasks.
"""

from typing import Any

__version__ = "0.1.0"

from unspoken.envs.faces.batch import BatchEnv
from unspoken.envs.syzygy.game import SyzygyGame
from unspoken.envs.tasks import task_config, task_name, task_names

__all__ = ["BatchEnv", "__version__", "make_game", "make_vec", "task_config", "task_name", "task_names"]


def make_game(task: str, **options: Any) -> SyzygyGame:
    """The game behind a task name, or ``"syzygy"`` with its options: configuration, feature layout, action names.

    Raises:
        ValueError, TypeError: as ``task_config``.
    """
    return SyzygyGame(task_config(task, **options))


def make_vec(
    task: str,
    num_envs: int,
    *,
    seed: int | None = None,
    device: str = "cpu",
    backend: str = "numpy",
    threads: int | None = None,
    **options: Any,
) -> BatchEnv:
    """Many games of one task at once.

    Args:
        task: a name from ``task_names()``, or ``"syzygy"`` with the configuration in ``options``.
        num_envs: number of games.
        seed: integer; game i of a batch is the same for every batch size and number of threads. ``None`` draws one.
        device: ``"cpu"``.
        backend: ``"numpy"``, or ``"torch"`` for tensors on the same memory.
        threads: threads to share the games; ``None`` chooses (see ``unspoken.envs.engine.threads``).
        options: fields of the game's configuration that the task's name leaves open.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it, its value and what is allowed.
    """
    if device != "cpu":
        raise ValueError(f"device={device!r}: must be 'cpu'")
    return BatchEnv(make_game(task, **options), num_envs, seed, threads, backend)
