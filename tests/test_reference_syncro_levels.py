"""Each statement of the rules of Syncro about what happens between levels, on the reference model."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.syncro import Syncro, shuffled_by
from tests.reference.syncro_parts import (
    DEBT,
    ESTIMATE,
    KEEP,
    TURN,
    Attack,
    Drop,
    Keep,
    Save,
    Spell,
    Stop,
)
from tests.reference.syncro_table import ADVENTURE
from tests.syncro_card_set import CARDS
from tests.syncro_positions import (
    curse,
    dragon,
    fog,
    hands_of,
    house_cards,
    lieutenant,
    mushroom,
    passes,
    play,
    say_average,
    unshuffled,
    values,
    words,
)
from unspoken.envs.syncro.cards import CardSet, FogCard

NOTHING = {"do": "announce_sums"}


def start(scenario: str, players: int = 3, cards: CardSet = CARDS, **more: Any) -> Syncro:
    """A new game in its first round."""
    return say_average(Syncro(cards, players, scenario, unshuffled, **more))


def finish_level(game: Syncro, hands: list[list[int]] | None = None, last_slot: int = 0) -> Syncro:
    """Win the level: everything but a Mushroom of 1 is taken away, and the leader destroys that.

    `hands` are the hands after that.
    """
    table = game.table
    assert game.kind == TURN
    lying = table.horde[last_slot]
    lying.card, lying.face_up, lying.spells, lying.change = mushroom(1), True, [], 0
    for number in set(table.horde) - {last_slot}:
        table.destroy(table.horde[number])
    table.lieutenant_box += [
        card for card in table.lieutenants_of_level.values() if card not in table.lieutenant_box
    ]
    seat = game.current_player
    assert seat is not None
    if hands is not None:
        table.hands = [[Spell(value, {s}) for value in hand] for s, hand in enumerate(hands)]
    table.hands[seat].insert(0, Spell(1, {seat}))
    game.apply(Attack(0, last_slot))
    while game.kind == TURN and table.horde.get(last_slot) is lying:
        game.apply(passes(1)[0])
    return game


def lose_level(game: Syncro) -> Syncro:
    """Lose the level: nobody has a spell, and nothing comes of the round."""
    table = game.table
    assert game.kind == TURN
    for card in table.horde.values():
        card.spells = []
    table.hands = [[] for _ in table.hands]
    level, tries = table.level, game.all_tries
    while game.kind == TURN and (table.level, game.all_tries) == (level, tries):
        game.apply(passes(1)[0])
    return game


# Keep or discard


def test_between_levels_every_wizard_with_spells_keeps_or_drops_its_hand() -> None:
    game = finish_level(start("chapter-1"), [[2, 3], [], [4]])
    # The leader card has gone from 0 to 1.
    asked = []
    while game.kind == KEEP:
        asked.append(game.current_player)
        assert game.legal_actions() == [Keep(), Drop()]
        game.apply(Keep())
    assert asked == [2, 0]
    assert (game.table.level, game.kind) == ("I-b", ESTIMATE)


def test_kept_spells_stay_where_they_are_in_the_hand_and_it_is_filled_up_to_the_limit() -> None:
    game = finish_level(start("chapter-1"), [[2, 3], [], [4]])
    play(game, Keep(), Keep())
    hands = hands_of(game)
    assert [len(hand) for hand in hands] == [6, 6, 6]
    assert (hands[0][:2], hands[2][:1]) == ([2, 3], [4])


def test_a_dropped_hand_is_dealt_anew_and_nobody_sees_what_was_dropped() -> None:
    game = finish_level(start("chapter-1"), [[5, 5], [], [5]])
    play(game, Drop())
    assert hands_of(game) == [[5, 5], [], [5]]  # not before all have chosen
    before = game.public_view().discards
    play(game, Keep())
    assert game.public_view().discards == () != before
    assert [len(hand) for hand in hands_of(game)] == [6, 6, 6]
    assert hands_of(game)[0][:2] == [5, 5]


def test_a_choice_to_keep_is_not_seen_before_all_have_chosen() -> None:
    kept, dropped = (finish_level(start("chapter-1"), [[2, 3], [], [4]]) for _ in range(2))
    kept.apply(Keep())
    dropped.apply(Drop())
    assert kept.public_view() == dropped.public_view()
    assert kept.private_view(0) == dropped.private_view(0)


def test_everything_that_is_not_in_a_hand_is_shuffled_for_the_next_level() -> None:
    game = finish_level(start("chapter-1", players=2))
    while game.kind == KEEP:
        game.apply(Keep())
    table = game.table
    held = [value for hand in hands_of(game) for value in hand]
    every = sorted([*held, *values(table.spell_deck)])
    assert table.spell_discards == []
    # The test's own two extra 1s apart.
    assert every[len(every) - 35 :] == list(CARDS.spell_deck("I-b"))[-35:]


def test_after_a_level_that_was_won_the_leader_card_goes_on_clockwise() -> None:
    game = start("chapter-1")
    for leader in (0, 1, 2, 0):
        assert game.table.leader == leader
        finish_level(game, [[], [], []])
        say_average(game)


def test_a_level_won_after_some_rounds_counts_its_own_leader() -> None:
    game = start("chapter-1")
    game.table.horde[game.table.order[0]].card = mushroom(30)
    play(game, Attack(0, game.table.order[0]), *passes(3))
    assert game.table.leader == 1
    finish_level(game, [[], [], []])
    assert game.table.leader == 2


def test_estimates_are_made_anew_after_the_deal_of_every_level() -> None:
    game = finish_level(start("chapter-1"), [[], [], []])
    assert game.kind == ESTIMATE
    assert words(game) == [None, None, None]


@pytest.mark.parametrize(
    ("level", "sixes", "sevens"), [("II-a", 0, 0), ("II-b", 2, 0), ("II-c", 2, 0), ("II-d", 2, 2)]
)
def test_two_6s_join_at_ii_b_and_two_7s_at_ii_d(level: str, sixes: int, sevens: int) -> None:
    game = Syncro(CARDS, 3, level, unshuffled)
    every = [*values(game.table.spell_deck), *(value for hand in hands_of(game) for value in hand)]
    assert (every.count(6), every.count(7)) == (sixes, sevens)
    assert set(every) >= {1, 2, 3, 4, 5}


def test_new_spells_join_the_shuffled_rest_while_hands_may_be_kept() -> None:
    game = finish_level(start("chapter-2"), [[2, 3], [], []])
    assert game.kind == KEEP
    play(game, Keep())
    every = [*values(game.table.spell_deck), *(value for hand in hands_of(game) for value in hand)]
    assert game.table.level == "II-b"
    assert hands_of(game)[0][:2] == [2, 3]
    assert every.count(6) == 2


def test_monsters_are_shuffled_anew_for_each_level() -> None:
    game = finish_level(start("chapter-1"), [[], [], []])
    table = game.table
    lying = [card.card for card in table.horde.values()]
    assert [*lying, *table.monster_deck] == list(CARDS.monster_deck("I-b"))


# What carries on


def test_rewards_in_hand_stay_from_level_to_level() -> None:
    game = start("chapter-2")
    held = list(game.table.rewards)
    finish_level(game, [[], [], []])
    assert game.table.level == "II-b"
    assert game.table.rewards == held


def test_fog_reward_and_lieutenant_decks_carry_on() -> None:
    game = start("chapter-2")
    table = game.table
    fogs, rewards, lieutenants = list(table.fog_deck), list(table.reward_deck), list(table.lieutenant_deck)
    finish_level(game, [[], [], []])
    horde = table.horde.values()
    drawn = [
        card.card for card in sorted(horde, key=lambda card: card.number) if isinstance(card.card, FogCard)
    ]
    assert [*drawn, *table.fog_deck] == fogs
    assert table.reward_deck == rewards
    assert [*table.lieutenants_of_level.values(), *table.lieutenant_deck] == lieutenants


def test_unrevealed_fog_goes_to_the_fog_discards_unseen_when_a_level_ends() -> None:
    cards = house_cards(II_a=("F-F-", "M+M+"))
    game = start("chapter-2", cards=cards, max_tries=2)
    lying = [game.table.horde[number].card for number in (0, 1)]
    lose_level(game)
    assert [card for card, _ in game.table.fog_discards] == lying
    assert game.public_view().fog_discards == (None, None)


def test_curses_end_with_the_level_and_go_to_the_fog_discards() -> None:
    game = start("chapter-2", max_tries=2)
    rule = curse(do="hand_limit", amount=-1)
    game.table.curses = [rule]
    lose_level(game)
    assert game.table.curses == []
    assert (rule, True) in game.table.fog_discards
    assert [len(hand) for hand in hands_of(game)] == [6, 6, 6]


def test_if_the_fog_deck_is_empty_at_set_up_its_discards_are_shuffled() -> None:
    game = start("chapter-2", cards=house_cards(II_a=("F-", "M+"), II_b=("F-F-", "M+M+")))
    first, second = fog(NOTHING, name="first"), fog(NOTHING, name="second")
    game.table.fog_deck, game.table.fog_discards = [first], [(second, True)]
    del game.table.horde[0]
    finish_level(game, [[], [], []], last_slot=1)
    assert [game.table.horde[number].card for number in (0, 1)] == [first, second]


def test_if_there_are_not_enough_lieutenants_the_beaten_ones_come_back() -> None:
    game = start("chapter-2", cards=house_cards(II_a=("L-", "M+"), II_b=("L-L-", "M+M+")))
    first, second = lieutenant("crowd", 5), lieutenant("fog", 5)
    game.table.lieutenant_deck, game.table.lieutenant_box = [first], [second]
    finish_level(game, [[], [], []], last_slot=1)
    assert [game.table.horde[number].card for number in (0, 1)] == [first, second]
    assert game.table.lieutenant_box == []


# A lost level


def test_a_level_on_its_own_is_tried_once() -> None:
    game = lose_level(start("I-a"))
    assert (game.finished, game.won, game.tries) == (True, False, 1)


def test_levels_of_an_adventure_are_tried_again_up_to_ten_times() -> None:
    game = start("adventure")
    for tries in range(1, 11):
        assert (game.tries, game.finished) == (tries, False)
        say_average(lose_level(game))
    assert (game.finished, game.won, game.levels_won, game.all_tries) == (True, False, 0, 10)


def test_the_tries_of_each_level_count_anew() -> None:
    game = say_average(lose_level(start("chapter-1")))
    assert game.tries == 2
    say_average(finish_level(game, [[], [], []]))
    assert (game.tries, game.all_tries, game.levels_won) == (1, 3, 1)


def test_after_a_loss_all_hands_are_dropped_and_dealt_anew_and_the_leader_stays() -> None:
    game = start("chapter-1")
    slot = game.table.order[0]
    game.table.horde[slot].card = mushroom(30)
    play(game, Attack(0, slot), *passes(3))
    assert game.table.leader == 1
    lose_level(game)
    assert game.kind == ESTIMATE
    assert game.table.leader == 1
    assert [len(hand) for hand in hands_of(game)] == [6, 6, 6]


def test_after_an_unpaid_debt_the_hands_that_are_left_are_dropped_too() -> None:
    game = start("chapter-1", players=4)
    slot = game.table.order[0]
    game.table.horde[slot].card = dragon(30)
    play(game, Attack(0, slot), *passes(3))
    assert game.kind == DEBT
    play(game, *[Stop()] * 4)
    assert (game.tries, game.kind, game.table.leader) == (2, ESTIMATE, 0)
    every = [*values(game.table.spell_deck), *(value for hand in hands_of(game) for value in hand)]
    assert sorted(every) == list(CARDS.spell_deck("I-a"))
    assert game.public_view().owed == 0


def test_after_a_loss_the_same_lieutenants_lie_face_down_in_the_same_slots_beaten_ones_too() -> None:
    cards = house_cards(II_a=("L-L-M-", "M+M+M+"))
    game = start("chapter-2", cards=cards)
    table = game.table
    before = [table.horde[number].card for number in (0, 1)]
    deck = list(table.lieutenant_deck)
    for number in (0, 1):
        table.horde[number].face_up = True
    table.destroy(table.horde[0])
    assert table.lieutenant_box == [before[0]]
    lose_level(game)
    assert [table.horde[number].card for number in (0, 1)] == before
    assert not any(table.horde[number].face_up for number in (0, 1))
    assert (table.lieutenant_box, table.lieutenant_deck) == ([], deck)


def test_after_a_loss_everybody_remembers_the_lieutenants_that_were_turned_up() -> None:
    cards = house_cards(II_a=("L-L-M-", "M+M+M+"))
    game = start("chapter-2", cards=cards)
    seen = game.table.horde[0].card.name
    game.table.horde[0].face_up = True
    lose_level(game)
    views = {view.number: view for view in game.public_view().horde}
    assert (views[0].name, views[0].face_up, views[1].name) == (seen, False, None)


def test_after_a_loss_monsters_and_fog_are_new() -> None:
    cards = house_cards(II_a=("F-", "M+"))
    game = start("chapter-2", cards=cards)
    next_fog = game.table.fog_deck[0]
    lose_level(game)
    assert game.table.horde[0].card == next_fog
    assert [game.table.horde[1].card, *game.table.monster_deck] == list(CARDS.monster_deck("II-a"))


def test_after_a_loss_each_wizard_without_a_reward_draws_one() -> None:
    game = start("chapter-2")
    table = game.table
    held = table.rewards[1]
    table.rewards[0] = table.rewards[2] = None
    new = table.reward_deck[:2]
    lose_level(game)
    assert table.rewards == [new[0], held, new[1]]


def test_after_a_loss_in_chapter_i_there_are_no_rewards_yet() -> None:
    game = lose_level(start("chapter-1"))
    assert game.table.rewards == [None] * 3


# The adventure


def test_the_adventure_has_nine_levels_in_order() -> None:
    assert ADVENTURE == ("I-a", "I-b", "I-c", "I-d", "II-a", "II-b", "II-c", "II-d", "II-e")
    game = start("adventure")
    levels = []
    while not game.finished:
        levels.append(game.table.level)
        say_average(finish_level(game, [[], [], []]))
    assert tuple(levels) == ADVENTURE
    assert (game.won, game.reward(), game.all_tries) == (True, 9, 9)


@pytest.mark.parametrize(("chapter", "levels"), [("chapter-1", ADVENTURE[:4]), ("chapter-2", ADVENTURE[4:])])
def test_a_chapter_can_be_played_on_its_own(chapter: str, levels: tuple[str, ...]) -> None:
    game = start(chapter)
    played = []
    while not game.finished:
        played.append(game.table.level)
        say_average(finish_level(game, [[], [], []]))
    assert tuple(played) == levels
    assert game.won


def test_the_first_leader_of_a_game_is_drawn() -> None:
    leaders = {
        Syncro(CARDS, 3, "I-a", shuffled_by(__import__("random").Random(n))).table.leader for n in range(40)
    }
    assert leaders == {0, 1, 2}


@pytest.mark.parametrize("scenario", ["II-a", "II-d", "chapter-2"])
def test_a_level_or_chapter_of_part_ii_on_its_own_counts_as_a_load_with_one_reward_each(
    scenario: str,
) -> None:
    game = start(scenario)
    deck = list(CARDS.reward_deck())
    assert [*game.table.rewards, *game.table.reward_deck] == deck
    assert None not in game.table.rewards


def test_going_on_from_i_d_deals_no_rewards() -> None:
    game = start("adventure")
    for _ in range(4):
        say_average(finish_level(game, [[], [], []]))
    assert game.table.level == "II-a"
    assert game.table.rewards == [None] * 3


def test_before_chapter_ii_nobody_has_a_reward() -> None:
    for scenario in ("I-a", "I-d", "chapter-1", "adventure"):
        assert start(scenario).table.rewards == [None] * 3


# Saving and loading


def test_saving_after_a_level_drops_hands_and_rewards_and_loading_deals_anew() -> None:
    game = finish_level(start("adventure"), [[2], [], []])
    assert game.kind == KEEP
    save = game.save()
    assert save == Save("I-b", unlocked=False)
    loaded = Syncro.load(save, CARDS, 3, unshuffled)
    assert (loaded.table.level, loaded.kind) == ("I-b", ESTIMATE)
    assert [len(hand) for hand in hands_of(loaded)] == [6, 6, 6]
    assert loaded.table.rewards == [None] * 3


def test_a_level_that_is_not_won_yet_is_begun_again_after_loading() -> None:
    assert start("adventure").save() == Save("I-a", unlocked=False)
    assert lose_level(start("adventure")).save() == Save("I-a", unlocked=False)
    assert lose_level(start("II-b")).save() == Save("II-b", unlocked=False)


def test_loading_gives_each_wizard_a_reward_if_they_are_unlocked() -> None:
    for level in ADVENTURE[4:]:
        loaded = Syncro.load(Save(level, unlocked=False), CARDS, 3, unshuffled)
        assert None not in loaded.table.rewards
    # Also after I d, when the adventure would have gone on without.
    game = start("chapter-1")
    for _ in range(4):
        say_average(finish_level(game, [[], [], []]))
    assert game.save() == Save("II-a", unlocked=False)


def test_a_loaded_adventure_goes_on_to_its_end() -> None:
    game = say_average(Syncro.load(Save("II-d", unlocked=False), CARDS, 3, unshuffled))
    say_average(finish_level(game, [[], [], []]))
    assert game.table.level == "II-e"
    finish_level(game, [[], [], []])
    assert (game.finished, game.won, game.levels_won) == (True, True, 2)


def test_after_the_last_level_the_adventure_begins_again_with_the_unlocked_cards() -> None:
    game = finish_level(start("II-e"), [[], [], []])
    assert game.save() == Save("I-a", unlocked=True)
    again = say_average(Syncro.load(game.save(), CARDS, 3, unshuffled))
    table = again.table
    assert CARDS.unlocked.fog in table.fog_deck
    assert CARDS.unlocked.reward in table.reward_deck
    assert again.save() == Save("I-a", unlocked=True)
    for _ in range(2):
        say_average(finish_level(again, [[], [], []]))
    there = [card.card for card in table.horde.values()] + table.monster_deck
    assert CARDS.unlocked.dragon.name in [card.name for card in there]


def test_without_unlocking_the_last_cards_are_not_there() -> None:
    table = start("adventure").table
    assert CARDS.unlocked.fog not in table.fog_deck
    assert CARDS.unlocked.reward not in table.reward_deck
