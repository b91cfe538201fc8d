"""The engine against the reference model: the same games in lock step, everything either says compared."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.reference.syncro_parts import (
    AVERAGE,
    BAD,
    DEBT,
    GOOD,
    KEEP,
    TARGET,
    TURN,
    Action,
    Attack,
    Discard,
    Estimate,
    PlayReward,
)
from tests.syncro_games import CONFIGS, EngineGame, ReferenceGame, config_name, engine_state, reference_state
from tests.syncro_random_cards import random_cards, with_cards
from unspoken.envs import BatchEnv, syncro_v0
from unspoken.envs.syncro.config import SCENARIOS, SyncroConfig
from unspoken.envs.syncro.game import SyncroGame

# One game on the scalar rules


def assert_same(engine: EngineGame, reference: ReferenceGame) -> None:
    """The whole state, the mask and the view of every seat, and that both have shuffled as often."""
    game = reference.game
    assert engine.finished == game.finished
    assert int(engine.states.generator[0]) == reference.shuffler.generator
    if game.finished:
        assert bool(engine.states.won[0]) == game.won
        assert int(engine.states.levels_won[0]) == game.levels_won
        assert int(engine.states.all_tries[0]) == game.all_tries
        return
    assert engine.player == game.current_player
    assert engine_state(engine.config, engine.states) == reference_state(game)
    assert engine.mask() == reference.mask()
    for seat in range(game.players):
        if engine.vector(seat) != reference.vector(seat):
            assert engine.features(seat) == reference.features(seat)


def choose(dice: random.Random, actions: dict[int, Action], kind: str | None) -> int:
    """Any action, but more attacks, payments and Rewards than chance would bring: games get further."""
    wanted: type[Action] | None = None
    if kind == TURN and dice.random() < 0.8:
        wanted = PlayReward if PlayReward() in actions.values() and dice.random() < 0.5 else Attack
    elif kind == DEBT and dice.random() < 0.85:
        wanted = Discard
    preferred = [number for number, action in actions.items() if wanted and isinstance(action, wanted)]
    return dice.choice(preferred or list(actions))


def play_in_lock_step(config: SyncroConfig, dice: random.Random, decisions: int) -> ReferenceGame:
    engine = EngineGame(config, seed=dice.randrange(2**32))
    reference = ReferenceGame(config, engine.states)
    assert_same(engine, reference)
    for _ in range(decisions):
        if reference.game.finished:
            break
        actions = reference.actions()
        number = choose(dice, actions, reference.game.kind)
        before = reference.game.reward()
        reward = engine.step(number)
        reference.game.apply(actions[number])
        assert reward == reference.game.reward() - before
        assert_same(engine, reference)
    return reference


@pytest.mark.parametrize("config", CONFIGS, ids=config_name)
def test_engine_and_reference_play_the_same_game(config: SyncroConfig) -> None:
    play_in_lock_step(config, random.Random(config_name(config)), 100)


SCENARIOS_WITH_CARDS = ("II-a", "II-b", "II-c", "II-d", "II-e", "chapter-2", "adventure", "I-d", "chapter-1")


@pytest.mark.parametrize("seed", range(27))
def test_engine_and_reference_play_the_same_game_with_any_cards(seed: int) -> None:
    dice = random.Random(seed)
    scenario = SCENARIOS_WITH_CARDS[seed % len(SCENARIOS_WITH_CARDS)]
    config = SyncroConfig(scenario, n_players=2 + seed // 3 % 4, unlocked=seed % 2 == 1)
    play_in_lock_step(with_cards(config, random_cards(dice)), dice, 160)


@pytest.mark.parametrize("first_level", ["I-c", "II-a", "II-d"])
def test_engine_and_reference_go_on_with_the_same_saved_adventure(first_level: str) -> None:
    dice = random.Random(first_level)
    config = SyncroConfig("adventure", 3, unlocked=True, first_level=first_level)
    play_in_lock_step(with_cards(config, random_cards(dice)), dice, 120)


def test_the_games_in_lock_step_are_won_and_lost_and_come_to_every_kind_of_decision() -> None:
    dice = random.Random(1)
    config = with_cards(SyncroConfig("chapter-2", 4), random_cards(dice))
    kinds = set()
    levels_won = 0
    for seed in range(12):
        engine = EngineGame(config, seed)
        reference = ReferenceGame(config, engine.states)
        while not reference.game.finished and reference.game.all_tries < 8:
            kinds.add(reference.game.kind)
            actions = reference.actions()
            reference.game.apply(actions[choose(dice, actions, reference.game.kind)])
        levels_won = max(levels_won, reference.game.levels_won)
    assert kinds == {TURN, "estimate", DEBT, TARGET, KEEP}
    assert levels_won >= 2


@pytest.mark.parametrize("config", CONFIGS, ids=config_name)
def test_the_layout_has_the_promised_features_in_order(config: SyncroConfig) -> None:
    engine = EngineGame(config)
    promised = ReferenceGame(config, engine.states).features(0)
    assert [(f.name, f.size) for f in engine.layout.features] == [(n, len(v)) for n, v in promised.items()]
    sizes = [len(values) for values in promised.values()]
    assert [f.start for f in engine.layout.features] == [sum(sizes[:i]) for i in range(len(sizes))]


@pytest.mark.parametrize("config", CONFIGS[::5], ids=config_name)
def test_the_actions_mean_what_the_reference_says(config: SyncroConfig) -> None:
    game, dice = SyncroGame(config), random.Random(0)
    engine = EngineGame(config)
    reference = ReferenceGame(config, engine.states)
    words = {GOOD: "good", AVERAGE: "average", BAD: "bad"}
    for _ in range(60):
        for number, action in reference.actions().items():
            name = game.action_name(number)
            if isinstance(action, Attack):
                assert name == f"ATTACK {action.slot} with {action.hand}"
            elif isinstance(action, Estimate):
                assert name == f"ESTIMATE {words[action.says]}"
            elif isinstance(action, Discard):
                assert name == f"DISCARD {action.hand}"
            else:
                plain = {"Pass": "PASS", "Stop": "STOP", "Keep": "KEEP", "Drop": "DISCARD ALL"}
                plain |= {"PlayReward": "PLAY REWARD"}
                kind = type(action).__name__
                assert name == plain[kind] if kind in plain else name.startswith("TARGET ")
        if reference.game.finished:
            break
        number = choose(dice, reference.actions(), reference.game.kind)
        reference.game.apply(reference.actions()[number])


def test_what_a_hand_has_shown_is_told_apart_up_to_a_full_hand_of_7s() -> None:
    """More can be shown of a hand that draws where estimates are forbidden."""
    config = SyncroConfig("II-a", 5)
    engine = EngineGame(config)
    reference = ReferenceGame(config, engine.states)
    for shown, told in ((28, 28), (29, 28), (200, 28)):
        engine.states.shown[0, 1] = reference.game.table.said[1].shown = shown
        assert engine.features(0)["shown_1"] == reference.features(0)["shown_1"] == [told]


# A batch of games on threads

BATCH_CONFIGS = [
    SyncroConfig("I-a", 3),
    SyncroConfig("II-e", 2, reward="shaped"),
    SyncroConfig("II-c", 5),
    SyncroConfig("adventure", 4, reward="shaped"),
]
GAMES = 5
STEPS = 60


def choose_for(mask: Sequence[int], game: int, step: int) -> int:
    """A legal action, or now and then any other number; which one depends on nothing but the arguments."""
    if (step + 5 * game) % 41 == 40:
        nonsense = [a for a, allowed in enumerate(mask) if not allowed] + [-1, len(mask), 1000, -(2**31)]
        return nonsense[(step * step + game) % len(nonsense)]
    legal = [a for a, allowed in enumerate(mask) if allowed]
    return legal[(31 * step * step + 17 * game + step // 7) % len(legal)]


def states_of(batch: BatchEnv, game: int) -> Any:
    return batch.states[game : game + 1]


def play_batch(config: SyncroConfig, threads: int, games: int = GAMES) -> list[str]:
    """Play a batch in lock step with a reference game each.

    Returns the hash of everything each game of the batch has said, so that two runs can be compared.
    """
    batch = BatchEnv(SyncroGame(config), games, seed=2026, threads=threads)
    batch.reset()
    hashes = [hashlib.sha256() for _ in range(games)]
    references = [ReferenceGame(config, states_of(batch, i)) for i in range(games)]
    ended = 0
    for step in range(STEPS):
        masks = [reference.mask() for reference in references]
        views = [batch.observe(seat) for seat in range(config.n_players)]
        for i, reference in enumerate(references):
            assert batch.player[i] == reference.game.current_player
            assert batch.mask[i].tolist() == masks[i]
            expected = reference.vectors()
            assert batch.features[i].tolist() == expected[batch.player[i]]
            assert [view[i].tolist() for view in views] == expected
        sampled = batch.sample_actions()
        assert all(batch.mask[np.arange(games), sampled])
        chosen = [choose_for(masks[i], i, step) for i in range(games)]
        batch.step(np.array(chosen, np.int64 if step % 2 else np.int32))

        for i, reference in enumerate(references):
            game, before = reference.game, reference.game.reward()
            actions = reference.actions()
            allowed = chosen[i] in actions
            if allowed:
                game.apply(actions[chosen[i]])
            over = game.finished or not allowed
            assert batch.illegal[i] == (not allowed)
            assert batch.done[i] == over
            assert not batch.truncated[i]
            assert batch.score[i] == (game.levels_won if over else 0)
            assert batch.tries[i] == (game.all_tries if over else 0)
            if config.reward == "sparse":
                assert batch.reward[i] == (game.reward() - before if allowed else -1)
            if over:
                references[i] = ReferenceGame(config, states_of(batch, i))
                ended += 1
            said = [batch.features, batch.mask, batch.player, *views, sampled]
            said += [batch.reward, batch.done, batch.illegal, batch.score, batch.tries, batch.progress]
            for array in said:
                hashes[i].update(array[i].tobytes())
    assert ended >= games
    batch.close()
    return [digest.hexdigest() for digest in hashes]


_ALONE: dict[SyncroConfig, list[str]] = {}


def alone(config: SyncroConfig) -> list[str]:
    """What `play_batch` says on one thread, played once."""
    if config not in _ALONE:
        _ALONE[config] = play_batch(config, threads=1)
    return _ALONE[config]


@pytest.mark.parametrize("config", BATCH_CONFIGS, ids=config_name)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_plays_the_games_of_the_reference_on_any_number_of_threads(
    config: SyncroConfig, threads: int
) -> None:
    assert play_batch(config, threads) == alone(config)


def test_a_game_is_the_same_in_a_batch_of_another_size() -> None:
    config = BATCH_CONFIGS[1]
    assert play_batch(config, threads=2, games=3) == alone(config)[:3]


def test_without_the_compiler_the_same_batches_say_the_same() -> None:
    # The other process, too, holds every game against the reference while it plays.
    finished = subprocess.run(
        [sys.executable, "-m", "tests.test_differential_syncro"],
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split() == [digest for config in BATCH_CONFIGS for digest in alone(config)[:2]]


def test_many_games_on_threads_are_the_games_of_one_thread() -> None:
    # Large enough for every thread to be at work at the same time.
    said = []
    for threads in (1, 2, 3):
        batch = BatchEnv(SyncroGame(SyncroConfig("chapter-2", 3)), 1000, seed=3, threads=threads)
        batch.reset()
        batch.play_random(200)
        for _ in range(10):
            batch.step(batch.sample_actions())
        arrays = [batch.features, batch.mask, batch.player, batch.reward, batch.done, batch.score]
        arrays += [batch.states[name] for name in batch.states.dtype.names]
        said.append([array.tobytes() for array in arrays])
        assert not batch.illegal.any()
        batch.close()
    assert said[0] == said[1] == said[2]


# The PettingZoo environments

AEC_CONFIGS = [
    SyncroConfig(scenario, players) for scenario in ("I-b", "II-d", "chapter-2") for players in (2, 5)
]


def environment(make: Callable[..., Any], config: SyncroConfig) -> Any:
    return make(config.scenario, config.n_players, observation="compact")


@pytest.mark.parametrize("config", AEC_CONFIGS, ids=config_name)
def test_the_aec_environment_plays_the_game_of_the_reference(config: SyncroConfig) -> None:
    env = environment(syncro_v0.env, config)
    env.reset(seed=11)
    dice = random.Random(11)
    reference = ReferenceGame(config, env.get_state()["states"])
    game = reference.game
    for _ in range(80):
        mask = reference.mask()
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert seen["observation"].tolist() == reference.vector(seat)
            own = mask if seat == game.current_player else [0] * len(mask)
            assert seen["action_mask"].tolist() == env.infos[agent]["action_mask"].tolist() == own
        assert env.agent_selection == f"player_{game.current_player}"
        actions = reference.actions()
        number = choose(dice, actions, game.kind)
        before = game.reward()
        env.step(number)
        game.apply(actions[number])
        assert set(env.rewards.values()) == {float(game.reward() - before)}
        if game.finished:
            break
        assert not any(env.terminations.values())
    if game.finished:
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        info = env.infos["player_0"]
        assert (info["score"], info["illegal"], info["tries"]) == (game.levels_won, 0, game.all_tries)


@pytest.mark.parametrize("config", AEC_CONFIGS[:3], ids=config_name)
def test_the_parallel_environment_plays_the_game_of_the_reference(config: SyncroConfig) -> None:
    env = environment(syncro_v0.parallel_env, config)
    seen, _ = env.reset(seed=11)
    dice = random.Random(11)
    dealt = EngineGame(config, seed=11)
    reference = ReferenceGame(config, dealt.states)
    game, noop = reference.game, config.n_actions
    for _ in range(60):
        for seat, agent in enumerate(env.possible_agents):
            assert seen[agent]["observation"].tolist() == reference.vector(seat)
            mask = [*reference.mask(), 0] if seat == game.current_player else [0] * noop + [1]
            assert seen[agent]["action_mask"].tolist() == mask
        actions = reference.actions()
        number = choose(dice, actions, game.kind)
        mover, before = f"player_{game.current_player}", game.reward()
        chosen = {agent: number if agent == mover else noop for agent in env.agents}
        seen, rewards, terminations, _, _ = env.step(chosen)
        game.apply(actions[number])
        assert set(rewards.values()) == {float(game.reward() - before)}
        assert set(terminations.values()) == {game.finished}
        if game.finished:
            break


def test_every_scenario_and_team_size_is_played() -> None:
    assert {(config.scenario, config.n_players) for config in CONFIGS} == {
        (scenario, players) for scenario in SCENARIOS for players in (2, 3, 4, 5)
    }


if __name__ == "__main__":
    for batch_config in BATCH_CONFIGS:
        print(*play_batch(batch_config, threads=1, games=2))
