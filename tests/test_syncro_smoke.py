"""Random games of Syncro: every scenario and team size ends, nobody is without an action, no card is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

from unspoken.envs import make_vec
from unspoken.envs.syncro import rules
from unspoken.envs.syncro.config import SCENARIOS, SyncroConfig
from unspoken.envs.syncro.flow import CARD
from unspoken.envs.syncro.limits import LEVELS
from unspoken.envs.syncro.state import (
    BACK_FOG,
    BACK_LIEUTENANT,
    BACK_MONSTER,
    FOG,
    LIEUTENANT,
    REWARD,
    new_states,
)

TEAMS = list(product(SCENARIOS, (2, 3, 4, 5)))
FEWER_TEAMS = [(scenario, players) for scenario, players in TEAMS if scenario in LEVELS or players == 3]
"""For what is slow: the scenarios of several levels with three players only."""


def check_cards(params: Any, state: Any) -> None:
    """Every card of every deck is in exactly one place."""
    level = int(state.level)
    seats = range(params.n_players)
    # After a level that was won its cards have been collected, and the new ones have not joined yet.
    spells = np.array(state.spell_discards, np.int64)
    for value in state.spell_deck[: state.spell_deck_size]:
        spells[value] += 1
    for seat in seats:
        for value in state.hand[seat, : state.hand_size[seat]]:
            assert value > 0
            spells[value] += 1
        assert not state.hand[seat, state.hand_size[seat] :].any()
    for value in state.table_value[: state.table_size]:
        spells[value] += 1
    assert spells.tolist() == params.spell_copies[level].tolist()

    fog = [*state.fog_deck[: state.fog_deck_size], *state.fog_discards[: state.fog_discards_size]]
    fog += list(state.curses[: state.curses_size])
    rewards = [
        *state.reward_deck[: state.reward_deck_size],
        *state.reward_discards[: state.reward_discards_size],
    ]
    rewards += [card for card in state.reward[seats] if card != 0]
    lieutenants = [*state.lieutenant_deck[: state.lieutenant_deck_size]]
    lieutenants += [*state.lieutenant_box[: state.lieutenant_box_size]]
    monsters = list(state.monster_deck[: state.monster_deck_size])
    for slot in range(state.n_slots):
        back = params.slot_back[level, slot]
        here = state.present >> slot & 1
        if back == BACK_FOG and here:
            fog.append(state.horde_card[slot])
        elif back == BACK_LIEUTENANT and here:
            lieutenants.append(state.horde_card[slot] - params.n_monsters)
        elif back == BACK_MONSTER:
            monsters.append(state.horde_card[slot])
    for depth in range(1, state.depth + 1):
        card = state.frame_card[depth]
        if state.frame_stage[depth] == CARD and card < LIEUTENANT:
            (fog if card < REWARD else rewards).append(card)
    assert counts(fog, FOG, params.n_fog) == params.fog_copies[: params.n_fog].tolist()
    assert counts(rewards, REWARD, params.n_rewards) == params.reward_copies[: params.n_rewards].tolist()
    assert counts(lieutenants, 0, params.n_lieutenants) == [1] * params.n_lieutenants
    if state.n_slots:
        copies = params.monster_copies[level, : params.n_monsters].tolist()
        assert counts(monsters, 0, params.n_monsters) == copies


def counts(cards: list[Any], first: int, kinds: int) -> list[int]:
    return np.bincount(np.array(cards, np.int64) - first, minlength=kinds).tolist()


@pytest.mark.parametrize(("scenario", "players"), FEWER_TEAMS)
def test_every_card_is_somewhere_and_everybody_can_act(scenario: str, players: int) -> None:
    config = SyncroConfig(scenario, players)
    params = config.params[0]
    states = new_states(1 if config.max_tries > 1 else 4, 5)
    mask = np.zeros(config.mask_width, np.int8)
    dice = np.random.default_rng(0)
    for state in states:
        rules.reset(params, state)
        earned = 0.0
        while not state.finished:
            check_cards(params, state)
            rules.legal(params, state, mask)
            allowed = [rules.is_legal(params, state, action) for action in range(-1, config.n_actions + 1)]
            assert mask[: config.n_actions].tolist() == allowed[1:-1]
            assert not allowed[0]
            assert not allowed[-1]
            assert not mask[config.n_actions :].any()
            assert any(allowed)
            assert 0 <= state.seat < players
            assert (state.hand_size[:players] <= config.hand_limit).all()
            earned += rules.step(params, state, int(dice.choice(np.flatnonzero(mask))))
        assert earned == state.levels_won
        assert state.won == (state.levels_won == len(config.levels))
        assert not state.truncated
        rules.legal(params, state, mask)
        assert not mask.any()


@pytest.mark.parametrize(("scenario", "players"), TEAMS)
def test_random_games_end(scenario: str, players: int) -> None:
    vec = make_vec(f"syncro-{scenario.replace('-', '')}-{players}p", 64, seed=3, reward="shaped")
    vec.reset()
    lengths = np.zeros(64)
    total = np.zeros(64)
    ended = 0
    longest = 0.0
    for _ in range(400):
        vec.play_random()
        lengths += 1
        total += vec.reward
        assert not vec.illegal.any()
        assert not vec.truncated.any()
        assert vec.mask.any(axis=1).all()
        assert (vec.features >= 0).all()
        assert (vec.features < vec.layout.cardinalities).all()
        done = vec.done
        # Over a game the shaping terms add up to nothing.
        np.testing.assert_allclose(total[done], vec.score[done], atol=1e-4)
        assert (vec.tries[done] >= 1).all()
        longest = max(longest, lengths[done].max(initial=0))
        ended += int(done.sum())
        lengths[done] = 0
        total[done] = 0
    if vec.config.max_tries == 1:
        assert ended > 100
    assert longest < vec.config.max_decisions / 10


HASH = """
import hashlib
from unspoken.envs import make_vec
digest = hashlib.sha256()
for task in ("syncro-Ia-2p", "syncro-IIe-3p", "syncro-chapter2-5p"):
    vec = make_vec(task, 4, seed=11)
    vec.reset()
    for _ in range(120):
        vec.play_random()
        for array in (vec.features, vec.mask, vec.player, vec.reward, vec.done):
            digest.update(array.tobytes())
print(digest.hexdigest())
"""


def test_games_are_the_same_without_the_compiler() -> None:
    def digest(disable: str) -> str:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disable}
        run = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", HASH],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return run.stdout

    assert digest("0") == digest("1") != ""


def test_a_game_cut_off_for_its_length_is_truncated() -> None:
    config = SyncroConfig("adventure", 3)
    params = config.params
    params.max_decisions = 50
    state = new_states(1, 0)[0]
    rules.reset(params[0], state)
    mask = np.zeros(config.mask_width, np.int8)
    decisions = 0
    while not state.finished:
        rules.legal(params[0], state, mask)
        rules.step(params[0], state, int(np.flatnonzero(mask)[0]))
        decisions += 1
    assert decisions == 50
    assert state.truncated
    assert not state.won


def test_levels_are_in_order() -> None:
    assert [SyncroConfig(level).params[0].first_level for level in LEVELS] == list(range(9))
