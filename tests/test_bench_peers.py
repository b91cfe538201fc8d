"""Other libraries in the benchmark: measured where they are installed, else left out with the reason."""

from __future__ import annotations

import importlib.abc
import sys
from collections.abc import Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from unspoken.train import bench_peers
from unspoken.train.bench import GROUPS, bench
from unspoken.train.bench_peers import PEERS
from unspoken.train.bench_rates import Plan, rate

TINY = Plan(task="syzygy-base4-2p", num_envs=8, threads=1, repeats=2, seconds=0.001)
MODULES = ("pyspiel", "shimmy", "jax", "jaxmarl", "pgx", "sb3_contrib")


class Missing(importlib.abc.MetaPathFinder):
    """Nothing called by one of these names can be imported."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if fullname in self.names:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def hide(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(*names), *sys.meta_path])


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("openspiel", "open_spiel"),
        ("hanabi-v5", "open_spiel"),
        ("jaxmarl", "jax"),
        ("pgx", "jax"),
        ("hanabi-sb3", "sb3_contrib"),
    ],
)
def test_a_library_that_is_missing_is_left_out_with_the_reason(
    name: str, needed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(monkeypatch, *MODULES)
    if name == "hanabi-sb3":
        pytest.importorskip("torch")
        pytest.importorskip("gymnasium")
    report = bench(TINY, [name])
    assert report["results"] == []
    assert report["skipped"] == {name: f"needs {needed}"}


def test_every_peer_can_be_missing() -> None:
    assert set(PEERS) == {"openspiel", "hanabi-v5", "jaxmarl", "pgx", "hanabi-sb3"}
    assert set(PEERS) < set(GROUPS["peers"])


def test_peers_are_measured_beside_what_of_ours_they_are_compared_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hide(monkeypatch, *MODULES, "unspoken.train.sb3_ppo")
    report = bench(TINY, ["peers"])
    names = [result["name"] for result in report["results"]]
    assert [name.partition(":")[0].partition(" of")[0] for name in names] == ["batch"] * 3 + [
        "one AEC game (agent_iter, last, step)"
    ]
    assert all(result["counted"].startswith("one decision of one seat") for result in report["results"])
    assert list(report["skipped"]) == ["sb3", *PEERS]


class CountingHanabi:
    """Stands for OpenSpiel: a game of two deals of a card and three decisions, two of them allowed each."""

    def __init__(self) -> None:
        self.dealt = 0
        self.decided = 0
        self.observed = 0

    def load_game(self, name: str, options: dict[str, int]) -> CountingHanabi:
        assert (name, options) == ("hanabi", {"players": 2})
        return self

    def new_initial_state(self) -> Any:
        steps = ["deal", "decision", "deal", "decision", "decision"]

        def apply(action: int) -> None:
            if steps.pop(0) == "deal":
                self.dealt += 1
                assert action == 7
            else:
                self.decided += 1
                assert action in (3, 4)

        def observe() -> list[float]:
            self.observed += 1
            return [0.0, 1.0]

        return SimpleNamespace(
            is_terminal=lambda: not steps,
            is_chance_node=lambda: steps[0] == "deal",
            chance_outcomes=lambda: [(7, 1.0)],
            legal_actions=lambda: [3, 4],
            observation_tensor=observe,
            apply_action=apply,
        )


def test_openspiel_s_deals_are_played_but_only_decisions_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CountingHanabi()
    monkeypatch.setitem(sys.modules, "pyspiel", game)  # type: ignore[arg-type]
    counts: list[int | None] = []
    monkeypatch.setattr(bench_peers, "rate", lambda name, unit, call, *rest: counts.append(call()))
    bench_peers.measure_openspiel(TINY)
    assert counts == [9]
    assert (game.dealt, game.decided, game.observed) == (6, 9, 9)


class ThreeTurns:
    """Stands for ``hanabi_v5``: three decisions, then an end for both seats."""

    possible_agents = ("player_0", "player_1")

    def __init__(self) -> None:
        self.played: list[int] = []
        self.resets = 0

    def reset(self, seed: int | None = None) -> None:
        self.resets += 1
        self.turn = 0

    def agent_iter(self) -> Any:
        while self.turn < 5:
            yield self.possible_agents[self.turn % 2]

    def last(self) -> Any:
        import numpy as np

        observation = {"observation": np.zeros(2), "action_mask": np.array([0, 1, 1], np.int8)}
        return observation, 0.0, self.turn >= 3, False, {}

    def step(self, action: int | None) -> None:
        assert (action is None) == (self.turn >= 3)
        if action is not None:
            assert action in (1, 2)
            self.played.append(action)
        self.turn += 1


def test_the_last_round_of_pettingzoo_s_loop_is_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ThreeTurns()
    monkeypatch.setattr(bench_peers, "_hanabi_v5", lambda plan: game)
    counts: list[int | None] = []
    monkeypatch.setattr(bench_peers, "rate", lambda name, unit, call, *rest: counts.append(call()))
    bench_peers.measure_hanabi_v5(TINY)
    assert counts == [9]
    assert len(game.played) == 9
    assert game.resets == 1 + bench_peers.GAMES_A_CALL


def test_a_rate_is_decisions_by_seconds_and_the_first_call_is_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    calls = 0

    def call() -> None:
        nonlocal now, calls
        now += 100.0 if calls == 0 else 0.5
        calls += 1

    clock = SimpleNamespace(perf_counter=lambda: now)
    monkeypatch.setattr("unspoken.train.bench_rates.time", clock)
    row = rate("name", "decisions/s", call, 10, Plan(repeats=3, seconds=1.0), "one decision")
    assert row.runs == [20.0, 20.0, 20.0]
    assert (row.value, row.counted, calls) == (20.0, "one decision", 7)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PEERS))
def test_a_library_that_is_installed_is_measured(name: str) -> None:
    report = bench(TINY, [name])
    if report["skipped"]:
        pytest.skip(report["skipped"][name])
    assert report["results"]
    for result in report["results"]:
        assert result["value"] > 0
        assert result["unit"] == ("samples/s" if name == "hanabi-sb3" else "decisions/s")
        assert result["counted"].startswith("one decision of one")
