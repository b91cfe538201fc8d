"""Syzygy for PettingZoo: ``env()`` and ``raw_env()`` (AEC), ``parallel_env()``.

A row of face-down planets is to be sorted, 1..n or n..1, by a team that may not speak. In each of its four
turns a seat passes, or looks at a card that does not carry its own chip, and then moves it strictly between
two others.

==============  ==================================================================================
agents          ``player_0`` .. ``player_{P-1}``, 2 to 6; seat 0 plays first, then clockwise
decisions       up to two a turn (source or pass, then destination), ``8 P`` a game at most
observation     ``{"observation", "action_mask"}``; ``observation`` is a ``Box(0, 1, float32)`` for
                ``"onehot"``, a ``MultiDiscrete`` (``int8``) for ``"compact"``. It is relative to the observer
                and holds all that it may know, the public record included; ``env.feature_layout`` decodes it
action          ``Discrete(A)``, ``A = n + emotions * n + 1``: CONFIRM position i is ``i``, MOVE to position j
                with emotion e is ``n + e * n + j``, PASS is the last; ``env.action_name(a)`` says it in words
action mask     ``(A,) int8``, in the observation and (``info_mask``) in ``infos``; all zero for a seat that
                is not to act
reward          the team's, the same for every seat in one step: 1 for a win, else 0; ``"shaped"`` adds a term
                that telescopes
end             after ``4 P`` turns, for all seats in the same step by ``terminations``; never truncated
infos           the same numeric keys from ``reset`` on: ``action_mask``, ``score`` (the team's: 1 once won,
                else 0), ``illegal`` (1 if the game was ended by an illegal action)
state           ``env.state()``: seat 0's view with all cards turned up, in the form of the observations
render          all cards turned up; set ``env.render_view`` to an agent to see what that one may know
==============  ==================================================================================

An illegal action is never played. ``env`` and ``parallel_env`` end the game at once with reward -1 for every
seat and ``illegal`` = 1; ``raw_env`` raises. An action outside the action space is an error in all of them.

``reset(seed=s)`` deals game 0 of ``make_vec(..., seed=s)``; a later ``reset()`` deals that game's next
episode. An environment can be deep-copied and pickled in the middle of a game; ``get_state`` and
``set_state`` are quicker.

Version history: v0, the first.
"""

from unspoken.envs.faces.aec import GameAECEnv
from unspoken.envs.faces.parallel import GameParallelEnv
from unspoken.envs.syzygy.config import SyzygyConfig
from unspoken.envs.syzygy.game import SyzygyGame

__all__ = ["NAME", "env", "parallel_env", "raw_env"]

NAME = "syzygy_v0"


def env(
    n_players: int = 4,
    n_planets: int | None = None,
    variant: str = "base",
    reward: str = "sparse",
    emotions: int = 1,
    memory: str = "perfect",
    observation: str = "onehot",
    render_mode: str | None = None,
    info_mask: bool = True,
) -> GameAECEnv:
    """Syzygy as an AEC environment; an illegal action ends the game, lost with reward -1 for all.

    Args:
        n_players: seats, 2 to 6.
        n_planets: length of the row, 4 to 12 for ``"base"``; ``None`` is the variant's own number.
        variant: ``"base"``, ``"trial"`` or ``"divine"``.
        reward: ``"sparse"`` or ``"shaped"``.
        emotions: 1 (silence) to 4.
        memory: ``"perfect"``, or ``"none"`` to show a value only while its card is being moved.
        observation: ``"onehot"`` or ``"compact"``.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` (needs ``unspoken[view]``) or ``None``.
        info_mask: give the mask in ``infos`` too. TorchRL's wrapper takes it from the observation and
            stumbles over a second one: wrap ``env(info_mask=False)``.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it and what is allowed.
    """
    game = SyzygyGame(SyzygyConfig(n_players, n_planets, variant, reward, emotions, memory))
    return GameAECEnv(game, NAME, observation, render_mode, info_mask)


def raw_env(
    n_players: int = 4,
    n_planets: int | None = None,
    variant: str = "base",
    reward: str = "sparse",
    emotions: int = 1,
    memory: str = "perfect",
    observation: str = "onehot",
    render_mode: str | None = None,
    info_mask: bool = True,
) -> GameAECEnv:
    """The same, but an illegal action raises a ``ValueError`` that names it and the legal ones.

    Arguments as ``env``.
    """
    game = SyzygyGame(SyzygyConfig(n_players, n_planets, variant, reward, emotions, memory))
    return GameAECEnv(game, NAME, observation, render_mode, info_mask, raise_illegal=True)


def parallel_env(
    n_players: int = 4,
    n_planets: int | None = None,
    variant: str = "base",
    reward: str = "sparse",
    emotions: int = 1,
    memory: str = "perfect",
    observation: str = "onehot",
    render_mode: str | None = None,
    info_mask: bool = False,
) -> GameParallelEnv:
    """Syzygy as a parallel environment: all seats act in every step; those whose turn it is not play NOOP.

    NOOP is the last action, ``A``, which only this form has: ``Discrete(A + 1)`` and masks of length
    ``A + 1``. A waiting seat may play NOOP only, the seat to act anything but.

    Arguments as ``env``, but masks are in ``infos`` only if asked for.
    """
    game = SyzygyGame(SyzygyConfig(n_players, n_planets, variant, reward, emotions, memory))
    return GameParallelEnv(game, NAME, observation, render_mode, info_mask)
