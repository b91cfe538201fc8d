"""Several seeds of one configuration: the runs are those of unspoken train, done once and compared."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from unspoken.agents.checkpoint import step_folders
from unspoken.train.cli import main
from unspoken.train.config import load_config
from unspoken.train.run import run_training
from unspoken.train.run_folder import read_metrics
from unspoken.train.sweep import parse_seeds, sweep

TASK = "syzygy-base4-2p"
TINY = [
    *("total_steps=512", "num_envs=16", "rollout_steps=8", "minibatches=2", "hidden=[16]", "threads=1"),
    *("evaluate_every=256", "evaluate_games=50", "checkpoint_every=256"),
]


def weights(folder: Path) -> bytes:
    return (step_folders(folder)[-1] / "policy.safetensors").read_bytes()


def test_each_run_is_what_unspoken_train_makes(tmp_path: Path) -> None:
    configs = [load_config(TASK, [*TINY, f"seed={seed}"]) for seed in (0, 1)]
    folders = [tmp_path / "a", tmp_path / "b"]
    runs = sweep(configs, folders, "test", games=100)
    assert [(run.folder, run.seed, run.steps) for run in runs] == [
        (str(tmp_path / "a"), 0, 512),
        (str(tmp_path / "b"), 1, 512),
    ]
    run_training(configs[1], tmp_path / "alone", "test")
    assert weights(tmp_path / "b") == weights(tmp_path / "alone")
    assert weights(tmp_path / "a") != weights(tmp_path / "b")


def test_a_run_that_is_complete_is_only_evaluated_and_another_goes_on(tmp_path: Path) -> None:
    config = load_config(TASK, TINY).model_copy(update={"target": 0.01, "total_steps": 10_000_000})
    (first,) = sweep([config], [tmp_path / "run"], "test", games=200)
    before = weights(tmp_path / "run")
    (again,) = sweep([config], [tmp_path / "run"], "test", games=200)
    assert (again.steps, again.seconds) == (first.steps, first.seconds)
    assert (again.evaluation.outcomes == first.evaluation.outcomes).all()
    assert weights(tmp_path / "run") == before
    # A run that died before its last checkpoint.
    last = step_folders(tmp_path / "run")[-1]
    last.rename(last.with_name("step-" + "9" * 12 + ".tmp"))
    assert sweep([config], [tmp_path / "run"], "test", games=200)[0].evaluation.wins == first.evaluation.wins
    assert weights(tmp_path / "run") == before
    assert read_metrics(tmp_path / "run")[-1]["win_rate"] >= 0.01


def test_a_complete_run_with_other_settings_is_refused(tmp_path: Path) -> None:
    sweep([load_config(TASK, TINY)], [tmp_path / "run"], "test", games=50)
    other = load_config(TASK, [*TINY, "critic=central"])
    with pytest.raises(ValueError, match="run': holds a run with critic='own', not 'central'"):
        sweep([other], [tmp_path / "run"], "test", games=50)
    faster = load_config(TASK, TINY).model_copy(update={"threads": 2})
    assert sweep([faster], [tmp_path / "run"], "test", games=50)[0].steps == 512


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sweep", TASK, "--seeds", "3,5", *TINY, "--games", "50", "--folder", str(tmp_path)]
    assert main([*command, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [run["seed"] for run in result["runs"]] == [3, 5]
    rates = [run["evaluation"]["win_rate"] for run in result["runs"]]
    assert result["win_rate"] == pytest.approx(sum(rates) / 2)
    assert result["spread"] == pytest.approx(abs(rates[0] - rates[1]) / 2**0.5)
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["run", "decisions", "seconds", "won"]
    assert [Path(line.split()[0]).name for line in lines[1:3]] == [f"{TASK}-seed3", f"{TASK}-seed5"]
    assert lines[-1].startswith("mean of 2 seeds ")


@pytest.mark.parametrize(
    ("text", "seeds"), [("0-3", [0, 1, 2, 3]), ("7", [7]), ("0,2,5-7", [0, 2, 5, 6, 7]), ("3-3", [3])]
)
def test_seeds_are_numbers_and_ranges(text: str, seeds: list[int]) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seeds", "a"], "seeds='a': must be numbers and ranges, such as 0-3 or 0,2,5-7"),
        (["--seeds", "3-1"], "seeds='3-1': must be one or more different seeds, such as 0-3"),
        (["--seeds", "1,0-2"], "seeds='1,0-2': must be one or more different seeds"),
        (["seed=4", "--seeds", "1"], "seed: a sweep sets it; use --seeds"),
        (["--seeds", "1", "--games", "0"], "games=0: must be 1 or more"),
        (["lr=1", "--seeds", "1"], "lr=1: unknown setting; did you mean"),
    ],
)
def test_a_wrong_request_gets_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", TASK, *arguments, "--folder", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
