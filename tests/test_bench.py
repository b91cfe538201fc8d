"""The benchmark measures every thing it names; a tiny run, since speed is never a test."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from unspoken.train.bench import GROUPS, MEASUREMENTS, bench
from unspoken.train.bench_peers import PEERS
from unspoken.train.bench_rates import Plan
from unspoken.train.cli import main

TINY = Plan(task="syzygy-base4-2p", num_envs=8, threads=1, repeats=2, seconds=0.001)


@pytest.mark.parametrize("task", [TINY.task, "syncro-Ia-3p"])
@pytest.mark.parametrize("name", ["batch", "aec", "memory", "render"])
def test_every_number_is_positive_and_the_median_of_its_runs(name: str, task: str) -> None:
    report = bench(replace(TINY, task=task), [name])
    assert report["skipped"] == {}
    assert report["results"]
    for result in report["results"]:
        assert result["value"] > 0
        assert len(result["runs"]) in (0, TINY.repeats)
        if result["runs"]:
            assert result["value"] == pytest.approx(sum(result["runs"]) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ppo", "sb3"])
def test_the_trainers_are_measured(name: str) -> None:
    pytest.importorskip("sb3_contrib")
    (result,) = bench(Plan("syzygy-base4-2p", threads=1, repeats=1, seconds=0.001), [name])["results"]
    assert result["unit"] == "samples/s"
    assert result["value"] > 0


def test_the_report_says_what_was_measured_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "speed.json"
    command = ["bench", "memory", "--task", "syzygy-base4-2p", "--quick", "--json", str(file)]
    assert main(command) == 0
    out = capsys.readouterr().out
    report = json.loads(file.read_text())
    assert report["machine"]["processor"] in out
    assert report["machine"]["versions"]["numba"] in out
    assert report["plan"]["task"] == "syzygy-base4-2p"
    assert "memory of 1,000 games" in out


def test_a_wrong_request_is_refused() -> None:
    known = ", ".join([*MEASUREMENTS, *PEERS, *GROUPS])
    with pytest.raises(ValueError, match=f"measurement 'lap': unknown; there are {known}"):
        bench(TINY, ["lap"])
    with pytest.raises(ValueError, match="task='nothing': unknown"):
        bench(Plan(task="nothing"), ["memory"])
    with pytest.raises(ValueError, match="repeats=0: must be 1 or more"):
        bench(Plan(repeats=0), ["memory"])
