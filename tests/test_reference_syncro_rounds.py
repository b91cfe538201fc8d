"""Each statement of the rules of Syncro about hands, estimates and rounds, on the reference model."""

from __future__ import annotations

import pytest

from tests.reference.syncro import Syncro
from tests.reference.syncro_parts import (
    AVERAGE,
    BAD,
    ESTIMATE,
    GOOD,
    TURN,
    Attack,
    Discard,
    Estimate,
    IllegalActionError,
    Pass,
    PlayView,
    Stop,
)
from tests.syncro_card_set import CARDS
from tests.syncro_positions import (
    attacked,
    dragon,
    face_up,
    hands_of,
    house_cards,
    mushroom,
    on,
    passes,
    play,
    position,
    say_average,
    sums,
    unshuffled,
    words,
)

# The team and the deal


@pytest.mark.parametrize(("players", "limit"), [(2, 8), (3, 6), (4, 5), (5, 4)])
def test_fewer_wizards_hold_more_spells(players: int, limit: int) -> None:
    game = Syncro(CARDS, players, "I-a", unshuffled)
    assert game.table.hand_limit == limit
    assert [len(hand) for hand in game.table.hands] == [limit] * players


@pytest.mark.parametrize("players", [1, 6])
def test_no_other_number_of_wizards_can_play(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 5 wizards"):
        Syncro(CARDS, players, "I-a", unshuffled)


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown scenario"):
        Syncro(CARDS, 3, "III-a", unshuffled)


def test_spells_are_dealt_one_by_one_from_the_leader_on_and_hands_keep_that_order() -> None:
    def shuffler(pile: str, cards: list) -> list:  # type: ignore[type-arg]
        if pile == "leader":
            return [1, 2, 0]
        return sorted(cards, key=lambda spell: -spell.value) if pile == "spells" else list(cards)

    game = Syncro(CARDS, 3, "I-a", shuffler)
    # 5 5 5 5 5, then six 4s, then 3s
    assert hands_of(game) == [[5, 4, 4, 3, 3, 3], [5, 5, 4, 4, 3, 3], [5, 5, 4, 4, 3, 3]]


def test_a_spell_that_is_played_leaves_its_place_and_the_others_close_up() -> None:
    game = position(hands=[[1, 2, 3], [1], [1], [1]])
    play(game, Attack(1, 0))
    assert hands_of(game)[0] == [1, 3]


def test_which_place_of_the_hand_a_spell_leaves_is_public_and_its_value_is_not() -> None:
    game = position(hands=[[4, 5], [1], [1], [1]])
    play(game, Attack(1, 0))
    view = game.private_view(2)
    assert view.plays == view.public.plays == (PlayView(0, 1, 0, None),)
    assert game.private_view(0).plays == (PlayView(0, 1, 0, 5),)
    assert view.public.horde[0].spells == ((0, None),)
    assert view.face_down == ((0, 0, None),)
    assert game.private_view(0).face_down == ((0, 0, 5),)


def test_new_spells_go_to_the_right_end_of_the_hand() -> None:
    game = position(["M+M+"], [mushroom(2), mushroom(9)], [[3, 4], [], [], []], deck=[5])
    say_average(play(game, Attack(0, 0), *passes(3)))
    assert hands_of(game)[0] == [4, 5]


def test_a_wizard_knows_its_hand_and_nobody_elses() -> None:
    game = position(hands=[[4, 5], [1], [2], [3]])
    view = game.private_view(0)
    assert view.hand == (4, 5)
    assert view.hands == ((4, 5), (None,), (None,), (None,))


def test_an_illegal_action_changes_nothing() -> None:
    game = position(hands=[[4], [1], [1], [1]])
    before = game.public_view()
    for action in (Attack(1, 0), Attack(0, 1), Stop(), Estimate(GOOD), Discard(0)):
        with pytest.raises(IllegalActionError):
            game.apply(action)
    assert game.public_view() == before


# Estimates


def test_after_the_deal_everybody_estimates_and_nobody_hears_it_before_all_have_chosen() -> None:
    game = Syncro(CARDS, 3, "I-a", unshuffled)
    for seat, word in enumerate([GOOD, BAD, AVERAGE]):
        assert (game.current_player, game.kind) == (seat, ESTIMATE)
        assert game.legal_actions() == [Estimate(GOOD), Estimate(AVERAGE), Estimate(BAD)]
        assert words(game) == [None, None, None]
        game.apply(Estimate(word))
    assert words(game) == [GOOD, BAD, AVERAGE]
    assert game.kind == TURN


def test_wizards_without_spells_make_no_estimate() -> None:
    game = position(["M+M+"], [mushroom(1), mushroom(9)], [[2], [], [3], []], deck=[4])
    play(game, Attack(0, 0), Pass(), Pass(), Pass())
    asked = []
    while game.kind == ESTIMATE:
        asked.append(game.current_player)
        game.apply(Estimate(GOOD))
    assert asked == [0, 2]


def test_on_ii_c_the_exact_sum_of_the_hand_is_said_and_nobody_decides_anything() -> None:
    game = Syncro(CARDS, 4, "II-c", unshuffled)
    assert game.kind == TURN
    assert sums(game) == [sum(hand) for hand in hands_of(game)]
    assert words(game) == [None] * 4


def test_the_hand_5_3_6_4_5_is_said_to_be_23() -> None:
    # Four wizards, Thomas holds 5-3-6-4-5. A Mushroom has just given him the last 5.
    table = (["M+M+"], [mushroom(1), mushroom(9)], [[5, 3, 6, 4], [2], [], []])
    game = position(*table, level="II-c", deck=[5])
    play(game, Pass(), Attack(0, 0), *passes(2))
    assert hands_of(game) == [[5, 3, 6, 4, 5], [], [], []]
    assert sums(game) == [23, None, None, None]


def test_only_on_ii_c_sums_are_said() -> None:
    assert [name for name, level in CARDS.levels.items() if level.estimate == "sum"] == ["II-c"]


# A round


@pytest.mark.parametrize(
    ("players", "order"), [(2, [1, 0, 1, 0]), (3, [1, 2, 0, 1]), (4, [1, 2, 3, 0]), (5, [1, 2, 3, 4, 0])]
)
def test_a_round_goes_clockwise_from_the_leader(players: int, order: list[int]) -> None:
    game = position(["M+M+"], [mushroom(9), mushroom(9)], [[1, 2, 3]] * players, leader=1)
    decided = []
    for turn in range(len(order)):
        decided.append(game.current_player)
        game.apply(Pass() if turn else Attack(0, 0))
    assert decided == order
    # ... and the leader card goes one wizard clockwise.
    assert game.table.leader == game.current_player == 2 % players


def test_an_attack_is_any_spell_of_the_hand_on_any_accessible_monster() -> None:
    game = position(["M+M+M+"], hands=[[4, 5], [1], [1], [1]])
    attacks = [Attack(place, slot) for place in (0, 1) for slot in (0, 1, 2)]
    assert game.legal_actions() == [*attacks, Pass()]


def test_of_five_wizards_the_last_must_pass_if_nobody_has_passed() -> None:
    game = position(hands=[[1, 1]] * 5, cards=[mushroom(9)])
    play(game, *[Attack(0, 0)] * 4)
    assert game.legal_actions() == [Pass()]


def test_of_five_wizards_the_last_is_free_if_one_has_passed() -> None:
    game = position(hands=[[1, 1]] * 5, cards=[mushroom(9)])
    play(game, Attack(0, 0), Pass(), Attack(0, 0), Attack(0, 0))
    assert game.legal_actions() == [Attack(0, 0), Attack(1, 0), Pass()]


def test_the_pass_of_an_empty_hand_counts_as_the_pass_of_five_wizards() -> None:
    game = position(hands=[[1], [], [1], [1], [1]], cards=[mushroom(9)])
    assert play(game, Attack(0, 0)).legal_actions() == [Pass()]
    play(game, Pass(), Attack(0, 0), Attack(0, 0))
    assert Attack(0, 0) in game.legal_actions()


def test_four_wizards_may_all_attack() -> None:
    game = position(hands=[[1, 1]] * 4, cards=[mushroom(9)])
    play(game, *[Attack(0, 0)] * 3)
    assert game.legal_actions() == [Attack(0, 0), Attack(1, 0), Pass()]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_if_nobody_has_attacked_the_last_decision_must_be_an_attack(players: int) -> None:
    game = position(hands=[[1, 2]] * players, cards=[mushroom(9)])
    play(game, *passes(3 if players < 5 else 4))
    assert game.legal_actions() == [Attack(0, 0), Attack(1, 0)]


def test_a_last_wizard_without_spells_passes_and_nobody_else_is_forced() -> None:
    game = position(hands=[[1], [1], [1], []])
    play(game, *passes(3))
    assert game.legal_actions() == [Pass()]
    play(game, Pass())
    assert (game.current_player, game.table.leader) == (1, 1)
    assert hands_of(game) == [[1], [1], [1], []]


def test_a_last_wizard_of_two_that_may_attack_nothing_passes() -> None:
    # On the only monster lies a spell of the last wizard's own.
    game = position(cards=[mushroom(9)], hands=[[2, 1], [1, 1]])
    play(game, Pass(), Attack(0, 0), Attack(0, 0), Pass())
    assert on(game, 0) == [2]
    assert game.current_player == 1
    play(game, *passes(3))
    assert game.current_player == 0
    assert game.legal_actions() == [Pass()]


def test_a_wizard_without_spells_can_only_pass() -> None:
    game = position(hands=[[], [1], [1], [1]])
    assert game.legal_actions() == [Pass()]


@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_wizards_may_not_play_on_their_own_spell(players: int) -> None:
    game = position(["M+M+"], [mushroom(9), mushroom(9)], [[1, 2]] * players)
    play(game, Attack(0, 0), *passes(players - 1))
    assert game.current_player == 0
    assert attacked(game) == {1}


@pytest.mark.parametrize("players", [2, 3])
def test_on_ones_own_spell_one_may_play_again_once_somebody_else_has_played_on_it(players: int) -> None:
    game = position(["M+M+"], [mushroom(9), mushroom(9)], [[1, 2]] * players)
    play(game, Attack(0, 0), Attack(0, 0), *passes(players - 2))
    assert game.current_player == 0
    assert attacked(game) == {0, 1}


def test_ones_own_spell_left_over_from_an_earlier_round_counts_too() -> None:
    game = position(["M+M+"], [mushroom(9), mushroom(9)], [[1], [1, 3, 1], [1]])
    play(game, Attack(0, 0), Attack(1, 0), Pass(), Pass())
    assert on(game, 0) == [3]
    assert game.current_player == 1
    assert attacked(game) == {1}


def test_only_the_spell_that_lies_on_top_now_counts() -> None:
    # Seat 1 played last, but that spell was the lowest and is gone: seat 0's lies on top.
    game = position(["M+M+"], [mushroom(9), mushroom(9)], [[3, 1], [1, 1], [1]])
    play(game, Attack(0, 0), Attack(0, 0), Pass(), Pass())
    assert on(game, 0) == [3]
    assert game.current_player == 1
    assert attacked(game) == {0, 1}


@pytest.mark.parametrize("players", [4, 5])
def test_four_or_five_wizards_may_play_on_their_own_spell(players: int) -> None:
    game = position(cards=[mushroom(9)], hands=[[3, 1, 1]] * players)
    play(game, Attack(0, 0), Attack(1, 0), *passes(players - 2))
    assert on(game, 0) == [3]
    play(game, *passes(players - 1))
    assert game.current_player == 0
    assert attacked(game) == {0}


# The horde


def test_half_a_card_lying_over_another_makes_it_inaccessible_and_a_common_edge_does_not() -> None:
    #  0 1 2      0 and 1 lie under 3, 2 lies beside it
    game = position(["M+M+M+", " M+ "], [mushroom(9)] * 4)
    assert attacked(game) == {2, 3}


def test_rows_that_are_not_neighbours_cover_each_other_too() -> None:
    game = position(["M+  ", "  M+", "M+  "], [mushroom(9)] * 3)
    assert attacked(game) == {1, 2}


def test_a_monster_that_is_no_longer_covered_can_be_attacked_from_the_next_round_on() -> None:
    game = position(["M+", "M+"], [mushroom(9), mushroom(1)])
    play(game, Attack(0, 1))
    assert attacked(game) == {1}
    play(game, *passes(3))
    assert attacked(game) == {0}


def test_a_face_down_monster_is_turned_up_when_it_becomes_accessible() -> None:
    game = position([" M- ", "M-M-", "M+M+"], [None, mushroom(9), mushroom(9), mushroom(1), mushroom(9)])
    assert face_up(game) == {3, 4}
    play(game, Attack(0, 3), *passes(3))
    assert face_up(game) == {1, 4}


def test_nobody_sees_what_a_face_down_card_is_but_its_back() -> None:
    game = position(["M-", "M+"], [dragon(5), mushroom(3)])
    hidden, open_card = game.public_view().horde
    assert (hidden.back, hidden.name, hidden.strength) == ("monster", None, None)
    assert (open_card.back, open_card.name, open_card.strength) == ("monster", "mushroom 3", 3)


def test_slots_are_filled_from_the_top_row_down_and_from_left_to_right() -> None:
    cards = house_cards(I_a=(" M- ", "M-M-", "M+M+"))
    dealt = list(cards.monster_deck("I-a"))
    game = Syncro(cards, 3, "I-a", unshuffled)
    assert [game.table.horde[number].card for number in range(5)] == dealt[:5]
    assert [game.table.horde[number].slot.row for number in range(5)] == [0, 1, 1, 2, 2]
