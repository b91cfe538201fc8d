"""Work on Ray: the same results as without it, also after the death of a worker."""

import os
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from unspoken.agents import load_agent
from unspoken.train.cli import main
from unspoken.train.config import TrainConfig, load_config
from unspoken.train.crossplay import crossplay
from unspoken.train.evaluate import Evaluation, evaluate
from unspoken.train.ray_tasks import AUTO, connect, map_on_ray
from unspoken.train.run_folder import RunFolder
from unspoken.train.sweep import _train, sweep

ray = pytest.importorskip(
    "ray", reason="Ray is not installed; it has an environment of its own: make test-ray"
)

TASK = "syzygy-base4-3p"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


class Mortal:
    """Plays the first allowed action, and kills the process it plays in as long as ``lives`` has files."""

    name = "mortal"
    sees_state = False

    def __init__(self, lives: Path) -> None:
        self.lives = lives

    def reset(self, game: Any, num_games: int, seed: int) -> None:
        pass

    def act(self, features: Any, mask: Any, player: Any, state: None) -> Any:
        if player.max() > 0:
            die_once(self.lives)
        return np.argmax(mask, axis=1), None


def die_once(lives: Path) -> None:
    for life in lives.iterdir():
        life.unlink()
        os.kill(os.getpid(), signal.SIGKILL)


def square(number: int) -> int:
    return number * number


def die(lives: Path, number: int) -> int:
    if number == 1:
        die_once(lives)
    return number


def train_and_die(lives: Path, work: Any, piece: Any) -> Any:
    """Dies right after the first checkpoint of a run."""
    save = RunFolder.save

    def save_and_die(*arguments: Any) -> Path | None:
        folder = save(*arguments)
        die_once(lives)
        return folder

    with mock.patch.object(RunFolder, "save", save_and_die):
        return work(piece)


def fail(number: int) -> int:
    raise ValueError(f"number={number}: must be another")


def note_and_fail(folder: Path, number: int) -> None:
    (folder / str(number)).touch()
    fail(number)


def kept(result: Evaluation) -> dict[str, Any]:
    """All that does not depend on the time it took."""
    return {name: value for name, value in result.as_dict().items() if "second" not in name}


class TestMap:
    def test_results_come_in_the_order_of_the_pieces_and_are_told_as_they_arrive(self) -> None:
        told: list[int] = []
        assert map_on_ray(square, range(20), AUTO, finished=told.append) == [n * n for n in range(20)]
        assert sorted(told) == [n * n for n in range(20)]

    def test_a_piece_whose_worker_dies_is_done_again(self, tmp_path: Path) -> None:
        (tmp_path / "life").touch()
        assert map_on_ray(partial(die, tmp_path), range(3), AUTO) == [0, 1, 2]
        assert list(tmp_path.iterdir()) == []

    def test_a_piece_that_kills_all_its_workers_is_given_up(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("unspoken.train.ray_tasks.MOST_RETRIES", 1)
        for number in range(2):
            (tmp_path / str(number)).touch()
        with pytest.raises(OSError, match="a piece of work was given up: 2 workers died of it"):
            map_on_ray(partial(die, tmp_path), range(3), AUTO)

    def test_an_error_is_that_of_the_piece(self) -> None:
        with pytest.raises(ValueError, match=r"^number=0: must be another$"):
            map_on_ray(fail, [0], AUTO)

    def test_after_a_failure_nothing_more_is_begun(self, tmp_path: Path) -> None:
        for _ in range(20):  # Ray's cancelling ended this process, in one of some dozens of tries
            with pytest.raises(ValueError, match="must be another"):
                map_on_ray(partial(note_and_fail, tmp_path), range(100), AUTO)
        # Two cores have two pieces each.
        assert {int(path.name) for path in tmp_path.iterdir()} <= {0, 1, 2, 3}


class TestEvaluate:
    @pytest.mark.parametrize("seats", ["random", "syzygy/convention", ["random", "syzygy/oracle", "random"]])
    def test_the_result_is_the_same_as_without_ray(self, seats: Any) -> None:
        here, there = (evaluate(TASK, seats, 9000, seed=3, ray=where) for where in (None, AUTO))
        assert kept(here) == kept(there)
        np.testing.assert_array_equal(here.scores, there.scores)

    def test_a_learned_team_wins_the_same_games(self) -> None:
        team = load_agent("zoo:syncro-Ia-3p")
        here, there = (evaluate("syncro-Ia-3p", team, 700, seed=3, ray=where) for where in (None, AUTO))
        assert kept(here) == kept(there)
        np.testing.assert_array_equal(here.scores, there.scores)

    def test_the_same_games_are_recorded(self, tmp_path: Path) -> None:
        files = []
        for folder, where in (("here", None), ("there", AUTO)):
            evaluate(TASK, "syzygy/greedy", 1100, record=tmp_path / folder, record_games=600, ray=where)
            files.append({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()})
        assert len(files[0]) == 600
        assert files[0] == files[1]

    def test_a_worker_that_dies_midway_changes_nothing(self, tmp_path: Path) -> None:
        here = evaluate(TASK, Mortal(tmp_path), 3000)
        (tmp_path / "life").touch()
        seen: list[int] = []
        there = evaluate(TASK, Mortal(tmp_path), 3000, ray=AUTO, progress=seen.append)
        assert list(tmp_path.iterdir()) == []
        assert kept(here) == kept(there)
        np.testing.assert_array_equal(here.scores, there.scores)
        assert seen[-1] == 3000

    def test_on_the_command_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        command = f"evaluate {TASK} --seats syzygy/greedy --games 1500 --seed 2"
        assert main([*command.split()]) == 0
        here = capsys.readouterr().out.splitlines()[:2]
        assert main([*command.split(), "--ray"]) == 0
        assert capsys.readouterr().out.splitlines()[:2] == here


def test_crossplay_has_the_same_matrix() -> None:
    runs = ["random", "syzygy/greedy", "syzygy/oracle"]
    seen: list[int] = []
    here = crossplay(TASK, runs, 200, seed=1)
    there = crossplay(TASK, runs, 200, seed=1, ray=AUTO, progress=seen.append)
    assert here.as_dict()["matrix"] == there.as_dict()["matrix"]
    assert [pairing.seat_orders[-1].seats for row in here.pairings for pairing in row] == [
        pairing.seat_orders[-1].seats for row in there.pairings for pairing in row
    ]
    assert seen[-1] == 9 * 200


class TestSweep:
    @pytest.fixture
    def configs(self) -> list[TrainConfig]:
        sizes = ["total_steps=512", "num_envs=16", "rollout_steps=8", "minibatches=2", "hidden=[16]"]
        rest = ["threads=1", "evaluate_every=256", "evaluate_games=50", "checkpoint_every=128"]
        return [load_config(TASK, [*sizes, *rest, f"seed={seed}"]) for seed in (0, 1)]

    def test_runs_end_with_the_same_weights_also_after_the_death_of_a_worker(
        self, configs: list[TrainConfig], tmp_path: Path
    ) -> None:
        names = ("here0", "here1", "there0", "there1", "lives")
        here0, here1, there0, there1, lives = (tmp_path / name for name in names)
        here = sweep(configs, [here0, here1], "test", games=500)
        lives.mkdir()
        (lives / "life").touch()
        work = partial(train_and_die, lives, partial(_train, "test", 500))
        there0.mkdir()
        there1.mkdir()
        there = map_on_ray(work, [(configs[0], there0), (configs[1], there1)], AUTO)
        assert list(lives.iterdir()) == []
        assert [run.evaluation.wins for run in there] == [run.evaluation.wins for run in here]
        for one, other in ((here0, there0), (here1, there1)):
            final = ["checkpoints", "step-000000000512", "policy.safetensors"]
            assert one.joinpath(*final).read_bytes() == other.joinpath(*final).read_bytes()

    def test_a_run_that_is_there_is_evaluated(self, configs: list[TrainConfig], tmp_path: Path) -> None:
        seen: list[int] = []
        folders = [tmp_path / "a", tmp_path / "b"]
        here = sweep(configs, folders, "test", games=500)
        there = sweep(configs, folders, "test", 500, ray=AUTO, finished=lambda run: seen.append(run.seed))
        assert [run.evaluation.wins for run in there] == [run.evaluation.wins for run in here]
        assert sorted(seen) == [0, 1]

    def test_a_machine_without_the_folder_says_so(self, configs: list[TrainConfig], tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"not on .+; all machines must share the runs' folder"):
            map_on_ray(partial(_train, "test", 500), [(configs[0], tmp_path / "nowhere")], AUTO)

    def test_more_threads_than_any_machine_has_are_refused(
        self, configs: list[TrainConfig], tmp_path: Path
    ) -> None:
        config = configs[0].model_copy(update={"threads": 3})
        with pytest.raises(ValueError, match="threads=3: no machine here has more than 2 cores for Ray"):
            sweep([config], [tmp_path / "run"], "test", ray=AUTO)


def test_a_setting_behind_ray_is_not_taken_for_an_address() -> None:
    with pytest.raises(ValueError, match="ray='seed=1': must be the address of a cluster; put --ray behind"):
        connect("seed=1")
