"""Statements about every game of Syncro, checked on the engine in games drawn by hypothesis."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.syncro_games import EngineGame, level_name
from tests.syncro_random_cards import random_cards, with_cards
from unspoken.envs.syncro import rules
from unspoken.envs.syncro.config import SCENARIOS, SyncroConfig
from unspoken.envs.syncro.flow import ESTIMATE, KEEP
from unspoken.envs.syncro.public import write_public
from unspoken.envs.syncro.state import (
    BACK_FOG,
    BACK_LIEUTENANT,
    BACK_MONSTER,
    DECIDE_KEEP,
    FACE_DOWN,
)
from unspoken.envs.syncro.tables import monster_kinds

DECISIONS = 50
"""How far each game is played; it begins anew when it ends."""

Deal = tuple[EngineGame, random.Random]


def in_every_game(test: Callable[[Deal], None]) -> Callable[..., None]:
    """Run `test` in games of every scenario and team size, with the house cards and with any others."""

    @pytest.mark.parametrize("scenario", ["I-d", "II-c", "II-e", "chapter-2", "adventure"])
    @settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.integers(2, 5), st.booleans(), st.booleans(), st.integers(0, 2**32))
    def run(scenario: str, players: int, any_cards: bool, unlocked: bool, seed: int) -> None:
        dice = random.Random(seed)
        config = SyncroConfig(scenario, players, unlocked=unlocked)
        if any_cards:
            with_cards(config, random_cards(dice))
        test((EngineGame(config, seed), dice))

    run.__name__ = test.__name__
    run.__qualname__ = test.__qualname__
    every_game: Callable[..., None] = run
    return every_game


def decisions(game: EngineGame, dice: random.Random) -> Iterator[int]:
    """Play on: yields each chosen action before it is played, attacks more often than by chance."""
    for _ in range(DECISIONS):
        legal = game.legal_actions()
        attacks = [action for action in legal if action < game.config.pass_action]
        action = dice.choice(attacks if attacks and dice.random() < 0.6 else legal)
        yield action
        game.step(action)
        if game.finished:
            return


# Actions


@in_every_game
def test_a_wizard_to_decide_always_has_an_action_and_the_mask_says_what_is_legal(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        mask = game.mask()
        assert sum(mask) > 0
        assert mask == [int(game.is_legal(action)) for action in range(len(mask))]
        assert not any(game.is_legal(action) for action in (-1, len(mask), 10**6, -(10**6)))
    if game.finished:
        assert sum(game.mask()) == 0


@in_every_game
def test_no_wizard_without_spells_is_asked_for_spells(deal: Deal) -> None:
    game, dice = deal
    config = game.config
    for _ in decisions(game, dice):
        if game.states.hand_size[0, game.player] == 0:
            others = {config.pass_action, *range(config.target_action - 1, config.n_actions)}
            assert set(game.legal_actions()) <= others


# Cards


def cards_of(game: EngineGame) -> dict[str, Counter[int]]:
    """How many there are of every card, wherever it lies."""
    state = {name: game.states[name][0] for name in game.states.dtype.names}
    level, params = int(state["level"]), game.params[0]
    spells = Counter(int(value) for value in state["spell_deck"][: state["spell_deck_size"]])
    spells += Counter({value: int(state["spell_discards"][value]) for value in range(1, 8)})
    spells += Counter(int(value) for value in state["table_value"][: state["table_size"]])
    for seat in range(game.config.n_players):
        spells += Counter(int(value) for value in state["hand"][seat][: state["hand_size"][seat]])
    piles = {}
    for kind, back in (("fog", BACK_FOG), ("lieutenant", BACK_LIEUTENANT)):
        names = [f"{kind}_deck", "fog_discards" if kind == "fog" else "lieutenant_box"]
        found = Counter(int(card) for name in names for card in state[name][: state[f"{name}_size"]])
        first = 0 if kind == "fog" else int(params.n_monsters)
        for slot in range(state["n_slots"]):
            if params.slot_back[level, slot] == back and state["present"] >> slot & 1:
                found[int(state["horde_card"][slot]) - first] += 1
        piles[kind] = found
    piles["fog"] += Counter(int(card) for card in state["curses"][: state["curses_size"]])
    rewards = Counter(int(card) for card in state["reward_deck"][: state["reward_deck_size"]])
    rewards += Counter(int(card) for card in state["reward_discards"][: state["reward_discards_size"]])
    rewards += Counter(int(card) for card in state["reward"] if card)
    return {"spells": spells, **piles, "rewards": rewards}


@in_every_game
def test_cards_are_conserved(deal: Deal) -> None:
    game, dice = deal
    dealt = cards_of(game)
    for _ in decisions(game, dice):
        now = cards_of(game)
        if int(game.states.decision[0]) != DECIDE_KEEP:  # then the new spells have not joined yet
            assert now["spells"] == Counter(game.config.card_set.spell_deck(level_name(game.states)))
        assert now["lieutenant"] == dealt["lieutenant"]
        # A card being applied lies in no pile until it has had its effects.
        for kind in ("fog", "rewards"):
            missing = dealt[kind] - now[kind]
            assert not now[kind] - dealt[kind]
            assert sum(missing.values()) <= int(game.states.depth[0])


@in_every_game
def test_no_hand_grows_over_the_limit_by_drawing_and_the_hands_of_all_are_never_dealt_from_nowhere(
    deal: Deal,
) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        assert game.states.hand_size.max() <= game.config.hand_limit


# Who knows what


def hidden_cards_permuted(game: EngineGame, seat: int, dice: random.Random) -> EngineGame:
    """The same game with everything that `seat` may not know exchanged for something else it may not know."""
    twin = game.copy()
    state, params = twin.states[0], game.params[0]
    level, players = int(state.level), game.config.n_players
    bit = 1 << seat

    # Spells: in the deck, in other hands, face down on monsters. A play of this round says the same value.
    places: list[tuple[Any, Any]] = [(state.spell_deck, index) for index in range(state.spell_deck_size)]
    for other in range(players):
        for slot in range(state.hand_size[other]):
            if other != seat and not state.hand_known[other, slot] & bit:
                places.append((state.hand, (other, slot)))
    face_down = []
    for index in range(state.table_size):
        if state.table_place[index] == FACE_DOWN and not state.table_known[index] & bit:
            places.append((state.table_value, index))
            face_down.append(index)
    _shuffle_places(places, dice)
    for other in range(players):
        for play in range(state.play_slot.shape[1]):
            if state.play_slot[other, play] >= 2 and not state.play_known[other, play] & bit:
                state.play_value[other, play] = dice.randint(1, 7)

    # What lies face down in the horde, with the rest of its deck.
    decks = ((BACK_MONSTER, "monster_deck", 0), (BACK_LIEUTENANT, "lieutenant_deck", int(params.n_monsters)))
    for back, deck, first in decks:
        pile = getattr(state, deck)
        size = int(getattr(state, f"{deck}_size"))
        hidden = state.present & ~state.face_up & ~state.remembered
        slots = [n for n in range(state.n_slots) if hidden >> n & 1 and params.slot_back[level, n] == back]
        numbers = [int(number) for number in pile[:size]]
        numbers += [int(state.horde_card[slot]) - first for slot in slots]
        dice.shuffle(numbers)
        pile[:size] = numbers[:size]
        for slot, number in zip(slots, numbers[size:], strict=True):
            change = state.strength[slot] - state.printed[slot]
            state.horde_card[slot] = number + first
            state.printed[slot] = params.foe_strength[number + first]
            state.strength[slot] = state.printed[slot] + change
    fog = [(state.fog_deck, index) for index in range(state.fog_deck_size)]
    for slot in range(state.n_slots):
        if params.slot_back[level, slot] == BACK_FOG and state.present & (1 << slot):
            fog.append((state.horde_card, slot))
    _shuffle_places(fog, dice)
    rewards = [(state.reward_deck, index) for index in range(state.reward_deck_size)]
    rewards += [(state.reward, other) for other in range(players) if other != seat and state.reward[other]]
    _shuffle_places(rewards, dice)

    # What others have chosen and not said yet, and what the dice will bring.
    stage = state.frame_stage[state.depth]
    if stage in (ESTIMATE, KEEP):
        answers = (1, 2, 3) if stage == ESTIMATE else (0, 1)
        for other in range(players):
            if other != seat:
                state.answers[other] = dice.choice(answers)
    state.generator = dice.randrange(1, 2**63)
    # What is kept ready for observations would hide a difference.
    write_public(params, state)
    return twin


def _shuffle_places(places: list[tuple[Any, Any]], dice: random.Random) -> None:
    values = [int(array[at]) for array, at in places]
    dice.shuffle(values)
    for (array, at), value in zip(places, values, strict=True):
        array[at] = value


@in_every_game
def test_permuting_what_a_seat_may_not_know_changes_nothing_it_is_shown(deal: Deal) -> None:
    game, dice = deal
    exchanged = others_see_it = 0
    for _ in decisions(game, dice):
        for seat in range(game.config.n_players):
            twin = hidden_cards_permuted(game, seat, dice)
            assert twin.vector(seat) == game.vector(seat)
            exchanged += twin.everything() != game.everything()
            others_see_it += any(twin.vector(s) != game.vector(s) for s in range(seat))
    assert exchanged > 0
    assert others_see_it > 0


@in_every_game
def test_what_a_wizard_may_do_does_not_depend_on_what_it_may_not_know(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        twin = hidden_cards_permuted(game, game.player, dice)
        # Work out anew what is offered.
        rules.run(twin.params[0], twin.states[0])
        assert twin.player == game.player
        assert twin.mask() == game.mask()


@in_every_game
def test_every_seat_sees_its_own_hand_and_its_own_reward(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        for seat in range(game.config.n_players):
            view = game.features(seat)
            size = int(game.states.hand_size[0, seat])
            assert view["hand_0"][:size] == game.states.hand[0, seat, :size].tolist()
            assert not any(view["hand_0"][size:])


@in_every_game
def test_a_wizard_knows_the_face_down_spells_that_it_has_played(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        state = game.states[0]
        down = [index for index in range(state.table_size) if state.table_place[index] == FACE_DOWN]
        for seat in range(game.config.n_players):
            view = game.features(seat)
            for slot in {int(state.table_slot[index]) for index in down}:
                there = [index for index in down if state.table_slot[index] == slot]
                own = [int(state.table_value[index]) for index in there if state.table_owner[index] == seat]
                assert view["slot_hidden"][slot] == len(there)
                assert view["slot_known"][slot] >= sum(own)


@in_every_game
def test_the_features_stay_within_their_cardinalities(deal: Deal) -> None:
    game, dice = deal
    limits = np.array([f.cardinality for f in game.layout.features for _ in range(f.size)])
    for _ in decisions(game, dice):
        for vector in game.vectors():
            assert (np.array(vector) >= 0).all()
            assert (np.array(vector) < limits).all()


@in_every_game
def test_all_seats_see_the_same_table_each_from_its_own_side(deal: Deal) -> None:
    game, dice = deal
    players = game.config.n_players
    private = ("seat", "to_act", "leader", "slot_known", "slot_top")
    for _ in decisions(game, dice):
        views = [game.features(seat) for seat in range(players)]
        for seat, view in enumerate(views):
            assert view["seat"] == [seat]
            assert (view["to_act"][0] + seat) % players == game.player
            for name, values in view.items():
                if name not in private and not name[-1].isdigit():
                    assert values == views[0][name]
            for k in range(players):
                whose = views[(seat + k) % players]
                for part in ("hand_size", "estimate", "said_sum", "said_size", "shown", "play", "play_hand"):
                    assert view[f"{part}_{k}"] == whose[f"{part}_0"]


# The state


@in_every_game
def test_a_copied_state_plays_on_exactly_like_the_original(deal: Deal) -> None:
    game, dice = deal
    twin = game.copy()
    for action in decisions(game, dice):
        assert twin.everything() == game.everything()
        twin = twin.copy()
        twin.step(action)


@in_every_game
def test_observing_and_asking_for_the_mask_change_nothing(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        before = game.everything()
        game.vectors()
        game.mask()
        assert game.everything() == before


@in_every_game
def test_working_out_anew_what_is_offered_changes_nothing(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        before = game.everything()
        rules.run(game.params[0], game.states[0])
        assert game.everything() == before


@in_every_game
def test_rewards_add_up_to_the_levels_that_were_won(deal: Deal) -> None:
    game, dice = deal
    total = 0.0
    for action in decisions(game, dice):
        total += game.copy().step(action)
    assert total == int(game.states.levels_won[0])


@pytest.mark.parametrize("scenario", ["I-b", "II-b", "chapter-2"])
def test_the_shaped_rewards_of_a_game_add_up_to_the_levels_that_were_won(scenario: str) -> None:
    dice = random.Random(scenario)
    for seed in range(3):
        game = EngineGame(SyncroConfig(scenario, 3, reward="shaped"), seed)
        total = 0.0
        while not game.finished:
            total += game.step(dice.choice(game.legal_actions()))
        assert total == pytest.approx(int(game.states.levels_won[0]))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_game_ends_by_itself_long_before_it_would_be_cut_off(scenario: str) -> None:
    dice = random.Random(scenario)
    game = EngineGame(SyncroConfig(scenario, 3))
    played = 0
    while not game.finished:
        game.step(dice.choice(game.legal_actions()))
        played += 1
    assert not game.states.truncated[0]
    assert played < game.config.max_decisions // 10


def test_another_seed_is_another_deal() -> None:
    hands = {tuple(EngineGame(SyncroConfig("I-a", 3), seed).states.hand.ravel()) for seed in range(100)}
    assert len(hands) == 100


def test_the_first_leader_and_the_first_monster_are_drawn_about_equally_often() -> None:
    config = SyncroConfig("I-a", 3)
    game = EngineGame(config, 7)
    leaders: Counter[int] = Counter()
    monsters: Counter[int] = Counter()
    deals = 3000
    for _ in range(deals):
        leaders[int(game.states.leader[0])] += 1
        monsters[int(game.states.horde_card[0, 0])] += 1
        rules.reset(game.params[0], game.states[0])
    deck = config.card_set.monster_deck("I-a")
    kinds = [card.name for card in monster_kinds(config.card_set)]
    expected = Counter(kinds.index(card.name) for card in deck)
    for counts, shares in ((leaders, dict.fromkeys(range(3), 1 / 3)), (monsters, expected)):
        for card, share in shares.items():
            probability = share / (1 if counts is leaders else len(deck))
            deviation = (deals * probability * (1 - probability)) ** 0.5
            assert abs(counts[card] - deals * probability) < 5 * deviation
