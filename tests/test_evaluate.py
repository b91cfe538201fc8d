"""Evaluation counts every deal once, whoever plays, and says how sure it is."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from unspoken.agents import load_agent
from unspoken.envs import make_vec
from unspoken.train.crossplay import crossplay
from unspoken.train.evaluate import evaluate, wilson_interval
from unspoken.train.game_parts import GAMES_AT_A_TIME


class TestInterval:
    @pytest.mark.parametrize(("wins", "games"), [(1, 3), (5, 10), (81, 263), (9995, 10000), (1, 100_000)])
    def test_its_ends_are_the_rates_that_the_outcome_just_fails_to_reject(
        self, wins: int, games: int
    ) -> None:
        low, high = wilson_interval(wins, games)
        assert 0 < low < wins / games < high < 1
        for rate in (low, high):
            deviation = abs(wins / games - rate) / sqrt(rate * (1 - rate) / games)
            assert deviation == pytest.approx(1.959964, rel=1e-5)

    def test_it_stays_honest_where_every_game_or_none_is_won(self) -> None:
        square = 1.959964**2
        assert wilson_interval(0, 10) == pytest.approx((0, square / (10 + square)))
        assert wilson_interval(10, 10) == pytest.approx((10 / (10 + square), 1))


class TestDeals:
    def test_a_seed_gives_the_same_result_again_on_any_number_of_threads(self) -> None:
        seats = ["random", "syzygy/oracle", "syzygy/greedy"]
        first = evaluate("syzygy-base4-3p", seats, 3000, seed=7, threads=1)
        again = evaluate("syzygy-base4-3p", seats, 3000, seed=7, threads=3)
        assert (first.wins, first.decisions) == (again.wins, again.decisions)
        np.testing.assert_array_equal(first.outcomes, again.outcomes)
        assert 0 < first.wins < 3000

    def test_another_seed_gives_other_deals(self) -> None:
        results = [evaluate("syzygy-base4-2p", "syzygy/greedy", 2000, seed=seed).outcomes for seed in (0, 1)]
        assert (results[0] != results[1]).any()

    def test_every_agent_meets_the_same_deals(self) -> None:
        """Passing in all turns wins exactly the deals that are sorted from the start."""

        def sorted_deals(games: int) -> list[bool]:
            slots = min(games, GAMES_AT_A_TIME)
            vec = make_vec("syzygy-base4-2p", slots, seed=3)
            value = vec.layout["value"].slice
            deals: list[bool] = []
            while len(deals) < games:
                vec.reset()
                rows = vec.observe(0, everything=True)[:, value].astype(int)
                steps = np.diff(rows, axis=1)
                deals += ((steps > 0).all(axis=1) | (steps < 0).all(axis=1)).tolist()
            return deals[:games]

        result = evaluate("syzygy-base4-2p", AlwaysPass(), 5000, seed=3)
        assert result.outcomes.tolist() == sorted_deals(5000)
        assert result.decisions == 8

    def test_short_games_do_not_count_more_often_than_long_ones(self) -> None:
        """The oracle passes once the row is sorted, so its games differ in length; none is left out."""
        result = evaluate("syzygy-base5-2p", "syzygy/oracle", 4999)
        assert (result.games, result.wins, len(result.outcomes)) == (4999, 4999, 4999)

    @pytest.mark.parametrize(("games", "slots", "episodes"), [(5, 2, 1), (9000, 4096, 3), (9000, 1000, 2)])
    def test_it_does_not_matter_how_the_games_are_cut_into_parts(
        self, games: int, slots: int, episodes: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The oracle passes once the row is sorted, so the games differ in length."""
        seats = ["syzygy/oracle", "syzygy/greedy"]
        as_it_is = evaluate("syzygy-base4-2p", seats, games, seed=5)
        monkeypatch.setattr("unspoken.train.game_parts.PART_SLOTS", slots)
        monkeypatch.setattr("unspoken.train.game_parts.PART_EPISODES", episodes)
        cut = evaluate("syzygy-base4-2p", seats, games, seed=5)
        np.testing.assert_array_equal(cut.outcomes, as_it_is.outcomes)
        assert (cut.decisions, cut.tries, cut.illegal) == (as_it_is.decisions, as_it_is.tries, 0)

    def test_progress_counts_every_game(self) -> None:
        seen: list[int] = []
        evaluate("syzygy-base4-2p", "syzygy/oracle", 1500, progress=seen.append)
        assert seen == sorted(seen)
        assert seen[-1] == 1500

    def test_an_illegal_action_is_a_loss_that_is_reported(self) -> None:
        result = evaluate("syzygy-base4-2p", [AlwaysPass(), AlwaysIllegal()], 100)
        assert (result.wins, result.illegal, result.decisions) == (0, 100, 2)


class AlwaysPass:
    name = "pass"
    sees_state = False
    action = -1

    def reset(self, game: Any, num_games: int, seed: int) -> None:
        self.action = game.config.pass_action

    def act(self, features: Any, mask: Any, player: Any, state: None) -> Any:
        return np.full(len(mask), self.action), None


class AlwaysIllegal(AlwaysPass):
    def act(self, features: Any, mask: Any, player: Any, state: None) -> Any:
        return np.argmin(mask, axis=1), None


class TestRequests:
    def test_one_agent_fills_all_seats(self) -> None:
        assert evaluate("syzygy-base4-3p", "random", 2).seats == ("random",) * 3
        assert evaluate("syzygy-base4-3p", [load_agent("random")], 2).seats == ("random",) * 3

    def test_options_of_the_game_are_passed_on(self) -> None:
        result = evaluate("syzygy", "random", 5, n_players=2, n_planets=4, emotions=3)
        assert len(result.seats) == 2

    @pytest.mark.parametrize(
        ("change", "error", "message"),
        [
            ({"games": 0}, ValueError, "games=0: must be 1 or more"),
            ({"games": 1.5}, TypeError, r"games=1\.5: must be a positive integer"),
            ({"games": True}, TypeError, "games=True: must be a positive integer"),
            ({"seed": -1}, ValueError, "seed=-1: must be from 0 to"),
            ({"seed": 1.0}, TypeError, r"seed=1\.0: must be an integer"),
            ({"seed": None}, TypeError, "seed=None: must be an integer"),
            (
                {"seats": ["random", "random"]},
                ValueError,
                "2 agents given; must be one for all seats, or one for",
            ),
            ({"seats": []}, ValueError, "0 agents given"),
            ({"seats": "nobody"}, ValueError, "agent 'nobody': unknown"),
            ({"task": "syzygy-base4-7p"}, ValueError, "task='syzygy-base4-7p': unknown"),
            ({"planets": 4}, ValueError, "planets=4: unexpected keyword argument"),
            ({"threads": 0}, ValueError, "threads=0: must be 1 or more"),
        ],
    )
    def test_a_wrong_request_is_refused(
        self, change: dict[str, Any], error: type[Exception], message: str
    ) -> None:
        request: dict[str, Any] = {"task": "syzygy-base4-3p", "seats": "random", "games": 2, "seed": 0}
        with pytest.raises(error, match=message):
            evaluate(**{**request, **change})


class TestCrossPlay:
    def test_every_pairing_is_played_in_every_seat_order(self) -> None:
        result = crossplay("syzygy-base4-3p", ["random", "syzygy/greedy"], games=10)
        pairing = result.pairings[0][1]
        assert [order.seats for order in pairing.seat_orders] == [
            ("random", "syzygy/greedy", "syzygy/greedy"),
            ("syzygy/greedy", "random", "syzygy/greedy"),
            ("syzygy/greedy", "syzygy/greedy", "random"),
        ]
        assert [order.games for order in pairing.seat_orders] == [4, 3, 3]
        assert pairing.games == 10
        alone = result.pairings[1][1].seat_orders
        assert [(order.seats, order.games) for order in alone] == [(("syzygy/greedy",) * 3, 10)]

    def test_the_means_are_those_of_the_matrix(self) -> None:
        result = crossplay("syzygy-base4-2p", ["random", "syzygy/oracle", "syzygy/greedy"], games=400)
        matrix = np.array(result.as_dict()["matrix"])
        assert matrix[1, 1] == 1
        assert result.self_play == pytest.approx(np.trace(matrix) / 3)
        assert result.cross_play == pytest.approx((matrix.sum() - np.trace(matrix)) / 6)
        for row in result.pairings:
            for pairing in row:
                assert pairing.wins == sum(order.wins for order in pairing.seat_orders)
                assert pairing.low <= pairing.win_rate <= pairing.high

    def test_seat_orders_are_played_on_different_deals(self) -> None:
        result = crossplay("syzygy-base4-2p", ["random", "syzygy/oracle"], games=20)
        assert len({order.seed for order in result.pairings[0][1].seat_orders}) == 2

    @pytest.mark.parametrize(
        ("runs", "games", "message"),
        [
            (["random"], 100, "must be two or more agents"),
            (["random", "random"], 100, "must be different agents"),
            (["random", "syzygy/greedy"], 1, "games=1: must be at least 2, one for each seat order"),
        ],
    )
    def test_a_wrong_request_is_refused(self, runs: list[str], games: int, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            crossplay("syzygy-base4-2p", runs, games)
