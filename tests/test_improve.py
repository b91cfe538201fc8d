"""Search over all deals never makes a team worse, and what it finds is what the team then plays."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from unspoken.agents import load_agent
from unspoken.agents.amendments import Amendments, observation_keys
from unspoken.agents.base import State
from unspoken.agents.checkpoint import CheckpointError, PolicyDescription, load_amended_policy, save_policy
from unspoken.agents.item_network import ItemNetwork
from unspoken.agents.learned import LearnedAgent
from unspoken.agents.table import Table
from unspoken.envs import make_game, make_vec
from unspoken.envs.engine.game import Game
from unspoken.train.cli import main
from unspoken.train.deal_search import DealSearch
from unspoken.train.deals import PolicyTable, all_deals, exact_win_rate
from unspoken.train.improve import find_amendments, improve

TASK = "syzygy-base4-2p"


class Passing:
    """Never moves a card."""

    name = "passing"
    sees_state = False

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        return None

    def act(
        self, features: Any, mask: npt.NDArray[np.int8], player: Any, state: State
    ) -> tuple[npt.NDArray[np.int64], State]:
        return np.full(len(mask), mask.shape[1] - 1), None


def untrained(task: str = TASK, seed: int = 0, **options: Any) -> LearnedAgent:
    game = make_game(task, **options)
    torch.manual_seed(seed)
    network = ItemNetwork(game.layout, game.items, [16])
    return LearnedAgent(network, PolicyDescription.of(network, game, {}), "untrained")


def saved(folder: Path, task: str = TASK, **options: Any) -> Path:
    agent = untrained(task, **options)
    save_policy(folder / "untrained.safetensors", agent.policy, agent.description)
    return folder / "untrained.safetensors"


@pytest.mark.parametrize(("task", "deals"), [(TASK, 24), ("syzygy-trial-2p", 5040)])
def test_every_deal_is_listed_once(task: str, deals: int) -> None:
    game = make_game(task)
    states = all_deals(game)
    assert len(states) == deals
    assert len(np.unique(states["planets"])) == deals
    n = game.config.n_positions
    for state in states[:: deals // 12]:
        row = [int(state["planets"]) >> (4 * position) & 15 for position in range(n)]
        assert sorted(row) == list(range(1, n + 1))
        pairs = [(left, right) for right in range(n) for left in range(right)]
        assert state["inversions"] == sum(row[left] > row[right] for left, right in pairs)


def test_the_deals_of_other_games_cannot_be_listed() -> None:
    with pytest.raises(ValueError, match=r"game 'syncro': its deals cannot be listed; must be 'syzygy'"):
        all_deals(make_game("syncro-Ia-3p"))
    with pytest.raises(ValueError, match="n_planets=10: too many deals to list; must be 9 or fewer"):
        all_deals(make_game("syzygy", n_players=2, n_planets=10))


def test_the_exact_win_rate_is_that_of_all_deals_played_one_by_one() -> None:
    vec = make_vec("syzygy-base5-2p", 120, seed=0)
    vec.reset()
    saved_state = vec.get_state()
    saved_state["states"] = all_deals(vec.game).view(np.recarray)
    vec.set_state(saved_state)
    agent = load_agent("syzygy/greedy")
    table = Table(vec, [agent, agent], 0)
    won = np.zeros(120, np.bool_)
    playing = np.ones(120, np.bool_)
    while playing.any():
        vec.step(table.act())
        won |= playing & (vec.score == 1)
        playing &= ~vec.done
    assert 0 < won.mean() == exact_win_rate(vec.game, agent)


def test_an_agent_that_remembers_or_sees_all_has_no_table() -> None:
    game = make_game("syzygy-base4-2p", memory="none")
    for name in ("syzygy/belief", "syzygy/oracle"):
        with pytest.raises(ValueError, match=f"agent '{name}': must choose by the observation alone"):
            PolicyTable(game, load_agent(name))


def test_a_last_turn_alone_cannot_help_those_who_have_only_passed() -> None:
    # Two of the 24 rows are in order. Whichever card the last player takes, only a planet that is neither 1
    # nor 4 has a place between two others: for each of the two there is one row that its move puts in order.
    search = DealSearch(make_game(TASK), Passing())
    assert search.wins() == 2
    search._improve_turn(search.deals, np.zeros(24, np.int64), 7)
    assert search.wins() == 2


@pytest.mark.parametrize("options", [{}, {"memory": "none"}, {"emotions": 2}])
def test_no_step_of_the_search_loses_deals(options: dict[str, Any]) -> None:
    agent = untrained("syzygy-base5-2p", **options)
    search = DealSearch(make_game("syzygy-base5-2p", **options), agent)
    wins = [search.wins()]
    for turn in (None, None, 6, 3, 0):
        if turn is None:
            search.sweep()
        else:
            search.shake(turn)
        wins.append(search.wins())
    assert wins == sorted(wins)
    assert wins[-1] > wins[0]


def test_a_team_of_two_learns_to_win_every_deal_of_four_cards() -> None:
    search = DealSearch(make_game(TASK), untrained())
    for number in range(500):
        search.shake(number % 8)
        if search.wins() == 24:
            break
    assert search.wins() == 24


def test_what_is_found_is_written_down_and_played() -> None:
    game = make_game(TASK)
    agent = untrained()
    search = DealSearch(game, agent)
    search.sweep()
    amendments = find_amendments(search.table, agent)
    amended = LearnedAgent(agent.policy, agent.description, "amended", amendments)
    assert exact_win_rate(game, amended) == search.wins() / 24 > exact_win_rate(game, agent)


def test_only_amended_observations_are_played_otherwise() -> None:
    features = np.arange(12, dtype=np.int8).reshape(4, 3)
    keys = observation_keys(features)
    order = np.argsort(keys[:2])
    amendments = Amendments(keys[:2][order], np.array([7, 8], np.uint8)[order])
    actions = np.zeros(4, np.int64)
    amendments.apply(features, actions)
    assert actions.tolist() == [7, 8, 0, 0]


def test_keys_are_the_same_in_every_version() -> None:
    assert observation_keys(np.array([[0, 0, 0], [1, 0, 3]], np.int8)).tolist() == [
        0,
        17757059475073244572,
    ]


def test_the_command_writes_a_better_team(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out" / "better.safetensors"
    command = ["improve", str(saved(tmp_path)), str(out), "--shakes", "3", "--seed", "1"]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"{out}: wins ")
    (improvement,) = json.loads(out.with_suffix(".json").read_text())["training"]["improvements"]
    assert improvement["wins"] > improvement["wins_before"]
    assert exact_win_rate(make_game(TASK), load_agent(out)) == improvement["wins"] / 24
    first = out.read_bytes()
    assert main(command) == 0
    assert out.read_bytes() == first


def test_an_improved_team_can_be_improved_further(tmp_path: Path) -> None:
    once, twice = tmp_path / "once.safetensors", tmp_path / "twice.safetensors"
    rate = improve(saved(tmp_path), once, shakes=0)
    started: list[float] = []
    assert improve(once, twice, shakes=5, report=lambda done, rate: started.append(rate)) >= rate
    assert started[0] == rate
    first, second = json.loads(twice.with_suffix(".json").read_text())["training"]["improvements"]
    assert first["wins"] == second["wins_before"]


def test_the_search_can_start_from_another_team(tmp_path: Path) -> None:
    game = make_game(TASK)
    start = load_agent("syzygy/greedy")
    rate = improve(saved(tmp_path), tmp_path / "out.safetensors", start=start, shakes=0)
    assert rate >= exact_win_rate(game, start) > exact_win_rate(game, untrained())


@pytest.mark.parametrize(
    ("out", "settings", "message"),
    [
        ("better.json", {}, r"must end in \.safetensors"),
        ("better.safetensors", {"tries": 0}, "tries=0: must be 1 or more"),
        ("better.safetensors", {"from_turn": 7}, "from_turn=7: must be from 0 to 6"),
        ("better.safetensors", {"shakes": -1}, "shakes=-1: must be 0 or more"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, out: str, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        improve(saved(tmp_path), tmp_path / out, **settings)


def test_damaged_amendments_are_refused(tmp_path: Path) -> None:
    agent = untrained()
    keys = np.array([5, 6], np.uint64)
    amendments = Amendments(keys, np.zeros(2, np.uint8))
    path = tmp_path / "policy.safetensors"
    save_policy(path, agent.policy, agent.description, amendments)
    loaded = load_amended_policy(path)[2]
    assert loaded is not None
    assert loaded.keys.tolist() == [5, 6]
    object.__setattr__(amendments, "keys", keys[::-1].copy())
    save_policy(path, agent.policy, agent.description, amendments)
    with pytest.raises(CheckpointError, match="keys must be rising"):
        load_amended_policy(path)
