"""What Syncro's scripted players choose in positions in which any player would choose the same.

What is right is right by far, so that nothing here depends on a bot's weights.
"""

from __future__ import annotations

import random
from itertools import cycle, islice

import numpy as np
import pytest

from tests.reference.syncro import TURNS, Syncro
from tests.reference.syncro_parts import (
    DEBT,
    ESTIMATE,
    KEEP,
    Action,
    Attack,
    Drop,
    Estimate,
    Keep,
    Pass,
    PlayReward,
    Spell,
    Stop,
    Target,
)
from tests.reference.syncro_table import HAND_LIMITS
from tests.syncro_bot_positions import HOPELESS, SURE, holding, in_debt, last_decision, leave, table
from tests.syncro_games import EngineGame
from tests.syncro_positions import (
    curse,
    dragon,
    golem,
    hands_of,
    house_cards,
    lieutenant,
    mushroom,
    passes,
    play,
    reward,
    say_average,
    unshuffled,
)
from tests.test_syncro_bots import BOTS, bound, choice, spent
from unspoken.envs.syncro import observation
from unspoken.envs.syncro.cards import MonsterCard
from unspoken.envs.syncro.config import SyncroConfig

COUNTING = ("syncro/estimate", "syncro/convention", "syncro/oracle")
"""Those who count what others may have played."""
NATURAL = ("syncro/solo", "syncro/estimate", "syncro/oracle")
"""Those whose thumbs mean what anyone would take them for."""
every_bot = pytest.mark.parametrize("name", BOTS)
any_number = pytest.mark.parametrize("players", TURNS)
few_or_many = pytest.mark.parametrize("players", [2, 5])


# The last decision of a round.


@every_bot
@any_number
def test_the_last_wizard_wins_the_level_with_the_one_spell_that_does(name: str, players: int) -> None:
    assert choice(name, last_decision(golem(4), hand=(3, 2, 4, 1), players=players)) == Attack(2, 0)


@every_bot
@any_number
def test_the_lowest_spell_that_is_enough_goes_on_a_golem(name: str, players: int) -> None:
    assert choice(name, last_decision(golem(3), HOPELESS, hand=(5, 3, 4), players=players)) == Attack(1, 0)


@every_bot
@any_number
@pytest.mark.parametrize("foe", [golem(9), dragon(12)], ids=lambda foe: foe.kind)
def test_a_wizard_who_may_pass_throws_no_spell_away(name: str, players: int, foe: MonsterCard) -> None:
    other = SURE if name in COUNTING else HOPELESS
    game = last_decision(foe, other, hand=(4, 1, 2), players=players, after=Attack(0, 1))
    assert choice(name, game) == Pass()


@every_bot
@any_number
def test_a_wizard_who_must_attack_in_vain_does_it_with_its_lowest_spell(name: str, players: int) -> None:
    assert choice(name, last_decision(HOPELESS, hand=(5, 1, 4), players=players)) == Attack(1, 0)


@every_bot
@any_number
def test_an_attack_in_vain_is_not_made_on_a_dragon(name: str, players: int) -> None:
    game = last_decision(dragon(9), golem(9), hand=(2, 1, 4), players=players)
    assert choice(name, game) == Attack(1, 1)


@every_bot
@any_number
def test_a_dragon_with_spells_on_it_is_met_exactly(name: str, players: int) -> None:
    game = last_decision(dragon(5), HOPELESS, hand=(3, 2, 5, 4, 1)[: HAND_LIMITS[players]], players=players)
    assert choice(name, leave(game, 0, 3)) == Attack(1, 0)


@every_bot
@any_number
def test_spells_that_lie_on_a_foe_are_made_use_of(name: str, players: int) -> None:
    foes = lieutenant("reward", 10), HOPELESS
    game = last_decision(*foes, hand=(5, 2, 3), players=players, after=Attack(0, 1))
    assert choice(name, leave(game, 0, 4, 4)) == Attack(1, 0)


@pytest.mark.parametrize("name", COUNTING)
@any_number
def test_what_is_surely_destroyed_is_not_attacked_again(name: str, players: int) -> None:
    game = last_decision(SURE, HOPELESS, hand=(5, 4), players=players, after=Attack(0, 0))
    assert choice(name, game) == Pass()


@every_bot
@pytest.mark.parametrize("players", [4, 5])
def test_the_only_wizard_with_spells_relies_on_nobody(name: str, players: int) -> None:
    game = table(golem(3), hands=[(1, 3, 2, 4), *[()] * (players - 1)])
    assert choice(name, game) == Attack(1, 0)


# What the rules force.


@every_bot
def test_the_fifth_wizard_passes_if_nobody_has(name: str) -> None:
    game = table(golem(3), HOPELESS, hands=[*[(1, 1)] * 4, (3, 3)])
    for _ in range(4):
        game.apply(Attack(0, 1))
    assert choice(name, game) == Pass()


@every_bot
@few_or_many
def test_a_wizard_without_spells_passes(name: str, players: int) -> None:
    assert choice(name, table(SURE, hands=[(), *[(5, 5)] * (players - 1)])) == Pass()


@every_bot
@pytest.mark.parametrize("players", [2, 3])
def test_few_wizards_play_nothing_on_their_own_spell(name: str, players: int) -> None:
    game = table(golem(3), HOPELESS, hands=[(1, 2), *[()] * (players - 1)])
    game.apply(Attack(0, 0))
    while game.current_player != 0:
        game.apply(Pass())
    assert choice(name, game) in (Pass(), Attack(0, 1))


@every_bot
@any_number
def test_curses_are_obeyed(name: str, players: int) -> None:
    hands = [(1, 2, 5)] * players
    for rule in ({"do": "force", "rule": "leader_attacks"}, {"do": "forbid", "rule": "pass"}):
        assert isinstance(choice(name, table(HOPELESS, hands=hands, curses=[curse(**rule)])), Attack)
    ends = [curse(do="force", rule="end_cards")]
    game = last_decision(golem(3), HOPELESS, hand=(2, 3, 5), players=players, curses=ends)
    assert choice(name, game) == Attack(2, 0)


# The oracle.


@pytest.mark.parametrize(
    "hands",
    [
        [(2, 5), (4, 1)],
        [(1,), (5, 2), (1, 4)],
        [(1,), (5, 1), (1,), (4, 1)],
        [(1,), (1,), (5,), (1,), (4,)],
    ],
    ids=len,
)
def test_the_oracle_meets_a_dragon_exactly_with_two_hands(hands: list[tuple[int, ...]]) -> None:
    game = table(dragon(9), hands=hands)
    assert sorted(spent(game, "syncro/oracle")) == [4, 5]
    assert game.won


def test_the_oracle_sees_the_spell_that_lies_face_down() -> None:
    for played, slot in ((2, 0), (3, 1), (4, 2)):
        game = table(dragon(5), HOPELESS, hands=[(played,), (1,), (1,), (3, 2, 1)])
        play(game, Attack(0, 0), *passes(2))
        assert choice("syncro/oracle", game) == Attack(slot, 0)


@pytest.mark.parametrize(("level", "players"), [("II-a", 2), ("II-b", 3), ("II-d", 5)])
def test_the_oracle_knows_nothing_of_the_decks(level: str, players: int) -> None:
    config = SyncroConfig(level, players)
    oracle = bound("syncro/oracle", config)
    dice = random.Random(4)
    for seed in range(6):
        game = EngineGame(config, seed)
        for _ in range(dice.randrange(30)):
            if not game.finished:
                game.step(dice.choice(game.legal_actions()))
        actions = set()
        for _ in range(3):
            row = np.zeros((1, game.game.feature_width), np.int8)
            observation.observe_everything(config.params[0], game.states[0], game.player, row[0])
            mask = np.array([game.mask()], np.int8)
            action, _ = oracle.act(row, mask, np.array([game.player], np.int8), None)
            actions.add(int(action[0]))
            for deck in ("spell_deck", "fog_deck", "reward_deck", "lieutenant_deck"):
                size = int(game.states[f"{deck}_size"][0])
                cards = game.states[deck][0, :size].tolist()
                game.states[deck][0, :size] = dice.sample(cards, size)
        assert len(actions) == 1


# Thumbs.


def thumbs(name: str, players: int, *spells: int, level: str = "I-a") -> set[str]:
    """What the bot says of hands full of these spells, in all seats."""
    game = Syncro(house_cards(), players, level, unshuffled)
    said = set()
    while game.kind == ESTIMATE:
        assert game.decision is not None
        hand = islice(cycle(spells), HAND_LIMITS[players])
        game.table.hands[game.decision.seat] = [Spell(value, {game.decision.seat}) for value in hand]
        action = choice(name, game)
        assert isinstance(action, Estimate)
        said.add(action.says)
        game.apply(action)
    return said


@pytest.mark.parametrize("name", NATURAL)
@few_or_many
def test_a_thumb_goes_up_for_high_spells_and_down_for_low_ones(name: str, players: int) -> None:
    assert thumbs(name, players, 5) == {"good"}
    assert thumbs(name, players, 3, 2) == {"average"}
    assert thumbs(name, players, 1) == {"bad"}


@few_or_many
def test_a_thumb_of_the_convention_is_about_the_highest_spell(players: int) -> None:
    name = "syncro/convention"
    assert thumbs(name, players, 1, 1, 1, 5) == {"good"}
    assert thumbs(name, players, 1, 1, 1, 4) == {"average"}
    assert thumbs(name, players, 3) == {"bad"}
    # There are only two 6s.
    assert thumbs(name, players, 1, 1, 1, 6, level="II-b") == {"good"}
    assert thumbs(name, players, 1, 1, 1, 5, level="II-b") == {"good"}
    assert thumbs(name, players, 4, level="II-b") == {"average"}


# A Dragon's debt.


def pay(name: str, game: Syncro) -> list[list[int]]:
    """The bot, in all seats, pays; returns the hands, before anything else happens."""
    while game.kind == DEBT:
        game.apply(choice(name, game))
    assert game.table.owed == 0
    return hands_of(game)


@every_bot
@few_or_many
def test_a_debt_is_paid_with_the_spells_that_make_it_exactly(name: str, players: int) -> None:
    nothing: list[tuple[int, ...]] = [()] * (players - 1)
    assert pay(name, in_debt(3, [(5, 1, 2), *nothing]))[0] == [5]
    assert pay(name, in_debt(6, [(5, 4, 2), *nothing]))[0] == [5]
    assert pay(name, in_debt(4, [(5, 1, 4), *nothing]))[0] == [5, 1]
    assert pay(name, in_debt(9, [(5, 1, 4), *nothing]))[0] == [1]


@every_bot
@any_number
def test_a_debt_is_left_to_wizards_who_surely_can_pay_it_exactly(name: str, players: int) -> None:
    game = in_debt(2, [(5, 5), *[(1,) * min(5, HAND_LIMITS[players])] * (players - 1)])
    assert choice(name, game) == Stop()
    hands = pay(name, game)
    assert hands[0] == [5, 5]
    assert sum(map(len, hands[1:])) == (players - 1) * min(5, HAND_LIMITS[players]) - 2


@every_bot
@any_number
def test_no_debt_is_left_unpaid_that_the_team_can_pay(name: str, players: int) -> None:
    dice = random.Random(players)
    for _ in range(6):
        hands = [tuple(dice.randint(1, 5) for _ in range(dice.randint(0, 3))) for _ in range(players)]
        most = sum(map(sum, hands))
        if most > 0:
            pay(name, in_debt(dice.randint((most + 1) // 2, most), hands))


# Rewards, and what they are used for.


def target(name: str, game: Syncro) -> Action:
    """What the bot chooses for the Reward of seat 0."""
    game.apply(PlayReward())
    return choice(name, game)


DRAW = reward({"do": "draw", "who": "player", "count": 2})
SWAP = reward({"do": "swap_hands"})
COVERED = ("M+", "M+")
"""Slot 1 lies over slot 0."""


@every_bot
@few_or_many
def test_spells_are_drawn_when_there_is_room_for_them(name: str, players: int) -> None:
    assert choice(name, holding(DRAW, hands=[(1, 2)] * players)) == PlayReward()
    game = holding(DRAW, hands=[(2,) * HAND_LIMITS[players]] * players)
    assert PlayReward() in game.legal_actions()
    assert choice(name, game) != PlayReward()


@every_bot
@few_or_many
def test_cards_are_turned_up_sums_told_and_spells_taken_back_at_once(name: str, players: int) -> None:
    hands = [(1, 2)] * players
    sight = reward({"do": "reveal", "what": "all"})
    foes = golem(6), HOPELESS
    assert choice(name, holding(sight, *foes, hands=hands, pattern=("M-", "M+"))) == PlayReward()
    assert choice(name, holding(reward({"do": "announce_sums"}), hands=hands)) == PlayReward()
    back = reward({"do": "recover", "who": "player", "which": "highest"})
    assert choice(name, holding(back, hands=hands, discards=(5,))) == PlayReward()


@every_bot
@few_or_many
def test_hands_are_swapped_by_a_wizard_without_spells_and_for_the_most(name: str, players: int) -> None:
    most = players - 1
    hands = [(4,) * (3 if seat == most else 2) for seat in range(players)]
    assert choice(name, holding(SWAP, hands=hands)) != PlayReward()
    game = holding(SWAP, hands=[(), *hands[1:]])
    assert choice(name, game) == PlayReward()
    assert target(name, game) == Target(most)


@every_bot
def test_a_foe_that_lies_open_is_made_weaker_and_one_that_does_not_stronger(name: str) -> None:
    hands = [(1, 2)] * 3
    for amount, slot in ((-2, 1), (2, 0)):
        change = reward({"do": "strength", "what": "chosen", "amount": amount})
        assert target(name, holding(change, golem(6), golem(6), hands=hands, pattern=COVERED)) == Target(slot)


@every_bot
def test_strength_is_taken_from_a_foe_that_has_some(name: str) -> None:
    change = reward({"do": "strength", "what": "chosen", "amount": -2})
    for weak in (mushroom(1), golem(1), dragon(1)):
        assert target(name, holding(change, weak, golem(6), hands=[(1, 2)] * 3)) == Target(1)


@every_bot
def test_the_strongest_foe_is_destroyed_that_can_be(name: str) -> None:
    game = holding(reward({"do": "destroy", "limit": 4}), golem(2), golem(4), golem(5), hands=[(1, 2)] * 3)
    assert choice(name, game) == PlayReward()
    assert target(name, game) == Target(1)


# Between levels.


@every_bot
@any_number
def test_a_good_hand_is_kept_and_a_bad_one_dropped(name: str, players: int) -> None:
    game = say_average(Syncro(house_cards(I_a=("M+",)), players, "chapter-1", unshuffled))
    for seat in range(players):
        game.table.hands[seat] = [Spell(value, {seat}) for value in ((5, 4), (1, 2))[seat % 2]]
    game.table.horde[0].card = SURE
    game.apply(Attack(0, 0))
    while game.kind != KEEP:
        game.apply(Pass())
    while game.kind == KEEP:
        assert game.decision is not None
        good = game.table.hands[game.decision.seat][-1].value == 4
        assert choice(name, game) == (Keep() if good else Drop())
        game.apply(Keep())
