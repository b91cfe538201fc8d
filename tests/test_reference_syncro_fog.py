"""Each statement of the rules of Syncro about Fog, cards that are turned up, and curses that last."""

from __future__ import annotations

from tests.reference.syncro_parts import (
    AVERAGE,
    DEBT,
    ESTIMATE,
    GOOD,
    TARGET,
    TURN,
    Attack,
    Pass,
    PlayReward,
    Said,
    Spell,
    Target,
)
from tests.syncro_card_set import CARDS
from tests.syncro_positions import (
    DRAW,
    FOG_TABLE,
    NOTHING,
    TWO_FOR_PLAYER,
    curse,
    dragon,
    face_up,
    fog,
    hands_of,
    lieutenant,
    mushroom,
    on,
    passes,
    play,
    play_card,
    position,
    reward,
    say_average,
    sums,
    turn_up,
    words,
)

# Fog


def test_a_fog_card_is_turned_up_when_it_becomes_accessible_has_its_effect_and_leaves() -> None:
    card = fog(DRAW, kind="blessing")
    game = turn_up(card, [[1], [1], [1], [1]], deck=[6])
    assert set(game.table.horde) == {2}
    assert hands_of(game) == [[1, 6], [1], [1], [1]]
    # Only after the estimate it is discarded.
    assert (game.kind, game.table.fog_discards) == (ESTIMATE, [])
    say_average(game)
    assert game.table.fog_discards == [(card, True)]


def test_all_attacked_monsters_are_resolved_before_any_fog_is_turned_up() -> None:
    card = fog({"do": "strength", "what": "all", "amount": 5})
    game = position(FOG_TABLE, [card, mushroom(1), mushroom(3)], [[1, 1], [3], [1], [1]], level="II-a")
    game.table.horde[2].card = mushroom(3)
    play(game, Attack(0, 1), Attack(0, 2), *passes(2))
    assert game.won


def test_face_down_cards_are_turned_up_before_fog_and_from_bottom_to_top_and_left_to_right() -> None:
    # Over everything lie the monsters 4 to 7; under them lieutenants 2 and 3, then Fog 0 and lieutenant 1.
    first, second = reward(NOTHING, name="first"), reward(NOTHING, name="second")
    cards = [
        fog({"do": "draw_reward", "count": 1}), lieutenant("reward", 9), lieutenant("reward", 8),
        lieutenant("reward", 7), mushroom(1), mushroom(1), mushroom(1),
    ]  # fmt: skip
    third, fourth = reward(NOTHING, name="third"), reward(NOTHING, name="fourth")
    game = position(
        ["F-L-    ", "    L-L-", "M+M+M+M+"], [*cards, mushroom(1)], [[1], [1], [1], [1, 1]], level="II-a",
        reward_deck=[first, second, third, fourth],
    )  # fmt: skip
    order = []
    draw_reward = game.table.draw_reward

    def noting() -> None:
        order.append((sorted(face_up(game)), 0 in game.table.horde))
        draw_reward()

    game.table.draw_reward = noting  # type: ignore[method-assign]
    play(game, Attack(0, 4), Attack(0, 5), Attack(0, 6), Attack(0, 7))
    assert order == [([2], True), ([2, 3], True), ([1, 2, 3], True), ([1, 2, 3], False)]


def test_what_a_fog_card_uncovers_comes_before_the_next_fog_card() -> None:
    # Two Fog cards become accessible; the left one lies over a face-down lieutenant.
    chest = fog({"do": "draw_reward", "count": 1})
    cards = [lieutenant("reward", 9), chest, chest, mushroom(1), mushroom(1), mushroom(9)]
    game = position(["L-    ", "F-F-  ", "M+M+M+"], cards, [[1], [1], [1], [1]], level="II-a")
    order = []

    def noting() -> None:
        order.append(sorted(game.table.horde))

    game.table.draw_reward = noting  # type: ignore[method-assign]
    play(game, Attack(0, 3), Attack(0, 4), *passes(2))
    assert order == [[0, 2, 5], [0, 2, 5], [0, 5]]


def test_a_lieutenants_power_acts_before_further_cards_are_turned_up() -> None:
    cards = [lieutenant("fog", 9), mushroom(4), mushroom(1), mushroom(1), mushroom(9)]
    blessing = fog(DRAW, kind="blessing")
    game = position(
        ["L-M-  ", "M+M+M+"], cards, [[1], [1], [1], [1]], level="II-a", fogs=[blessing], deck=[5]
    )
    play(game, Attack(0, 2), Attack(0, 3), *passes(2))
    assert game.kind == ESTIMATE
    assert face_up(game) == {0, 4}
    say_average(game)
    assert face_up(game) == {0, 1, 4}


def test_a_reward_lieutenant_that_is_turned_up_lets_the_leader_draw_a_reward() -> None:
    first = reward(NOTHING, name="first")
    cards = [lieutenant("reward", 9), mushroom(1), mushroom(9)]
    game = position(["L-  ", "M+M+"], cards, [[1, 1], [1], [1], [1]], level="II-a", reward_deck=[first])
    assert game.table.rewards == [None] * 4
    play(game, Attack(0, 1), *passes(3))
    assert game.table.rewards == [first, None, None, None]


def test_a_fog_lieutenant_applies_the_first_card_of_the_fog_deck() -> None:
    cards = [lieutenant("fog", 9), mushroom(1), mushroom(9)]
    top = curse(do="forbid", rule="pass")
    game = position(["L-  ", "M+M+"], cards, [[1, 1], [1], [1], [1]], level="II-a", fogs=[top])
    play(game, Attack(0, 1), *passes(3))
    assert game.table.curses == [top]
    assert game.table.fog_deck == []


def test_a_fog_card_may_apply_another_which_is_discarded_first() -> None:
    inner = fog({"do": "discard", "who": "leader", "which": "leftmost", "count": 1}, name="inner")
    outer = fog({"do": "apply_fog"}, name="outer")
    game = turn_up(outer, [[2, 3], [1], [1], [1]], fogs=[inner])
    assert hands_of(game)[0] == [3]
    assert [card.name for card, _ in game.table.fog_discards] == ["inner", "outer"]


def test_what_a_card_drew_is_estimated_before_it_turns_up_a_further_fog_card() -> None:
    inner = fog({"do": "discard", "who": "leader", "which": "leftmost", "count": 1}, name="inner")
    game = turn_up(fog(DRAW, {"do": "apply_fog"}), [[2], [1], [1], [1]], fogs=[inner], deck=[5])
    assert (game.kind, hands_of(game)[0]) == (ESTIMATE, [2, 5])
    say_average(game)
    assert hands_of(game)[0] == [5]
    assert game.kind == TURN


def test_an_empty_fog_deck_is_its_discards_shuffled() -> None:
    old = fog({"do": "discard", "who": "leader", "which": "leftmost", "count": 1}, name="old")
    cards = [lieutenant("fog", 9), mushroom(1), mushroom(9)]
    game = position(["L-  ", "M+M+"], cards, [[1, 2, 3], [1], [1], [1]], level="II-a")
    game.table.fog_discards = [(old, False)]
    play(game, Attack(0, 1), *passes(3))
    assert hands_of(game)[0] == [3]


def test_if_there_is_no_fog_card_at_all_none_is_applied() -> None:
    # The card that asks for another is not discarded yet, so it cannot be its own successor.
    game = turn_up(fog({"do": "apply_fog"}), [[2, 3], [1], [1], [1]])
    assert game.kind == TURN


def test_for_a_fog_card_that_asks_for_a_choice_the_leader_chooses() -> None:
    card = fog({"do": "strength", "what": "chosen", "amount": 2})
    game = turn_up(card, [[2], [1], [1], [1]], leader=2)
    assert (game.current_player, game.kind) == (2, TARGET)
    assert game.legal_actions() == [Target(2)]
    play(game, Target(2))
    assert game.public_view().horde[0].strength == 11


def test_for_a_fog_card_with_nothing_to_choose_nothing_happens() -> None:
    game = turn_up(fog({"do": "reveal", "what": "chosen"}), [[2], [1], [1], [1]])
    assert game.kind == TURN


def test_a_fog_card_concerning_one_wizard_concerns_the_leader() -> None:
    card = fog({"do": "discard", "who": "leader", "which": "lowest", "count": 1})
    game = turn_up(card, [[2, 1], [2, 1], [2, 1], [2, 1]], leader=1)
    assert hands_of(game) == [[2, 1], [2], [2, 1], [2, 1]]


def test_the_fog_card_being_applied_is_not_in_the_horde() -> None:
    # The crowd lieutenant is counted while the Fog card acts: besides it there is one Mushroom.
    cards = [fog({"do": "destroy", "limit": 4}), mushroom(1), lieutenant("crowd", 3), mushroom(9)]
    game = position(["F-    ", "M+M+M+"], [*cards], [[1, 1], [1], [1], [1]], level="II-a")
    game.table.horde[2].face_up = True
    play(game, Attack(0, 1), *passes(3))
    assert game.kind == TARGET
    assert game.legal_actions() == [Target(2)]


def test_defeat_is_checked_after_all_cards_are_turned_up_and_have_acted() -> None:
    game = turn_up(fog(DRAW), [[], [], [], []], deck=[5])
    say_average(game)
    assert not game.finished
    assert hands_of(game) == [[5], [], [], []]


def test_a_fog_card_that_takes_the_last_spells_loses_the_level() -> None:
    game = turn_up(fog({"do": "discard", "who": "each", "which": "lowest", "count": 1}), [[1], [], [1], []])
    assert (game.finished, game.won) == (True, False)


# Curses that last


def test_an_ongoing_curse_lies_aside_in_force_and_not_in_the_horde() -> None:
    card = curse(do="forbid", rule="pass")
    game = turn_up(card, [[2], [1], [1], [1]])
    assert game.table.curses == [card]
    assert set(game.table.horde) == {2}
    assert game.table.fog_discards == []


def test_no_estimates_are_made_where_they_are_forbidden_not_even_of_sums() -> None:
    for level in ("II-a", "II-c"):
        cards = [mushroom(1), mushroom(9)]
        hands = [[2], [1], [1], [1]]
        rule = curse(do="forbid", rule="estimate")
        game = position(["M+M+"], cards, hands, level=level, curses=[rule], deck=[5])
        before = words(game), sums(game)
        play(game, Attack(0, 0), *passes(3))
        assert game.kind == TURN
        assert (words(game), sums(game)) == before


def test_where_passing_is_forbidden_whoever_can_attack_must() -> None:
    rule = curse(do="forbid", rule="pass")
    game = position(["M+M+"], [mushroom(9), mushroom(9)], [[2], [], [1], [1]], curses=[rule])
    assert game.legal_actions() == [Attack(0, 0), Attack(0, 1)]
    play(game, Attack(0, 0))
    assert game.legal_actions() == [Pass()]


def test_where_passing_is_forbidden_the_fifth_wizard_must_pass_all_the_same() -> None:
    rule = curse(do="forbid", rule="pass")
    game = position(hands=[[1, 1]] * 5, cards=[mushroom(9)], curses=[rule])
    play(game, *[Attack(0, 0)] * 4)
    assert game.legal_actions() == [Pass()]


def test_where_rewards_are_forbidden_they_are_drawn_but_not_played() -> None:
    rule = curse(do="forbid", rule="reward")
    game = position(rewards=[reward(NOTHING)] * 4, curses=[rule])
    assert PlayReward() not in game.legal_actions()
    first = reward(NOTHING, name="first")
    game = turn_up(
        fog({"do": "draw_reward", "count": 1}), [[1], [1], [1], [1]], curses=[rule], reward_deck=[first]
    )
    assert game.table.rewards[0] == first


def test_where_mushrooms_are_barren_they_give_nothing() -> None:
    rule = curse(do="forbid", rule="mushroom_draw")
    game = position(["M+M+"], [mushroom(1), mushroom(9)], [[5], [1], [1], [1]], curses=[rule], deck=[5] * 4)
    play(game, Attack(0, 0), *passes(3))
    assert hands_of(game) == [[], [1], [1], [1]]
    assert game.kind == TURN


def test_a_leader_who_must_attack_must_do_so_in_the_first_decision_only() -> None:
    rule = curse(do="force", rule="leader_attacks")
    game = position(["M+M+"], [mushroom(9), mushroom(9)], [[2, 2], [1], [1]], curses=[rule])
    assert Pass() not in game.legal_actions()
    play(game, Attack(0, 0), Pass(), Pass())
    assert game.current_player == 0
    assert Pass() in game.legal_actions()


def test_a_leader_who_must_attack_and_cannot_passes() -> None:
    rule = curse(do="force", rule="leader_attacks")
    game = position(hands=[[], [1], [1]], curses=[rule])
    assert game.legal_actions() == [Pass()]


def test_where_only_end_cards_are_played_an_attack_is_made_with_the_leftmost_or_rightmost_spell() -> None:
    rule = curse(do="force", rule="end_cards")
    game = position(hands=[[2, 3, 4], [1], [1, 2], [1]], curses=[rule], cards=[mushroom(9)])
    assert game.legal_actions() == [Attack(0, 0), Attack(2, 0), Pass()]
    play(game, Pass())
    assert game.legal_actions() == [Attack(0, 0), Pass()]


def test_a_lower_hand_limit_lets_a_hand_that_is_over_it_keep_its_spells_and_draw_none() -> None:
    rule = curse(do="hand_limit", amount=-1)
    game = turn_up(fog(DRAW), [[1] * 5, [2] * 4, [3] * 3, []], curses=[rule], deck=[6])
    assert hands_of(game) == [[1] * 5, [2] * 4, [3, 3, 3, 6], []]


def test_several_curses_are_in_force_together() -> None:
    rules = [curse(do="hand_limit", amount=-1), curse(do="hand_limit", amount=-2)]
    game = position(curses=[*rules, curse(do="forbid", rule="pass")])
    assert game.table.hand_limit == 2
    assert game.table.forbidden("pass")


# The printed cards of the end of the adventure


def test_the_unlocked_reward_deals_all_hands_again_gives_each_a_spell_and_asks_for_an_estimate() -> None:
    card = CARDS.unlocked.reward
    game = play_card(card, [[1, 2, 3], [4], []], deck=[5, 6, 7])
    assert hands_of(game) == [[1, 4, 5], [2, 6], [3, 7]]
    assert game.kind == ESTIMATE
    say_average(game)
    assert (game.kind, game.current_player) == (TURN, 0)


def test_the_unlocked_fog_card_passes_all_hands_to_the_left() -> None:
    game = turn_up(CARDS.unlocked.fog, [[2], [3], [4], [5]])
    assert hands_of(game) == [[5], [2], [3], [4]]
    assert game.kind == TURN


def test_the_unlocked_dragon_of_7_takes_the_place_of_one_of_5() -> None:
    before = [(card.kind, card.strength) for card in CARDS.monster_deck("II-a")]
    after = [(card.kind, card.strength) for card in CARDS.monster_deck("II-a", unlocked=True)]
    assert len(before) == len(after)
    assert after.count(("dragon", 7)) == before.count(("dragon", 7)) + 1
    assert after.count(("dragon", 5)) == before.count(("dragon", 5)) - 1


def test_an_estimate_goes_with_the_hand_it_was_made_of() -> None:
    game = play_card(reward({"do": "pass_hands", "direction": "left"}), [[1, 2], [3], [4]])
    assert words(game) == [AVERAGE] * 3
    game.table.said = [Said(GOOD), Said(AVERAGE), Said(total=5)]
    game.table.rewards[0] = reward({"do": "swap_hands"})
    play(game, PlayReward(), Target(2))
    assert words(game) == [None, AVERAGE, GOOD]
    assert sums(game) == [5, None, None]


def test_the_spells_that_have_left_a_hand_since_it_was_spoken_of_are_counted_once_they_are_seen() -> None:
    game = position(
        ["M+M+M+"], [mushroom(1), mushroom(9), dragon(9)], [[3, 4, 2], [2, 2, 1], [1], [1]], deck=[5] * 2
    )
    say_average(play(game, Attack(0, 0), Attack(0, 1), *passes(2)))
    # The 3 was seen before the estimate that its Mushroom brought. The 2 lay face down then.
    assert [said.shown for said in game.public_view().said] == [0, 0, 0, 0]
    assert [said.size for said in game.public_view().said] == [3, 3, 1, 1]
    play(game, Attack(0, 2), *passes(3))
    assert [said.shown for said in game.public_view().said] == [0, 2, 0, 0]
    assert (game.kind, game.current_player) == (DEBT, 1)


def test_spells_from_a_reshuffled_pile_are_unknown_again() -> None:
    game = position(["M+M+"], [mushroom(2), mushroom(9)], [[4], [], [], []])
    game.table.spell_discards = [Spell(3, {0, 1, 2, 3})]
    say_average(play(game, Attack(0, 0), *passes(3)))
    assert hands_of(game) == [[3], [4], [], []]
    assert game.private_view(2).hands == ((None,), (None,), (), ())


def test_leftovers_stay_when_a_reward_is_played() -> None:
    held = [None, reward(TWO_FOR_PLAYER), None, None]
    game = position(["M+"], [mushroom(9)], [[4, 1], [3], [1], [1]], rewards=held, deck=[5, 5])
    play(game, Attack(0, 0))
    say_average(play(game, PlayReward()))
    assert on(game, 0) == [4]
