"""The engine against the reference model: the same games in lock step, everything either says compared."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.reference.syzygy import (
    Action,
    Confirm,
    IllegalActionError,
    Move,
    Pass,
    Syzygy,
    action_list,
    action_mask,
    cardinalities,
    features,
)
from tests.syzygy_games import CONFIGS, EngineGame, config_name, reference_game, row_of
from unspoken.envs import BatchEnv, syzygy_v0
from unspoken.envs.syzygy import SyzygyConfig, SyzygyGame

# One game on the scalar rules


def assert_same(engine: EngineGame, reference: Syzygy) -> None:
    """State, mask, potential and the view of every seat."""
    assert engine.row == reference.planets()
    assert engine.finished == reference.finished
    assert engine.won == reference.won
    assert engine.mask() == action_mask(reference)
    assert engine.potential() == reference.potential()
    if not reference.finished:
        assert engine.player == reference.current_player
    for seat in range(reference.players):
        assert engine.features(seat) == features(reference, seat)


def play_in_lock_step(config: SyzygyConfig, values: Sequence[int], dice: random.Random) -> None:
    engine, reference = EngineGame(config, values), reference_game(config, values)
    actions = action_list(config.n_positions, config.emotions)
    assert_same(engine, reference)
    while not reference.finished:
        number = dice.choice(engine.legal_actions())
        for other, action in enumerate(actions):
            if not engine.is_legal(other):
                with pytest.raises(IllegalActionError):
                    reference.apply(action)
        reward = engine.step(number)
        reference.apply(actions[number])
        assert reward == reference.reward()
        assert_same(engine, reference)


@pytest.mark.parametrize("config", CONFIGS, ids=config_name)
def test_engine_and_reference_play_the_same_game(config: SyzygyConfig) -> None:
    dice = random.Random(config_name(config))
    values = dice.sample(range(1, config.n_positions + 1), config.n_positions)
    play_in_lock_step(config, values, dice)


@pytest.mark.parametrize("config", CONFIGS[::5], ids=config_name)
@pytest.mark.parametrize("falling", [False, True])
def test_engine_and_reference_agree_on_won_games_and_on_games_one_move_short_of_it(
    config: SyzygyConfig, falling: bool
) -> None:
    n = config.n_positions
    for source, destination in ((0, 1), (1, 2), (n - 1, n - 2), (n - 1, 1)):
        row = sorted(range(1, n + 1), reverse=falling)
        row.insert(source, row.pop(destination))
        for skipped in (0, 1):
            engine, reference = EngineGame(config, row), reference_game(config, row)
            for action in [Confirm(source), Move(destination)][: 2 - 2 * skipped]:
                engine.step(action_list(n, config.emotions).index(action))
                reference.apply(action)
            while not reference.finished:
                reward = engine.step(config.pass_action)
                reference.apply(Pass())
                assert_same(engine, reference)
            assert reward == reference.reward() == 1 - skipped


@pytest.mark.parametrize("config", CONFIGS, ids=config_name)
def test_the_layout_of_the_features_is_the_promised_one(config: SyzygyConfig) -> None:
    layout = EngineGame(config).layout
    promised = cardinalities(config.n_positions, config.n_players, config.emotions)
    assert {f.name: (f.size, f.cardinality) for f in layout.features} == promised
    assert [f.name for f in layout.features] == list(promised)
    sizes = [size for size, _ in promised.values()]
    assert [f.start for f in layout.features] == [sum(sizes[:i]) for i in range(len(sizes))]


@pytest.mark.parametrize("config", CONFIGS, ids=config_name)
def test_the_actions_mean_what_the_reference_says(config: SyzygyConfig) -> None:
    game = SyzygyGame(config)

    def name(action: Action) -> str:
        words = [type(action).__name__.upper(), *map(str, action[:1])]
        return " ".join(
            [*words, "emotion", str(action[1])] if len(action) == 2 and config.emotions > 1 else words
        )

    every = action_list(config.n_positions, config.emotions)
    assert [game.action_name(number) for number in range(config.n_actions)] == [name(a) for a in every]


# A batch of games on threads

BATCH_CONFIGS = [
    SyzygyConfig(),
    SyzygyConfig(n_players=2, n_planets=4, emotions=2, reward="shaped"),
    SyzygyConfig(n_players=3, n_planets=5, memory="none"),
    SyzygyConfig(n_players=6, n_planets=12, emotions=3, reward="shaped"),
    SyzygyConfig(n_players=5, variant="trial", reward="shaped"),
    SyzygyConfig(n_players=3, variant="divine", emotions=2, memory="none"),
]
GAMES = 7
STEPS = 90


def vector(reference: Syzygy, seat: int) -> list[int]:
    return [value for values in features(reference, seat).values() for value in values]


def all_seen(reference: Syzygy, seat: int) -> list[int]:
    turned_up = {**features(reference, seat), "value": reference.planets()}
    return [value for values in turned_up.values() for value in values]


def rising_pairs(reference: Syzygy) -> int:
    """Pairs of cards in ascending order."""
    return sum(left < right for left, right in combinations(reference.planets(), 2))


def expected_reward(config: SyzygyConfig, before: int, reference: Syzygy) -> float:
    """1 on a win; shaped: plus the step of potential / highest potential, 0 standing for a finished game."""
    if config.reward == "sparse":
        return reference.reward()
    after = 0 if reference.finished else reference.potential()
    return reference.reward() + (after - before) / config.max_potential


def choose(mask: Sequence[int], game: int, step: int) -> int:
    """A legal action, or now and then any other number; which one depends on nothing but the arguments."""
    if (step + 5 * game) % 37 == 36:
        nonsense = [a for a, allowed in enumerate(mask) if not allowed] + [-1, len(mask), 1000, -(2**31)]
        return nonsense[(step * step + game) % len(nonsense)]
    legal = [a for a, allowed in enumerate(mask) if allowed]
    return legal[(31 * step * step + 17 * game + step // 7) % len(legal)]


def play_batch(config: SyzygyConfig, threads: int, games: int = GAMES) -> list[str]:
    """Play a batch in lock step with a reference game each.

    Returns the hash of everything each game of the batch has said, so that two runs can be compared.
    """
    batch = BatchEnv(SyzygyGame(config), games, seed=2026, threads=threads)
    batch.reset()
    actions = action_list(config.n_positions, config.emotions)
    hashes = [hashlib.sha256() for _ in range(games)]
    references = [reference_game(config, row(batch, i)) for i in range(games)]
    batch.final_view[:] = [i % (config.n_players + 1) - 1 for i in range(games)]
    ended = 0
    for step in range(STEPS):
        for i, reference in enumerate(references):
            assert batch.player[i] == reference.current_player
            assert batch.mask[i].tolist() == action_mask(reference)
            assert batch.features[i].tolist() == vector(reference, reference.player)
        views = [batch.observe(seat) for seat in range(config.n_players)]
        turned_up = batch.observe(batch.player, everything=True)
        for i, reference in enumerate(references):
            assert [view[i].tolist() for view in views] == [
                vector(reference, seat) for seat in range(reference.players)
            ]
            assert turned_up[i].tolist() == all_seen(reference, reference.player)
        sampled = batch.sample_actions()
        assert all(batch.mask[np.arange(games), sampled])

        chosen = [choose(batch.mask[i].tolist(), i, step) for i in range(games)]
        movers = batch.player.tolist()
        batch.step(np.array(chosen, np.int64 if step % 2 else np.int32))

        for i, reference in enumerate(references):
            before, rising = reference.potential(), rising_pairs(reference)
            allowed = 0 <= chosen[i] < len(actions) and action_mask(reference)[chosen[i]] == 1
            if allowed:
                reference.apply(actions[chosen[i]])
            over = reference.finished or not allowed
            assert batch.illegal[i] == (not allowed)
            assert batch.done[i] == over
            assert batch.score[i] == (1 if over and reference.won else 0)
            expected = expected_reward(config, before, reference) if allowed else -1
            assert batch.reward[i] == np.float32(expected)
            assert batch.progress[i] == rising_pairs(reference) - rising
            if over:
                viewer = movers[i] if batch.final_view[i] < 0 else int(batch.final_view[i])
                assert batch.final_features[i].tolist() == vector(reference, viewer)
                references[i] = reference_game(config, row(batch, i))
                ended += 1
            said = [batch.features, batch.mask, batch.player, *views, sampled]
            said += [batch.reward, batch.done, batch.illegal, batch.score, batch.progress]
            for array in said:
                hashes[i].update(array[i].tobytes())
    assert ended >= games
    batch.close()
    return [digest.hexdigest() for digest in hashes]


def row(batch: BatchEnv, game: int) -> list[int]:
    """The hidden row of one game of a batch."""
    return row_of(batch.states[game], batch.config.n_positions)


@pytest.mark.parametrize("config", BATCH_CONFIGS, ids=config_name)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_batch_plays_the_games_of_the_reference_on_any_number_of_threads(
    config: SyzygyConfig, threads: int
) -> None:
    assert play_batch(config, threads) == alone(config)


@pytest.mark.parametrize("config", BATCH_CONFIGS[:2], ids=config_name)
def test_a_game_is_the_same_in_a_batch_of_another_size(config: SyzygyConfig) -> None:
    assert play_batch(config, threads=2, games=3) == alone(config)[:3]


_ALONE: dict[SyzygyConfig, list[str]] = {}


def alone(config: SyzygyConfig) -> list[str]:
    """What `play_batch` says on one thread, played once."""
    if config not in _ALONE:
        _ALONE[config] = play_batch(config, threads=1)
    return _ALONE[config]


def test_without_the_compiler_the_same_batches_say_the_same() -> None:
    # The other process, too, holds every game against the reference while it plays.
    finished = subprocess.run(
        [sys.executable, "-m", "tests.test_differential_syzygy"],
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split() == [digest for config in BATCH_CONFIGS for digest in alone(config)[:2]]


def test_many_games_on_threads_are_the_games_of_one_thread() -> None:
    # Large enough for every thread to be at work at the same time.
    said = []
    for threads in (1, 2, 3):
        batch = BatchEnv(SyzygyGame(SyzygyConfig(reward="shaped")), 5000, seed=3, threads=threads)
        batch.reset()
        batch.play_random(100)
        for _ in range(20):
            batch.step(batch.sample_actions())
        arrays = [
            batch.features,
            batch.mask,
            batch.player,
            batch.reward,
            batch.done,
            batch.score,
            batch.progress,
        ]
        arrays += [batch.states[name] for name in batch.states.dtype.names]
        said.append([array.tobytes() for array in arrays])
        assert not batch.illegal.any()
        batch.close()
    assert said[0] == said[1] == said[2]


# The PettingZoo environments

AEC_CONFIGS = [config for config in CONFIGS if config.n_players in (2, 4)][::3]


def environment(make: Callable[..., Any], config: SyzygyConfig) -> Any:
    return make(
        config.n_players,
        config.n_planets,
        config.variant,
        emotions=config.emotions,
        memory=config.memory,
        observation="compact",
    )


def hidden_row(env: Any) -> list[int]:
    return [int(value) for value in env.feature_layout.decode(env.state())["value"]]


@pytest.mark.parametrize("config", AEC_CONFIGS, ids=config_name)
def test_the_aec_environment_plays_the_game_of_the_reference(config: SyzygyConfig) -> None:
    env = environment(syzygy_v0.env, config)
    env.reset(seed=11)
    dice = random.Random(11)
    actions = action_list(config.n_positions, config.emotions)
    reference = reference_game(config, hidden_row(env))
    while not reference.finished:
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert seen["observation"].tolist() == vector(reference, seat)
            mask = action_mask(reference) if seat == reference.player else [0] * len(actions)
            assert seen["action_mask"].tolist() == env.infos[agent]["action_mask"].tolist() == mask
        assert hidden_row(env) == reference.planets()
        assert env.agent_selection == f"player_{reference.current_player}"
        assert not any(env.terminations.values())
        number = dice.choice([a for a, allowed in enumerate(action_mask(reference)) if allowed])
        env.step(number)
        reference.apply(actions[number])
        assert set(env.rewards.values()) == {float(reference.reward())}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        assert seen["observation"].tolist() == vector(reference, seat)
        assert not seen["action_mask"].any()
        assert (env.infos[agent]["score"], env.infos[agent]["illegal"]) == (reference.reward(), 0)


@pytest.mark.parametrize("config", AEC_CONFIGS, ids=config_name)
def test_the_parallel_environment_plays_the_game_of_the_reference(config: SyzygyConfig) -> None:
    env = environment(syzygy_v0.parallel_env, config)
    seen, _infos = env.reset(seed=11)
    dice = random.Random(11)
    actions = action_list(config.n_positions, config.emotions)
    noop = len(actions)
    reference = reference_game(config, hidden_row(env))
    while not reference.finished:
        for seat, agent in enumerate(env.possible_agents):
            assert seen[agent]["observation"].tolist() == vector(reference, seat)
            to_act = [*action_mask(reference), 0]
            mask = to_act if seat == reference.player else [0] * noop + [1]
            assert seen[agent]["action_mask"].tolist() == mask
        number = dice.choice([a for a, allowed in enumerate(action_mask(reference)) if allowed])
        mover = f"player_{reference.current_player}"
        chosen = {agent: number if agent == mover else noop for agent in env.agents}
        seen, rewards, terminations, truncations, _infos = env.step(chosen)
        reference.apply(actions[number])
        assert set(rewards.values()) == {float(reference.reward())}
        assert set(terminations.values()) == {reference.finished}
        assert not any(truncations.values())
    assert env.agents == []


if __name__ == "__main__":
    for batch_config in BATCH_CONFIGS:
        print(*play_batch(batch_config, threads=2, games=2), sep="\n")
