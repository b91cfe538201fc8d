"""The convention bot: legal, deterministic, the same in every seat, and better than no convention at all."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from unspoken.agents.base import Agent
from unspoken.agents.random_agent import RandomAgent
from unspoken.agents.syzygy.convention import ConventionAgent
from unspoken.agents.syzygy.convention_record import new_memory, read_record
from unspoken.agents.syzygy.convention_sets import Table, conclude, new_table
from unspoken.agents.syzygy.convention_signals import new_scratch
from unspoken.envs import make_game, make_vec


def play(task: str, games: int, team: Sequence[Agent] | None = None, **options: Any) -> float:
    """Share of ``games`` that the team (by default one bot in all seats) wins; every action must be legal."""
    vec = make_vec(task, num_envs=games, seed=0, threads=1, **options)
    vec.reset()
    seats = team or [ConventionAgent()] * vec.n_players
    states = [agent.reset(vec.game, games, 0) for agent in seats]
    finished = np.zeros(games, bool)
    won = np.zeros(games, bool)
    while not finished.all():
        actions = np.zeros(games, np.int64)
        for seat, agent in enumerate(seats):
            rows = np.flatnonzero(vec.player == seat)
            state = states[seat]
            memory = None if state is None else state[rows]
            actions[rows], memory = agent.act(vec.features[rows], vec.mask[rows], vec.player[rows], memory)
            if state is not None:
                state[rows] = memory
        assert vec.mask[np.arange(games), actions].all()
        vec.step(actions)
        won |= vec.done & ~finished & (vec.score > 0)
        finished |= vec.done
    return float(won.mean())


def view(
    task: str, turns: Sequence[tuple[int, int] | None], looks: Mapping[int, int], confirmed: int = -1
) -> Any:
    """The features of the seat to act after ``turns``: (from, to) for a move, ``None`` for a pass.

    ``looks``: by position, what this seat knows; ``confirmed``: the position of the card it is looking at.
    """
    game = make_game(task)
    layout, n, players = game.layout, game.config.n_positions, game.config.n_players
    features = np.zeros(layout.size, np.int8)
    seat = len(turns) % players
    features[layout["turn"].start] = len(turns)
    features[layout["seat"].start] = seat
    features[layout["phase"].start] = confirmed >= 0
    features[layout["confirmed"].start] = confirmed + 1
    for position, value in looks.items():
        features[layout["value"].start + position] = value
    cards = [(origin, {}) for origin in range(n)]  # type: list[tuple[int, dict[int, int]]]
    for turn, move in enumerate(turns):
        relative, round_number = (turn - seat) % players, turn // players
        features[layout[f"source_{relative}"].start + round_number] = 1 if move is None else 2 + move[0]
        if move is not None:
            features[layout[f"destination_{relative}"].start + round_number] = 1 + move[1]
            card = cards.pop(move[0])
            card[1][relative] = round_number + 1
            cards.insert(move[1], card)
    for position, (origin, chips) in enumerate(cards):
        features[layout["origin"].start + position] = origin
        for relative, chip in chips.items():
            features[layout[f"chip_{relative}"].start + position] = chip
    return features


def answer(task: str, *arguments: Any, **options: Any) -> str:
    """What the bot does in a ``view``, in words."""
    game = make_game(task)
    agent = ConventionAgent()
    agent.reset(game, 1, 0)
    features = view(task, *arguments, **options)[None]
    mask = np.ones((1, game.config.n_actions), np.int8)
    actions, _ = agent.act(features, mask, features[:, game.layout["seat"].start], None)
    return game.action_name(int(actions[0]))


def public(task: str, turns: Sequence[tuple[int, int] | None]) -> Table:
    """What everybody reads from ``turns``."""
    agent = ConventionAgent()
    agent.reset(make_game(task), 1, 0)
    setting = agent._setting
    table = new_table(setting.n)
    memory, scratch = new_memory(setting, 1), new_scratch(setting.n)
    read_record(view(task, turns, {}), agent._starts, setting, agent.weights, memory, table, scratch)
    return table


def members(values: int) -> set[int]:
    return {value for value in range(13) if values >> value & 1}


@pytest.mark.parametrize(
    ("task", "least", "most"),
    [
        ("syzygy-base-2p", 0.22, 0.36),
        ("syzygy-base-3p", 0.96, 0.995),
        ("syzygy-base-4p", 0.99, 1.0),
        ("syzygy-base-5p", 0.99, 1.0),
        ("syzygy-base-6p", 0.995, 1.0),
        ("syzygy-trial-2p", 0.4, 0.58),
        ("syzygy-trial-3p", 0.93, 0.98),
        ("syzygy-trial-4p", 0.985, 1.0),
        ("syzygy-divine-2p", 0.1, 0.22),
        ("syzygy-divine-3p", 0.79, 0.88),
        ("syzygy-divine-4p", 0.98, 1.0),
    ],
)
def test_win_rates(task: str, least: float, most: float) -> None:
    assert least <= play(task, 1000) <= most


@pytest.mark.parametrize("planets", [4, 5, 8, 10, 12])
def test_every_number_of_planets(planets: int) -> None:
    assert play("syzygy", 200, variant="base", n_planets=planets, n_players=4) > 0.6


def test_without_memory_it_still_plays() -> None:
    assert play("syzygy", 500, variant="base", n_players=4, memory="none") > 0.5


def test_emotions_tell_numbers_apart_that_share_a_place() -> None:
    assert play("syzygy", 1000, variant="base", n_players=3, emotions=2) > play("syzygy-base-3p", 1000)


@pytest.mark.parametrize("task", ["syzygy-base-3p", "syzygy-divine-4p", "syzygy-trial-6p"])
def test_beside_a_player_without_a_convention_it_stays_legal(task: str) -> None:
    players = make_game(task).config.n_players
    play(task, 200, [RandomAgent(), *[ConventionAgent()] * (players - 1)])


def test_choices_depend_on_the_observation_alone() -> None:
    """An agent that has just sat down chooses as one that was there from the start, in any order of rows."""
    vec = make_vec("syzygy-divine-3p", num_envs=50, seed=3, threads=1)
    vec.reset()
    old = ConventionAgent()
    old.reset(vec.game, 50, 0)
    for _ in range(vec.config.max_decisions):
        actions, state = old.act(vec.features, vec.mask, vec.player, None)
        assert state is None
        order = np.arange(50)[::-1]
        new = ConventionAgent()
        new.reset(vec.game, 1, 1)
        again, _ = new.act(vec.features[order], vec.mask[order], vec.player[order], None)
        assert np.array_equal(again, actions[order])
        vec.step(actions)


def test_every_seat_plays_the_same() -> None:
    assert play("syzygy-base-3p", 200, [ConventionAgent() for _ in range(3)]) == play("syzygy-base-3p", 200)


def test_is_an_agent() -> None:
    assert isinstance(ConventionAgent(), Agent)


def test_other_games_are_refused() -> None:
    class Config:
        game = "syncro"

    class Other:
        config = Config()

    with pytest.raises(ValueError, match="only Syzygy"):
        ConventionAgent().reset(Other(), 1, 0)  # type: ignore[arg-type]


def test_a_card_goes_to_about_the_place_of_its_number() -> None:
    places = []
    for value in range(1, 10):
        name = answer("syzygy-base-4p", [], {4: value}, confirmed=4)
        places.append(int(name.removeprefix("MOVE ")))
        assert abs(places[-1] - (value - 1)) <= 1
    assert places == sorted(places)


def test_a_move_says_one_number_or_one_of_two() -> None:
    for place in (1, 2, 3, 5, 6, 7):
        told = members(public("syzygy-base-4p", [(4, place)]).sets[4])
        assert len(told) in (1, 2)
        assert all(abs(place - (value - 1)) <= 1 for value in told)


def test_what_a_player_does_is_what_the_others_read() -> None:
    for value in range(1, 10):
        place = int(answer("syzygy-base-4p", [], {2: value}, confirmed=2).removeprefix("MOVE "))
        assert value in members(public("syzygy-base-4p", [(2, place)]).sets[2])


def test_a_number_that_is_taken_is_no_other_cards() -> None:
    sets: npt.NDArray[np.int64] = np.array([0b0010, 0b1110, 0b1110])
    conclude(sets, 3)
    assert sets.tolist() == [0b0010, 0b1100, 0b1100]


def test_two_cards_with_the_same_two_numbers_have_both() -> None:
    sets = np.array([0b00110, 0b00110, 0b11110, 0b11110])
    conclude(sets, 4)
    assert sets.tolist() == [0b00110, 0b00110, 0b11000, 0b11000]


def test_a_number_that_only_one_card_may_have_is_its_own() -> None:
    sets = np.array([0b0110, 0b0110, 0b1110])
    conclude(sets, 3)
    assert sets[2] == 0b1000


def test_new_cards_come_first() -> None:
    assert answer("syzygy-base-4p", [(4, 3)], {}) in {
        f"CONFIRM {position}" for position in range(9) if position != 3
    }


def test_a_row_known_to_be_in_order_is_left_alone_on_the_last_turn() -> None:
    assert answer("syzygy-base5-3p", [None] * 11, {0: 1, 1: 2, 2: 3, 3: 4, 4: 5}) == "PASS"


def test_a_card_known_to_be_out_of_order_is_put_right_on_the_last_turn() -> None:
    looks = {0: 1, 1: 4, 2: 2, 3: 3, 4: 5}
    assert answer("syzygy-base5-3p", [None] * 11, looks) == "CONFIRM 1"
    assert answer("syzygy-base5-3p", [None] * 11, looks, confirmed=1) == "MOVE 3"
