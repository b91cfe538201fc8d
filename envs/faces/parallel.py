"""The parallel face (PettingZoo): every seat acts in every step; those not on turn have one action, NOOP."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.env import ParallelEnv  # type: ignore[import-untyped]
from pettingzoo.utils.env_logger import EnvLogger  # type: ignore[import-untyped]

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.aec import agent_names, dict_space
from unspoken.envs.faces.display import RENDER_FPS, RENDER_MODES, Display
from unspoken.envs.faces.one_game import OneGame, State

Observations = dict[str, dict[str, npt.NDArray[Any]]]
Infos = dict[str, dict[str, Any]]


class GameParallelEnv(ParallelEnv):  # type: ignore[misc]
    """A game as a PettingZoo ``ParallelEnv``. Build it with ``unspoken.envs.syzygy_v0.parallel_env``.

    An action that a seat's mask forbids is illegal, whichever seat plays it: it ends the game at once with
    reward -1 for all and ``illegal`` = 1. So a waiting seat must play NOOP, and the seat to act may not.

    Attributes:
        possible_agents, observation_spaces, action_spaces, state_space, game, config, feature_layout,
        render_view:
            as in ``GameAECEnv``, with one more action.
        noop: the number of the action NOOP, the last.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        observation: str = "onehot",
        render_mode: str | None = None,
        info_mask: bool = False,
    ) -> None:
        self.metadata = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": True,
        }
        self.game = game
        self.config = game.config
        self.feature_layout: FeatureLayout = game.layout
        self.render_mode = render_mode
        self.render_view: str | None = None
        self._info_mask = info_mask
        self._one = OneGame(game, observation)
        self._display = Display(game, render_mode)
        self.noop = self._one.n_actions
        self.possible_agents = agent_names(game.config.n_players)
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: dict_space(self._one.new_space(), self.noop + 1) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.noop + 1) for agent in self.possible_agents}
        self.state_space = self._one.new_space()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations; the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """``Discrete(A + 1)``; the same object each time."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Deal slot 0, episode 0 of a batch with this ``seed``; without one, the next episode.

        ``options`` are ignored.
        """
        self._one.deal(seed)
        self.agents = self.possible_agents[:]
        self._show()
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play one action for every seat; only that of the seat to act changes the game.

        Args:
            actions: an action for each of ``agents``.

        Returns:
            observations, rewards (the team's), terminations, truncations, infos, each with every agent; once
            the game is over, five empty dictionaries.

        Raises:
            AssertionError: before ``reset``.
            ValueError: an agent's action is missing, or there is no such agent.
            TypeError: an action is not an integer.
            ActionError: an action is outside the action space.
        """
        one = self._one
        if not one.dealt:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return {}, {}, {}, {}, {}
        if actions.keys() != self.action_spaces.keys():
            raise ValueError(
                f"actions for {', '.join(actions)}: must be for each of {', '.join(self.agents)}"
            )
        chosen = [one.check_action(actions[agent], self.noop + 1) for agent in self.agents]
        if all(action == self.noop for seat, action in enumerate(chosen) if seat != one.seat):
            finished = one.play(chosen[one.seat])
        else:
            finished = one.play(self.noop)  # no action of the game itself, so it is illegal in every position
        agents = self.agents
        if finished:
            self.agents = []
        self._show()
        return (
            self._observations(),
            dict.fromkeys(agents, one.reward),
            dict.fromkeys(agents, finished and not one.truncated),
            dict.fromkeys(agents, one.truncated),
            self._infos(),
        )

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        mask = np.zeros(self.noop + 1, np.int8)
        if seat == self._one.seat and not self._one.finished:
            mask[: self.noop] = self._one.mask(seat)
        else:
            mask[self.noop] = 1
        return mask

    def _observations(self) -> Observations:
        return {
            agent: {"observation": self._one.observe(seat), "action_mask": self._mask(seat)}
            for seat, agent in enumerate(self.possible_agents)
        }

    def _infos(self) -> Infos:
        infos: Infos = {agent: self._one.infos() for agent in self.possible_agents}
        if self._info_mask:
            for seat, agent in enumerate(self.possible_agents):
                infos[agent]["action_mask"] = self._mask(seat)
        return infos

    def state(self) -> npt.NDArray[Any]:
        """Seat 0's view with all cards turned up, in the form of the observations: the full hidden state.

        Raises:
            AssertionError: before ``reset``.
        """
        if not self._one.dealt:
            EnvLogger.error_state_before_reset()
        return self._one.observe(0, everything=True)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """As ``GameAECEnv.render``."""
        if not self._one.dealt:
            EnvLogger.error_render_before_reset()
        if self.render_view is None:
            return self._display.render(self._one, None)
        if self.render_view not in self.possible_agents:
            raise ValueError(
                f"render_view={self.render_view!r}: must be one of {', '.join(self.possible_agents)}"
            )
        return self._display.render(self._one, self.possible_agents.index(self.render_view))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._display.close()

    def action_name(self, action: int) -> str:
        """What an action means, in words; ``ValueError`` if there is no such action."""
        return self.game.action_name(action)

    def get_state(self) -> State:
        """A copy of all that the next calls depend on, for ``set_state`` under the same configuration."""
        return self._one.get_state()

    def set_state(self, state: State) -> None:
        """Go back to what ``get_state`` returned.

        Raises:
            ValueError: the state is of another configuration.
        """
        self._one.set_state(state)
        playing = self._one.dealt and not self._one.finished
        self.agents = self.possible_agents[:] if playing else []

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.config}, observation={self._one.observation!r})"
