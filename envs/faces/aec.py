"""The AEC face (PettingZoo): seats act one after the other, with ``agent_iter``, ``last`` and ``step``.

PettingZoo's wrappers for order and bounds are part of the class, with the same errors: two wrappers would
take longer than the game does. ``TerminateIllegalWrapper`` is not used, because it punishes one seat, and a
team wins or loses together.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv, AECIterable, AECIterator  # type: ignore[import-untyped]
from pettingzoo.utils.env_logger import EnvLogger  # type: ignore[import-untyped]

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.display import RENDER_FPS, RENDER_MODES, Display
from unspoken.envs.faces.one_game import ActionError, ObservationSpace, OneGame, State

_AFTER_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents")


def agent_names(n_players: int) -> list[str]:
    """``["player_0", "player_1", ...]`` in the order of the seats."""
    return [f"player_{seat}" for seat in range(n_players)]


def dict_space(observation: ObservationSpace, n_actions: int) -> spaces.Dict:
    """``{"observation", "action_mask"}``."""
    return spaces.Dict({"action_mask": spaces.Box(0, 1, (n_actions,), np.int8), "observation": observation})


class GameAECEnv(AECEnv):  # type: ignore[misc]
    """A game as a PettingZoo ``AECEnv`` (``unspoken.envs.syzygy_v0.env`` builds it and says what holds).

    Attributes:
        possible_agents: ``"player_0"`` ... in the order of the seats.
        observation_spaces, action_spaces, state_space: the spaces.
        game, config: what is played. feature_layout: what the entries of an observation mean.
        render_view: whom ``render`` shows: an agent, or ``None`` for all cards turned up.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        observation: str = "onehot",
        render_mode: str | None = None,
        info_mask: bool = True,
        raise_illegal: bool = False,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.game = game
        self.config = game.config
        self.feature_layout: FeatureLayout = game.layout
        self.render_mode = render_mode
        self.render_view: str | None = None
        self._info_mask = info_mask
        self._raise_illegal = raise_illegal
        self._one = OneGame(game, observation)
        self._display = Display(game, render_mode)
        self.possible_agents = agent_names(game.config.n_players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        n_actions = self._one.n_actions
        self.observation_spaces = {
            agent: dict_space(self._one.new_space(), n_actions) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.state_space = self._one.new_space()
        self._moved = False

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of ``observe(agent)``; the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """``Discrete(A)``; the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal slot 0, episode 0 of a batch with this ``seed``; without one, the next episode.

        ``options`` are ignored.
        """
        self._one.deal(seed)
        self._moved = True
        self._seat_everyone()

    def _seat_everyone(self) -> None:
        agents = self.possible_agents
        self.agents: list[str] = agents[:]
        self.agent_selection: str = agents[self._one.seat]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._skip_agent_selection: str | None = None
        self.infos: dict[str, dict[str, Any]] = self._new_infos()
        self._show()

    def _new_infos(self) -> dict[str, dict[str, Any]]:
        one = self._one
        infos = one.infos()
        if not self._info_mask:
            return {agent: dict(infos) for agent in self._seats}
        return {agent: {"action_mask": one.mask(seat), **infos} for agent, seat in self._seats.items()}

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What ``agent`` may know now, in new arrays; valid for any agent at any time after ``reset``.

        Raises:
            AssertionError: before ``reset``. ValueError: there is no such agent.
        """
        one = self._one
        if not one.dealt:
            EnvLogger.error_observe_before_reset()
        seat = self._seat(agent)
        return {"observation": one.observe(seat), "action_mask": one.mask(seat)}

    def state(self) -> npt.NDArray[Any]:
        """Seat 0's view with all cards turned up, in the form of the observations: the full hidden state.

        Raises:
            AssertionError: before ``reset``.
        """
        if not self._one.dealt:
            EnvLogger.error_state_before_reset()
        return self._one.observe(0, everything=True)

    def step(self, action: Any) -> None:
        """Play ``action`` for ``agent_selection``; once the game is over, ``None`` takes that agent off.

        An illegal action ends the game at once with reward -1 for all (``env``), or is refused (``raw_env``).

        Raises:
            AssertionError: before ``reset``.
            TypeError: not an integer.
            ActionError: outside the action space, or illegal in ``raw_env``. It is a ``ValueError`` and an
                ``AssertionError``.
            ValueError: not ``None`` after the end.
        """
        one = self._one
        if not one.dealt:
            EnvLogger.error_step_before_reset()
        self._moved = True
        agents = self.agents
        if not agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:  # a wrapper may have set them
            self._was_dead_step(action)
            return
        action = one.check_action(action, one.n_actions)
        if self._raise_illegal and not one.is_legal(action):
            raise ActionError(one.explain_illegal(action))
        finished = one.play(action)
        self._cumulative_rewards[agent] = 0.0
        reward = one.reward
        self.rewards = dict.fromkeys(agents, reward)
        if reward != 0.0:
            self._accumulate_rewards()
        if finished:
            self.terminations = dict.fromkeys(agents, not one.truncated)
            self.truncations = dict.fromkeys(agents, one.truncated)
        self.infos = self._new_infos()
        self.agent_selection = agents[one.seat]
        self._show()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """The agents in the order in which they act; call ``step`` or ``reset`` once for each.

        Raises:
            AssertionError: before ``reset``.
        """
        if not self._one.dealt:
            EnvLogger.error_agent_iter_before_reset()
        return _OrderedIterable(self, max_iter)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """``"ansi"``: text. ``"rgb_array"``: ``(H, W, 3) uint8``. ``"human"``: ``None``, drawn in a window.

        Raises:
            AssertionError: before ``reset``.
        """
        if not self._one.dealt:
            EnvLogger.error_render_before_reset()
        return self._display.render(
            self._one, None if self.render_view is None else self._seat(self.render_view)
        )

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
        state = self._one.get_state()
        if self._one.dealt:
            state["agents"] = self.agents[:]
            state["agent_selection"] = self.agent_selection
            state["skip_agent_selection"] = self._skip_agent_selection
            state["rewards"] = dict(self.rewards)
            state["cumulative_rewards"] = dict(self._cumulative_rewards)
        return state

    def set_state(self, state: State) -> None:
        """Go back to what ``get_state`` returned.

        Raises:
            ValueError: the state is of another configuration.
        """
        self._one.set_state(state)
        self._moved = True
        if not self._one.dealt:
            return
        self.agents = state["agents"][:]
        self.agent_selection = state["agent_selection"]
        self._skip_agent_selection = state["skip_agent_selection"]
        self.rewards = dict(state["rewards"])
        self._cumulative_rewards = dict(state["cumulative_rewards"])
        one = self._one
        self.terminations = dict.fromkeys(self.agents, one.finished and not one.truncated)
        self.truncations = dict.fromkeys(self.agents, one.truncated)
        self.infos = {agent: info for agent, info in self._new_infos().items() if agent in self.agents}

    def _seat(self, agent: str) -> int:
        if agent not in self._seats:
            raise ValueError(f"agent={agent!r}: must be one of {', '.join(self.possible_agents)}")
        return self._seats[agent]

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.config}, observation={self._one.observation!r})"


class _OrderedIterable(AECIterable):  # type: ignore[misc]
    def __iter__(self) -> Iterator[str]:
        return _OrderedIterator(self.env, self.max_iter)


class _OrderedIterator(AECIterator):  # type: ignore[misc]
    def __next__(self) -> str:
        env = self.env
        if not env.agents or self.iters_til_term <= 0:
            raise StopIteration
        self.iters_til_term -= 1
        assert env._moved, "need to call step() or reset() in a loop over `agent_iter`"
        env._moved = False
        agent: str = env.agent_selection
        return agent
