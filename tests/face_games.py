"""What the tests of the faces share: configurations to run over, and random legal play."""

from typing import Any

import numpy as np
import numpy.typing as npt

CONFIGURATIONS: list[dict[str, Any]] = [
    {},
    {"n_players": 2, "n_planets": 4, "reward": "shaped", "observation": "compact"},
    {"n_players": 3, "variant": "trial", "emotions": 2},
    {"n_players": 6, "variant": "divine", "memory": "none", "observation": "compact"},
    {"n_players": 5, "n_planets": 12, "emotions": 4, "reward": "shaped"},
]
"""Keyword arguments that every face takes."""


def configuration_name(options: dict[str, Any]) -> str:
    return "-".join(map(str, options.values())) or "default"


def draw_legal(random: np.random.Generator, mask: npt.NDArray[np.int8]) -> int:
    return int(random.choice(np.flatnonzero(mask)))


def assert_same(first: Any, second: Any) -> None:
    """Equal in values, types and dtypes, however deeply nested."""
    assert type(first) is type(second)
    if isinstance(first, dict):
        assert list(first) == list(second)
        for key in first:
            assert_same(first[key], second[key])
    elif isinstance(first, (list, tuple)):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    elif isinstance(first, np.ndarray):
        assert first.dtype == second.dtype
        if first.dtype == object:
            assert_same(list(first), list(second))
        else:
            np.testing.assert_array_equal(first, second)
    else:
        assert first == second
