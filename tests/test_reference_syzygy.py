"""Each statement of the rules of Syzygy, played by hand on the reference model.

The rows are drawn as they lie on the table: a number is a planet (face down for whoever has not seen it),
`*` is the Blackhole, `[3]` is the card being looked at. A letter under a card is a chip: `a` of seat 0, `b`
of seat 1.
"""

from __future__ import annotations

import pytest

from tests.reference.syzygy import (
    Action,
    Confirm,
    IllegalActionError,
    Move,
    Pass,
    Syzygy,
    Turn,
    action_list,
    action_mask,
    cardinalities,
    features,
)

PRINTED_ROW = [3, 1, 4, 9, 5, 2, 6, 8, 7]


def play(game: Syzygy, *actions: Action) -> Syzygy:
    for action in actions:
        game.apply(action)
    return game


def looks(game: Syzygy) -> list[int]:
    return [action.position for action in game.legal_actions() if isinstance(action, Confirm)]


def destinations(game: Syzygy) -> list[int]:
    return [action.position for action in game.legal_actions() if isinstance(action, Move)]


# Parts and set-up


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_to_six_players_with_four_chips_each(players: int) -> None:
    game = Syzygy(PRINTED_ROW, players=players)
    assert game.hands == [[1, 2, 3, 4]] * players


@pytest.mark.parametrize("players", [0, 1, 7])
def test_no_other_number_of_players_can_play(players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        Syzygy(PRINTED_ROW, players=players)


@pytest.mark.parametrize("n", [3, 13])
def test_base_is_played_with_four_to_twelve_planets(n: int) -> None:
    for fits in (4, 9, 12):
        Syzygy(range(1, fits + 1))
    with pytest.raises(ValueError, match="4 to 12"):
        Syzygy(range(1, n + 1))


@pytest.mark.parametrize("row", [[1, 2, 3, 3], [0, 1, 2, 3], [2, 3, 4, 5]])
def test_the_row_holds_every_planet_once(row: list[int]) -> None:
    with pytest.raises(ValueError, match="each planet"):
        Syzygy(row)


def test_the_base_row_has_no_blackhole() -> None:
    game = Syzygy(PRINTED_ROW)
    assert game.public_view().blackhole is None
    assert game.set_aside is None


def test_the_trial_row_is_three_cards_blackhole_three_cards_with_one_planet_aside() -> None:
    game = Syzygy([2, 7, 1, 5, 3, 6, 4], variant="trial")
    #   2 7 1 * 3 6 4        aside: 5
    assert game.public_view().blackhole == 3
    assert game.set_aside == 5
    with pytest.raises(ValueError, match="7 planets"):
        Syzygy(range(1, 10), variant="trial")


def test_the_divine_row_is_four_cards_blackhole_four_cards_with_one_planet_aside() -> None:
    game = Syzygy(PRINTED_ROW, variant="divine")
    #   3 1 4 9 * 2 6 8 7        aside: 5
    assert game.public_view().blackhole == 4
    assert game.set_aside == 5
    with pytest.raises(ValueError, match="9 planets"):
        Syzygy(range(1, 8), variant="divine")


def test_two_players_play_the_same_rules_as_more() -> None:
    game = Syzygy([2, 1, 3, 4], players=2)
    #   2 1 3 4 -> 1 2 3 4
    play(game, Confirm(0), Move(1), *[Pass()] * 7)
    assert game.finished
    assert game.won


# A turn


def test_seat_0_begins_and_turns_go_clockwise() -> None:
    game = Syzygy(PRINTED_ROW, players=3)
    seen = []
    while not game.finished:
        seen.append(game.current_player)
        game.apply(Pass())
    assert seen == [0, 1, 2] * 4
    assert game.current_player is None


def test_a_turn_is_a_pass_or_one_look_with_one_move() -> None:
    game = Syzygy(PRINTED_ROW, players=3)
    assert game.legal_actions() == [*(Confirm(i) for i in range(9)), Pass()]
    play(game, Pass())
    assert game.current_player == 1
    play(game, Confirm(3))
    assert game.current_player == 1
    play(game, Move(2))
    assert game.current_player == 2


def test_a_pass_turns_the_smallest_chip_face_down_and_changes_nothing_else() -> None:
    game = Syzygy(PRINTED_ROW)
    play(game, Pass())
    assert game.hands[0] == [2, 3, 4]
    assert game.face_down[0] == [1]
    assert game.planets() == PRINTED_ROW
    assert all(not card.chips for card in game.row)


def test_the_smallest_chip_goes_on_the_moved_card() -> None:
    game = Syzygy([3, 1, 4, 2, 5], players=2)
    play(game, Confirm(0))
    #  [3]1 4 2 5
    assert game.public_view().chips == ((), (), (), (), ())
    play(game, Move(2))
    #   1 4 3 2 5
    #       a
    assert game.public_view().chips == ((), (), ((0, 1),), (), ())
    assert game.hands[0] == [2, 3, 4]


def test_chips_are_used_smallest_first_also_after_a_pass() -> None:
    game = Syzygy([3, 1, 4, 2, 5], players=2)
    play(game, Pass(), Pass(), Confirm(4), Move(1), Pass(), Pass(), Pass(), Confirm(4), Move(3))
    #   3 1 4 2 5 -> 3 5 1 4 2 -> 3 5 1 2 4
    #                  a            a   a
    assert game.planets() == [3, 5, 1, 2, 4]
    assert game.public_view().chips == ((), ((0, 2),), (), ((0, 4),), ())
    assert game.face_down == [[1, 3], [1, 2, 3]]


def test_a_card_with_ones_own_chip_cannot_be_confirmed_again() -> None:
    game = Syzygy([3, 1, 4, 2, 5], players=2)
    play(game, Confirm(0), Move(2), Pass())
    #   1 4 3 2 5
    #       a
    assert game.current_player == 0
    assert looks(game) == [0, 1, 3, 4]


def test_a_card_with_only_other_players_chips_can_be_confirmed() -> None:
    game = Syzygy([3, 1, 4, 2, 5], players=2)
    play(game, Confirm(0), Move(2))
    assert game.current_player == 1
    assert looks(game) == [0, 1, 2, 3, 4]
    play(game, Confirm(2), Move(3))
    #   1 4 2 3 5
    #         a
    #         b
    assert game.public_view().chips[3] == ((0, 1), (1, 1))


def test_the_own_chip_rule_follows_the_card_and_not_the_place() -> None:
    game = Syzygy([3, 1, 4, 2, 5], players=2)
    play(game, Confirm(0), Move(2), Confirm(0), Move(3))
    #   1 4 3 2 5 -> 4 3 2 1 5
    #       a          a   b
    assert looks(game) == [0, 2, 3, 4]


def test_with_four_cards_there_is_still_one_to_confirm_in_the_last_round() -> None:
    game = Syzygy([1, 2, 3, 4], players=2)
    play(game, Confirm(0), Move(1), Pass(), Confirm(0), Move(1), Pass(), Confirm(2), Move(1), Pass())
    #  [1]2 3 4 -> [2]1 3 4 -> 1 2[3]4 -> 1 3 2 4
    #                 a        a a        a a a
    assert game.current_player == 0
    assert looks(game) == [3]


def test_the_blackhole_can_never_be_confirmed() -> None:
    game = Syzygy([2, 7, 1, 5, 3, 6, 4], variant="trial", players=2)
    assert looks(game) == [0, 1, 2, 4, 5, 6]
    play(game, Confirm(0), Move(5))
    #   2 7 1 * 3 6 4 -> 7 1 * 3 6 2 4
    assert looks(game) == [0, 1, 3, 4, 5, 6]


def test_the_player_sees_the_value_before_choosing_where_the_card_goes() -> None:
    game = Syzygy([3, 1, 4, 2, 5], players=2)
    play(game, Confirm(3))
    #   3 1 4[2]5
    assert game.private_view(0).values == (None, None, None, 2, None)
    assert game.current_player == 0


def test_after_a_look_there_is_no_other_choice_than_a_destination() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(3))
    assert all(isinstance(action, Move) for action in game.legal_actions())
    for action in (Pass(), Confirm(3), Confirm(0)):
        with pytest.raises(IllegalActionError):
            game.apply(action)


def test_a_card_cannot_be_moved_before_one_was_confirmed() -> None:
    with pytest.raises(IllegalActionError):
        Syzygy([3, 1, 4, 2, 5]).apply(Move(2))


def test_a_card_goes_strictly_between_two_cards_so_never_to_an_end() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(0))
    assert destinations(game) == [1, 2, 3]
    for end in (0, 4, -1, 5):
        with pytest.raises(IllegalActionError):
            game.apply(Move(end))


def test_a_card_cannot_be_put_back_where_it_was() -> None:
    for source in (1, 2, 3):
        game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(source))
        assert destinations(game) == [j for j in (1, 2, 3) if j != source]


def test_a_destination_is_counted_after_the_move() -> None:
    #   3[1]4 2 5 -> 3 4 2 1 5    to the right: the cards between close up to the left
    assert play(Syzygy([3, 1, 4, 2, 5]), Confirm(1), Move(3)).planets() == [3, 4, 2, 1, 5]
    #   3 1 4[2]5 -> 3 2 1 4 5    to the left: the cards between close up to the right
    assert play(Syzygy([3, 1, 4, 2, 5]), Confirm(3), Move(1)).planets() == [3, 2, 1, 4, 5]


def test_neighbours_change_places_by_a_move_of_one() -> None:
    assert play(Syzygy([3, 1, 4, 2, 5]), Confirm(1), Move(2)).planets() == [3, 4, 1, 2, 5]
    assert play(Syzygy([3, 1, 4, 2, 5]), Confirm(2), Move(1)).planets() == [3, 4, 1, 2, 5]


@pytest.mark.parametrize("n", range(4, 13))
def test_there_always_is_a_destination(n: int) -> None:
    for source in range(n):
        game = play(Syzygy(range(1, n + 1)), Confirm(source))
        assert destinations(game) == [j for j in range(1, n - 1) if j != source]
        assert destinations(game)


def test_an_end_card_changes_only_when_the_end_card_itself_is_taken() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(4), Move(1))
    #   3 1 4 2[5] -> 3 5 1 4 2
    assert game.planets() == [3, 5, 1, 4, 2]


# What is public, what is private


def test_everybody_sees_who_moved_which_card_from_where_to_where_with_which_chip() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(0), Move(2), Pass())
    assert game.public_view().turns == (
        Turn(seat=0, chip=1, source=0, destination=2, emotion=0),
        Turn(seat=1, chip=1),
    )


def test_everybody_sees_which_card_is_being_looked_at() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(3))
    assert game.public_view().looked_at == 3
    assert game.public_view().turns == (Turn(seat=0, chip=1, source=3),)
    assert features(game, 1)["confirmed"] == [4]
    assert features(game, 1)["source_1"] == [0, 0, 0, 0]
    play(game, Move(1))
    assert features(game, 1)["confirmed"] == [0]
    assert features(game, 1)["source_1"] == [5, 0, 0, 0]


def test_everybody_can_follow_each_card_along_the_row() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(0), Move(2), Confirm(4), Move(1))
    #   v w x y z -> w x v y z -> w z x v y      cards named by where they began: v = 0 ... z = 4
    assert game.public_view().origins == (1, 4, 2, 0, 3)


def test_nobody_else_learns_a_value_from_a_look() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=3), Confirm(0))
    assert game.private_view(1).values == (None,) * 5
    play(game, Move(2))
    assert game.private_view(1).values == (None,) * 5
    assert game.private_view(2).values == (None,) * 5


def test_nobody_knows_any_value_at_the_beginning() -> None:
    for variant, row in (("base", PRINTED_ROW), ("trial", [2, 7, 1, 5, 3, 6, 4]), ("divine", PRINTED_ROW)):
        game = Syzygy(row, variant=variant)
        for seat in range(4):
            assert game.private_view(seat).values == (None,) * len(row)


def test_a_player_remembers_its_cards_wherever_others_move_them() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(0), Move(2), Confirm(2), Move(1))
    #  [3]1 4 2 5 -> 1 4[3]2 5 -> 1 3 4 2 5
    assert game.private_view(0).values == (None, 3, None, None, None)
    assert game.private_view(1).values == (None, 3, None, None, None)


def test_without_memory_a_value_is_shown_only_while_the_card_is_being_moved() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2, memory="none"), Confirm(0))
    assert game.private_view(0).values == (3, None, None, None, None)
    assert game.private_view(1).values == (None,) * 5
    play(game, Move(2))
    assert game.private_view(0).values == (None,) * 5
    play(game, Confirm(2))
    #   1 4[3]2 5     seat 1 looks at the card seat 0 saw: seat 0 does not get it back
    assert game.private_view(0).values == (None,) * 5
    assert game.private_view(1).values == (None, None, 3, None, None)


def test_the_set_aside_planet_is_in_nobodys_view() -> None:
    game = Syzygy([2, 7, 1, 5, 3, 6, 4], variant="trial", players=2)
    play(game, Confirm(0), Move(1), Confirm(4), Move(5), Confirm(2), Move(1), Pass(), *[Pass()] * 4)
    for seat in range(2):
        assert 5 not in game.private_view(seat).values


# OH MY GOD


def test_silence_is_the_default() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5]), Confirm(0))
    assert game.legal_actions() == [Move(1), Move(2), Move(3)]
    assert "emotion_0" not in features(game, 0)


def test_with_k_emotions_each_move_carries_one_of_k_symbols() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], emotions=3), Confirm(0))
    assert game.legal_actions() == [Move(j, emotion) for emotion in range(3) for j in (1, 2, 3)]
    with pytest.raises(IllegalActionError):
        game.apply(Move(2, 3))


def test_the_emotion_is_public_and_does_not_move_anything() -> None:
    shy = play(Syzygy([3, 1, 4, 2, 5], emotions=3, players=2), Confirm(0), Move(2, 0))
    loud = play(Syzygy([3, 1, 4, 2, 5], emotions=3, players=2), Confirm(0), Move(2, 2))
    assert shy.planets() == loud.planets()
    assert features(shy, 1)["emotion_1"] == [1, 0, 0, 0]
    assert features(loud, 1)["emotion_1"] == [3, 0, 0, 0]


def test_a_pass_says_nothing() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], emotions=3, players=2), Pass())
    assert features(game, 1)["emotion_1"] == [0, 0, 0, 0]
    assert features(game, 1)["source_1"] == [1, 0, 0, 0]


def test_the_emotion_comes_after_the_look() -> None:
    game = Syzygy([3, 1, 4, 2, 5], emotions=3, players=2)
    assert not any(isinstance(action, Move) for action in game.legal_actions())
    play(game, Confirm(0))
    assert features(game, 1)["emotion_1"] == [0, 0, 0, 0]


# The Blackhole


def test_others_move_past_the_blackhole() -> None:
    game = play(Syzygy([2, 7, 1, 5, 3, 6, 4], variant="trial"), Confirm(0), Move(4))
    #  [2]7 1 * 3 6 4 -> 7 1 * 3 2 6 4
    assert game.public_view().blackhole == 2
    assert game.planets() == [7, 1, 5, 3, 2, 6, 4]


def test_the_blackhole_can_become_an_end_card() -> None:
    game = Syzygy([2, 7, 1, 5, 3, 6, 4], variant="trial", players=2)
    play(game, Confirm(0), Move(5), Confirm(0), Move(5), Confirm(0), Move(5))
    #  [2]7 1 * 3 6 4 -> [7]1 * 3 6 2 4 -> [1]* 3 6 2 7 4 -> * 3 6 2 7 1 4
    assert game.public_view().blackhole == 0
    assert 0 not in looks(game)


def test_the_blackhole_counts_as_a_neighbour() -> None:
    game = Syzygy([2, 7, 1, 5, 3, 6, 4], variant="trial", players=2)
    play(game, Confirm(0), Move(5), Confirm(0), Move(5), Confirm(0), Move(5))
    #   * 3 6 2 7 1 4      between the Blackhole and the next card is between two cards
    play(game, Confirm(3))
    assert destinations(game) == [1, 2, 4, 5]


def test_at_the_end_the_blackhole_is_the_planet_that_was_set_aside() -> None:
    game = Syzygy([1, 3, 2, 4, 5, 6, 7], variant="trial", players=2)
    play(game, Confirm(1), Move(2), *[Pass()] * 7)
    #   1[3]2 * 5 6 7 -> 1 2 3 * 5 6 7      aside: 4
    assert game.won
    other = Syzygy([1, 4, 2, 3, 5, 6, 7], variant="trial", players=2)
    play(other, Confirm(1), Move(2), *[Pass()] * 7)
    #   1[4]2 * 5 6 7 -> 1 2 4 * 5 6 7      aside: 3
    assert not other.won


# The end


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_game_ends_after_every_player_has_had_four_turns(players: int) -> None:
    game = Syzygy(PRINTED_ROW, players=players)
    for turn in range(4 * players):
        assert not game.finished
        if turn % 3 == 0:
            play(game, Pass())
        else:
            first_look, *_ = looks(game)
            play(game, Confirm(first_look))
            assert not game.finished
            play(game, Move(destinations(game)[0]))
    assert game.finished
    assert game.legal_actions() == []
    with pytest.raises(IllegalActionError):
        game.apply(Pass())


@pytest.mark.parametrize("row", [list(range(1, 10)), list(range(9, 0, -1))])
def test_the_team_wins_with_the_row_rising_or_falling(row: list[int]) -> None:
    game = play(Syzygy(row), *[Pass()] * 16)
    assert game.won
    assert game.reward() == 1


@pytest.mark.parametrize("row", [PRINTED_ROW, [2, 1, 3, 4, 5, 6, 7, 8, 9], [5, 6, 7, 8, 9, 1, 2, 3, 4]])
def test_any_other_row_is_lost(row: list[int]) -> None:
    game = play(Syzygy(row), *[Pass()] * 16)
    assert not game.won
    assert game.reward() == 0


def test_an_aligned_row_before_the_end_is_not_yet_a_win() -> None:
    game = Syzygy([1, 2, 3, 4], players=2)
    assert game.aligned
    assert not game.won
    play(game, Confirm(0), Move(1), *[Pass()] * 7)
    #   [1]2 3 4 -> 2 1 3 4
    assert not game.won


def test_an_illegal_action_leaves_the_game_as_it_was() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=2), Confirm(0), Move(2), Pass())
    before = game.public_view(), game.private_view(0), game.planets()
    for action in (Confirm(2), Confirm(5), Confirm(-1), Move(1)):
        with pytest.raises(IllegalActionError):
            game.apply(action)
    assert before == (game.public_view(), game.private_view(0), game.planets())


# What the environments add


def test_the_potential_counts_the_pairs_in_the_order_the_row_is_nearer_to() -> None:
    assert Syzygy([1, 2, 3, 4]).potential() == 6
    assert Syzygy([4, 3, 2, 1]).potential() == 6
    assert Syzygy([2, 1, 3, 4]).potential() == 5
    assert Syzygy([2, 4, 1, 3]).potential() == 3
    #   3 1 4 2 5: falling pairs 31, 32, 42; the seven others rise
    assert Syzygy([3, 1, 4, 2, 5]).potential() == 7


def test_the_flat_numbers_are_looks_then_moves_by_emotion_then_the_pass() -> None:
    assert action_list(4, 2) == [
        Confirm(0),
        Confirm(1),
        Confirm(2),
        Confirm(3),
        Move(0, 0),
        Move(1, 0),
        Move(2, 0),
        Move(3, 0),
        Move(0, 1),
        Move(1, 1),
        Move(2, 1),
        Move(3, 1),
        Pass(),
    ]
    game = Syzygy([3, 1, 4, 2], emotions=2)
    assert action_mask(game) == [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    play(game, Confirm(1))
    assert action_mask(game) == [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]


def test_the_features_of_a_seat_are_written_from_its_own_side() -> None:
    game = play(Syzygy([3, 1, 4, 2, 5], players=3), Confirm(0), Move(2), Pass(), Confirm(1))
    #  [3]1 4 2 5 -> 1[4]3 2 5
    #                    a
    assert features(game, 2) == {
        "phase": [1],
        "turn": [2],
        "seat": [2],
        "confirmed": [2],
        "value": [0, 4, 0, 0, 0],
        "origin": [1, 2, 0, 3, 4],
        "chip_0": [0, 0, 0, 0, 0],
        "source_0": [0, 0, 0, 0],
        "destination_0": [0, 0, 0, 0],
        "chip_1": [0, 0, 1, 0, 0],
        "source_1": [2, 0, 0, 0],
        "destination_1": [3, 0, 0, 0],
        "chip_2": [0, 0, 0, 0, 0],
        "source_2": [1, 0, 0, 0],
        "destination_2": [0, 0, 0, 0],
    }


@pytest.mark.parametrize("emotions", [1, 3])
def test_every_feature_fits_its_declared_size_and_range(emotions: int) -> None:
    game = Syzygy(PRINTED_ROW, variant="divine", players=3, emotions=emotions)
    table = cardinalities(9, 3, emotions)
    step = 0
    while not game.finished:
        for seat in range(3):
            vector = features(game, seat)
            assert list(vector) == list(table)
            for name, values in vector.items():
                size, cardinality = table[name]
                assert len(values) == size
                assert all(0 <= value < cardinality for value in values)
        actions = game.legal_actions()
        game.apply(actions[(7 * step) % len(actions)])
        step += 1
