"""Every agent keeps the one contract; the full-information bot sorts in as few moves as a search finds."""

import itertools
import subprocess
import sys
from collections import deque
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from unspoken.agents import Agent, Table, agent_names, load_agent
from unspoken.agents.load import BOTS
from unspoken.agents.syzygy.oracle import UNREACHABLE, fewest_moves
from unspoken.envs import BatchEnv, make_game, make_vec
from unspoken.train.evaluate import evaluate

TASKS = ("syzygy-base5-3p", "syzygy-base-4p", "syzygy-trial-2p", "syzygy-divine-6p")
SYZYGY = [name for name in agent_names() if not name.startswith("syncro/")]
AGENTS = [name for name in SYZYGY if find_spec(BOTS[name].split(":")[0])]
# A bot that plans anew for each task is slow the first time it meets a large one.
PAIRS = [(name, task) for name in AGENTS for task in (TASKS if name != "syzygy/belief" else TASKS[:1])]


def play_and_record(vec: BatchEnv, agent: Agent, decisions: int) -> list[tuple[npt.NDArray[np.int64], ...]]:
    """What ``agent`` chooses in every seat: (actions, features, mask, player) of each decision."""
    vec.reset()
    table = Table(vec, [agent] * vec.n_players, seed=3)
    record = []
    for _ in range(decisions):
        seen = vec.observe(vec.player, everything=True) if agent.sees_state else vec.features
        actions = table.act()
        record.append((actions.copy(), seen.copy(), vec.mask.copy(), vec.player.copy()))
        vec.step(actions)
        table.begin(np.flatnonzero(vec.done))
    return record


@pytest.mark.parametrize(("name", "task"), PAIRS)
def test_an_agent_plays_only_allowed_actions_and_the_same_ones_again(name: str, task: str) -> None:
    agent = load_agent(name)
    assert isinstance(agent, Agent)
    assert agent.name == name
    vec = make_vec(task, 8, seed=5)
    first = play_and_record(vec, agent, 20)
    for actions, _, mask, _ in first:
        assert actions.dtype == np.int64
        assert actions.shape == (8,)
        assert mask[np.arange(8), actions].all()
    again = play_and_record(make_vec(task, 8, seed=5, threads=2), load_agent(name), 20)
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one[0], other[0])


@pytest.mark.parametrize("name", AGENTS)
def test_what_is_chosen_in_a_game_does_not_depend_on_the_other_games_asked_about(name: str) -> None:
    vec = make_vec("syzygy-base5-3p", 6, seed=1)
    agent = load_agent(name)
    record = play_and_record(vec, agent, 9)
    state = agent.reset(vec.game, 6, seed=9)
    for _, features, mask, player in record:
        together, after = agent.act(features, mask, player, state)
        for rows in ([2], [5, 0, 3]):
            memory = None if state is None else state[rows]
            apart, memory = agent.act(features[rows], mask[rows], player[rows], memory)
            np.testing.assert_array_equal(apart, together[rows])
            if after is not None:
                np.testing.assert_array_equal(memory, after[rows])
        state = after


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_plays_with_emotions_and_without_memory_too(name: str) -> None:
    options = {"n_players": 3, "n_planets": 5, "emotions": 2, "memory": "none"}
    assert evaluate("syzygy", name, 20, **options).illegal == 0


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_keeps_playing_by_the_rules_with_partners_that_do_anything(name: str) -> None:
    for seat in range(3):
        seats = ["random"] * 3
        seats[seat] = name
        result = evaluate("syzygy-base5-3p", seats, 20)
        assert result.illegal == 0
        assert result.seats[seat] == name


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_leaves_what_it_is_given_as_it_is(name: str) -> None:
    vec = make_vec("syzygy-base5-3p", 4, seed=1)
    agent = load_agent(name)
    for actions, features, mask, player in play_and_record(vec, agent, 5):
        state = agent.reset(vec.game, 4, seed=0)
        given = [features, mask, player, state]
        kept = [None if array is None else array.copy() for array in given]
        agent.act(features, mask, player, state)
        for before, now in zip(kept, given, strict=True):
            np.testing.assert_array_equal(before, now)
        assert len(actions) == 4


@pytest.mark.parametrize("name", [name for name in AGENTS if name.startswith("syzygy/")])
def test_a_syzygy_bot_refuses_another_game(name: str) -> None:
    game = make_game("syzygy-base-4p")
    other = type("Config", (), {"game": "chess", "n_players": 2})()
    game.config = other  # type: ignore[assignment]
    with pytest.raises(ValueError, match="plays only Syzygy, not 'chess'"):
        load_agent(name).reset(game, 1, seed=0)


class TestTable:
    def test_the_right_agent_sits_in_the_right_seat(self) -> None:
        class Marked:
            sees_state = False

            def __init__(self, name: str) -> None:
                self.name = name
                self.seats: set[int] = set()

            def reset(self, game: object, num_games: int, seed: int) -> None:
                return None

            def act(
                self,
                features: npt.NDArray[np.int8],
                mask: npt.NDArray[np.int8],
                player: npt.NDArray[np.int8],
                state: None,
            ) -> tuple[npt.NDArray[np.int64], None]:
                self.seats.update(player.tolist())
                return np.argmax(mask, axis=1), None

        a, b = Marked("a"), Marked("b")
        for seating in itertools.product([a, b], repeat=3):
            a.seats, b.seats = set(), set()
            result = evaluate("syzygy-base5-3p", list(seating), 50)
            assert result.seats == tuple(agent.name for agent in seating)
            assert a.seats == {seat for seat in range(3) if seating[seat] is a}
            assert b.seats == {seat for seat in range(3) if seating[seat] is b}

    def test_an_agent_in_two_seats_has_two_memories(self) -> None:
        class Counting:
            name = "counting"
            sees_state = False

            def reset(self, game: object, num_games: int, seed: int) -> npt.NDArray[np.int64]:
                return np.zeros((num_games, 1), np.int64)

            def act(
                self,
                features: npt.NDArray[np.int8],
                mask: npt.NDArray[np.int8],
                player: npt.NDArray[np.int8],
                state: npt.NDArray[np.int64],
            ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
                layout = make_game("syzygy-base5-3p").layout
                turns = features[:, layout["turn"].start]
                looking = features[:, layout["phase"].start]
                # A seat's own decisions so far: two for each turn that is over, one more while it looks.
                np.testing.assert_array_equal(state[:, 0], 2 * (turns // 3) + looking)
                return np.argmax(mask, axis=1), state + 1

        agent = Counting()
        assert evaluate("syzygy-base5-3p", agent, 30).decisions == 24

    def test_every_seat_needs_an_agent(self) -> None:
        with pytest.raises(ValueError, match="2 agents: must be 3, one for each seat"):
            Table(make_vec("syzygy-base5-3p", 1, seed=0), [load_agent("random")] * 2, seed=0)


class TestRandom:
    def test_all_allowed_actions_are_equally_likely(self) -> None:
        agent = load_agent("random")
        mask = np.tile(np.array([0, 1, 0, 1, 1, 0], np.int8), (30_000, 1))
        state = agent.reset(make_game("syzygy-base-4p"), len(mask), seed=0)
        counts = np.zeros(6, np.int64)
        for _ in range(3):
            actions, state = agent.act(mask, mask, np.zeros(len(mask), np.int8), state)
            counts += np.bincount(actions, minlength=6)
        assert counts[[0, 2, 5]].sum() == 0
        assert np.abs(counts[[1, 3, 4]] - 30_000).max() < 600

    def test_other_seeds_draw_other_actions(self) -> None:
        agent = load_agent("random")
        mask = np.ones((1000, 10), np.int8)
        drawn = []
        for seed in (0, 1):
            state = agent.reset(make_game("syzygy-base-4p"), 1000, seed)
            drawn.append(agent.act(mask, mask, np.zeros(1000, np.int8), state)[0])
        assert 50 < (drawn[0] == drawn[1]).sum() < 150


class TestOracle:
    @pytest.mark.parametrize("n", [4, 5, 6])
    def test_no_search_finds_fewer_moves(self, n: int) -> None:
        for fixed in range(n + 1):
            ascending = moves_to_sort(n, fixed, tuple(range(1, n + 1)))
            descending = moves_to_sort(n, fixed, tuple(range(n, 0, -1)))
            for row in itertools.permutations(range(1, n + 1)):
                found = min(ascending.get(row, UNREACHABLE), descending.get(row, UNREACHABLE))
                blackhole = row.index(fixed) if fixed else -1
                assert fewest_moves(np.array(row), blackhole) == found, (row, fixed)

    @pytest.mark.parametrize(
        ("n", "blackhole", "most"), [(9, -1, 6), (7, 3, 5), (9, 4, 7)], ids=["base", "trial", "divine"]
    )
    def test_eight_turns_are_enough_for_every_deal(self, n: int, blackhole: int, most: int) -> None:
        step = 1 if n == 7 else 11  # all rows of 7; every 11th of the 362,880 rows of 9
        rows = itertools.islice(itertools.permutations(range(1, n + 1)), 0, None, step)
        assert max(fewest_moves(np.array(row), blackhole) for row in rows) == most

    @pytest.mark.parametrize(
        "task", ["syzygy-base-2p", "syzygy-trial-2p", "syzygy-divine-2p", "syzygy-base-6p"]
    )
    def test_every_game_is_won(self, task: str) -> None:
        assert evaluate(task, "syzygy/oracle", 2000).wins == 2000

    def test_it_passes_once_the_row_is_sorted(self) -> None:
        few = evaluate("syzygy-base4-2p", "syzygy/oracle", 500)
        # Every move takes two decisions, every pass one: 8 turns and at most 2 moves for 4 planets.
        assert 8 < few.decisions < 10


def moves_to_sort(n: int, fixed: int, goal: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Fewest moves from each row to ``goal`` if nobody can take the card ``fixed``, by search."""
    moves = {goal: 0}
    queue = deque([goal])
    while queue:
        row = queue.popleft()
        # Backwards: the card that was put at `destination`, never at an end, came from anywhere else.
        for destination in range(1, n - 1):
            if row[destination] == fixed:
                continue
            rest = row[:destination] + row[destination + 1 :]
            for source in range(n):
                before = (*rest[:source], row[destination], *rest[source:])
                if source != destination and before not in moves:
                    moves[before] = moves[row] + 1
                    queue.append(before)
    return moves


class TestNames:
    def test_an_unknown_name_is_answered_with_the_known_ones(self) -> None:
        with pytest.raises(
            ValueError, match="'syzygy/greedi': unknown; did you mean 'syzygy/greedy'"
        ) as error:
            load_agent("syzygy/greedi")
        for name in agent_names():
            assert name in str(error.value)

    def test_an_unknown_checkpoint_of_the_zoo_is_refused(self) -> None:
        with pytest.raises(ValueError, match="'zoo:nothing': no such checkpoint; there are:"):
            load_agent("zoo:nothing")

    def test_a_file_of_another_kind_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_text("hello")
        with pytest.raises(ValueError, match=r"not a run's folder, a \.safetensors checkpoint or"):
            load_agent(path)

    def test_bots_need_no_torch(self) -> None:
        names = ["random", "syzygy/greedy", "syzygy/oracle"]
        script = (
            "import sys, unspoken.train.evaluate as e; "
            f"[e.evaluate('syzygy-base4-2p', name, 5) for name in {names!r}]; "
            "print('torch' in sys.modules or 'stable_baselines3' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False"
