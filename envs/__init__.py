"""Silent cooperation as reinforcement-learning environments.

``make_vec`` builds many games at once (the fast path), ``make_single`` a Gymnasium environment for one
learner with partners, ``make_gym_vec`` a Gymnasium ``VectorEnv``; ``syzygy_v0`` and ``syncro_v0`` are the
games for PettingZoo; ``task_names`` lists the tasks.
"""

from typing import Any

__version__ = "0.1.0"

from unspoken.envs.engine.cuda import device_number
from unspoken.envs.faces.batch import BatchEnv
from unspoken.envs.faces.cuda_batch import CudaBatchEnv
from unspoken.envs.faces.partners import PartnerOrPartners
from unspoken.envs.faces.single import SingleAgentEnv
from unspoken.envs.faces.vector import GameVectorEnv
from unspoken.envs.registration import register_all
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.game import SyncroGame
from unspoken.envs.syzygy.game import SyzygyGame
from unspoken.envs.tasks import task_config, task_name, task_names

__all__ = [
    "BatchEnv",
    "GameVectorEnv",
    "SingleAgentEnv",
    "__version__",
    "make_game",
    "make_gym_vec",
    "make_single",
    "make_vec",
    "task_config",
    "task_name",
    "task_names",
]

register_all()


def make_game(task: str, **options: Any) -> SyzygyGame | SyncroGame:
    """The game behind a task name, or ``"syzygy"`` or ``"syncro"`` with its options: configuration, feature
    layout, action names.

    Raises:
        ValueError, TypeError: as ``task_config``.
    """
    config = task_config(task, **options)
    return SyncroGame(config) if isinstance(config, SyncroConfig) else SyzygyGame(config)


def make_vec(
    task: str,
    num_envs: int,
    *,
    seed: int | None = None,
    device: str = "cpu",
    backend: str | None = None,
    threads: int | None = None,
    **options: Any,
) -> BatchEnv:
    """Many games of one task at once.

    Args:
        task: a name from ``task_names()``, or ``"syzygy"`` or ``"syncro"`` with the configuration in
            ``options``.
        num_envs: number of games.
        seed: integer; game i of a batch is the same for every batch size and number of threads. ``None``
            draws one.
        device: ``"cpu"``; ``"cuda"`` or ``"cuda:1"`` to play the same games on a GPU, in tensors on it (see
            ``unspoken.envs.faces.cuda_batch``; needs ``unspoken[train,gpu]``).
        backend: ``"numpy"``, or ``"torch"`` for tensors on the same memory. ``None`` is ``"numpy"`` on the
            CPU and ``"torch"`` on a GPU, which has no other.
        threads: threads to share the games; ``None`` chooses (see ``unspoken.envs.engine.threads``). Not for
            a GPU.
        options: fields of the game's configuration that the task's name leaves open.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it, its value and what is
            allowed.
        ImportError, RuntimeError: ``device`` is a GPU and something that it needs is missing; the message
            says what, and how to get it.
    """
    game = make_game(task, **options)
    if device == "cpu":
        return BatchEnv(game, num_envs, seed, threads, backend or "numpy")
    number = device_number(device)
    if number is None:
        raise ValueError(f"device={device!r}: must be 'cpu', 'cuda' or 'cuda:' and a number")
    if backend not in (None, "torch"):
        raise ValueError(f"backend={backend!r}: must be 'torch' with device={device!r}")
    if threads is not None:
        raise ValueError(f"threads={threads!r}: must be left out with device={device!r}")
    return CudaBatchEnv(game, num_envs, seed, number)


def make_single(
    task: str,
    partners: PartnerOrPartners = None,
    seat: int | str = 0,
    *,
    observation: str = "onehot",
    render_mode: str | None = None,
    **options: Any,
) -> SingleAgentEnv:
    """One learner at a table of agents, as a ``gymnasium.Env`` (also ``gymnasium.make("Syzygy-v0", ...)``).

    Args:
        task: as in ``make_vec``.
        partners: the other seats: one agent (``unspoken.agents.load_agent`` makes them of names) for all of
            them, or a list with one for each, clockwise from the learner. ``None`` plays uniformly random
            legal actions.
        seat: the learner's seat, or ``"random"`` to draw it for every game.
        observation: ``"onehot"`` (``Box``) or ``"compact"`` (``MultiDiscrete``).
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` (needs ``unspoken[view]``) or ``None``.
        options: fields of the game's configuration that the task's name leaves open.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it, its value and what is
            allowed.
    """
    return SingleAgentEnv(make_game(task, **options), partners, seat, observation, render_mode)


def make_gym_vec(
    task: str,
    num_envs: int = 1,
    partners: PartnerOrPartners = None,
    seat: int | str | None = None,
    *,
    observation: str = "onehot",
    threads: int | None = None,
    **options: Any,
) -> GameVectorEnv:
    """Many games as a ``gymnasium.vector.VectorEnv`` (also ``gymnasium.make_vec("Syzygy-v0", n, ...)``).

    Args:
        task, num_envs, threads: as in ``make_vec``.
        partners, seat: ``None`` for both is self-play, in which the one agent plays whichever seat is to act;
            else as in ``make_single``.
        observation: ``"onehot"`` (``Box``) or ``"compact"`` (``MultiDiscrete``).
        options: fields of the game's configuration that the task's name leaves open.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it, its value and what is
            allowed.
    """
    return GameVectorEnv(make_game(task, **options), num_envs, partners, seat, observation, threads)
