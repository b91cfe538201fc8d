"""The batch face: many games at once on preallocated arrays, with auto-reset and without copies."""

from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.game import Game, copy_records
from unspoken.envs.engine.random import check_seed, sampling_streams
from unspoken.envs.engine.threads import Team, choose_threads

BACKENDS = ("numpy", "torch")
ARRAYS = (
    "features",
    "mask",
    "player",
    "reward",
    "done",
    "truncated",
    "illegal",
    "score",
    "tries",
    "progress",
    "final_features",
)
"""What a batch writes for every game: the names of its attributes."""


class BatchEnv:
    """``num_envs`` games of one configuration, all seats played through one stream of decisions.

    The arrays are allocated once and overwritten by every call; copy what you keep. ``n`` is ``num_envs``,
    ``F`` the number of features, ``A`` the number of actions. Rows of ``features`` and ``mask`` may be padded
    in memory (strided views).

    Attributes:
        features: ``(n, F) int8``, what the seat to act may know (``layout`` says what each entry is).
        mask: ``(n, A) int8``, 1 for each action that seat may play. Never all zero.
        player: ``(n,) int8``, the seat to act.
        reward: ``(n,) float32``, the team's reward for the last action.
        done: ``(n,) bool``, the last action ended the game; ``features`` are already the next game's.
        illegal: ``(n,) bool``, the last action was illegal: the game was lost with reward -1.
        truncated: ``(n,) bool``, that game was cut off for its length.
        score: ``(n,) float32``, the team's score of a game that has just ended (where a game is one win or
            loss: 1 won, 0 lost), 0 elsewhere.
        tries: ``(n,) int16``, tries in a game that has just ended (1 where a game has one), 0 elsewhere.
        progress: ``(n,) int16``, of ``config.max_potential``: how far the last action brought the game, for a
            trainer's own shaping (in Syzygy, pairs of cards put into ascending order).
        final_features: ``(n, F) int8``, in rows that are ``done`` the final position of the ended game.
        final_view: ``(n,) int8``, whose view ``final_features`` is: a seat, or -1 for the seat that acted
            last. Yours to set.
        layout: the feature layout. config: the game's configuration. num_envs, n_players, n_actions: sizes.
        threads: number of threads in use. seed: the seed in use. device: ``"cpu"``.

    With ``backend="torch"`` these arrays, and those that calls return, are torch tensors on the same memory.
    """

    final_view: npt.NDArray[np.int8]

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int | None = None,
        threads: int | None = None,
        backend: str = "numpy",
    ) -> None:
        """See ``unspoken.envs.make_vec``."""
        if backend not in BACKENDS:
            raise ValueError(f"backend={backend!r}: must be one of {', '.join(map(repr, BACKENDS))}")
        self._describe(game, num_envs, seed)
        n = self.num_envs
        self.device = "cpu"
        self.backend = backend
        self.threads = choose_threads(threads, n)
        self._kernels = game.kernels
        self._team = Team(self.threads, n)
        self._features = np.zeros(n * game.feature_width, np.int8)
        self._mask = np.zeros(n * game.mask_width, np.int8)
        self._final_features = np.zeros(n * game.feature_width, np.int8)
        self.player: Any = np.zeros(n, np.int8)
        self.reward: Any = np.zeros(n, np.float32)
        self.done: Any = np.zeros(n, np.bool_)
        self.truncated: Any = np.zeros(n, np.bool_)
        self.illegal: Any = np.zeros(n, np.bool_)
        self.score: Any = np.zeros(n, np.float32)
        self.tries: Any = np.zeros(n, np.int16)
        self.progress: Any = np.zeros(n, np.int16)
        self.final_view = np.full(n, -1, np.int8)
        self.features: Any = self._features.reshape(n, -1)[:, : self.layout.size]
        self.mask: Any = self._mask.reshape(n, -1)[:, : self.n_actions]
        self.final_features: Any = self._final_features.reshape(n, -1)[:, : self.layout.size]
        self._outputs = (
            self._features,
            self._mask,
            self.player,
            self.reward,
            self.done,
            self.truncated,
            self.illegal,
            self.score,
            self.tries,
            self.progress,
            self.final_view,
            self._final_features,
        )
        self._states = game.new_states(n, self.seed)
        self._sampled = np.zeros(n, np.int32)
        self._generators = sampling_streams(n, self.seed)
        self._was_reset = False
        if backend == "torch":
            self._share_with_torch()

    def _describe(self, game: Game, num_envs: int, seed: int | None) -> None:
        """Check and set what a batch is, wherever it lies."""
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)):
            raise TypeError(f"num_envs={num_envs!r}: must be a positive integer")
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r}: must be 1 or more")
        self.game = game
        self.config = game.config
        self.layout = game.layout
        self.num_envs = int(num_envs)
        self.n_players: int = game.config.n_players
        self.n_actions: int = game.config.n_actions
        self.seed = check_seed(seed)
        self._params = game.config.params

    def _share_with_torch(self) -> None:
        try:
            import torch
        except ImportError:
            raise ImportError("backend='torch' needs PyTorch: pip install 'unspoken[train]'") from None
        self._from_numpy = torch.from_numpy
        for name in ARRAYS:
            setattr(self, name, torch.from_numpy(getattr(self, name)))

    def _give(self, array: npt.NDArray[Any]) -> Any:
        """The array as the backend has it."""
        return array if self.backend == "numpy" else self._from_numpy(array)

    def reset(self, seed: int | None = None) -> None:
        """Deal a new game everywhere: episode 0 of ``seed`` if one is given, the next episode otherwise."""
        if seed is not None:
            self.seed = check_seed(seed)
            self._states[:] = self.game.new_states(self.num_envs, self.seed)
            self._generators[:] = sampling_streams(self.num_envs, self.seed)
        features, mask, player = self._outputs[:3]
        for array in self._outputs[3:10]:
            array.fill(0)
        self._team.run(
            lambda start, stop: self._kernels.reset_games(
                self._params, self._states, start, stop, features, mask, player
            )
        )
        self._was_reset = True

    def step(self, actions: Any) -> None:
        """Play one action in each game: ``actions`` is ``(n,)`` integers, a numpy array, a list or a torch
        tensor.

        An action that its mask does not allow is not played: it ends that game, lost, with reward -1 and
        ``illegal``.

        Raises:
            ValueError: wrong shape. TypeError: not integers. RuntimeError: ``reset`` has not been called.
        """
        self._check_reset()
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,):
            raise ValueError(
                f"actions of shape {chosen.shape}: must be ({self.num_envs},), one for each game"
            )
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"actions of dtype {chosen.dtype}: must be integers")
        # Numbers outside the action space stay outside in the narrower type.
        narrow = chosen if chosen.dtype == np.int32 else np.clip(chosen, -1, self.n_actions).astype(np.int32)
        self._team.run(
            lambda start, stop: self._kernels.step_games(
                self._params, self._states, start, stop, 0, self._generators, narrow, *self._outputs
            )
        )

    def sample_actions(self) -> Any:
        """``(n,) int32``: an action for each game, drawn uniformly from those its mask allows."""
        self._check_reset()
        self._team.run(
            lambda start, stop: self._kernels.sample_actions(
                self._params, self._states, start, stop, self._generators, self._sampled
            )
        )
        return self._give(self._sampled)

    def play_random(self, steps: int = 1) -> None:
        """Play ``steps`` uniformly drawn legal actions in each game, writing every array at every step."""
        self._check_reset()
        self._team.run(
            lambda start, stop: self._kernels.step_games(
                self._params,
                self._states,
                start,
                stop,
                steps,
                self._generators,
                self._sampled,
                *self._outputs,
            )
        )

    def observe(self, seats: npt.ArrayLike, everything: bool = False) -> Any:
        """``(n, F) int8``, new: the view of seat ``seats`` (one for all games, or ``(n,)``) of each game as
        it stands.

        With ``everything`` all cards are turned up: the hidden state, for centralised critics and oracles.
        """
        self._check_reset()
        views = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int64), (self.num_envs,)))
        if views.min() < 0 or views.max() >= self.n_players:
            raise ValueError(f"seats={seats!r}: must be from 0 to {self.n_players - 1}")
        out = np.zeros_like(self._features)
        self._team.run(
            lambda start, stop: self._kernels.observe_games(
                self._params, self._states, start, stop, views, everything, out
            )
        )
        return self._give(out.reshape(self.num_envs, -1)[:, : self.layout.size])

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """A copy of everything the next calls depend on, for ``set_state``: arrays that can be saved."""
        return {
            "states": copy_records(self._states),
            "generators": self._generators.copy(),
            "configuration": self._configuration(),
        }

    def _configuration(self) -> npt.NDArray[np.uint8]:
        """``(32,) uint8``: a digest of all that the rules read of the configuration."""
        # A copied record has anything at all in the gaps between its fields.
        read = np.zeros(1, self._params.dtype)
        for name in read.dtype.names:
            read[name] = self._params[name]
        return np.frombuffer(sha256(read.tobytes()).digest(), np.uint8)

    def set_state(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go back to what ``get_state`` returned, for a batch of the same configuration and size.

        Raises:
            ValueError: it is of another size or configuration, or something else.
        """
        self._check_saved(saved)
        self._states[:] = saved["states"]
        self._generators[:] = saved["generators"]
        features, mask, player = self._outputs[:3]
        self._team.run(
            lambda start, stop: self._kernels.view_games(
                self._params, self._states, start, stop, features, mask, player
            )
        )
        self._was_reset = True

    def _check_saved(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Check that ``set_state`` can take ``saved``."""
        for name in ("states", "generators", "configuration"):
            if name not in saved:
                raise ValueError(f"saved state without {name!r}: must be what get_state() returned")
        if not np.array_equal(saved["configuration"], self._configuration()):
            raise ValueError(f"saved state of another configuration: must be of {self.config}")
        like = self.game.new_states(1, 0)
        if saved["states"].shape != (self.num_envs,) or saved["states"].dtype != like.dtype:
            raise ValueError(
                f"saved state of {saved['states'].shape} games: must be ({self.num_envs},) games like these"
            )

    @property
    def states(self) -> Any:
        """The hidden records of the games (``STATE_DTYPE``), not a copy: for tests and oracles."""
        return self._states

    def action_name(self, action: int) -> str:
        """What an action means, in words."""
        return self.game.action_name(action)

    def close(self) -> None:
        """Let the threads go."""
        self._team.close()

    def __getstate__(self) -> dict[str, Any]:
        # Threads and shared memory are made anew; `features` and `mask` must stay views of the flat arrays.
        return {
            "arguments": (self.game, self.num_envs, self.seed, self.threads, self.backend),
            "saved": self.get_state(),
            "outputs": [array.copy() for array in self._flat_outputs()],
            "was_reset": self._was_reset,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*state["arguments"])  # type: ignore[misc]
        self._states[:] = state["saved"]["states"]
        self._generators[:] = state["saved"]["generators"]
        for array, saved in zip(self._flat_outputs(), state["outputs"], strict=True):
            array[:] = saved
        self._was_reset = state["was_reset"]

    def _flat_outputs(self) -> list[npt.NDArray[Any]]:
        return [*self._outputs, self._sampled]

    def _check_reset(self) -> None:
        if not self._was_reset:
            raise RuntimeError("call reset() first")

    def __repr__(self) -> str:
        sizes = f"num_envs={self.num_envs}, threads={self.threads}"
        return f"BatchEnv({self.config}, {sizes}, backend={self.backend!r})"
