"""The engine on a GPU: what it needs, and how its loops are launched.

The rules are the functions that run on the CPU, compiled for the GPU by numba-cuda, one thread a game. This
module knows nothing of tensors: it launches on arrays that lie on the device.
"""

import warnings
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np

from unspoken.envs.engine.game import Game

_INSTALL = "pip install 'unspoken[train,gpu]'"

OUTPUTS = (
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
    "final_view",
    "final_features",
)
"""The arrays of a batch that the loops over the games write, and ``final_view``, in the loops' order."""
ROWS = ("features", "mask", "final_features")
"""Those that have rows, given as words."""


def device_number(device: object) -> int | None:
    """The number of the device that ``"cuda"`` (0) or ``"cuda:1"`` names, ``None`` if it is no such name."""
    kind, colon, number = str(device).partition(":")
    if kind != "cuda" or (colon and not number.isdecimal()):
        return None
    return int(number or 0)


def check_installation(number: int) -> None:
    """Check that games can be played on CUDA device ``number``.

    Raises:
        ImportError: a package is missing or does not fit; the message says which, and how to get it.
        RuntimeError: there is no such device, or its driver does not work.
    """
    try:
        import torch
    except ImportError:
        raise ImportError(f"device='cuda' needs PyTorch: {_INSTALL}") from None
    if torch.version.cuda is None:
        raise RuntimeError(
            f"device='cuda': no CUDA device was found by PyTorch {torch.__version__}, which was built "
            "without CUDA: install a build that has it (see pytorch.org)"
        )
    if not torch.cuda.is_available():
        raise RuntimeError(
            "device='cuda': no CUDA device was found (torch.cuda.is_available() is False): is there an "
            "NVIDIA GPU, and a driver that is new enough for this PyTorch?"
        )
    if number >= torch.cuda.device_count():
        raise RuntimeError(f"device='cuda:{number}': must be below the {torch.cuda.device_count()} found")
    if find_spec("numba_cuda") is None:
        raise ImportError(f"device='cuda' needs numba-cuda: {_INSTALL}")
    try:
        import numba.cuda
    except Exception as error:
        if np.lib.NumpyVersion(np.__version__) >= "2.5.0":
            raise ImportError(
                f"device='cuda' needs numpy below 2.5 for numba-cuda, and this is {np.__version__}: "
                f"{_INSTALL}"
            ) from error
        raise ImportError(f"device='cuda': numba-cuda cannot be imported: {error}") from error
    cuda: Any = numba.cuda
    if not cuda.is_available():
        raise RuntimeError(
            f"device='cuda': no CUDA device was found by numba-cuda: {cuda.cuda_error() or 'no reason given'}"
        )


def words(size: int) -> int:
    """Words of eight bytes that ``size`` bytes take."""
    return -(-size // np.dtype(np.uint64).itemsize)


class Launcher:
    """The loops over the games of one batch, each a call that returns before the device is done."""

    def __init__(
        self, game: Game, num_games: int, arrays: Mapping[str, Any], stream: Callable[[], Any]
    ) -> None:
        """Launch on ``arrays``, on the stream that ``stream()`` returns.

        On the device and flat: ``params`` and ``states``, the game's records; ``state_words``, the same
        memory as ``states``, and ``generators``, of ``uint64``; ``actions`` of ``int64``; ``sampled`` of
        ``int32``; ``OUTPUTS`` as in ``BatchEnv``, but ``ROWS`` of ``uint64``, rows of
        ``words(feature_width)`` or ``words(mask_width)`` one after another.
        """
        # Imported here: nothing of it may be loaded where no GPU is asked for.
        from unspoken.envs.engine import cuda_rows

        self._kernels = game.cuda_kernels
        self._rows = cuda_rows
        self._arrays = arrays
        self._stream = stream
        self._num_games = num_games
        self._feature_words = words(game.feature_width)
        self._mask_words = words(game.mask_width)

    def deal(self) -> None:
        """Deal the next game in each state, and write what ``view`` does."""
        self._run(self._rows.DEAL, 1)

    def view(self) -> None:
        """Write features and mask of the seat to act, and the seat, in each game as it stands."""
        self._run(self._rows.VIEW, 1)

    def play(self) -> None:
        """Play ``actions`` in each game, and write everything."""
        self._run(self._rows.PLAY, 1)

    def play_random(self, steps: int) -> None:
        """Play ``steps`` uniformly drawn legal actions in each game, and write everything at every step."""
        self._run(self._rows.DRAW, steps)

    def sample_actions(self) -> None:
        """Draw an action for each game into ``sampled``, uniformly from the legal ones."""
        given = self._arrays
        self._launch(
            self._kernels.sample_actions,
            0,
            given["params"],
            given["states"],
            self._num_games,
            given["generators"],
            given["sampled"],
        )

    def observe(self, seats: Any, everything: bool, features: Any) -> None:
        """Write the view of seat ``seats[game]`` (``int64``) of each game to ``features`` (rows as above)."""
        self._launch(
            self._kernels.observe_games,
            self._feature_words,
            self._arrays["params"],
            self._arrays["states"],
            self._num_games,
            seats,
            int(everything),
            features,
            self._feature_words,
        )

    def _run(self, kind: int, steps: int) -> None:
        given = self._arrays
        self._launch(
            self._kernels.run_games,
            self._kernels.ROW_WORDS + self._feature_words + self._mask_words,
            given["params"],
            given["states"],
            given["state_words"],
            self._num_games,
            kind,
            steps,
            given["generators"],
            given["actions"],
            *(given[name] for name in OUTPUTS),
            self._feature_words,
            self._mask_words,
        )

    def _launch(self, kernel: Any, row: int, *arguments: Any) -> None:
        """Start ``kernel`` with a thread for each game, and rows of ``row`` words on the chip."""
        threads, shared = self._rows.block(row)
        with warnings.catch_warnings():
            # Numba warns of a small grid; a small batch is the caller's choice.
            warnings.simplefilter("ignore")
            blocks = max(1, -(-self._num_games // threads))
            launch = kernel[blocks, threads, self._stream(), shared]
        launch(*arguments)
