"""Syncro for PettingZoo: ``env()`` and ``raw_env()`` (AEC), ``parallel_env()``.

A horde of monsters lies in overlapping rows. A team that may not speak plays spells on it face down; when all
have attacked or passed, the monsters are resolved from the bottom up. The level is won when the last one is
destroyed, and lost when nobody has a spell left or a Dragon's debt is not paid.

==============  ==================================================================================
agents          ``player_0`` .. ``player_{P-1}``, 2 to 5; the first leader is drawn from the seed
decisions       turns, estimates, discards for a Dragon, targets of cards, hands kept or not
observation     ``{"observation", "action_mask"}``; ``observation`` is a ``Box(0, 1, float32)`` for
                ``"onehot"``, a ``MultiDiscrete`` (``int8``) for ``"compact"``. It is relative to the observer
                and holds all that it may know; ``env.feature_layout`` decodes it
action          ``Discrete(A)``: ATTACK with hand slot h on slot m of the horde is ``h * S + m``, then PASS,
                ESTIMATE, DISCARD, STOP, KEEP, DISCARD ALL, PLAY REWARD, TARGET; ``env.action_name(a)`` says
                it in words
action mask     ``(A,) int8``, in the observation and in ``infos``; all zero for a seat that is not to act
reward          the team's, the same for every seat in one step: 1 for a level won, else 0; ``"shaped"`` adds
                a term that telescopes
end             a level on its own: won or lost. Several levels: the last one won, or a level lost 10 times.
                For all seats in the same step, by ``terminations``; ``truncations`` after ``max_decisions``,
                which no sound card set comes near
infos           the same numeric keys from ``reset`` on: ``action_mask``, ``score`` (levels won), ``illegal``
                (1 if the game was ended by an illegal action), ``tries`` (of levels, begun so far)
state           ``env.state()``: seat 0's view with all cards turned up, in the form of the observations
==============  ==================================================================================

An illegal action is never played. ``env`` and ``parallel_env`` end the game at once with reward -1 for every
seat and ``illegal`` = 1; ``raw_env`` raises. An action outside the action space is an error in all of them.

``reset(seed=s)`` deals game 0 of ``make_vec(..., seed=s)``; a later ``reset()`` deals that game's next
episode. An environment can be deep-copied and pickled in the middle of a game; ``get_state`` and
``set_state`` are quicker.

Version history: v0, the first.
"""

from os import PathLike

from unspoken.envs.faces.aec import GameAECEnv
from unspoken.envs.faces.parallel import GameParallelEnv
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.game import SyncroGame

__all__ = ["NAME", "env", "parallel_env", "raw_env"]

NAME = "syncro_v0"


def env(
    scenario: str = "I-a",
    n_players: int = 3,
    reward: str = "sparse",
    unlocked: bool = False,
    first_level: str | None = None,
    cards: str | PathLike[str] | None = None,
    observation: str = "onehot",
    render_mode: str | None = None,
) -> GameAECEnv:
    """Syncro as an AEC environment; an illegal action ends the game, lost with reward -1 for all.

    Args:
        scenario: ``"I-a"`` .. ``"I-d"``, ``"II-a"`` .. ``"II-e"``: one level; ``"chapter-1"``,
            ``"chapter-2"``, ``"adventure"``: several in order, up to 10 tries each.
        n_players: seats, 2 to 5.
        reward: ``"sparse"`` or ``"shaped"``.
        unlocked: play with the three cards of the end of the adventure.
        first_level: where a scenario of several levels goes on from; ``None``: its first level.
        cards: a YAML file or a folder of them; ``None``: the cards that come with the package.
        observation: ``"onehot"`` or ``"compact"``.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` (needs ``unspoken[view]``) or ``None``.

    Raises:
        ValueError, TypeError: an argument is not allowed; the message names it and what is allowed.
    """
    game = SyncroGame(SyncroConfig(scenario, n_players, reward, unlocked, first_level, cards))
    return GameAECEnv(game, NAME, observation, render_mode)


def raw_env(
    scenario: str = "I-a",
    n_players: int = 3,
    reward: str = "sparse",
    unlocked: bool = False,
    first_level: str | None = None,
    cards: str | PathLike[str] | None = None,
    observation: str = "onehot",
    render_mode: str | None = None,
) -> GameAECEnv:
    """The same, but an illegal action raises a ``ValueError`` that names it and the legal ones.

    Arguments as ``env``.
    """
    game = SyncroGame(SyncroConfig(scenario, n_players, reward, unlocked, first_level, cards))
    return GameAECEnv(game, NAME, observation, render_mode, raise_illegal=True)


def parallel_env(
    scenario: str = "I-a",
    n_players: int = 3,
    reward: str = "sparse",
    unlocked: bool = False,
    first_level: str | None = None,
    cards: str | PathLike[str] | None = None,
    observation: str = "onehot",
    render_mode: str | None = None,
) -> GameParallelEnv:
    """Syncro as a parallel environment: all seats act in every step; those whose turn it is not play NOOP.

    NOOP is the last action, ``A``, which only this form has: ``Discrete(A + 1)`` and masks of length ``A +
    1``. A waiting seat may play NOOP only, the seat to act anything but. Arguments as ``env``.
    """
    game = SyncroGame(SyncroConfig(scenario, n_players, reward, unlocked, first_level, cards))
    return GameParallelEnv(game, NAME, observation, render_mode)
