"""Games in words: every move has its line and every refusal its reason, and only what all saw is told."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from unspoken.agents import Agent, load_agent
from unspoken.agents.human import HumanAgent
from unspoken.agents.moves import meant
from unspoken.agents.random_agent import RandomAgent
from unspoken.agents.words import Sight, words_of
from unspoken.envs import make_game
from unspoken.train.play_table import PlayTable

TASKS = [
    "syzygy-base-4p",
    "syzygy-trial-3p",
    "syncro-Ia-3p",
    "syncro-IIc-5p",
    "syncro-IIe-2p",
    "syncro-chapter2-4p",
]


class Nobody:
    colour = False

    def show(self, text: str) -> None:
        raise AssertionError("nothing is asked here")

    def ask(self, prompt: str) -> str:
        raise AssertionError("nothing is asked here")


def people(task: str, seed: int, seats: Sequence[int] = range(6)) -> PlayTable:
    """A table with people in ``seats``, and agents that are never asked in the others."""
    game = make_game(task)
    players = range(game.config.n_players)
    agents: list[Agent] = [HumanAgent(Nobody()) if seat in seats else RandomAgent() for seat in players]
    return PlayTable(game, agents, [agent.name for agent in agents], seed)


def random_play(
    task: str, seed: int, seats: Sequence[int] = range(6), most: int = 100
) -> Iterator[tuple[PlayTable, list[int]]]:
    """A game of random moves, with the legal ones before each of them."""
    table = people(task, seed, seats)
    random = np.random.default_rng(seed)
    for _ in range(most):
        if table.one.finished:
            return
        legal = [int(action) for action in np.flatnonzero(table.one.mask(table.one.seat))]
        yield table, legal
        # Fewer passes, so that more happens.
        active = [action for action in legal if table.game.actions[action].kind != "PASS"]
        table.play(int(random.choice(active if active and random.random() < 0.5 else legal)))


def action(table: PlayTable, name: str) -> int:
    return [table.game.action_name(number) for number in range(table.one.n_actions)].index(name)


def play(table: PlayTable, *names: str) -> None:
    for name in names:
        table.play(action(table, name))


@pytest.mark.parametrize("task", TASKS)
def test_every_move_stands_in_the_list_once_and_its_name_means_it(task: str) -> None:
    for table, legal in random_play(task, 1, seats=[0]):
        words, sight = words_of(table.game), table.sight(table.one.seat)
        choices = words.choices(sight, legal)
        assert sorted(each for choice in choices for each in choice.actions) == legal
        assert all(choice.meaning for choice in choices)
        assert words.question(sight, legal)
        names = {each: table.game.action_name(each) for each in legal}
        for each, name in names.items():
            assert meant(name, names) == meant(name.lower(), names) == [each]


@pytest.mark.parametrize("task", TASKS)
def test_every_move_that_is_not_allowed_has_a_reason(task: str) -> None:
    random = np.random.default_rng(0)
    for table, legal in random_play(task, 2, seats=[0]):
        words, sight = words_of(table.game), table.sight(table.one.seat)
        for each in random.integers(table.one.n_actions, size=10).tolist():
            if each not in legal:
                assert words.refusal(sight, each)


@pytest.mark.parametrize("task", TASKS[2:])
def test_no_spell_is_told_while_it_lies_face_down(task: str) -> None:
    told = 0
    for seed in range(2):
        length, level = 0, None
        for table, _ in random_play(task, seed, seats=[0]):
            scene, log = table.sight(0).scene, table.logs[0]
            for slot in re.findall(r"in slot (\d+) is hit by", "\n".join(log[length:])):
                told += 1
                # Of a level that was won the table has been cleared.
                assert scene["slots"][int(slot)]["spells_down"] == 0 or scene["level"] != level
            length, level = len(log), scene["level"]
    assert told > 10


class TestSyncro:
    def test_a_round_is_told_as_each_wizard_sees_it(self) -> None:
        table = people("syncro-Ia-3p", 3)
        first = table.one.seat
        scene = table.sight(None).scene
        slots = [number for number, slot in enumerate(scene["slots"]) if slot["accessible"]]
        slot, other = slots[:2]
        second, third = (first + 1) % 3, (first + 2) % 3
        spells = [scene["seats"][seat]["hand"][1] for seat in (first, second)]
        card = f"{scene['slots'][slot]['name']} {scene['slots'][slot]['strength']} in slot {slot}"
        play(table, "ESTIMATE good", "ESTIMATE bad", "ESTIMATE average")
        play(table, f"ATTACK {slot} with 1", f"ATTACK {slot} with 1", "PASS")
        assert table.logs[first][1:] == [
            f"You put your second spell on {card}.",
            f"player_{second} puts its second spell on {card}.",
            f"player_{third} passes.",
        ]
        assert table.logs[second][2] == f"You put your second spell on {card}."
        assert table.logs[third][3] == "You pass."
        assert other != slot
        play(table, "PASS")
        hit = f"{card} is hit by your {spells[0]}, player_{second}'s {spells[1]}, {sum(spells)} in all"
        if first > second:
            hit = f"{card} is hit by player_{second}'s {spells[1]}, your {spells[0]}, {sum(spells)} in all"
        assert table.logs[first][5].startswith(hit)
        assert any(line.startswith("A new round: ") for line in table.logs[first])

    def test_a_fog_card_is_told_with_what_it_does(self) -> None:
        *_, (table, _) = random_play("syncro-IIc-2p", 0, seats=[0])
        log = table.logs[0]
        start = log.index("The Fog card in slot 7 is turned up.")
        assert log[start : start + 5] == [
            "The Fog card in slot 7 is turned up.",
            "Turned up: Stair Creeper 3 in slot 3.",
            'Fog: Cold Hands, "Every wizard discards the lowest spell."',
            "Spells: you -1, player_1 -1.",
            "A new round: player_1 leads.",
        ]

    def test_a_fog_card_that_asks_for_a_choice_is_told_before_it(self) -> None:
        *_, (table, _) = random_play("syncro-IIe-2p", 7, seats=[0])
        log = table.logs[0]
        start = log.index("The Fog card in slot 11 is turned up.")
        assert log[start : start + 4] == [
            "The Fog card in slot 11 is turned up.",
            "Fog: Stray Lightning, \"An accessible monster of the leader's choice, of strength 4 or less and "
            'not a boss, is destroyed without its effect."',
            "You choose Ember Whelp 4 in slot 8.",
            "Ember Whelp 4 in slot 8 is destroyed.",
        ]

    def test_a_reward_is_told_when_it_is_played_and_discards_lie_face_up(self) -> None:
        *_, (table, _) = random_play("syncro-IIc-2p", 5, seats=[0])
        assert 'player_1 plays its Reward: Inkwell, "player_1 draws two spells."' in table.logs[0]
        discards = [line for line in table.logs[0] if "for the Dragon" in line]
        assert discards[0] == "You discard a 3 for the Dragon."
        assert discards[-1] == "player_1 discards a 5 for the Dragon."

    @pytest.mark.parametrize(
        ("task", "seed", "why"),
        [
            ("syncro-Ia-3p", 0, ": nobody has a spell left. "),
            ("syncro-IIc-2p", 0, ": River Dragon 7 in slot 12 was still owed 4. "),
        ],
    )
    def test_the_end_says_why_and_what_is_left(self, task: str, seed: int, why: str) -> None:
        *_, (table, _) = random_play(task, seed, seats=[0])
        assert table.one.finished
        head, _, left = words_of(table.game).ending(table.sight(None)).partition("Left of the horde: ")
        assert head == f"You have all lost{why}"
        slots = table.sight(None).scene["slots"]
        foes = [slot for slot in slots if slot["state"] in ("down", "up") and slot["back"] != "fog"]
        assert left.count(" in slot ") == len(foes)


class TestSyzygy:
    def test_destinations_are_told_by_their_neighbours_now(self) -> None:
        table = people("syzygy-base5-2p", 1)
        play(table, "CONFIRM 2")
        sight = table.sight(0)
        legal = [int(each) for each in np.flatnonzero(table.one.mask(0))]
        choices = words_of(table.game).choices(sight, legal)
        assert [(choice.name, choice.meaning) for choice in choices] == [
            ("MOVE 1", "between the cards that are now at 0 and 1"),
            ("MOVE 3", "between the cards that are now at 3 and 4"),
        ]

    @pytest.mark.parametrize("source", range(7))
    def test_a_card_comes_to_lie_between_the_cards_that_were_named(self, source: int) -> None:
        for destination in range(1, 6):
            table = people("syzygy-base-2p", 1)
            if destination == source:
                continue
            before = [card["origin"] for card in table.sight(None).scene["cards"]]
            play(table, f"CONFIRM {source}")
            move = action(table, f"MOVE {destination}")
            (choice,) = words_of(table.game).choices(table.sight(0), [move])
            left, right = map(int, re.findall(r"\d+", choice.meaning.partition("(")[0]))
            play(table, f"MOVE {destination}")
            after = [card["origin"] for card in table.sight(None).scene["cards"]]
            assert after[destination] == before[source]
            assert (after[destination - 1], after[destination + 1]) == (before[left], before[right])

    def test_what_lies_out_of_order_is_told_at_the_end(self) -> None:
        table = people("syzygy-base4-2p", 0)
        play(table, *["PASS"] * 8)
        row = [card["planet"] for card in table.sight(None).scene["cards"]]
        ending = words_of(table.game).ending(table.sight(None))
        assert ending.startswith("You have all lost. The row is not in order: ")
        assert ending.endswith(f"It reads {' '.join(map(str, row))}.")


def test_a_sight_tells_a_seat_no_more_than_its_scene() -> None:
    table = people("syzygy-base-4p", 1)
    sight = table.sight(2)
    assert isinstance(sight, Sight)
    assert sight.scene["observer"] == 2
    assert not any(card["planet"] for card in sight.scene["cards"])


def test_who_keeps_its_hand_is_told_when_all_have_chosen() -> None:
    table = people("syncro-chapter1-3p", 1)
    team = load_agent("syncro/convention")
    team.reset(table.game, 1, 0)
    while table.sight(None).scene["decision"] != "keep":
        seat = table.one.seat
        view = table.one.features(seat)[None]
        chosen, _ = team.act(view, table.one.mask(seat)[None], np.array([seat], np.int8), None)
        table.play(int(chosen[0]))
    hit = "Cellar Titan 11 in slot 1 is hit by your 4, player_1's 5, player_2's 2, player_1's 3, 14 in all"
    assert table.logs[0][-2:] == [f"{hit} and destroyed.", "Level I-a is won."]
    first = table.one.seat
    lengths = {seat: len(log) for seat, log in table.logs.items()}
    choices = {}
    while table.sight(None).scene["decision"] == "keep":
        assert {seat: len(log) for seat, log in table.logs.items()} == lengths
        assert table.sight(first).scene["last"]["action"] is None or len(choices) < 2
        choices[table.one.seat] = "DISCARD ALL" if table.one.seat == first else "KEEP"
        play(table, choices[table.one.seat])
    assert len(choices) > 1
    told = table.logs[first][lengths[first] :]
    did = {"KEEP": "kept", "DISCARD ALL": "discarded"}
    names = [
        f"{'you' if seat == first else f'player_{seat}'} {did[choice]}"
        for seat, choice in sorted(choices.items())
    ]
    assert told[0] == f"Hands: {', '.join(names)}."
    assert told[1] == "Level I-b (Old Quarry), try 1, begins."
