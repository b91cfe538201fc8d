"""The belief team: exact on small games, the same for all seats, legal and unbroken at any table."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from unspoken.agents.base import Agent
from unspoken.agents.random_agent import RandomAgent
from unspoken.agents.syzygy.belief import BeliefAgent
from unspoken.agents.syzygy.belief_plan import codes_of
from unspoken.agents.syzygy.belief_play import plan_node, play_out, split
from unspoken.agents.syzygy.belief_refine import refine
from unspoken.agents.syzygy.belief_rows import (
    _longest_kept,
    all_rows,
    card_at,
    distance_tables,
    move_card,
    rank_of,
    row_of,
)
from unspoken.agents.syzygy.belief_tree import PlanTree
from unspoken.agents.syzygy.belief_values import LEARNED, learned_weights, portfolio, win_values
from unspoken.envs import make_vec
from unspoken.envs.tasks import task_config


def play(task: str, seats: list[Agent], games: int, seed: int = 0, **options: Any) -> npt.NDArray[np.bool_]:
    """Which games are won; every action must be legal."""
    vec = make_vec(task, num_envs=games, seed=seed, threads=1, **options)
    vec.reset()
    states = [agent.reset(vec.game, games, seat) for seat, agent in enumerate(seats)]
    finished = np.zeros(games, bool)
    won = np.zeros(games, bool)
    for _ in range(vec.config.max_decisions):
        actions = np.argmax(vec.mask, axis=1).astype(np.int64)
        for seat, agent in enumerate(seats):
            rows = np.flatnonzero((vec.player == seat) & ~finished)
            state = states[seat]
            memory = None if state is None else state[rows]
            chosen, memory = agent.act(vec.features[rows], vec.mask[rows], vec.player[rows], memory)
            actions[rows] = chosen
            if state is not None:
                state[rows] = memory
        assert vec.mask[np.arange(games), actions].all()
        vec.step(actions)
        won |= vec.done & ~finished & (vec.score > 0)
        finished |= vec.done
    assert finished.all()
    return won


def team(players: int) -> list[Agent]:
    return [BeliefAgent() for _ in range(players)]


def test_a_row_and_its_rank_are_inverse() -> None:
    rows = all_rows(5)
    assert [rank_of(row, 5) for row in rows] == list(range(120))
    assert row_of(0, 5) == sum(card << (4 * card) for card in range(5))


def test_a_move_takes_the_card_out_and_puts_it_in() -> None:
    row = sum(card << (4 * card) for card in range(5))
    assert [card_at(move_card(row, 0, 3), place) for place in range(5)] == [1, 2, 3, 0, 4]
    assert [card_at(move_card(row, 4, 1), place) for place in range(5)] == [0, 4, 1, 2, 3]


def test_distances_are_zero_for_the_two_sorted_rows_and_never_above_n() -> None:
    distance, useful = distance_tables(6, False)
    assert np.flatnonzero(distance[0] == 0).tolist() == [0, 719]
    assert distance.max() <= 6
    assert (useful[0][distance[0] > 0] != 0).all()


def test_cards_that_stay_bound_the_distance_of_every_row() -> None:
    n = 6
    distance, _ = distance_tables(n, False)
    for rank, row in enumerate(all_rows(n).tolist()):
        bound = n - max(_longest_kept(row, n, True), _longest_kept(row, n, False))
        assert bound <= distance[0, rank]


@pytest.mark.parametrize(("n", "players", "wins"), [(4, 2, 24), (5, 2, 120), (5, 3, 120), (6, 2, 720)])
def test_exact_wins_of_small_games(n: int, players: int, wins: int) -> None:
    assert PlanTree(n, players, False, 200).count_wins() == wins


def test_the_team_wins_the_deals_that_the_count_says() -> None:
    assert play("syzygy-base5-2p", team(2), 400).all()
    assert play("syzygy-base5-3p", team(3), 200).all()


def test_trial_of_three_wins_nearly_always() -> None:
    assert play("syzygy-trial-3p", team(3), 60).all()


def test_search_and_refinement_win_a_tenth_more_of_the_trial_of_two() -> None:
    # 3,353 and 3,978 where this was written; the last digits of exp() may decide between equal plans.
    by_estimate, by_search = (PlanTree(7, 2, True, limit).count_wins() for limit in (0, 60))
    assert by_estimate >= 3300
    assert by_search >= 3900


@pytest.mark.parametrize("turn", [3, 4])
def test_refining_a_plan_never_loses_a_row(turn: int) -> None:
    tree = PlanTree(7, 2, True, 0)
    for node in tree.draw_nodes(turn, 5, np.random.default_rng(turn)):
        assert node.rows is not None
        action, kind, size = np.zeros((3, len(node.rows)), np.int64)
        tables, sizes = portfolio(7, 8, True), tree.sizes_up_to(len(node.rows))
        after = (7, 8, tables[0], sizes, tree.distance, tree.useful, 3)
        plan_node(node.rows, node.sets, turn, *after, -1, action, kind, size)
        planned = refine(node.rows, node.sets, turn, *after, 0, action)
        before = action.copy()
        refined = refine(node.rows, node.sets, turn, *after, 2, action)
        _, starts, sets, moved, _ = split(node.rows, node.sets, action, 7, turn % 2)
        nowhere = np.empty((1, 1), np.int64)
        won = play_out(moved, starts, sets, turn + 1, *after, False, nowhere, nowhere)
        assert refined == won.sum()
        assert refined >= planned
        assert refined > planned or (action == before).all()
        # What looks alike to the mover gets one source, and one destination for each card found.
        codes = codes_of(node.rows, int(node.sets[turn % 2]), 7)
        for code in np.unique(codes):
            rows, actions = node.rows[codes == code], action[codes == code]
            sources = np.unique(actions // 7)
            assert len(sources) == 1
            if sources[0] < 7:
                cards = (rows >> (4 * sources[0])) & 15
                assert all(len(np.unique(actions[cards == card])) == 1 for card in np.unique(cards))


@pytest.mark.parametrize("key", LEARNED)
def test_learned_values_come_first_and_are_for_their_game(key: tuple[int, int, bool]) -> None:
    config = task_config(f"syzygy-{LEARNED[key]}")
    assert key == (config.n_positions, config.n_turns, config.has_blackhole)
    tables = portfolio(*key)
    assert len(tables) == 4
    assert (tables[0] == win_values(learned_weights(LEARNED[key]))).all()


def test_agents_that_share_nothing_play_the_same_plan() -> None:
    first = play("syzygy-base5-3p", team(3), 50, seed=3)
    one = BeliefAgent()
    assert (play("syzygy-base5-3p", [one, one, one], 50, seed=3) == first).all()


@pytest.mark.parametrize("task", ["syzygy-base4-2p", "syzygy-base5-4p", "syzygy-trial-3p"])
def test_a_stranger_at_the_table_breaks_nothing(task: str) -> None:
    players = int(task[-2])
    seats = team(players)
    seats[1] = RandomAgent()
    play(task, seats, 40)


def test_without_perfect_memory_it_remembers_by_itself() -> None:
    assert play("syzygy-base5-3p", team(3), 100, memory="none").all()


def test_it_plays_with_emotions() -> None:
    assert play("syzygy-base5-3p", team(3), 50, emotions=3).all()


def test_a_long_row_opens_with_a_code_and_is_played_to_the_end() -> None:
    play("syzygy-base10-2p", team(2), 1)
