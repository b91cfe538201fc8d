"""The symmetries of a game as a group of relabellings, and how batches are relabelled."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from unspoken.envs import BatchEnv, make_game
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.symmetry import Symmetries

TASKS: list[tuple[str, dict[str, Any]]] = [
    ("syzygy", {}),
    ("syzygy", {"n_players": 2, "n_planets": 12, "emotions": 3}),
    ("syzygy", {"variant": "trial", "n_players": 3, "emotions": 2}),
    ("syzygy", {"variant": "divine", "emotions": 4}),
    ("syncro", {"scenario": "I-a", "n_players": 2}),
    ("syncro", {"scenario": "II-c", "n_players": 3}),
    ("syncro", {"scenario": "II-e", "n_players": 5}),
    ("syncro", {"scenario": "adventure", "n_players": 4}),
]
GAMES = [make_game(task, **options) for task, options in TASKS]
every_game = pytest.mark.parametrize("game", GAMES, ids=[f"{task} {options}" for task, options in TASKS])


# The groups.


def tables(symmetries: Symmetries, which: int) -> bytes:
    """All that a symmetry does."""
    values = symmetries.labels[symmetries.label[which]]
    return symmetries.source[which].tobytes() + values.tobytes() + symmetries.actions[which].tobytes()


def composed(symmetries: Symmetries, first: int, second: int) -> bytes:
    """All that one symmetry and then another one does."""
    through = symmetries.source[second]
    before = symmetries.labels[symmetries.label[first]][through]
    values = np.take_along_axis(symmetries.labels[symmetries.label[second]], before.astype(np.int64), 1)
    actions = symmetries.actions[second][symmetries.actions[first]]
    return symmetries.source[first][through].tobytes() + values.tobytes() + actions.tobytes()


@every_game
def test_symmetries_are_different_and_number_0_is_the_identity(game: Game) -> None:
    symmetries = game.symmetries
    assert len({tables(symmetries, which) for which in range(symmetries.count)}) == symmetries.count
    assert len(set(symmetries.names)) == symmetries.count
    assert symmetries.names[0] == ""
    assert symmetries.source[0].tolist() == list(range(game.layout.size))
    assert symmetries.labels[symmetries.label[0]].tolist() == [list(range(128))] * game.layout.size
    assert symmetries.actions[0].tolist() == list(range(game.config.n_actions))


@every_game
def test_two_symmetries_one_after_the_other_are_a_symmetry(game: Game) -> None:
    symmetries = game.symmetries
    numbers = {tables(symmetries, which): which for which in range(symmetries.count)}
    for first in random.Random(0).sample(range(symmetries.count), min(symmetries.count, 5)):
        row = [numbers[composed(symmetries, first, second)] for second in range(symmetries.count)]
        assert sorted(row) == list(range(symmetries.count))  # so one of them is the inverse: it gives 0


@every_game
def test_every_entry_keeps_its_range_and_every_action_its_place(game: Game) -> None:
    symmetries, sizes = game.symmetries, game.layout.cardinalities
    for which in range(symmetries.count):
        source = symmetries.source[which].astype(int)
        assert sorted(source) == list(range(game.layout.size))
        assert sizes[source].tolist() == sizes.tolist()
        for entry, row in enumerate(symmetries.labels[symmetries.label[which]]):
            assert sorted(row[: sizes[entry]]) == list(range(sizes[entry]))
        there = symmetries.actions[which]
        assert symmetries.originals[which][there].tolist() == list(range(game.config.n_actions))


@pytest.mark.parametrize(
    ("task", "options", "count"),
    [
        ("syzygy", {}, 4),
        ("syzygy", {"emotions": 2}, 8),
        ("syzygy", {"variant": "divine", "emotions": 4}, 96),
        ("syncro", {"scenario": "I-a", "n_players": 2}, 2 * 6),
        ("syncro", {"scenario": "adventure", "n_players": 5}, 5 * 6),
        # Three mushrooms of strength 3, one of each; sums are said there instead of estimates.
        ("syncro", {"scenario": "II-c", "n_players": 3}, 3 * 6 * 2),
        ("syncro", {"scenario": "I-d", "n_players": 3}, 3 * 6 * 6),
    ],
)
def test_how_many_symmetries_a_game_has(task: str, options: dict[str, Any], count: int) -> None:
    assert make_game(task, **options).symmetries.count == count


def test_symmetries_cannot_be_written_to() -> None:
    symmetries = make_game("syzygy").symmetries
    for array in (symmetries.source, symmetries.label, symmetries.labels, symmetries.actions):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


# Batches.


@every_game
def test_a_batch_is_relabelled_row_by_row_as_the_tables_say(game: Game) -> None:
    symmetries = game.symmetries
    vec = BatchEnv(game, 64, seed=0, threads=1)
    vec.reset()
    vec.play_random(9)
    which = np.random.default_rng(0).integers(symmetries.count, size=64)
    features = symmetries.relabel_features(vec.features, which)
    mask = symmetries.relabel_mask(vec.mask, which)
    for row, symmetry in enumerate(which):
        seen = vec.features[row][symmetries.source[symmetry]]
        expected = symmetries.labels[symmetries.label[symmetry], seen]
        assert features[row].tolist() == expected.tolist()
        assert mask[row][symmetries.actions[symmetry]].tolist() == vec.mask[row].tolist()
    chosen = mask.argmax(1)
    played = symmetries.original_actions(chosen, which)
    assert vec.mask[np.arange(64), played].all()
    assert symmetries.actions[which, played].tolist() == chosen.tolist()


def test_arrays_of_ones_own_are_written_to() -> None:
    symmetries = make_game("syzygy").symmetries
    features, mask = np.zeros((3, 90), np.int8), np.ones((3, 19), np.int8)
    which = np.array([0, 1, 2])
    out, mask_out = np.ones_like(features), np.zeros_like(mask)
    assert symmetries.relabel_features(features, which, out) is out
    assert symmetries.relabel_mask(mask, which, mask_out) is mask_out
    assert out[0].tolist() == [0] * 90
    assert mask_out.tolist() == mask.tolist()


def test_arguments_that_do_not_fit_are_refused() -> None:
    symmetries = make_game("syzygy").symmetries
    features = np.zeros((3, 90), np.int8)
    for wrong in (-1, 4):
        which = np.array([0, wrong, 0])
        message = rf"which\[1\]={wrong}: must be from 0 to 3"
        with pytest.raises(ValueError, match=message):
            symmetries.relabel_features(features, which)
        with pytest.raises(ValueError, match=message):
            symmetries.relabel_mask(np.zeros((3, 19), np.int8), which)
        with pytest.raises(ValueError, match=message):
            symmetries.original_actions(np.zeros(3, np.int64), which)
    which = np.zeros(3, np.int64)
    with pytest.raises(ValueError, match=r"actions\[2\]=19: must be from 0 to 18"):
        symmetries.original_actions(np.array([0, 18, 19]), which)
    with pytest.raises(ValueError, match=r"features of shape \(3, 90\) .* must be \(m, 90\) and \(m,\)"):
        symmetries.relabel_features(features, which[:2])
    with pytest.raises(ValueError, match=r"mask of shape \(3, 90\) .* must be \(m, 19\) and \(m,\)"):
        symmetries.relabel_mask(features, which)
    with pytest.raises(ValueError, match=r"must both be \(m,\)"):
        symmetries.original_actions(np.zeros(2, np.int64), which)
    with pytest.raises(ValueError, match="apart from features in memory"):
        symmetries.relabel_features(features, which, features)
