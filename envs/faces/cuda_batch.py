"""The batch face on a GPU: the same games, with everything in tensors on the device."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.cuda import OUTPUTS, ROWS, Launcher, check_installation, words
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.random import check_seed, sampling_streams
from unspoken.envs.engine.words import BYTES
from unspoken.envs.faces.batch import BatchEnv


class CudaBatchEnv(BatchEnv):
    """A ``BatchEnv`` whose games are played on a CUDA device: game for game and bit for bit the same.

    Every array is a torch tensor on the device. All work is launched on torch's current stream, and ``step``,
    ``sample_actions``, ``play_random``, ``observe`` and ``reset`` without a seed never wait for the device
    and can be captured in a CUDA graph. ``reset(seed)``, ``get_state`` and ``set_state`` copy states from and
    to the host. What a call needs is compiled when the batch is made.

    Attributes:
        device: ``"cuda:0"`` or another.
    """

    def __init__(self, game: Game, num_envs: int, seed: int | None = None, number: int = 0) -> None:
        """See ``unspoken.envs.make_vec``; ``number`` is that of the CUDA device."""
        self._find_device(number)
        self._describe(game, num_envs, seed)
        self.backend = "torch"
        self.threads = 1
        self._was_reset = False
        with self._on_device():
            self._allocate()
            self._compile()

    # What a device is; everything else goes by these.

    def _find_device(self, number: int) -> None:
        check_installation(number)
        import torch
        from numba import cuda

        self._torch: Any = torch
        self._cuda: Any = cuda
        self._number = number
        self.device = f"cuda:{number}"

    @contextmanager
    def _on_device(self) -> Iterator[None]:
        """Have torch and numba use the device meanwhile."""
        with self._torch.cuda.device(self._number), self._cuda.gpus[self._number]:
            yield

    def _stream(self) -> Any:
        """Torch's current stream, as numba has it."""
        stream = self._torch.cuda.current_stream(self._number).cuda_stream
        return self._cuda.external_stream(stream) if stream else 0

    def _array(self, tensor: Any, kind: Any = None) -> Any:
        """The memory of a contiguous tensor as numba has it, with elements of dtype ``kind``."""
        array = self._cuda.as_cuda_array(tensor, sync=False)
        return array if kind is None else array.view(kind)

    # Memory.

    def _allocate(self) -> None:
        game, n, torch = self.game, self.num_envs, self._torch
        self.player: Any = self._zeros(n, torch.int8)
        self.reward: Any = self._zeros(n, torch.float32)
        self.done: Any = self._zeros(n, torch.bool)
        self.truncated: Any = self._zeros(n, torch.bool)
        self.illegal: Any = self._zeros(n, torch.bool)
        self.score: Any = self._zeros(n, torch.float32)
        self.tries: Any = self._zeros(n, torch.int16)
        self.progress: Any = self._zeros(n, torch.int16)
        self.final_view = self._zeros(n, torch.int8) - 1
        self._features: Any = self._rows(game.feature_width)
        self._mask: Any = self._rows(game.mask_width)
        self._final_features: Any = self._rows(game.feature_width)
        self.features: Any = self._as_rows(self._features)[:, : self.layout.size]
        self.mask: Any = self._as_rows(self._mask)[:, : self.n_actions]
        self.final_features: Any = self._as_rows(self._final_features)[:, : self.layout.size]
        self._outputs: Any = (
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
        self._sampled: Any = self._zeros(n, torch.int32)
        self._actions = self._zeros(n, torch.int64)
        self._device_params = self._uploaded(self._params)
        self._states: Any = self._uploaded(game.new_states(n, self.seed))
        self._generators: Any = self._uploaded(sampling_streams(n, self.seed))

    def _zeros(self, size: int, kind: Any) -> Any:
        return self._torch.zeros(size, dtype=kind, device=self.device)

    def _rows(self, width: int) -> Any:
        """A flat tensor of bytes with room for ``width`` of them a game, in whole words."""
        return self._zeros(self.num_envs * BYTES * words(width), self._torch.int8)

    def _as_rows(self, flat: Any) -> Any:
        return flat.view(self.num_envs, -1)

    def _uploaded(self, array: npt.NDArray[Any]) -> Any:
        """The bytes of an array, in a tensor on the device."""
        return self._torch.from_numpy(array.view(np.ndarray).view(np.uint8)).to(self.device, copy=True)

    def _downloaded(self, tensor: Any) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = tensor.cpu().numpy()
        return array

    def _compile(self) -> None:
        """Make the launcher, and launch everything on no game: a CUDA graph can capture only what has been
        loaded onto the device before."""
        kernels = self.game.cuda_kernels
        arrays = {
            "params": self._array(self._device_params, kernels.PARAMS_DTYPE),
            "states": self._array(self._states, kernels.STATE_DTYPE),
            "state_words": self._array(self._states, np.uint64),
            "generators": self._array(self._generators, np.uint64),
            "actions": self._array(self._actions),
            "sampled": self._array(self._sampled),
        }
        for name, tensor in zip(OUTPUTS, self._outputs, strict=True):
            arrays[name] = self._array(tensor, np.uint64 if name in ROWS else None)
        self._launcher = Launcher(self.game, self.num_envs, arrays, self._stream)
        rehearsal = Launcher(self.game, 0, arrays, self._stream)
        rehearsal.deal()
        rehearsal.sample_actions()
        rehearsal.observe(arrays["actions"], False, arrays["features"])
        self._actions.copy_(self._sampled)

    # Games.

    def reset(self, seed: int | None = None) -> None:
        """Deal a new game everywhere: episode 0 of ``seed`` if one is given, the next episode otherwise."""
        with self._on_device():
            if seed is not None:
                self.seed = check_seed(seed)
                self._states.copy_(self._uploaded(self.game.new_states(self.num_envs, self.seed)))
                self._generators.copy_(self._uploaded(sampling_streams(self.num_envs, self.seed)))
            for tensor in self._outputs[3:10]:
                tensor.zero_()
            self._launcher.deal()
        self._was_reset = True

    def step(self, actions: Any) -> None:
        """Play one action in each game: ``actions`` is ``(n,)``, an ``int64`` or ``int32`` tensor on the
        device.

        An action that its mask does not allow is not played: it ends that game, lost, with reward -1 and
        ``illegal``.

        Raises:
            ValueError: wrong shape, or another device. TypeError: no tensor of such integers. RuntimeError:
                ``reset`` has not been called.
        """
        self._check_reset()
        self._check_tensor("actions", actions)
        with self._on_device():
            self._actions.copy_(actions)
            self._launcher.play()

    def sample_actions(self) -> Any:
        """``(n,) int32``: an action for each game, drawn uniformly from those its mask allows."""
        self._check_reset()
        with self._on_device():
            self._launcher.sample_actions()
        return self._sampled

    def play_random(self, steps: int = 1) -> None:
        """Play ``steps`` uniformly drawn legal actions in each game, writing every array at every step, in
        one launch."""
        self._check_reset()
        with self._on_device():
            self._launcher.play_random(max(1, steps))

    def observe(self, seats: Any, everything: bool = False) -> Any:
        """``(n, F) int8``, new: the view of seat ``seats`` (one for all games, or ``(n,)`` as in ``step``) of
        each game as it stands.

        With ``everything`` all cards are turned up: the hidden state, for centralised critics and oracles.
        The host does not look into a tensor of seats: a number that is no seat becomes the nearest one.

        Raises:
            ValueError: a seat that there is not; a tensor of another shape, or on another device. TypeError:
                neither an integer nor a tensor of integers.
        """
        self._check_reset()
        one_seat = isinstance(seats, (int, np.integer)) and not isinstance(seats, bool)
        if one_seat and not 0 <= seats < self.n_players:
            raise ValueError(f"seats={seats!r}: must be from 0 to {self.n_players - 1}")
        if not one_seat:
            self._check_tensor("seats", seats)
        with self._on_device():
            views = self._zeros(self.num_envs, self._torch.int64)
            if one_seat:
                views.fill_(int(seats))
            else:
                views.copy_(seats).clamp_(0, self.n_players - 1)
            out = self._rows(self.game.feature_width)
            self._launcher.observe(self._array(views), everything, self._array(out, np.uint64))
        return self._as_rows(out)[:, : self.layout.size]

    def _check_tensor(self, name: str, values: Any) -> None:
        torch = self._torch
        if not isinstance(values, torch.Tensor):
            raise TypeError(
                f"{name} of type {type(values).__name__}: must be a torch tensor on {self.device}"
            )
        if values.device != self._features.device:
            raise ValueError(f"{name} on {values.device}: must be on {self.device}")
        if values.dtype not in (torch.int64, torch.int32):
            raise TypeError(f"{name} of dtype {values.dtype}: must be torch.int64 or torch.int32")
        if tuple(values.shape) != (self.num_envs,):
            raise ValueError(
                f"{name} of shape {tuple(values.shape)}: must be ({self.num_envs},), one for each game"
            )

    # Saving.

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """A copy of everything the next calls depend on, for ``set_state`` of a batch on any device."""
        with self._on_device():
            states, generators = self._downloaded(self._states), self._downloaded(self._generators)
        return {
            "states": states.view(self.game.new_states(1, 0).dtype).view(np.recarray),
            "generators": generators.view(np.uint64),
            "configuration": self._configuration(),
        }

    def set_state(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go back to what ``get_state`` of a batch on any device returned, if it is of the same configuration
        and size.

        Raises:
            ValueError: it is of another size or configuration, or something else.
        """
        self._check_saved(saved)
        self._take(saved)
        with self._on_device():
            self._launcher.view()
        self._was_reset = True

    def _take(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        # Field by field: a copied record has anything at all in the gaps between them.
        states = self.game.new_states(self.num_envs, 0)
        states[:] = saved["states"]
        with self._on_device():
            self._states.copy_(self._uploaded(states))
            self._generators.copy_(self._uploaded(saved["generators"]))

    @property
    def states(self) -> Any:
        """The hidden records of the games as bytes on the device, ``(n, bytes of a record) uint8``, not a
        copy; ``get_state()["states"]`` has them as records."""
        return self._as_rows(self._states)

    def close(self) -> None:
        """Nothing to let go: the memory is torch's."""

    def __getstate__(self) -> dict[str, Any]:
        return {
            "arguments": (self.game, self.num_envs, self.seed, self._number),
            "saved": self.get_state(),
            "outputs": [self._downloaded(tensor) for tensor in (*self._outputs, self._sampled)],
            "was_reset": self._was_reset,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*state["arguments"])  # type: ignore[misc]
        self._take(state["saved"])
        for tensor, saved in zip((*self._outputs, self._sampled), state["outputs"], strict=True):
            tensor.copy_(self._torch.from_numpy(saved))
        self._was_reset = state["was_reset"]

    def __repr__(self) -> str:
        return f"CudaBatchEnv({self.config}, num_envs={self.num_envs}, device={self.device!r})"
