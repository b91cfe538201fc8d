"""Each statement of the rules of Syncro about Reward, Fog and lieutenant cards, on the reference model."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.syncro import Syncro
from tests.reference.syncro_parts import (
    AVERAGE,
    DEBT,
    ESTIMATE,
    GOOD,
    TARGET,
    TURN,
    Attack,
    Estimate,
    Pass,
    PlayReward,
    Said,
    Spell,
    Target,
)
from tests.syncro_card_set import CARDS
from tests.syncro_positions import (
    attacked,
    curse,
    dragon,
    face_up,
    fog,
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
    sums,
    values,
    words,
)
from unspoken.envs.syncro.cards import FogCard, RewardCard

FOG_TABLE = ["F-  ", "M+M+"]
"""A Fog card that is turned up when the monster over it is gone, and another monster beside it."""


def turn_up(card: FogCard, hands: list[list[int]], **more: Any) -> Syncro:
    """The leader's first spell, a 1, destroys the monster over a Fog card; the round goes to its end.

    The other monster is a Mushroom of 9 in slot 2.
    """
    cards = [card, mushroom(1), mushroom(9)]
    leader = more.get("leader", 0)
    hands = [[1, *hand] if seat == leader else hand for seat, hand in enumerate(hands)]
    game = position(FOG_TABLE, cards, hands, level="II-a", **more)
    return play(game, Attack(0, 1), *passes(3 if len(hands) < 5 else 4))


def play_card(card: RewardCard, hands: list[list[int]], **more: Any) -> Syncro:
    """Seat 0, the leader, plays this Reward first of all."""
    held = [card, *[None] * (len(hands) - 1)]
    more = {"pattern": ["M+M+"], "cards": [mushroom(9), mushroom(9)], **more}
    return play(position(hands=hands, rewards=held, level="II-a", **more), PlayReward())


DRAW = {"do": "draw", "who": "team", "count": 1}
TWO_FOR_PLAYER = {"do": "draw", "who": "player", "count": 2}
NOTHING = {"do": "announce_sums"}
"""An effect that changes nothing on the table."""

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
