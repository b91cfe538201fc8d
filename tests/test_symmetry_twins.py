"""A game cannot be told from its relabelled twin.

Both are played side by side by the real rules. The twin's hidden state is the relabelled one, it is played
the relabelled actions, and at every decision each seat's view (as it is, and with every card turned up), the
mask, the reward and the end must be the relabelled ones.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests import syncro_games, syzygy_games
from tests.syncro_card_set import CARDS
from tests.syncro_random_cards import random_cards, with_cards
from unspoken.envs.syncro import observation as syncro_observation
from unspoken.envs.syncro.cards import CardSet
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.effects import _redeal
from unspoken.envs.syncro.public import write_public
from unspoken.envs.syncro.state import BACK_MONSTER
from unspoken.envs.syncro.vocabulary import PassHands, Redeal
from unspoken.envs.syzygy import SyzygyConfig
from unspoken.envs.syzygy import observation as syzygy_observation

DECISIONS = 120
"""How far a game of Syncro is played."""


def assert_twins(one: Any, twin: Any, symmetry: int, observation: Any, places: int = 0) -> None:
    """``places``: how far clockwise of its own seat each player sits in the twin."""
    game, players = one.game, one.config.n_players
    assert twin.finished == one.finished
    mask = np.array([one.mask()], np.int8)
    assert game.symmetries.relabel_mask(mask, np.array([symmetry]))[0].tolist() == twin.mask()
    if not one.finished:
        assert twin.player == (one.player + places) % players
    which = np.full(players, symmetry)
    for write in (observation.observe, observation.observe_everything):
        views = np.zeros((2, players, game.feature_width), np.int8)
        for seat in range(players):
            write(one.params[0], one.states[0], seat, views[0, seat])
            write(one.params[0], twin.states[0], (seat + places) % players, views[1, seat])
        seen = np.ascontiguousarray(views[:, :, : game.layout.size])
        assert game.symmetries.relabel_features(seen[0], which).tolist() == seen[1].tolist()


# Syzygy.


def relabelled_row(config: SyzygyConfig, values: list[int], name: str) -> list[int]:
    """The twin's hidden row."""
    if "reversed" in name:
        values = [config.n_positions + 1 - value for value in values]
    return values[::-1] if "mirrored" in name else values


@pytest.mark.parametrize("config", syzygy_games.CONFIGS, ids=syzygy_games.config_name)
def test_syzygy_cannot_be_told_from_its_twin(config: SyzygyConfig) -> None:
    dice = random.Random(syzygy_games.config_name(config))
    values = dice.sample(range(1, config.n_positions + 1), config.n_positions)
    one = syzygy_games.EngineGame(config)
    symmetries = one.game.symmetries
    for symmetry in {1, 2, 3, dice.randrange(symmetries.count)}:
        # Played at random it is lost, and this row is won with passes only.
        for row, passes in ((values, False), (sorted(values, reverse=dice.random() < 0.5), True)):
            one = syzygy_games.EngineGame(config, row)
            twin = syzygy_games.EngineGame(config, relabelled_row(config, row, symmetries.names[symmetry]))
            while not one.finished:
                assert_twins(one, twin, symmetry, syzygy_observation)
                action = config.pass_action if passes else dice.choice(one.legal_actions())
                assert twin.step(int(symmetries.actions[symmetry, action])) == one.step(action)
                assert twin.potential() == one.potential()
            assert_twins(one, twin, symmetry, syzygy_observation)
            assert twin.row == relabelled_row(config, one.row, symmetries.names[symmetry])
            assert twin.won == one.won >= passes


def test_emotions_are_exchanged_in_the_moves_that_say_them() -> None:
    config = SyzygyConfig(n_planets=4, emotions=3)
    symmetries = syzygy_games.EngineGame(config).game.symmetries
    which = symmetries.names.index("emotions 1 2 0")
    moves = symmetries.actions[which, 4:16].reshape(3, 4)
    assert moves.tolist() == [[8, 9, 10, 11], [12, 13, 14, 15], [4, 5, 6, 7]]
    assert symmetries.actions[which, [0, 1, 2, 3, 16]].tolist() == [0, 1, 2, 3, 16]


# Syncro.


def without_redeal(cards: CardSet) -> CardSet:
    """Hands are passed instead of dealt anew: chance would deal the twin otherwise (see the test of it)."""

    def change(card: Any) -> Any:
        passing = PassHands(do="pass_hands", direction="left")
        effects = [passing if isinstance(effect, Redeal) else effect for effect in card.effects]
        return card.model_copy(update={"effects": tuple(effects)})

    unlocked = cards.unlocked
    return cards.model_copy(
        update={
            "fog": tuple(map(change, cards.fog)),
            "rewards": tuple(map(change, cards.rewards)),
            "unlocked": unlocked.model_copy(
                update={"fog": change(unlocked.fog), "reward": change(unlocked.reward)}
            ),
        }
    )


def turn_seats(states: Any, players: int, places: int) -> None:
    """Everybody sits ``places`` further clockwise, in a game just dealt."""
    for field in ("hand", "hand_known", "hand_size", "said_sum", "said_size", "reward"):
        states[field][0, :players] = np.roll(states[field][0, :players], places, 0)
    for field in ("leader", "seat"):
        states[field] = (states[field] + places) % players


def rename_monsters(params: Any, states: Any, names: dict[int, int]) -> None:
    """Monsters have other names, in a horde just laid out."""
    state = states[0]
    for slot in range(state.n_slots):
        if params.slot_back[state.level, slot] == BACK_MONSTER:
            state.horde_card[slot] = names[int(state.horde_card[slot])]
    for place in range(state.monster_deck_size):
        state.monster_deck[place] = names[int(state.monster_deck[place])]
    write_public(params, state)


@pytest.mark.parametrize(
    ("scenario", "players"),
    list(product(("I-a", "I-d", "II-c", "II-e", "chapter-2", "adventure"), (2, 3, 4, 5))),
)
@pytest.mark.parametrize("any_cards", [False, True], ids=["house", "random"])
def test_syncro_cannot_be_told_from_its_twin(scenario: str, players: int, any_cards: bool) -> None:
    dice = random.Random(f"{scenario} {players} {any_cards}")
    config = SyncroConfig(scenario, players, dice.choice(("sparse", "shaped")), dice.random() < 0.5)
    with_cards(config, without_redeal(random_cards(dice) if any_cards else CARDS))
    game = syncro_games.EngineGame(config).game
    symmetries, layout, params = game.symmetries, game.layout, config.params[0]
    for symmetry in {1, symmetries.count - 1, *(dice.randrange(symmetries.count) for _ in range(2))}:
        labels = symmetries.labels[symmetries.label[symmetry]]
        places = int(labels[layout["seat"].start, 0])
        cards = labels[layout["slot_card"].start].astype(int) - 1
        names = {kind: int(cards[1 + kind]) for kind in range(params.n_monsters)}
        one = syncro_games.EngineGame(config, dice.randrange(2**32))
        twin = one.copy()
        turn_seats(twin.states, players, places)
        rename_monsters(params, twin.states, names)
        for _ in range(DECISIONS):
            assert_twins(one, twin, symmetry, syncro_observation, places)
            if one.finished:
                break
            legal = one.legal_actions()
            attacks = [action for action in legal if action < config.pass_action]
            action = dice.choice(attacks if attacks and dice.random() < 0.7 else legal)
            tries = int(one.states.all_tries[0])
            assert twin.step(int(symmetries.actions[symmetry, action])) == one.step(action)
            if one.states.all_tries[0] != tries and not one.finished:
                rename_monsters(params, twin.states, names)  # the monster deck was shuffled anew


def test_dealing_all_hands_anew_does_not_depend_on_who_sits_where() -> None:
    players, games = 3, 4000
    one = syncro_games.EngineGame(SyncroConfig("II-a", players))
    dealt = []
    for places in range(players):
        twin = one.copy()
        state = twin.states[0]
        state.leader = 0
        state.hand[:] = 0
        state.hand_size[:players] = (1, 2, 0)
        state.hand[0, 0] = 1
        state.hand[1, :2] = (2, 3)
        turn_seats(twin.states, players, places)
        start = twin.states.copy()
        counts: Counter[tuple[int, ...]] = Counter()
        for seed in range(games):
            state = start.copy()[0]
            state.generator = np.uint64(0x9E3779B97F4A7C15 * (seed + 1) & (2**64 - 1))
            _redeal(one.params[0], state)
            hands = np.roll(state.hand[:players, 0], -places)
            counts[tuple(hands.tolist())] += 1
        dealt.append(counts)
    for counts in dealt:
        # All six orders of three spells, dealt one each from the leader on.
        assert len(counts) == 6
        assert all(abs(count - games / 6) < games / 30 for count in counts.values())
