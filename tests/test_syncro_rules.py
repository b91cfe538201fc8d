"""Syncro's rules on the engine: the rulebook's worked examples, and one test for each fine point.

Positions are laid out by hand: ``Table(hands=["521", "33"], horde=["mushroom 2"])`` are two wizards with
these spells before a Mushroom of strength 2 in slot 3, the leftmost of the bottom row (3, 4, 5).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.syncro_positions import house_cards
from tests.syncro_random_cards import with_cards
from unspoken.envs.syncro import rules
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.flow import CARD, RESOLVE, TURN, TURN_UP, begin, push_card
from unspoken.envs.syncro.foes import find_accessible, strength_now
from unspoken.envs.syncro.game import SyncroGame
from unspoken.envs.syncro.resolution import begin_round
from unspoken.envs.syncro.state import (
    DECIDE_DEBT,
    DECIDE_ESTIMATE,
    DECIDE_KEEP,
    DECIDE_NOTHING,
    DECIDE_TARGET,
    DECIDE_TURN,
    FOG,
    LEADER_ATTACKS,
    NO_ESTIMATE,
    NO_PASS,
    REWARD,
    new_states,
)
from unspoken.envs.syncro.tables import foe_names, fog_kinds, monster_kinds, reward_kinds

PATTERNS = {"I-a": ("  M-  ", " M-M- ", "M+M+M+"), "II-a": ("  L-  ", " F-M- ", "M+M+M+")}
"""Slot 0; 1, 2; 3, 4, 5."""
FIRST = 3
"""The leftmost slot of the bottom row."""


class Table:
    """A position of level I-a (or of a part II level, with Fog and Rewards out of the way)."""

    def __init__(
        self, hands: Sequence[str], horde: Sequence[str], leader: int = 0, level: str = "I-a", deck: str = ""
    ) -> None:
        cards = house_cards(**{level.replace("-", "_"): PATTERNS[level]})
        self.config = with_cards(SyncroConfig(level, len(hands)), cards)
        self.game = SyncroGame(self.config)
        self.params = self.config.params
        self.states = new_states(1, 0)
        self.state = state = self.states[0]
        rules.reset(self.params[0], state)
        state.leader = leader
        state.reward[:] = 0
        state.spell_discards[:] = 0
        state.spell_deck_size = len(deck)
        state.spell_deck[: len(deck)] = [int(value) for value in reversed(deck)]
        state.hand[:] = 0
        state.hand_known[:] = 0
        for seat, hand in enumerate(hands):
            self.give(seat, hand)
        state.present = 0
        self.kinds = monster_kinds(self.config.card_set)
        for place, foe in enumerate(horde):
            self.lay(FIRST + place, foe)
        begin_round(state)
        self.go(TURN)

    def give(self, seat: int, hand: str) -> None:
        self.state.hand[seat, : len(hand)] = [int(value) for value in hand]
        self.state.hand_size[seat] = len(hand)

    def lay(self, slot: int, foe: str, face_up: bool = True) -> None:
        """Put a monster of a kind and strength into a slot."""
        kind, _, strength = foe.partition(" ")
        state = self.state
        state.horde_card[slot] = next(number for number, card in enumerate(self.kinds) if card.kind == kind)
        state.strength[slot] = state.printed[slot] = int(strength)
        state.present |= 1 << slot
        state.face_up = state.face_up | 1 << slot if face_up else state.face_up & ~(1 << slot)
        find_accessible(self.params[0], state)

    def spells(self, slot: int, spells: Sequence[tuple[int, str]]) -> None:
        """Leave face-up spells on a monster: (seat, value) from the bottom up."""
        for seat, value in spells:
            index = self.state.table_size
            self.state.table_slot[index] = slot
            self.state.table_value[index] = int(value)
            self.state.table_owner[index] = seat
            self.state.table_place[index] = 1
            self.state.table_hand[index] = -1
            self.state.table_size += 1

    def go(self, stage: int) -> None:
        begin(self.state, stage)
        rules.run(self.params[0], self.state)

    def resolve(self) -> None:
        """Skip to the resolution."""
        self.state.resolving = 0
        self.go(RESOLVE)

    def apply(self, name: str, seat: int = 0) -> None:
        """Apply a Fog or Reward card of this name now."""
        fog = [card.name for card in fog_kinds(self.config.card_set)]
        reward = [card.name for card in reward_kinds(self.config.card_set)]
        card = FOG + fog.index(name) if name in fog else REWARD + reward.index(name)
        begin(self.state, TURN)
        push_card(self.state, card, seat)
        rules.run(self.params[0], self.state)

    def names(self) -> list[str]:
        """What the seat to act may do."""
        mask = np.zeros(self.config.mask_width, np.int8)
        rules.legal(self.params[0], self.state, mask)
        return [self.game.action_name(int(action)) for action in np.flatnonzero(mask)]

    def play(self, *names: str) -> Table:
        """Play actions by their names, whoever is to act."""
        for name in names:
            actions = {self.game.action_name(action): action for action in range(self.config.n_actions)}
            assert rules.is_legal(self.params[0], self.state, actions[name]), (name, self.names())
            rules.step(self.params[0], self.state, actions[name])
        return self

    def hand(self, seat: int) -> str:
        return "".join(map(str, self.state.hand[seat, : self.state.hand_size[seat]]))

    def discards(self) -> str:
        return "".join(str(value) * int(self.state.spell_discards[value]) for value in range(1, 8))

    def on(self, slot: int) -> str:
        """The spells on a monster in the order of play, absorbed ones in brackets."""
        state = self.state
        return "".join(
            f"({state.table_value[index]})"
            if state.table_place[index] == 2
            else str(state.table_value[index])
            for index in range(state.table_size)
            if state.table_slot[index] == slot
        )

    def is_there(self, slot: int) -> bool:
        return bool(self.state.present >> slot & 1)

    def strength(self, slot: int) -> int:
        return int(strength_now(self.params[0], self.state, slot))

    @property
    def decides(self) -> int:
        return int(self.state.decision)

    @property
    def seat(self) -> int:
        return int(self.state.seat)


# The rulebook's worked examples


def test_mushroom_of_2_against_5_gives_three_spells() -> None:
    table = Table(["1", "1", "1", "1"], ["mushroom 2", "golem 9"], leader=2, deck="1234")
    table.spells(3, [(0, "2"), (1, "3")])
    table.resolve()
    assert not table.is_there(3)
    assert [table.hand(seat) for seat in range(4)] == ["13", "1", "11", "12"]
    assert table.decides == DECIDE_ESTIMATE
    assert table.seat == 2


def test_golem_of_8_against_2_2_3_grows_to_10() -> None:
    table = Table(["1", "1", "1", "1"], ["golem 8"])
    table.spells(3, [(0, "2"), (1, "2"), (2, "3")])
    table.resolve()
    assert table.strength(3) == 10
    assert table.on(3) == "(2)"
    assert table.discards() == "23"


def test_dragon_of_5_against_4_costs_a_discard_of_1_or_more() -> None:
    table = Table(["5", "55", "25", "1"], ["dragon 5"])
    table.spells(3, [(0, "3"), (1, "1")])
    table.resolve()
    assert (table.decides, table.seat, table.state.owed) == (DECIDE_DEBT, 0, 1)
    table.play("STOP", "STOP")
    assert table.seat == 2
    table.play("DISCARD 0")
    assert table.hand(2) == "5"
    assert table.is_there(3)
    assert table.on(3) == "3"
    assert table.discards() == "12"
    assert table.decides == DECIDE_TURN


def test_dragon_of_7_against_10_costs_1_and_2() -> None:
    table = Table(["5", "12", "25", "1"], ["dragon 7", "golem 9"], leader=1)
    table.spells(3, [(0, "5"), (1, "5")])
    table.resolve()
    assert (table.seat, table.state.owed) == (1, 3)
    table.play("DISCARD 0")
    assert (table.seat, table.state.owed) == (1, 2)
    table.play("DISCARD 0")
    assert not table.is_there(3)
    assert table.discards() == "1255"
    assert table.decides == DECIDE_TURN


def test_the_sum_23_is_said_on_two_c() -> None:
    table = Table(["53645", "1", "1", "1"], [], level="II-a", deck="1")
    table.lay(0, "golem 9")
    table.apply("Abacus")
    assert table.state.said_sum[0] == 23
    fresh = SyncroConfig("II-c", 4)
    state = new_states(1, 1)[0]
    rules.reset(fresh.params[0], state)
    assert state.decision == DECIDE_TURN
    assert state.said_sum[:4].tolist() == state.hand[:4].sum(axis=1).tolist()


# Turns


@pytest.mark.parametrize(
    ("players", "seats"),
    [(2, [1, 0, 1, 0]), (3, [1, 2, 0, 1]), (4, [1, 2, 3, 0]), (5, [1, 2, 3, 4, 0])],
)
def test_a_round_goes_clockwise_from_the_leader(players: int, seats: list[int]) -> None:
    table = Table(["11111"[: 4 if players == 5 else 5]] * players, ["golem 40"], leader=1)
    asked = []
    for _ in seats:
        asked.append(table.seat)
        table.play("PASS" if "PASS" in table.names() else table.names()[0])
    assert asked == seats
    assert table.state.leader == 2 % players


def test_the_last_wizard_must_attack_if_nobody_has() -> None:
    table = Table(["11", "11", "11", "12"], ["golem 9"])
    table.play("PASS", "PASS", "PASS")
    assert table.names() == ["ATTACK 3 with 0", "ATTACK 3 with 1"]


def test_the_last_wizard_without_spells_passes_and_nobody_else_is_forced() -> None:
    table = Table(["11", "11", "11", ""], ["golem 9"])
    table.play("PASS", "PASS", "PASS")
    assert table.names() == ["PASS"]
    table.play("PASS")
    assert (table.decides, table.seat) == (DECIDE_TURN, 1)


def test_of_five_wizards_the_last_must_pass_if_nobody_has() -> None:
    table = Table(["11"] * 5, ["golem 30"])
    table.play(*["ATTACK 3 with 0"] * 4)
    assert table.names() == ["PASS"]


def test_an_empty_hand_passes_for_the_five() -> None:
    table = Table(["11", "", "11", "11", "11"], ["golem 30"])
    table.play("ATTACK 3 with 0", "PASS", "ATTACK 3 with 0", "ATTACK 3 with 0")
    assert table.names() == ["ATTACK 3 with 0", "ATTACK 3 with 1", "PASS"]


def test_three_wizards_do_not_play_on_their_own_top_spell() -> None:
    table = Table(["111", "111", "111"], ["golem 30", "golem 31"])
    table.play("ATTACK 3 with 0", "PASS", "PASS")
    assert table.names() == ["ATTACK 4 with 0", "ATTACK 4 with 1", "PASS"]


def test_a_leftover_of_ones_own_on_top_counts_but_not_one_below() -> None:
    table = Table(["111", "111", "111"], ["mushroom 30", "mushroom 31"])
    table.spells(3, [(1, "5"), (0, "5")])
    table.spells(4, [(0, "5"), (1, "5")])
    table.go(TURN)
    assert table.names() == ["ATTACK 4 with 0", "ATTACK 4 with 1", "ATTACK 4 with 2", "PASS"]


def test_a_played_card_leaves_and_the_rest_close_up() -> None:
    table = Table(["1345", "11", "11", "11"], ["golem 30"])
    table.play("ATTACK 3 with 1")
    assert table.hand(0) == "145"
    assert table.state.play_hand[0, 0] == 2


# Resolution


def test_of_equal_lowest_spells_the_first_one_played_is_discarded() -> None:
    table = Table(["1", "1", "1", "1"], ["mushroom 9"])
    table.spells(3, [(0, "3"), (1, "2"), (2, "2")])
    table.resolve()
    assert table.on(3) == "32"
    assert [int(owner) for owner in table.state.table_owner[:2]] == [0, 2]


def test_leftovers_are_resolved_every_round_attacked_or_not() -> None:
    table = Table(["1", "1", "1", "1"], ["mushroom 9"])
    table.spells(3, [(0, "3"), (1, "2")])
    table.resolve()
    table.resolve()
    assert table.on(3) == ""
    assert table.discards() == "23"


def test_the_last_monster_wins_at_once_without_a_draw() -> None:
    table = Table(["1", "1", "1", "1"], ["mushroom 2"], deck="1234")
    table.spells(3, [(0, "5")])
    table.resolve()
    assert table.decides == DECIDE_NOTHING
    assert table.state.won
    assert table.hand(0) == "1"


def test_a_last_dragon_is_paid_first_and_unpaid_is_lost() -> None:
    for answer, won in (("DISCARD 0", True), ("STOP", False)):
        table = Table(["1", "", "", ""], ["dragon 4"])
        table.spells(3, [(0, "5")])
        table.resolve()
        assert table.names() == ["DISCARD 0", "STOP"]
        table.play(answer)
        assert table.state.finished
        assert table.state.won == won


def test_a_debt_without_spells_is_lost_at_once() -> None:
    table = Table(["", "", "", ""], ["dragon 4", "golem 8"])
    table.spells(3, [(0, "5")])
    table.resolve()
    assert table.state.finished
    assert not table.state.won


def test_a_dragon_with_leftovers_owes_again() -> None:
    table = Table(["1", "1", "1", "1"], ["dragon 9"])
    table.spells(3, [(0, "3"), (1, "5")])
    table.resolve()
    table.play("DISCARD 0")
    assert table.on(3) == "5"
    table.resolve()
    assert (table.decides, table.state.owed, table.seat) == (DECIDE_DEBT, 4, 1)


def test_a_round_without_a_spell_left_is_lost() -> None:
    table = Table(["1", "", "", ""], ["golem 9"])
    table.play("ATTACK 3 with 0", "PASS", "PASS", "PASS")
    assert table.state.finished
    assert not table.state.won


def test_a_mushrooms_spells_are_discarded_before_its_draw() -> None:
    table = Table(["1", "", "", ""], ["mushroom 2", "golem 9"])
    table.spells(3, [(0, "3")])
    table.resolve()
    assert table.hand(0) == "13"


def test_drawing_skips_full_hands_and_leaves_the_rest() -> None:
    table = Table(["11111", "1", "11111", "1111"], ["mushroom 1", "golem 9"], deck="12345")
    table.spells(3, [(0, "5"), (1, "5")])
    table.resolve()
    assert [table.hand(seat) for seat in range(4)] == ["11111", "11345", "11111", "11112"]
    assert table.state.spell_deck_size == 0
    assert table.discards() == "55"


def test_covered_cards_are_turned_up_after_all_attacks() -> None:
    table = Table(["12", "1", "1", "1"], ["mushroom 1", "mushroom 1"])
    table.lay(1, "golem 9", face_up=False)
    table.spells(3, [(0, "1")])
    table.spells(4, [(0, "1")])
    table.resolve()
    assert table.state.face_up >> 1 & 1
    assert "ATTACK 1 with 0" in table.names()


# Cards


def test_a_reward_does_not_use_up_the_decision() -> None:
    table = Table(["1", "1", "1", "1"], [], level="II-a", deck="12345")
    table.lay(0, "golem 9")
    rewards = [card.name for card in reward_kinds(table.config.card_set)]
    table.state.reward[0] = REWARD + rewards.index("Inkwell")
    table.go(TURN)
    table.play("PLAY REWARD")
    assert table.hand(0) == "112"
    assert table.decides == DECIDE_ESTIMATE
    table.play("ESTIMATE good", "ESTIMATE bad", "ESTIMATE bad", "ESTIMATE average")
    assert table.state.estimate[:4].tolist() == [1, 3, 3, 2]
    assert (table.decides, table.seat) == (DECIDE_TURN, 0)
    assert table.state.reward[0] == 0
    assert "PLAY REWARD" not in table.names()


def test_no_estimate_is_seen_before_all_have_been_made() -> None:
    config = SyncroConfig("I-a", 3)
    game = SyncroGame(config)
    state = new_states(1, 0)[0]
    rules.reset(config.params[0], state)
    rules.step(config.params[0], state, config.pass_action + 1)
    rules.step(config.params[0], state, config.pass_action + 2)
    assert not state.estimate.any()
    rules.step(config.params[0], state, config.pass_action + 3)
    assert sorted(state.estimate[:3].tolist()) == [1, 2, 3]
    assert game.action_name(config.pass_action + 3) == "ESTIMATE bad"


def test_hands_go_to_the_left_and_givers_remember() -> None:
    table = Table(["12", "3", ""], [], level="II-a")
    table.lay(0, "golem 9")
    table.apply("Carousel")
    assert [table.hand(seat) for seat in range(3)] == ["", "12", "3"]
    assert table.state.hand_known[1, :2].tolist() == [1, 1]
    assert table.state.hand_known[2, 0] == 2


def test_hands_are_swapped_with_a_chosen_wizard() -> None:
    table = Table(["12", "3", "45"], [], level="II-a")
    table.lay(0, "golem 9")
    table.apply("Borrowed Cloak", seat=1)
    assert (table.decides, table.seat) == (DECIDE_TARGET, 1)
    assert table.names() == ["TARGET 1", "TARGET 2"]
    table.play("TARGET 2")
    assert [table.hand(seat) for seat in range(3)] == ["3", "12", "45"]


def test_the_unlocked_reward_deals_again_and_draws() -> None:
    table = Table(["12", "3", ""], [], level="II-a", deck="555")
    table.lay(0, "golem 9")
    table.apply("Shared Dream")
    assert [len(table.hand(seat)) for seat in range(3)] == [2, 2, 2]
    assert all(table.hand(seat).endswith("5") for seat in range(3))
    assert table.decides == DECIDE_ESTIMATE


def test_a_destroyed_last_monster_wins_in_the_middle_of_a_card() -> None:
    table = Table(["12", "3", ""], [], level="II-a")
    table.lay(2, "golem 3")
    table.apply("Firecracker")
    table.play("TARGET 2")
    assert table.state.won
    assert table.state.reward_discards_size == 1


def test_a_crowd_lieutenant_counts_every_other_card() -> None:
    table = Table(["12", "3", ""], [], level="II-a")
    names = foe_names(table.config.card_set)
    for slot in (2, 3, 4):
        table.lay(slot, "golem 9")
    table.lay(0, "golem 4")
    table.state.horde_card[0] = names.index("Captain Thistle")
    assert table.strength(0) == 7


def test_fog_comes_after_the_others_and_leaves_the_horde() -> None:
    table = Table(["12", "3", "4"], [], level="II-a", deck="555")
    state = table.state
    table.lay(0, "golem 4", face_up=False)
    fog = [card.name for card in fog_kinds(table.config.card_set)]
    state.horde_card[1] = FOG + fog.index("Warm Hearth")
    state.present |= 1 << 1
    state.face_up &= ~(1 << 1)
    find_accessible(table.params[0], state)
    table.go(TURN_UP)
    assert not table.is_there(1)
    # What lay under it is turned up once its effect, estimate included, is over.
    assert not state.face_up & 1
    assert table.decides == DECIDE_ESTIMATE
    assert state.frame_stage[1] == CARD
    table.play("ESTIMATE good", "ESTIMATE good", "ESTIMATE good")
    assert state.face_up & 1
    assert state.fog_shown[fog.index("Warm Hearth")] == 1


def test_curses_forbid_and_force() -> None:
    table = Table(["12", "3", "4", "5"], ["golem 9"])
    table.state.rules_in_force = NO_PASS
    table.go(TURN)
    assert "PASS" not in table.names()
    table.state.rules_in_force = LEADER_ATTACKS
    table.go(TURN)
    assert "PASS" not in table.names()
    table.play("ATTACK 3 with 0")
    assert "PASS" in table.names()
    table.state.rules_in_force = NO_ESTIMATE
    table.lay(3, "mushroom 1")
    table.lay(4, "golem 9")
    table.state.spell_deck_size = 1
    table.state.spell_deck[0] = 1
    table.spells(3, [(1, "3")])
    table.resolve()
    assert table.decides == DECIDE_TURN


# Between levels


def test_hands_are_kept_or_dropped_unseen_after_a_level() -> None:
    config = SyncroConfig("chapter-1", 3)
    params = config.params[0]
    state = new_states(1, 0)[0]
    rules.reset(params, state)
    state.leader = 0
    state.present = 1
    state.strength[0] = 1
    state.table_size = 1
    state.table_value[0] = 5
    state.table_slot[0] = 0
    state.table_place[0] = 1
    kept = state.hand[1, :6].tolist()
    begin(state, RESOLVE)
    rules.run(params, state)
    assert state.decision == DECIDE_KEEP
    assert state.seat == 1
    assert state.leader == 1
    rules.step(params, state, config.params[0].keep_action)
    rules.step(params, state, config.params[0].drop_action)
    assert state.hand_size[2] == 6
    rules.step(params, state, config.params[0].drop_action)
    assert state.level == 1
    assert state.tries == 1
    assert state.hand[1, :6].tolist() == kept
    assert state.hand_size[:3].tolist() == [6, 6, 6]
    assert state.levels_won == 1
