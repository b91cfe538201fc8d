"""Learned values win no fewer rows than those before, and the same arguments lead to the same ones."""

import json
from pathlib import Path

import numpy as np
import pytest

from unspoken.agents.syzygy.belief_values import learned_weights
from unspoken.envs.tasks import task_config
from unspoken.train.learn_values import Settings, ValueLearning, learn, main, read_weights

TASK = "syzygy-trial-2p"


def weights_of(path: Path) -> list[list[float]]:
    weights: list[list[float]] = json.loads(path.read_text())["weights"]
    return weights


def test_more_rows_are_won_and_the_same_arguments_lead_to_the_same_weights(tmp_path: Path) -> None:
    before = learn(TASK, tmp_path / "none.json", Settings(changes=1))
    first = learn(TASK, tmp_path / "first.json", Settings(changes=12))
    second = learn(TASK, tmp_path / "second.json", Settings(changes=12))
    assert before < first == second
    assert weights_of(tmp_path / "first.json") == weights_of(tmp_path / "second.json")


def test_learning_goes_on_from_a_file_and_from_a_later_turn(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "deep" / "second.json"
    learn(TASK, first, Settings(changes=3))
    learn(TASK, second, Settings(changes=5, start=str(first), from_turn=4, situations=20))
    early = slice(4, None)  # with 4 turns left and more, weights are of the turns before
    assert weights_of(second)[early] == weights_of(first)[early]


def test_shipped_weights_are_such_files() -> None:
    config = task_config("syzygy-divine-3p")
    file = Path(__file__).parent.parent / "agents" / "syzygy" / "values" / "divine-3p.json"
    weights = read_weights(file, "syzygy-divine-3p", config.n_turns)
    assert (weights == learned_weights("divine-3p")).all()


def test_situations_that_are_drawn_are_different_and_of_their_turn() -> None:
    learning = ValueLearning(
        task_config(TASK), learned_weights("base-2p"), Settings(from_turn=2, situations=6, seed=3)
    )
    nodes = learning._tree.draw_nodes(2, 6, np.random.default_rng(3))
    assert [node.turn for node in nodes] == [2] * 6
    assert len({node.rows.tobytes() for node in nodes if node.rows is not None}) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["syncro-Ia-3p", "OUT"], "must be one of Syzygy"),
        (["syzygy-base10-3p", "OUT"], "must have at most 9"),
        (["syzygy-trial-2p", "OUT", "from_turn=7"], "from_turn=7: must be from 0 to 6"),
        (["syzygy-trial-2p", "OUT", "minutes=long"], "minutes='long'"),
        (["syzygy-trial-2p", "OUT", "hours=1"], "unknown setting"),
        (["syzygy-trial-2p", "OUT", "start=nowhere.json"], "nowhere.json: cannot be read"),
        (["syzygy-trial-3p", "OUT", "start=GIVEN"], "must be weights for 'syzygy-trial-3p'"),
        (["minutes=-1", "syzygy-trial-2p", "OUT"], "minutes=-1: must be positive"),
    ],
)
def test_a_wrong_request_says_what_is_allowed(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, out = tmp_path / "given.json", tmp_path / "out.json"
    learn(TASK, given, Settings(changes=1))
    texts = [text.replace("OUT", str(out)).replace("GIVEN", str(given)) for text in arguments]
    assert main(texts) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("5", "must be 8 rows of 10 numbers"),
        ("[[1, 2], [3]]", "must be weights written by learn_values"),
        (json.dumps([[float("nan")] * 10] * 8), "must be numbers of at most 1000000"),
        (json.dumps([[None] * 10] * 8), "must be numbers of at most 1000000"),
        (json.dumps([[1e308] * 10] * 8), "must be numbers of at most 1000000"),
        (json.dumps([[10**400] * 10] * 8), "must be weights written by learn_values"),
    ],
)
def test_weights_that_are_none_are_refused(weights: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(f'{{"task": "{TASK}", "weights": {weights}}}')
    with pytest.raises(ValueError, match=message):
        learn(TASK, tmp_path / "out.json", Settings(changes=1, start=str(file)))


def test_what_cannot_be_written_is_said_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([TASK, str(tmp_path)]) == 2
    assert "is a folder, must be a file to write" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert main([TASK, str(tmp_path / "file" / "out.json")]) == 2
    assert "learn_values: " in capsys.readouterr().err


def test_a_forgotten_file_is_said_and_help_shows_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([TASK, "changes=1"]) == 2
    assert f"given {TASK}: must be TASK and OUT" in capsys.readouterr().err
    assert main(["--help"]) == 0
    assert "python -m unspoken.train.learn_values" in capsys.readouterr().out


def test_weights_that_are_there_are_not_lost_but_may_be_learned_on(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    learn(TASK, file, Settings(changes=1))
    with pytest.raises(ValueError, match="exists already, must be a new file"):
        learn(TASK, file, Settings(changes=1))
    learn(TASK, file, Settings(changes=1, start=str(file)))


def test_it_ends_when_every_row_is_won(tmp_path: Path) -> None:
    assert learn("syzygy-base4-2p", tmp_path / "out.json", Settings()) == 1.0
