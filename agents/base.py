"""What every player is: one batch-first interface for bots, learned policies and humans.

A caller binds an agent with ``reset`` and then asks it for the actions of the games where it is to act::

    agent = load_agent("syzygy/greedy")
    state = agent.reset(vec.game, vec.num_envs, seed=0)
    rows = np.flatnonzero(vec.player == 2)                       # games in which seat 2 is to act
    memory = None if state is None else state[rows]
    actions, memory = agent.act(vec.features[rows], vec.mask[rows], vec.player[rows], memory)
    if state is not None:
        state[rows] = memory

``unspoken.agents.table.Table`` does this for a whole table of agents.
"""

from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.game import Game

State: TypeAlias = npt.NDArray[Any] | None
"""What an agent remembers between its decisions: an array whose first axis is the game, or ``None``."""


@runtime_checkable
class Agent(Protocol):
    """A player.

    ``m`` is the number of games in a call, ``F`` the number of features, ``A`` the number of actions.
    An agent is built without a task and may sit in several seats and at several tables; all it remembers of a
    game is in its state, never in the object. Every seat it sits in has a state of its own, so nothing
    private is shared. The only thing ``reset`` may keep in the object is what follows from the game's
    configuration.

    Attributes:
        name: a short name for tables.
        sees_state: the agent is given the view with every card turned up (``vec.observe(seats,
            everything=True)``) instead of the seat's own. Only an oracle is ``True``.
    """

    name: str
    sees_state: bool

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Bind the game, and return the state for ``num_games`` new games.

        Called before the first game and again, with the number of games concerned and another ``seed``, for
        the rows in which a game has ended; states returned before stay valid.

        Args:
            game: what is played (``make_game(task)`` or ``vec.game``): ``game.config``, ``game.layout``.
            num_games: number of games that begin.
            seed: integer, for agents that draw; the same seed gives the same play.

        Returns:
            ``None``, or an array of shape ``(num_games, ...)``.

        Raises:
            ValueError: the agent cannot play this game; the message says what it can play.
        """

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """Choose an action in each of ``m`` games, which may be any games of any tables in any order.

        What is chosen in a game depends on its row alone, never on the other rows.

        Args:
            features: ``(m, F) int8``, the view of the seat to act (rows may be strided).
            mask: ``(m, A) int8``, 1 for each action allowed; never all zero.
            player: ``(m,) int8``, the seat to act.
            state: these games' rows of the state, or ``None``.

        Returns:
            ``(m,) int64`` allowed actions, and the new state of these rows (``None`` if there is none).
        """


class Thought(NamedTuple):
    """What a policy thinks of ``m`` positions.

    Attributes:
        probabilities: ``(m, A) float32``, of the actions; exactly 0 for those that are not allowed.
        values: ``(m,) float32``, the reward that it still expects.
        state: as ``Agent.act`` returns it.
    """

    probabilities: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    state: State


@runtime_checkable
class Thinker(Agent, Protocol):
    """An agent with a policy that can be looked into."""

    def think(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> Thought:
        """What the policy thinks where ``act``, with the same arguments, would choose."""
