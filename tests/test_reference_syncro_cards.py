"""Each statement of the rules of Syncro about Rewards and the effects of cards, on the reference model.

Fog that is turned up and curses that last are in `test_reference_syncro_fog.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.syncro_parts import (
    DEBT,
    ESTIMATE,
    GOOD,
    TARGET,
    TURN,
    Attack,
    Estimate,
    Pass,
    PlayReward,
    Target,
)
from tests.syncro_positions import (
    FOG_TABLE,
    NOTHING,
    TWO_FOR_PLAYER,
    attacked,
    dragon,
    face_up,
    fog,
    golem,
    hands_of,
    lieutenant,
    mushroom,
    passes,
    play,
    play_card,
    position,
    reward,
    say_average,
    sums,
    turn_up,
    values,
    words,
)

# Rewards: who draws, who knows


def test_a_reward_is_drawn_by_the_leader_if_it_has_none() -> None:
    first = reward(NOTHING, name="first")
    game = turn_up(fog({"do": "draw_reward", "count": 1}), [[1], [1], [1], [1]], reward_deck=[first])
    assert game.table.rewards == [first, None, None, None]


def test_else_a_reward_is_drawn_by_the_next_wizard_without_one() -> None:
    first, old = reward(NOTHING, name="first"), reward(NOTHING, name="old")
    held = [old, old, None, None]
    game = turn_up(
        fog({"do": "draw_reward", "count": 1}), [[1], [1], [1], [1]], rewards=held, reward_deck=[first]
    )
    assert game.table.rewards == [old, old, first, None]


def test_if_all_have_a_reward_nobody_draws() -> None:
    first, old = reward(NOTHING, name="first"), reward(NOTHING, name="old")
    game = turn_up(
        fog({"do": "draw_reward", "count": 1}), [[1], [1], [1], [1]], rewards=[old] * 4, reward_deck=[first]
    )
    assert game.table.rewards == [old] * 4
    assert game.table.reward_deck == [first]


def test_an_empty_reward_deck_is_its_discards_shuffled() -> None:
    first, played = reward(NOTHING, name="first"), reward(NOTHING, name="played")
    game = position(
        FOG_TABLE, [fog({"do": "draw_reward", "count": 2}), mushroom(1), mushroom(9)], level="II-a"
    )
    game.table.reward_deck, game.table.reward_discards = [first], [played]
    play(game, Attack(0, 1), *passes(3))
    assert game.table.rewards == [first, played, None, None]
    assert game.table.reward_discards == []


def test_if_reward_deck_and_discards_are_empty_nobody_draws() -> None:
    game = turn_up(fog({"do": "draw_reward", "count": 1}), [[1], [1], [1], [1]])
    assert game.table.rewards == [None] * 4


def test_who_holds_a_reward_is_public_and_which_one_is_not() -> None:
    game = position(rewards=[reward(NOTHING, name="mine"), None, None, None])
    assert game.private_view(0).reward == "mine"
    assert game.private_view(1).reward is None
    assert game.private_view(1).public.has_reward == (True, False, False, False)


# Rewards: when they are played


def test_a_reward_is_played_before_the_attack_or_pass_and_does_not_use_up_the_decision() -> None:
    game = play_card(reward(NOTHING), [[1], [1], [1], [1]])
    assert (game.current_player, game.kind) == (0, TURN)
    assert game.legal_actions() == [Attack(0, 0), Attack(0, 1), Pass()]


def test_a_reward_is_not_played_after_the_attack() -> None:
    held = [reward(NOTHING), None, None, None]
    game = position(["M+M+"], [mushroom(9), mushroom(9)], rewards=held)
    play(game, Attack(0, 0))
    assert game.current_player == 1
    assert PlayReward() not in game.legal_actions()


def test_a_wizard_without_a_reward_cannot_play_one() -> None:
    game = position(rewards=[None, reward(NOTHING), None, None])
    assert PlayReward() not in game.legal_actions()


def test_a_reward_is_discarded_after_its_effect() -> None:
    card = reward({"do": "strength", "what": "chosen", "amount": -1}, name="whetstone")
    game = play_card(card, [[1], [1], [1], [1]])
    assert (game.kind, game.table.reward_discards) == (TARGET, [])
    assert game.table.rewards == [None] * 4
    play(game, Target(0))
    assert game.table.reward_discards == [card]


def test_a_reward_gained_meanwhile_may_be_played_too() -> None:
    # The first Reward turns up a Fog card that brings another.
    first, second = reward({"do": "apply_fog"}), reward(TWO_FOR_PLAYER)
    chest = fog({"do": "draw_reward", "count": 1})
    game = play_card(first, [[1], [1], [1], [1]], fogs=[chest], reward_deck=[second], deck=[4, 5])
    assert game.table.rewards[0] == second
    play(game, PlayReward())
    assert hands_of(game)[0] == [1, 4, 5]


def test_the_last_wizard_of_five_that_must_pass_may_still_play_its_reward() -> None:
    held = [None, None, None, None, reward(NOTHING)]
    game = position(hands=[[1, 1]] * 5, cards=[mushroom(9)], rewards=held)
    play(game, *[Attack(0, 0)] * 4)
    assert game.legal_actions() == [Pass(), PlayReward()]


def test_whether_the_last_wizard_must_attack_is_judged_after_its_reward() -> None:
    held = [None, None, None, reward(TWO_FOR_PLAYER)]
    game = position(hands=[[1], [1], [1], []], rewards=held, deck=[2, 3], cards=[mushroom(9)])
    play(game, *passes(3))
    assert game.legal_actions() == [Pass(), PlayReward()]
    say_average(play(game, PlayReward()))
    assert game.legal_actions() == [Attack(0, 0), Attack(1, 0)]


def test_a_wizard_that_must_attack_may_play_its_reward_first() -> None:
    held = [None, None, None, reward(NOTHING)]
    game = position(hands=[[1], [1], [1], [1]], rewards=held, cards=[mushroom(9)])
    play(game, *passes(3))
    assert game.legal_actions() == [Attack(0, 0), PlayReward()]


def test_an_unplayed_reward_does_not_save_the_team() -> None:
    held = [None, reward(TWO_FOR_PLAYER), None, None]
    game = position(hands=[[1], [], [], []], rewards=held, deck=[2, 3], cards=[mushroom(9)])
    play(game, Attack(0, 0), *passes(3))
    assert (game.finished, game.won) == (True, False)


PLAYABLE: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({"do": "recover", "who": "player", "which": "highest"}, {"discards": [1]}, {}),
    ({"do": "reveal", "what": "chosen"}, {"pattern": ["M-M-", "M+M+"]}, {}),
    (
        {"do": "destroy", "limit": 3},
        {"cards": [mushroom(3), mushroom(9)]},
        {"cards": [mushroom(4), golem(5)]},
    ),
    ({"do": "apply_fog"}, {"fogs": [fog(NOTHING)]}, {}),
]


@pytest.mark.parametrize(("effect", "enough", "missing"), PLAYABLE, ids=[case[0]["do"] for case in PLAYABLE])
def test_a_reward_is_playable_only_if_all_it_needs_exists(
    effect: dict[str, Any], enough: dict[str, Any], missing: dict[str, Any]
) -> None:
    held = [reward(effect), None, None, None]
    table: dict[str, Any] = {"pattern": ["M+M+"], "cards": [mushroom(9), mushroom(9)]}
    game = position(**{**table, **enough}, rewards=held, level="II-a")
    assert PlayReward() in game.legal_actions()
    game = position(**{**table, **missing}, rewards=held, level="II-a")
    assert PlayReward() not in game.legal_actions()


def test_a_full_hand_recovers_nothing() -> None:
    held = [reward({"do": "recover", "who": "player", "which": "highest"}), None, None, None]
    game = position(hands=[[1] * 5, [1], [1], [1]], rewards=held, discards=[5])
    assert PlayReward() not in game.legal_actions()


def test_what_a_reward_uncovers_is_turned_up_after_the_attacks_like_everything_else() -> None:
    game = play_card(
        reward({"do": "destroy", "limit": 1}), [[1, 1], [1], [1], [1]], pattern=["M-  ", "M+M+"],
        cards=[mushroom(4), mushroom(1), mushroom(9)],
    )  # fmt: skip
    play(game, Target(1))
    assert face_up(game) == attacked(game) == {2}
    play(game, Attack(0, 2), *passes(3))
    assert face_up(game) == attacked(game) == {0, 2}


def test_a_reward_that_destroys_the_last_monster_wins_at_once() -> None:
    game = play_card(
        reward({"do": "destroy", "limit": 1}), [[1], [1], [1], [1]], pattern=["M+"], cards=[mushroom(1)]
    )
    play(game, Target(0))
    assert (game.finished, game.won) == (True, True)


# What effects do


def test_a_draw_meant_for_one_wizard_overflows_clockwise() -> None:
    game = play_card(reward(TWO_FOR_PLAYER), [[1] * 4, [2] * 5, [], []], deck=[6, 7])
    assert hands_of(game) == [[1, 1, 1, 1, 6], [2] * 5, [7], []]


def test_a_draw_meant_for_the_leader_stays_with_the_next_wizard_until_that_is_full_too() -> None:
    card = fog({"do": "draw", "who": "leader", "count": 3})
    game = turn_up(card, [[1] * 5, [2] * 4, [], []], deck=[5, 6, 7])
    # The leader, seat 0, is full again: 1 had played one of six.
    assert hands_of(game) == [[1] * 5, [2, 2, 2, 2, 5], [6, 7], []]


def test_each_wizard_draws_skips_full_hands() -> None:
    game = play_card(
        reward({"do": "draw", "who": "each", "count": 1}), [[1] * 5, [2] * 4, [], [3]], deck=[4, 5, 6, 7]
    )
    assert hands_of(game) == [[1] * 5, [2, 2, 2, 2, 4], [5], [3, 6]]


def test_two_for_each_go_round_the_table_twice() -> None:
    game = play_card(reward({"do": "draw", "who": "each", "count": 2}), [[], [], []], deck=[1, 2, 3, 4, 5, 6])
    assert hands_of(game) == [[1, 4], [2, 5], [3, 6]]


def test_whoever_draws_for_a_card_everybody_with_spells_estimates_once() -> None:
    card = reward({"do": "draw", "who": "each", "count": 1}, TWO_FOR_PLAYER)
    game = play_card(card, [[], [], []], deck=[1, 2, 3, 4, 5])
    asked = []
    while game.kind == ESTIMATE:
        asked.append(game.current_player)
        game.apply(Estimate(GOOD))
    assert asked == [0, 1, 2]
    assert game.kind == TURN


def test_a_card_for_which_nobody_could_draw_has_no_estimate() -> None:
    game = turn_up(fog({"do": "draw", "who": "each", "count": 2}), [[1], [1], [1]])
    # The only spell among the discards is the one that has just been played.
    assert hands_of(game) == [[1, 1], [1], [1]]
    say_average(game)
    game = play_card(reward(TWO_FOR_PLAYER), [[1] * 6, [1] * 6, [1] * 6], deck=[2])
    assert game.kind == TURN


@pytest.mark.parametrize(
    ("which", "left"),
    [("lowest", [4, 2, 5]), ("highest", [4, 2, 2]), ("leftmost", [2, 5, 2]), ("rightmost", [4, 2, 5])],
)
def test_a_discard_takes_the_spell_the_card_says(which: str, left: list[int]) -> None:
    game = play_card(
        reward({"do": "discard", "who": "player", "which": which, "count": 1}), [[4, 2, 5, 2], [3], [3]]
    )
    expected = [4, 5, 2] if which == "lowest" else left  # of the two 2s the one furthest left
    assert hands_of(game) == [expected, [3], [3]]
    assert game.kind == TURN


def test_a_smaller_hand_is_discarded_whole() -> None:
    game = play_card(
        reward({"do": "discard", "who": "each", "which": "highest", "count": 2}), [[4, 2, 5], [3], []]
    )
    assert hands_of(game) == [[2], [], []]
    assert values(game.table.spell_discards) == [5, 4, 3]


@pytest.mark.parametrize(("direction", "hands"), [("left", [[3], [1, 2], []]), ("right", [[], [3], [1, 2]])])
def test_passed_hands_go_round_at_the_same_time_and_left_is_clockwise(
    direction: str, hands: list[list[int]]
) -> None:
    game = play_card(reward({"do": "pass_hands", "direction": direction}), [[1, 2], [], [3]])
    assert hands_of(game) == hands
    assert game.kind == TURN  # no estimate


def test_a_wizard_knows_the_spells_it_gave_away() -> None:
    game = play_card(reward({"do": "pass_hands", "direction": "left"}), [[1, 2], [], [3]])
    assert game.private_view(0).hands == ((3,), (1, 2), ())
    assert game.private_view(1).hands == ((None,), (1, 2), ())
    play(game, Pass(), Attack(1, 0))
    assert game.private_view(0).face_down == ((0, 0, 2),)
    assert game.private_view(2).face_down == ((0, 0, None),)


def test_swapped_hands_are_those_of_the_player_and_a_wizard_of_its_choice() -> None:
    game = play_card(reward({"do": "swap_hands"}), [[1, 2], [4], [3], [5]])
    assert game.legal_actions() == [Target(1), Target(2), Target(3)]
    play(game, Target(2))
    assert hands_of(game) == [[3], [4], [1, 2], [5]]
    assert game.kind == TURN
    assert game.private_view(2).hands == ((3,), (None,), (1, 2), (None,))


def test_rewards_are_not_passed_or_swapped_or_dealt_again() -> None:
    other = reward(NOTHING, name="other")
    for effect in ({"do": "pass_hands", "direction": "left"}, {"do": "redeal"}):
        game = position(
            ["M+M+"], [mushroom(9), mushroom(9)], [[1], [2], [3]], rewards=[reward(effect), other, None]
        )
        play(game, PlayReward())
        assert game.table.rewards == [None, other, None]


def test_hands_dealt_again_go_round_from_the_leader_and_nobody_knows_anothers_spells() -> None:
    game = position(
        FOG_TABLE, [fog({"do": "redeal"}), mushroom(1), mushroom(9)], [[2, 3], [1, 4, 5], [6]],
        level="II-a", leader=1,
    )  # fmt: skip
    play(game, Attack(0, 1), *passes(3))
    # Together they are 2 3, 4 5, 6.
    assert hands_of(game) == [[4], [2, 5], [3, 6]]
    assert game.kind == TURN
    assert game.private_view(0).hands[1] == (None, None)


def test_reveal_turns_up_monster_cards_where_they_lie_and_no_others() -> None:
    game = play_card(
        reward({"do": "reveal", "what": "all"}), [[1], [1], [1]], pattern=["L-M-F-M-", "M+M+M+M+"], cards=[]
    )
    assert face_up(game) == {1, 3, 4, 5, 6, 7}
    assert attacked(game) == {4, 5, 6, 7}


def test_a_chosen_monster_card_is_turned_up_where_it_lies() -> None:
    game = play_card(
        reward({"do": "reveal", "what": "chosen"}),
        [[1], [1], [1]],
        pattern=["L-M-F-M-", "M+M+M+M+"],
        cards=[],
    )
    assert game.legal_actions() == [Target(1), Target(3)]
    play(game, Target(3))
    assert face_up(game) == {3, 4, 5, 6, 7}
    assert game.public_view().horde[3].name is not None


def test_strength_is_changed_for_every_monster_of_the_horde_face_down_ones_too() -> None:
    game = play_card(
        reward({"do": "strength", "what": "all", "amount": 2}), [[1], [1], [1]],
        pattern=["M-M-F-", "M+M+M+"],
        cards=[mushroom(2), golem(4), None, dragon(5), mushroom(1), mushroom(3)],
    )  # fmt: skip
    table = game.table
    assert [table.strength(table.horde[number]) for number in (0, 1, 3, 4, 5)] == [4, 6, 7, 3, 5]


def test_strength_is_changed_for_one_chosen_monster_that_lies_face_up() -> None:
    game = play_card(
        reward({"do": "strength", "what": "chosen", "amount": -2}), [[1], [1], [1]],
        pattern=["M-M+", "M+M+"], cards=[mushroom(2), mushroom(5), mushroom(4), golem(6)],
    )  # fmt: skip
    assert game.legal_actions() == [Target(1), Target(2), Target(3)]
    play(game, Target(3))
    assert [card.strength for card in game.public_view().horde] == [None, 5, 4, 4]


def test_strength_never_falls_below_1() -> None:
    game = play_card(
        reward({"do": "strength", "what": "all", "amount": -5}),
        [[1], [1], [1]],
        cards=[mushroom(2), mushroom(9)],
    )
    assert [card.strength for card in game.public_view().horde] == [1, 4]
    play(game, Attack(0, 0), *passes(3))
    assert set(game.table.horde) == {1}


def test_a_changed_strength_counts_for_what_a_mushroom_gives_and_a_dragon_is_owed() -> None:
    game = play_card(
        reward({"do": "strength", "what": "all", "amount": -1}), [[5, 1], [4], [1], [1]],
        pattern=["M+M+M+"], cards=[mushroom(3), dragon(6), mushroom(9)], deck=[7, 7, 7],
    )  # fmt: skip
    play(game, Attack(0, 0), Attack(0, 1), *passes(2))
    assert hands_of(game) == [[1, 7], [7], [1, 7], [1]]
    say_average(game)
    assert (game.kind, game.table.owed) == (DEBT, 1)


def test_a_recovered_spell_goes_to_the_right_end_of_the_hand_and_everybody_knows_it() -> None:
    for which, spell in (("highest", 5), ("lowest", 2)):
        game = play_card(
            reward({"do": "recover", "who": "player", "which": which}), [[4], [1], [1]], discards=[2, 5, 3]
        )
        assert hands_of(game)[0] == [4, spell]
        assert game.private_view(1).hands[0] == (None, spell)
        assert len(game.table.spell_discards) == 2


def test_a_recovered_spell_is_not_drawn_so_nobody_estimates() -> None:
    game = play_card(
        reward({"do": "recover", "who": "player", "which": "lowest"}), [[4], [1], [1]], discards=[2]
    )
    assert game.kind == TURN


def test_sums_that_are_announced_are_true_and_heard_by_all() -> None:
    game = play_card(reward({"do": "announce_sums"}), [[4, 2], [1], []])
    assert sums(game) == [6, 1, 0]
    assert words(game) == [None] * 3


def test_destroy_takes_an_accessible_monster_that_is_no_boss_and_not_too_strong_without_its_effect() -> None:
    game = play_card(
        reward({"do": "destroy", "limit": 4}), [[1], [1], [1]], deck=[5],
        pattern=["M+M-", "M+M+M+M+"],
        cards=[mushroom(1), mushroom(1), mushroom(4), golem(5), dragon(3), lieutenant("crowd", 1)],
    )  # fmt: skip
    assert game.legal_actions() == [Target(2), Target(4)]
    play(game, Target(2))
    assert game.kind == TURN
    assert values(game.table.spell_deck) == [5]


def test_destroy_cannot_take_a_boss_or_a_face_down_cerberus() -> None:
    game = position(
        ["B-B-B-", "C-  C-", "M+  M+"], level="II-e", rewards=[reward({"do": "destroy", "limit": 40})] * 4
    )
    for slot in (3, 4):
        game.table.horde[slot].card = mushroom(1)
    play(game, PlayReward(), Target(3))
    assert face_up(game) == {4}
    play(game, Pass(), PlayReward())
    assert game.legal_actions() == [Target(4)]
    # Now both Cerberus are accessible, but face down until the end of the round.
    play(game, Target(4))
    assert PlayReward() not in game.legal_actions()
    play(game, *passes(3))
    assert face_up(game) == {0, 1, 2}
    play(game, Attack(0, 1), PlayReward())
    assert game.legal_actions() == [Target(1), Target(2)]
    play(game, Target(1), Attack(0, 2), PlayReward(), Target(2))
    assert attacked(game) == {0}
    assert PlayReward() not in game.legal_actions()


def test_the_spells_on_a_monster_that_a_card_destroys_are_discarded() -> None:
    held = [None, reward({"do": "destroy", "limit": 8}), None, None]
    game = position(["M+M+"], [golem(4), mushroom(9)], [[3, 1], [2], [1], [1]], rewards=held)
    play(game, Attack(0, 0), PlayReward(), Target(0))
    assert values(game.table.spell_discards) == [3]
    assert set(game.table.horde) == {1}
    play(game, *passes(3))
    assert game.kind == TURN


def test_a_monster_that_absorbed_spells_is_as_strong_as_it_is_now_for_destroy() -> None:
    held = [None, None, None, reward({"do": "destroy", "limit": 6})]
    game = position(["M+M+"], [golem(5), mushroom(9)], [[3, 1], [2], [1], [1]], rewards=held)
    play(game, Attack(0, 0), *passes(3), *passes(2))
    assert game.current_player == 3
    assert PlayReward() not in game.legal_actions()
