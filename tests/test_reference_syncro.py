"""Each statement of the rules of Syncro about monsters, draws and the end of a level, on the reference model.

Hands and rounds are in `test_reference_syncro_rounds.py`, what Rewards and effects do in
`test_reference_syncro_cards.py`, Fog and curses in `test_reference_syncro_fog.py`, and what happens between
levels in `test_reference_syncro_levels.py`. A position is drawn as in the level files: the pattern of the
horde, top row first, the cards in its slots, and the hands of the wizards from seat 0 on.
"""

from __future__ import annotations

import pytest

from tests.reference.syncro import Syncro
from tests.reference.syncro_parts import (
    DEBT,
    ESTIMATE,
    GOOD,
    TURN,
    Attack,
    Discard,
    Estimate,
    IllegalActionError,
    Pass,
    Stop,
)
from tests.syncro_card_set import CARDS
from tests.syncro_positions import (
    attacked,
    curse,
    dragon,
    face_up,
    golem,
    hands_of,
    lieutenant,
    mushroom,
    on,
    passes,
    play,
    position,
    reward,
    say_average,
    values,
)

# The resolution


def test_a_total_equal_to_the_strength_destroys() -> None:
    game = position(["M+M+"], [mushroom(5), mushroom(9)], [[2, 1], [3], [1], [1]])
    play(game, Attack(0, 0), Attack(0, 0), *passes(2))
    assert set(game.table.horde) == {1}
    assert values(game.table.spell_discards) == [2, 3]
    assert game.kind == TURN


def test_a_failed_attack_loses_the_lowest_spell_and_the_others_stay_face_up() -> None:
    game = position(cards=[mushroom(9)], hands=[[2, 1], [1], [4], [1]])
    play(game, Attack(0, 0), Attack(0, 0), Attack(0, 0), Pass())
    assert values(game.table.spell_discards) == [1]
    assert game.public_view().horde[0].spells == ((0, 2), (2, 4))


def test_of_equal_lowest_spells_the_one_played_first_is_lost() -> None:
    game = position(cards=[mushroom(9)], hands=[[2, 1], [2], [4], [1]])
    play(game, Attack(0, 0), Attack(0, 0), Attack(0, 0), Pass())
    assert game.public_view().horde[0].spells == ((1, 2), (2, 4))


def test_what_is_left_on_a_monster_counts_in_the_next_round() -> None:
    game = position(["M+M+"], [mushroom(6), mushroom(9)], [[4, 1], [1, 2], [1], [1]])
    play(game, Attack(0, 0), Attack(0, 0), *passes(2))
    assert on(game, 0) == [4]
    play(game, Attack(0, 0), *passes(3))
    assert set(game.table.horde) == {1}


def test_a_monster_with_leftovers_is_resolved_every_round_attacked_or_not() -> None:
    game = position(["M+M+"], [mushroom(12), mushroom(9)], [[4, 1], [3, 3], [2], [1]])
    play(game, Attack(0, 0), Attack(0, 0), Attack(0, 0), Pass())
    assert on(game, 0) == [4, 3]
    play(game, Attack(0, 1), *passes(3))
    assert on(game, 0) == [4]


def test_monsters_are_resolved_from_the_bottom_row_up_and_from_left_to_right() -> None:
    # Each destroyed Mushroom gives its excess to the leader, who has room for everything: 1, then 2, then 3.
    pattern = ["  M+", "M+  ", "    M+M+"]
    cards = [mushroom(1), mushroom(1), mushroom(1), mushroom(9)]
    game = position(pattern, cards, [[], [4], [3], [2]], deck=[1, 2, 2, 3, 3, 3])
    play(game, Pass(), Attack(0, 0), Attack(0, 1), Attack(0, 2))
    assert hands_of(game) == [[1], [], [], []]
    say_average(game)
    assert hands_of(game) == [[1, 2, 3], [2, 3], [3], []]


def test_inaccessible_leftovers_cannot_exist_but_a_covered_monster_is_not_resolved_without_spells() -> None:
    game = position(["M+", "M+"], [mushroom(1), mushroom(9)])
    play(game, Attack(0, 1), *passes(3))
    assert set(game.table.horde) == {0, 1}


# Mushrooms


def test_a_mushroom_of_2_destroyed_with_5_gives_three_spells() -> None:
    game = position(["M+M+"], [mushroom(2), mushroom(9)], [[5], [], [], []], deck=[1, 2, 3, 4])
    play(game, Attack(0, 0), *passes(3))
    assert hands_of(game) == [[1], [2], [3], []]
    assert values(game.table.spell_deck) == [4]
    assert game.kind == ESTIMATE


def test_a_mushroom_destroyed_exactly_gives_nothing_and_nobody_estimates() -> None:
    game = position(["M+M+"], [mushroom(5), mushroom(9)], [[5], [1], [], []], deck=[1])
    play(game, Attack(0, 0), *passes(3))
    assert hands_of(game) == [[], [1], [], []]
    assert game.kind == TURN


def test_a_mushroom_that_is_not_destroyed_gives_nothing() -> None:
    game = position(cards=[mushroom(5)], hands=[[4], [1], [], []], deck=[1])
    play(game, Attack(0, 0), *passes(3))
    assert game.kind == TURN
    assert values(game.table.spell_deck) == [1]


def test_the_estimate_after_a_mushroom_comes_in_the_middle_of_the_resolution() -> None:
    game = position(["M+M+M+"], [mushroom(1), mushroom(3), mushroom(9)], [[3], [3], [], []], deck=[5, 5])
    play(game, Attack(0, 0), Attack(0, 1), *passes(2))
    assert game.kind == ESTIMATE
    assert set(game.table.horde) == {1, 2}
    say_average(game)
    assert set(game.table.horde) == {2}


def test_each_mushroom_that_gave_spells_has_an_estimate_of_its_own() -> None:
    cards = [mushroom(1), mushroom(1), mushroom(9)]
    game = position(["M+M+M+"], cards, [[2], [2], [], []], deck=[5, 5])
    play(game, Attack(0, 0), Attack(0, 1), *passes(2))
    asked = 0
    while game.kind == ESTIMATE:
        asked += 1
        game.apply(Estimate(GOOD))
    # Both draws go to the leader first, who is the only one with spells after either.
    assert asked == 2
    assert hands_of(game) == [[5, 5], [], [], []]


def test_a_destroyed_mushrooms_spells_are_discarded_before_its_draw() -> None:
    game = position(["M+M+"], [mushroom(2), mushroom(9)], [[4], [], [], []])
    play(game, Attack(0, 0), *passes(3))
    assert hands_of(game) == [[4], [], [], []]


# Golems


def test_a_golem_of_8_attacked_with_2_2_3_absorbs_a_2_and_has_10() -> None:
    game = position(cards=[golem(8)], hands=[[2, 1], [2], [3], [1]])
    play(game, Attack(0, 0), Attack(0, 0), Attack(0, 0), Pass())
    view = game.public_view().horde[0]
    assert (view.absorbed, view.strength, view.spells) == ((2,), 10, ())
    assert values(game.table.spell_discards) == [2, 3]


def test_each_failure_makes_a_golem_stronger() -> None:
    game = position(cards=[golem(8)], hands=[[2, 1], [3, 1], [3], [1]])
    play(game, Attack(0, 0), *passes(3), Attack(0, 0), *passes(3))
    assert game.public_view().horde[0].strength == 13


def test_a_golem_with_nothing_but_absorbed_spells_is_not_resolved() -> None:
    game = position(["M+M+"], [golem(8), mushroom(9)], [[2, 1], [3, 1], [3], [1]])
    play(game, Attack(0, 0), *passes(3), Attack(0, 1), *passes(3))
    assert game.public_view().horde[0].strength == 10


def test_absorbed_spells_are_out_of_play_until_the_golem_is_destroyed() -> None:
    game = position(["M+M+"], [golem(3), mushroom(9)], [[2, 1], [5, 1], [3], [1]])
    play(game, Attack(0, 0), *passes(3))
    assert values(game.table.spell_discards) == []
    play(game, Attack(0, 0), *passes(3))
    assert values(game.table.spell_discards) == [5, 2]


def test_on_a_golem_that_absorbed_ones_spell_one_may_play_again() -> None:
    game = position(cards=[golem(8)], hands=[[2], [2, 2]])
    play(game, Pass(), Attack(0, 0), Pass(), Pass())
    assert game.current_player == 1
    assert attacked(game) == {0}


def test_a_golem_destroyed_with_more_than_its_strength_costs_nothing() -> None:
    game = position(["M+M+"], [golem(3), mushroom(9)], [[5], [1], [1], [1]])
    play(game, Attack(0, 0), *passes(3))
    assert set(game.table.horde) == {1}
    assert game.kind == TURN


# Dragons


def test_a_dragon_of_5_attacked_with_4_is_paid_with_a_2_and_loses_its_lowest_spell() -> None:
    # Thomas, Valériane, Céline.
    game = position(cards=[dragon(5)], hands=[[3, 4], [4, 3], [1, 2]])
    play(game, Attack(0, 0), Pass(), Attack(0, 0), Pass())
    assert (game.current_player, game.kind, game.table.owed) == (0, DEBT, 1)
    play(game, Stop(), Stop())
    assert game.current_player == 2
    assert game.legal_actions() == [Discard(0), Stop()]
    play(game, Discard(0))
    assert hands_of(game) == [[4], [4, 3], []]
    assert on(game, 0) == [3]
    assert values(game.table.spell_discards) == [2, 1]
    assert game.kind == TURN


def test_a_dragon_of_7_attacked_with_10_is_paid_with_1_and_2_and_destroyed() -> None:
    game = position(["M+M+"], [dragon(7), mushroom(9)], [[5, 1, 2], [5, 1], [1]])
    play(game, Attack(0, 0), Attack(0, 0), Pass(), Pass())
    assert (game.current_player, game.table.owed) == (0, 3)
    play(game, Discard(0))
    assert (game.current_player, game.table.owed) == (0, 2)
    assert 0 in game.table.horde
    play(game, Discard(0))
    assert set(game.table.horde) == {1}
    assert values(game.table.spell_discards) == [1, 2, 5, 5]
    assert game.kind == TURN


def test_a_dragon_destroyed_exactly_costs_nothing() -> None:
    game = position(["M+M+"], [dragon(5), mushroom(9)], [[5], [1], [1], [1]])
    play(game, Attack(0, 0), *passes(3))
    assert set(game.table.horde) == {1}
    assert game.kind == TURN


def test_debt_is_paid_in_one_round_of_asking_from_the_leader_on() -> None:
    game = position(["M+M+"], [dragon(9), mushroom(9)], [[1, 1], [2, 1], [3, 1], [1, 1]], leader=2)
    play(game, Attack(0, 0), *passes(3))
    asked = []
    while game.kind == DEBT:
        asked.append(game.current_player)
        game.apply(Stop())
    assert asked == [2, 3, 0, 1]
    assert (game.finished, game.won) == (True, False)


def test_nobody_is_asked_once_the_debt_is_paid_and_too_much_may_be_paid() -> None:
    game = position(["M+M+"], [dragon(2), mushroom(9)], [[1, 5], [1], [1], [1]])
    play(game, Attack(0, 0), *passes(3), Discard(0))
    assert game.kind == TURN
    assert hands_of(game)[0] == []


def test_only_wizards_with_spells_are_asked_for_a_debt() -> None:
    game = position(["M+M+"], [dragon(3), mushroom(9)], [[1], [], [5], []])
    play(game, Attack(0, 0), *passes(3))
    assert (game.current_player, game.kind) == (2, DEBT)
    play(game, Discard(0))
    # ... and then no wizard has a spell.
    assert (game.finished, game.won) == (True, False)


def test_a_wizard_that_has_paid_its_last_spell_is_not_asked_again() -> None:
    game = position(["M+M+"], [dragon(9), mushroom(9)], [[1, 1], [2, 1], [3, 1], [1, 1]])
    play(game, Attack(0, 0), *passes(3), Discard(0))
    assert game.current_player == 1


def test_the_team_is_asked_even_if_all_its_hands_together_cannot_pay() -> None:
    game = position(["M+M+"], [dragon(9), mushroom(9)], [[1], [2], [], []])
    play(game, Attack(0, 0), *passes(3))
    assert (game.current_player, game.kind, game.table.owed) == (1, DEBT, 8)
    play(game, Discard(0))
    assert (game.finished, game.won) == (True, False)


def test_a_debt_with_no_spells_in_any_hand_is_lost_at_once() -> None:
    game = position(["M+M+"], [dragon(9), mushroom(9)], [[1], [], [], []])
    play(game, Attack(0, 0), *passes(3))
    assert (game.finished, game.won) == (True, False)


def test_a_dragon_with_leftovers_owes_again_every_round() -> None:
    game = position(["M+M+"], [dragon(9), mushroom(9)], [[4, 5, 1], [4, 5, 1], [5], [5]])
    play(game, Attack(0, 0), Attack(0, 0), *passes(2))
    assert game.table.owed == 1
    play(game, Discard(0))
    assert on(game, 0) == [4]
    play(game, Attack(1, 1), *passes(3))
    assert (game.kind, game.current_player, game.table.owed) == (DEBT, 1, 5)


def test_debts_are_discarded_at_once_and_the_dragons_own_spells_after_it() -> None:
    game = position(["M+M+"], [dragon(3), mushroom(9)], [[1, 1, 5], [1], [1], [1]])
    play(game, Attack(0, 0), *passes(3), Discard(0))
    assert values(game.table.spell_discards) == [1]
    play(game, Discard(0))
    assert values(game.table.spell_discards) == [1, 5, 1]


def test_what_is_discarded_is_seen_by_all() -> None:
    game = position(["M+M+"], [dragon(3), mushroom(9)], [[1, 1, 5], [1], [1], [1]])
    play(game, Attack(0, 0), *passes(3), Discard(0))
    assert game.public_view().discards == (1,)
    assert game.public_view().horde[0].spells == ((0, 1),)


# Winning and losing


def test_the_level_is_won_the_moment_the_last_monster_is_gone() -> None:
    game = position(cards=[mushroom(3)], hands=[[3], [1], [1], [1]])
    play(game, Attack(0, 0), *passes(3))
    assert (game.finished, game.won, game.reward()) == (True, True, 1)


def test_the_last_monster_wins_without_a_mushrooms_draw_and_estimate() -> None:
    game = position(cards=[mushroom(1)], hands=[[5], [1], [1], [1]], deck=[4, 4, 4, 4])
    play(game, Attack(0, 0), *passes(3))
    assert game.won
    assert values(game.table.spell_deck) == [4, 4, 4, 4]


def test_the_last_spell_may_win() -> None:
    game = position(cards=[mushroom(3)], hands=[[3], [], [], []])
    play(game, Attack(0, 0), *passes(3))
    assert game.won


def test_the_level_is_lost_when_no_wizard_has_a_spell_and_a_monster_is_left() -> None:
    game = position(cards=[mushroom(3)], hands=[[2], [], [], []])
    play(game, Attack(0, 0), *passes(3))
    assert (game.finished, game.won, game.reward()) == (True, False, 0)


def test_spells_that_a_resolution_brings_save_the_team() -> None:
    game = position(["M+M+"], [mushroom(2), mushroom(9)], [[3], [], [], []], deck=[1])
    say_average(play(game, Attack(0, 0), *passes(3)))
    assert not game.finished
    assert hands_of(game) == [[1], [], [], []]


def test_leftovers_do_not_save_a_team_without_spells() -> None:
    game = position(cards=[mushroom(9)], hands=[[2], [3], [], []])
    play(game, Attack(0, 0), Attack(0, 0), *passes(2))
    assert (game.finished, game.won) == (True, False)


def test_the_debt_of_the_last_dragon_is_paid_before_the_level_is_won() -> None:
    game = position(cards=[dragon(3)], hands=[[5], [2], [1], [1]])
    play(game, Attack(0, 0), *passes(3))
    assert (game.kind, game.won) == (DEBT, False)
    play(game, Discard(0))
    assert game.won


def test_the_last_dragon_unpaid_is_a_lost_level() -> None:
    game = position(cards=[dragon(3)], hands=[[5], [1], [], []])
    play(game, Attack(0, 0), *passes(3), Stop())
    assert (game.finished, game.won) == (True, False)


def test_after_the_end_nobody_acts() -> None:
    game = position(cards=[mushroom(3)], hands=[[3], [1], [1], [1]])
    play(game, Attack(0, 0), *passes(3))
    assert (game.legal_actions(), game.current_player, game.kind) == ([], None, None)
    with pytest.raises(IllegalActionError):
        game.apply(Pass())


# Drawing


def mushroom_draw(count: int, hands: list[list[int]], deck: list[int], **more: object) -> Syncro:
    """`count` spells drawn by the team: seat 0 leads and destroys a Mushroom with a 7."""
    cards = [mushroom(7 - count), mushroom(9)]
    hands = [[7, *hands[0]], *hands[1:]]
    game = position(["M+M+"], cards, hands, deck=deck, **more)  # type: ignore[arg-type]
    return play(game, Attack(0, 0), *passes(len(hands) - 1 if len(hands) > 3 else 3))


def test_spells_are_drawn_one_at_a_time_from_the_leader_clockwise() -> None:
    assert hands_of(mushroom_draw(6, [[], [], [], []], [1, 2, 3, 4, 5, 6])) == [[1, 5], [2, 6], [3], [4]]


def test_wizards_at_their_limit_are_skipped() -> None:
    game = mushroom_draw(4, [[], [1] * 5, [], [2] * 4], [1, 2, 3, 4])
    assert hands_of(game) == [[1, 4], [1] * 5, [2], [2, 2, 2, 2, 3]]


def test_when_all_hands_are_full_the_rest_stays_in_the_deck() -> None:
    game = mushroom_draw(3, [[1] * 4, [1] * 5, [1] * 5, [1] * 5], [1, 2, 3])
    assert [len(hand) for hand in hands_of(game)] == [5, 5, 5, 5]
    assert values(game.table.spell_deck) == [2, 3]


def test_an_empty_deck_is_the_shuffled_discard_pile() -> None:
    game = mushroom_draw(3, [[], [], [], []], [1], discards=[5, 6])
    assert hands_of(game) == [[1], [5], [6], []]
    assert values(game.table.spell_deck) == [7]
    assert values(game.table.spell_discards) == []


def test_if_deck_and_discards_are_empty_the_draw_ends() -> None:
    game = mushroom_draw(4, [[], [], [], []], [1])
    assert hands_of(game) == [[1], [7], [], []]
    assert game.kind == ESTIMATE


def test_the_discards_are_not_reshuffled_before_a_spell_is_needed() -> None:
    game = mushroom_draw(1, [[], [], [], []], [1], discards=[5])
    assert values(game.table.spell_discards) == [5, 7]
    assert values(game.table.spell_deck) == []


def test_the_discards_are_not_reshuffled_if_nobody_has_room() -> None:
    game = mushroom_draw(2, [[1] * 4, [1] * 5, [1] * 5, [1] * 5], [1], discards=[5])
    assert values(game.table.spell_discards) == [5, 7]


def test_if_nobody_drew_there_is_no_estimate() -> None:
    game = mushroom_draw(3, [[1] * 5, [1] * 5, [1] * 5, [1] * 5], [1, 2, 3])
    assert game.kind == TURN


# Lieutenants and bosses in a fight


def test_a_crowd_lieutenant_has_1_more_for_every_other_card_in_the_horde() -> None:
    # Two Fog cards, face down, and a Mushroom under the Lieutenant and beside it.
    game = position(["F-F-", "M+M+", "M+  "], [None, None, lieutenant("crowd", 3), mushroom(9), mushroom(9)])
    table = game.table
    assert table.strength(table.horde[2]) == 3 + 4
    del table.horde[3]
    assert table.strength(table.horde[2]) == 3 + 3


def test_curses_lying_aside_and_spells_are_not_cards_in_play() -> None:
    game = position(["M+M+"], [lieutenant("crowd", 3), mushroom(9)], curses=[curse(do="forbid", rule="pass")])
    play(game, Attack(0, 1))
    assert game.public_view().horde[0].strength == 4


def test_other_cards_are_counted_when_the_monster_is_resolved() -> None:
    # The Mushroom at the left goes first: then nothing but the Lieutenant is left.
    game = position(["M+M+"], [mushroom(2), lieutenant("crowd", 3)], [[2], [3], [1], [1]])
    play(game, Attack(0, 0), Attack(0, 1), *passes(2))
    assert game.won
    # The other way round it fails.
    game = position(["M+M+"], [lieutenant("crowd", 3), mushroom(2)], [[2], [3], [1], [1]])
    play(game, Attack(0, 1), Attack(0, 0), *passes(2))
    assert set(game.table.horde) == {0}


def test_a_beaten_lieutenant_goes_to_the_box() -> None:
    card = lieutenant("reward", 2)
    game = position(["M+M+"], [card, mushroom(9)], [[2], [1], [1], [1]])
    before = list(game.table.lieutenant_box)
    play(game, Attack(0, 0), *passes(3))
    assert game.table.lieutenant_box == [*before, card]


def test_boss_i_lies_face_down_until_it_is_accessible_and_then_acts_like_a_dragon() -> None:
    strength = CARDS.bosses.first.strength
    hands = [[1, 7, 7], [7, 7, 7], [7, 7], [7]]
    game = position(["B-", "M+"], [None, mushroom(1)], hands, level="I-d")
    assert face_up(game) == {1}
    play(game, Attack(0, 1), *passes(3))
    assert face_up(game) == {0}
    play(game, Attack(0, 0), Attack(0, 0), *passes(2))
    assert (game.kind, game.table.owed) == (DEBT, abs(14 - strength))


SECOND_BOSS = ["B-B-B-", "C-  C-", "M+  M+"]
"""Slot 0, then the Cerberus in 1 and 2, then the monsters that lie over these."""


def before_boss_ii(hands: list[list[int]], *cleared: int) -> Syncro:
    """Everything in the slots `cleared` is gone; what is then accessible is turned up after a round."""
    cards = [None, None, None, mushroom(1), mushroom(9)]
    game = position(SECOND_BOSS, cards, hands, level="II-e", fogs=[])
    for slot in cleared:
        del game.table.horde[slot]
    return game


def test_a_single_accessible_cerberus_stays_face_down_and_cannot_be_attacked() -> None:
    game = before_boss_ii([[1], [1], [1], [1]])
    play(game, Attack(0, 3), *passes(3))
    assert face_up(game) == {4}
    assert attacked(game) == {4}


def test_boss_ii_and_both_cerberus_are_turned_up_when_both_cerberus_are_accessible() -> None:
    game = before_boss_ii([[1], [1], [1], [1]], 4)
    play(game, Attack(0, 3), *passes(3))
    assert face_up(game) == {0, 1, 2}


def test_boss_ii_cannot_be_attacked_while_a_cerberus_is_in_play() -> None:
    dog = CARDS.bosses.cerberus.strength
    game = before_boss_ii([[1, dog], [dog, 1], [1], [1]], 4)
    play(game, Attack(0, 3), *passes(3))
    assert attacked(game) == {1, 2}
    play(game, Attack(0, 1), *passes(3))
    assert set(game.table.horde) == {0, 2}
    assert attacked(game) == {2}


def test_boss_ii_cannot_be_attacked_even_if_no_cerberus_lies_over_it() -> None:
    game = position(["B-B-B-      ", "      C-  C-", "M+M+M+M+  M+"], [], level="II-e")
    for slot in range(3, len(game.table.horde)):
        del game.table.horde[slot]
    game.table.horde[1].face_up = game.table.horde[2].face_up = game.table.horde[0].face_up = True
    assert attacked(game) == {1, 2}
    del game.table.horde[2]
    assert attacked(game) == {1}
    del game.table.horde[1]
    assert attacked(game) == {0}


def test_boss_ii_has_2_more_for_every_other_card_and_is_one_card_itself() -> None:
    strength = CARDS.bosses.second.strength
    game = before_boss_ii([[1], [1], [1], [1]])
    table = game.table
    assert table.strength(table.horde[0]) == strength + 2 * 4
    del table.horde[3], table.horde[4], table.horde[1]
    assert table.strength(table.horde[0]) == strength + 2


def test_a_failed_attack_on_boss_ii_is_paid_like_a_dragon_then_absorbed_like_a_golem() -> None:
    strength = CARDS.bosses.second.strength
    game = before_boss_ii([[7, 7], [4, 5], [5], [5]], 1, 2, 3, 4)
    game.table.horde[0].face_up = True
    play(game, Attack(0, 0), Attack(0, 0), *passes(2))
    assert (game.kind, game.table.owed) == (DEBT, strength - 11)
    assert game.public_view().horde[0].absorbed == ()
    while game.kind == DEBT:
        play(game, Discard(0))
    boss = game.public_view().horde[0]
    assert (boss.absorbed, boss.strength, boss.spells) == ((4,), strength + 4, ())


def test_boss_ii_destroyed_with_too_much_is_paid_like_a_dragon() -> None:
    strength = CARDS.bosses.second.strength
    hands = [[7], [7], [7], [7, 7]]
    game = before_boss_ii(hands, 1, 2, 3, 4)
    game.table.horde[0].face_up = True
    play(game, *[Attack(0, 0)] * 4)
    assert (game.kind, game.table.owed, game.current_player) == (DEBT, 28 - strength, 3)
    play(game, Discard(0))
    assert (game.finished, game.won) == (True, 28 - strength <= 7)


def test_a_level_with_only_fog_left_is_won() -> None:
    game = position(["F-", "M+"], [None, mushroom(1)], level="II-a")
    play(game, Attack(0, 1), *passes(3))
    assert game.won


def test_a_wizard_without_spells_still_has_the_start_of_its_turn() -> None:
    card = reward({"do": "draw", "who": "player", "count": 2})
    game = position(hands=[[], [1], [1], [1]], rewards=[card, None, None, None], deck=[4])
    assert [type(action).__name__ for action in game.legal_actions()] == ["Pass", "PlayReward"]
