"""The other seats at a learner's table: agents that the user brings, called by their interface alone."""

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.game import Game
from unspoken.envs.engine.random import sampling_streams

Rows = npt.NDArray[np.intp]
Memory = npt.NDArray[Any] | None

_7 = np.uint64(7)
_13 = np.uint64(13)
_17 = np.uint64(17)
_32 = np.uint64(32)


class Partner(Protocol):
    """What an agent must be to play the other seats: ``unspoken.agents.base.Agent``, which says it in full.

    Attributes:
        name: for messages.
        sees_state: the agent is given the view with all cards turned up.
    """

    name: str
    sees_state: bool

    def reset(self, game: Game, num_games: int, seed: int) -> Memory:
        """Bind the game; the memory of ``num_games`` new games, or ``None``."""

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: Memory,
    ) -> tuple[npt.NDArray[np.int64], Memory]:
        """Actions in any games, and the new memory of these."""


class UniformPartner:
    """Every legal action is equally likely: the partner where none is given.

    Its memory is one generator a game.
    """

    name = "uniform"
    sees_state = False

    def reset(self, game: Game, num_games: int, seed: int) -> npt.NDArray[np.uint64]:
        """Generators for ``num_games`` games, keyed by ``seed``."""
        return sampling_streams(num_games, seed)

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: Memory,
    ) -> tuple[npt.NDArray[np.int64], Memory]:
        """Draw from the actions that ``mask`` allows."""
        assert state is not None
        # As engine.random.advance, for all games at once.
        generators = state ^ (state << _13)
        generators ^= generators >> _7
        generators ^= generators << _17
        rank = np.cumsum(mask, axis=1, dtype=np.uint64)
        skip = ((generators >> _32) * rank[:, -1]) >> _32
        return np.argmax(rank > skip[:, None], axis=1), generators


PartnerOrPartners = Partner | Sequence[Partner] | None


class Partners:
    """The agents at the seats that the learner does not play, in ``num_games`` games.

    They sit clockwise from the learner, wherever it sits. Each seat has a memory of its own, so that an agent
    in two seats shares nothing private.
    """

    def __init__(self, game: Game, partners: PartnerOrPartners, num_games: int) -> None:
        """
        Args:
            partners: one agent for all other seats, or one for each, clockwise from the learner. ``None``:
                uniform play.

        Raises:
            ValueError: another number of agents. TypeError: not agents.
        """
        others = game.config.n_players - 1
        chosen: list[Any] = [UniformPartner()] if partners is None else _as_list(partners)
        if len(chosen) not in (1, others):
            raise ValueError(
                f"partners: {len(chosen)} agents; must be one, or {others}, one for each other seat"
            )
        for agent in chosen:
            if not (callable(getattr(agent, "act", None)) and callable(getattr(agent, "reset", None))):
                raise TypeError(f"partners={agent!r}: must be agents, with reset() and act()")
        self._agents: list[Partner] = chosen * others if len(chosen) == 1 else chosen
        self._game = game
        self._num_games = num_games
        self._memories: list[Memory] = [None] * others

    def reset(self, seeds: np.random.Generator) -> None:
        """New games everywhere."""
        self._memories = [agent.reset(self._game, self._num_games, _seed(seeds)) for agent in self._agents]

    def begin(self, rows: Rows, seeds: np.random.Generator) -> None:
        """New games in ``rows``."""
        for agent, memory in zip(self._agents, self._memories, strict=True):
            if memory is not None:
                memory[rows] = agent.reset(self._game, len(rows), _seed(seeds))

    def act(
        self,
        rows: Rows,
        learner: npt.NDArray[np.int8],
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        reveal: Callable[[], npt.NDArray[np.int8]],
    ) -> npt.NDArray[np.int64]:
        """``(n,) int64``: what the partners choose in ``rows``, where one of them is to act; 0 elsewhere.

        Args:
            learner: ``(n,)``, the learner's seat in each game.
            features, mask, player: ``(n, ...)``, what the seat to act sees and may do, and the seat.
            reveal: gives the features with all cards turned up, for agents that see the state.

        Raises:
            ValueError: an agent chose an illegal action.
        """
        actions = np.zeros(self._num_games, np.int64)
        distance = (player[rows] - learner[rows]) % self._game.config.n_players
        for place, agent in enumerate(self._agents):
            mine = rows[distance == place + 1]
            if len(mine) == 0:
                continue
            view = reveal() if agent.sees_state else features
            memory = self._memories[place]
            remembered = None if memory is None else memory[mine]
            chosen, remembered = agent.act(view[mine], mask[mine], player[mine], remembered)
            if memory is not None:
                memory[mine] = remembered
            _check_legal(agent, chosen, mask[mine], player[mine])
            actions[mine] = chosen
        return actions


def _as_list(partners: Any) -> list[Any]:
    if isinstance(partners, str):
        raise TypeError(
            f"partners={partners!r}: must be agents, not names (load_agent gives the agent of a name)"
        )
    return list(partners) if isinstance(partners, Sequence) else [partners]


def _seed(seeds: np.random.Generator) -> int:
    return int(seeds.integers(2**63))


def _check_legal(
    agent: Partner,
    chosen: npt.NDArray[np.int64],
    mask: npt.NDArray[np.int8],
    player: npt.NDArray[np.int8],
) -> None:
    inside = (chosen >= 0) & (chosen < mask.shape[1])
    legal = inside & (mask[np.arange(len(chosen)), np.where(inside, chosen, 0)] != 0)
    if not legal.all():
        first = int(np.argmin(legal))
        raise ValueError(f"partner {agent.name!r} in seat {player[first]}: action {chosen[first]} is illegal")


def check_seat(seat: object, n_players: int) -> int | None:
    """The learner's seat, or ``None`` for ``"random"``.

    Raises:
        ValueError, TypeError: neither a seat nor ``"random"``.
    """
    allowed = f"must be from 0 to {n_players - 1}, or 'random'"
    if isinstance(seat, str):
        if seat != "random":
            raise ValueError(f"seat={seat!r}: {allowed}")
        return None
    if isinstance(seat, bool) or not isinstance(seat, Integral):
        raise TypeError(f"seat={seat!r}: {allowed}")
    if not 0 <= int(seat) < n_players:
        raise ValueError(f"seat={seat!r}: {allowed}")
    return int(seat)
