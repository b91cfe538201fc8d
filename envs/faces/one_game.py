"""One game at a time on arrays of length 1: what the AEC, parallel and single-agent faces share."""

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from unspoken.envs.engine.game import Game, copy_records
from unspoken.envs.engine.random import check_seed

OBSERVATIONS = ("onehot", "compact")

ObservationSpace = spaces.Box | spaces.MultiDiscrete
State = dict[str, Any]


class ActionError(ValueError, AssertionError):
    """An action outside the action space, or an illegal one where those are refused.

    It is an ``AssertionError`` too, because PettingZoo's own check of bounds raises that.
    """


class OneGame:
    """One game, dealt and played through the game's compiled functions.

    Attributes:
        game, config, layout: what is played. observation: ``"onehot"`` or ``"compact"``.
        n_players, n_actions: sizes.
        dealt: a game has been dealt. finished: it is over.
        seat: the seat to act (of a finished game: any).
        truncated: it was cut off for its length.
        reward: the team's reward for the last action. score: the team's so far (a game of one win or loss: 1
        once it is won, else 0). tries: begun so far, where a game has several.
        illegal: the game was ended by an illegal action.
        last_action: (seat, action) that was played last, or ``None``.
    """

    def __init__(self, game: Game, observation: str = "onehot") -> None:
        if observation not in OBSERVATIONS:
            allowed = ", ".join(map(repr, OBSERVATIONS))
            raise ValueError(f"observation={observation!r}: must be one of {allowed}")
        self.game = game
        self.config = game.config
        self.layout = game.layout
        self.observation = observation
        self.n_players: int = game.config.n_players
        self.n_actions: int = game.config.n_actions
        self.dealt = False
        self.finished = False
        self.truncated = False
        self.seat = 0
        self.reward = 0.0
        self.score = 0.0
        self.tries = 1
        self.illegal = False
        self.last_action: tuple[int, int] | None = None
        # Plain arrays: numba looks up the type of a recarray eight times more slowly.
        self._params = game.config.params.view(np.ndarray)
        self._states = game.new_states(1, 0).view(np.ndarray)
        self._features = np.zeros(game.feature_width, np.int8)
        self._other_features = np.zeros(game.feature_width, np.int8)
        self._mask = np.zeros(game.mask_width, np.int8)
        self._player = np.zeros(1, np.int8)
        self._viewer = np.zeros(1, np.int64)

    def new_space(self) -> ObservationSpace:
        """A new space of one observation: ``Box`` for ``"onehot"``, ``MultiDiscrete`` for ``"compact"``."""
        return self.layout.onehot_space() if self.observation == "onehot" else self.layout.compact_space()

    def deal(self, seed: int | None, slot: int = 0, episode: int = 0) -> None:
        """Deal what game ``slot`` of a batch with this ``seed`` plays as its ``episode``-th game, from 0.

        With ``seed=None`` the next episode of the same slot, at first of a random seed.
        """
        if seed is not None or not self.dealt:
            self._states = self.game.new_states(1, check_seed(seed)).view(np.ndarray)
            self._states["slot"] = slot
            self._states["episode"] = episode
        self.game.kernels.deal(self._params, self._states)
        self.dealt = True
        self.finished = False
        self.truncated = False
        self.reward = 0.0
        self.score = 0.0
        self.tries = 1
        self.illegal = False
        self.last_action = None
        self._view()

    def play(self, action: int) -> bool:
        """Play ``action`` for the seat to act, and return whether the game is over.

        An illegal action is not played: the game is over with reward -1.
        """
        self.last_action = (self.seat, action)
        outcome = self.game.kernels.play_action(self._params, self._states, action)
        reward, finished, truncated, illegal, score, tries = outcome
        # The rules give numpy's numbers when they run as ordinary Python.
        self.reward = float(reward)
        self.finished = bool(finished)
        self.truncated = bool(truncated)
        self.illegal = bool(illegal)
        self.score = float(score)
        self.tries = int(tries)
        self._view()
        return self.finished

    def _view(self) -> None:
        kernels = self.game.kernels
        kernels.view_games(self._params, self._states, 0, 1, self._features, self._mask, self._player)
        self.seat = int(self._player[0])

    def check_action(self, action: object, size: int) -> int:
        """``action`` as an ``int``; ``size`` is that of the action space.

        Raises:
            TypeError: not an integer. ActionError: outside the action space.
        """
        if type(action) is not int:
            try:
                if isinstance(action, bool):
                    raise TypeError
                action = index(action)  # type: ignore[arg-type]
            except TypeError:
                raise TypeError(f"action={action!r}: must be an integer from 0 to {size - 1}") from None
        if not 0 <= action < size:
            raise ActionError(f"action={action!r}: not in the action space, must be from 0 to {size - 1}")
        return action

    def is_legal(self, action: int) -> bool:
        """Whether the seat to act may play ``action`` (from the action space) now."""
        return bool(self._mask[action]) and not self.finished

    def explain_illegal(self, action: int) -> str:
        """An illegal action, its name and the legal ones, in words."""
        name = self.game.action_name
        legal = ", ".join(
            f"{other} ({name(other)})" for other in range(self.n_actions) if self.is_legal(other)
        )
        return f"action={action} ({name(action)}): illegal for seat {self.seat}; legal are {legal}"

    @property
    def won(self) -> bool:
        """Whether the team has all that there is to win."""
        return self.score >= self.game.max_score

    def infos(self) -> dict[str, Any]:
        """The numbers that every face reports: ``score``, ``illegal``, ``tries`` where a game has several."""
        infos: dict[str, Any] = {"score": self.score, "illegal": 1 if self.illegal else 0}
        if self.game.has_tries:
            infos["tries"] = self.tries
        return infos

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """``(A,) int8``, new: the legal actions of the seat to act; zeros for the others and at the end."""
        if seat == self.seat and not self.finished:
            return self._mask[: self.n_actions].copy()
        return np.zeros(self.n_actions, np.int8)

    def features(self, seat: int, everything: bool = False) -> npt.NDArray[np.int8]:
        """``(F,) int8``, until the next call, the view of ``seat``; ``everything`` turns up all cards."""
        features = self._features
        if everything or seat != self.seat:
            features = self._other_features
            self._viewer[0] = seat
            self.game.kernels.observe_games(
                self._params, self._states, 0, 1, self._viewer, everything, features
            )
        return features[: self.layout.size]

    def observe(self, seat: int, everything: bool = False) -> npt.NDArray[Any]:
        """The same view in the chosen form, new: ``(onehot_size,) float32`` or ``(F,) int8``."""
        features = self.features(seat, everything)
        return self.layout.onehot(features) if self.observation == "onehot" else features.copy()

    def get_state(self) -> State:
        """A copy of everything the game's future depends on."""
        return {
            "config": self.config,
            "states": copy_records(self._states),
            "dealt": self.dealt,
            "finished": self.finished,
            "truncated": self.truncated,
            "reward": self.reward,
            "score": self.score,
            "tries": self.tries,
            "illegal": self.illegal,
            "last_action": self.last_action,
        }

    def set_state(self, state: State) -> None:
        """Go back to what ``get_state`` returned.

        Raises:
            ValueError: the state is of another configuration, or not a state.
        """
        for name in self.get_state():
            if name not in state:
                raise ValueError(f"state without {name!r}: must be what get_state() returned")
        if state["config"] != self.config:
            raise ValueError(f"state of {state['config']}: must be of {self.config}")
        self._states = copy_records(state["states"])
        self.dealt = state["dealt"]
        self.finished = state["finished"]
        self.truncated = state["truncated"]
        self.reward = state["reward"]
        self.score = state["score"]
        self.tries = state["tries"]
        self.illegal = state["illegal"]
        self.last_action = state["last_action"]
        self._view()
