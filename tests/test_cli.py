"""The command line does what it says, and answers a wrong request in one line."""

import json
import subprocess
import sys

import pytest

from unspoken.envs import __version__, task_names
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.progress import fingerprint
from unspoken.train import tasks
from unspoken.train.cli import COMMANDS, main
from unspoken.train.text import parse_options, percent, table


def test_evaluate_prints_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "syzygy-base4-2p", "--seats", "syzygy/oracle,syzygy/greedy"]
    command += ["--games", "50", "--seed", "3", "--json"]
    assert main(command) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["task"] == "syzygy-base4-2p"
    assert result["seats"] == ["syzygy/oracle", "syzygy/greedy"]
    assert (result["games"], result["seed"]) == (50, 3)
    assert result["win_rate"] == result["wins"] / 50
    assert result["low"] <= result["win_rate"] <= result["high"]
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["wins"] == result["wins"]


def test_evaluate_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "syzygy-base4-2p", "--seats", "syzygy/oracle", "--games", "50"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "syzygy-base4-2p  syzygy/oracle"
    assert lines[1] == "won 50 of 50 games (seed 0): 100.00%, 95% interval 92.87% to 100.00%"


def test_settings_of_the_game_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    command = "evaluate syzygy --seats random --games 3 --json --set n_players=2 n_planets=4 memory=none"
    assert main(command.split()) == 0
    assert json.loads(capsys.readouterr().out)["seats"] == ["random", "random"]


def test_crossplay(capsys: pytest.CaptureFixture[str]) -> None:
    runs = ["random", "syzygy/oracle"]
    assert main(["crossplay", "syzygy-base4-2p", *runs, "--games", "20"]) == 0
    out = capsys.readouterr().out
    assert "(2) syzygy/oracle" in out
    assert "self-play" in out
    assert main(["crossplay", "syzygy-base4-2p", *runs, "--games", "20", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert len(result["matrix"]) == 2
    assert result["matrix"][1][1] == 1


def test_tasks_lists_every_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["task", *task_names()]
    assert main(["tasks", "base-4p", "--json"]) == 0
    (task,) = json.loads(capsys.readouterr().out)
    sizes = {key: task[key] for key in ("players", "horizon", "actions", "features", "onehot")}
    assert sizes == {"players": 4, "horizon": 32, "actions": 19, "features": 90, "onehot": 720}


def test_known_results_are_about_tasks_and_possible(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "--json"]) == 0
    for task in json.loads(capsys.readouterr().out):
        known = task["known"]
        for result in known.get("results", {}).values():
            assert 0 <= result["low"] <= result["win_rate"] <= result["high"] <= 1
            assert result["win_rate"] <= result.get("score", 1) <= result.get("max_score", 1)
        if known.get("results") and task["task"].startswith("syncro-"):
            today = fingerprint(SyncroConfig().card_set)
            assert known["cards"] == today, "after a change of the cards: python benchmarks/known_results.py"


def test_bots_of_both_games_share_their_columns_and_levels_won_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {
        "syzygy-base-4p": {"results": {"syzygy/oracle": {"win_rate": 1.0}}, "bound": 1.0},
        "syncro-Ia-4p": {
            "results": {"syncro/oracle": {"win_rate": 0.5}, "zoo:syncro-Ia-4p": {"win_rate": 0}}
        },
        "syncro-chapter1-4p": {"results": {"syncro/oracle": {"win_rate": 0, "score": 2.5, "max_score": 4}}},
    }
    monkeypatch.setattr(tasks, "known_results", lambda: known)
    assert main(["tasks", "4p"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0][6:] == ["oracle", "learned", "bound"]
    shown = {line[0]: line[6:] for line in lines if line[0] in known}
    assert shown == {
        "syzygy-base-4p": ["100.00%", "100.00%"],
        "syncro-Ia-4p": ["50.00%", "0.00%"],
        "syncro-chapter1-4p": ["2.50/4"],
    }


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"unspoken {__version__}\n"


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for command in COMMANDS:
        assert f"  {command} " in out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("nonsense", "unspoken: argument COMMAND: invalid choice: 'nonsense'"),
        ("evaluate", "unspoken evaluate: the following arguments are required: TASK, --seats"),
        (
            "evaluate syzygy-base-9p --seats random",
            "unspoken evaluate: task='syzygy-base-9p': unknown; did you",
        ),
        (
            "evaluate syzygy-base-4p --seats nobody",
            "unspoken evaluate: agent 'nobody': unknown; there are random",
        ),
        (
            "evaluate syzygy-base-4p --seats random,random",
            "2 agents given; must be one for all seats, or one",
        ),
        ("evaluate syzygy-base-4p --seats random --games 0", "unspoken evaluate: games=0: must be 1 or more"),
        ("evaluate syzygy-base-4p --seats random --games ten", "argument --games: invalid int value: 'ten'"),
        ("evaluate syzygy-base-4p --seats random --seed 1.5", "argument --seed: invalid int value: '1.5'"),
        (
            "evaluate syzygy-base-4p --seats random --set emotions",
            "option 'emotions': must be of the form key",
        ),
        ("evaluate syzygy-base-4p --seats random --set emotions=9", "emotions=9: must be from 1 to"),
        (
            "evaluate syzygy-base-4p --seats random --nope",
            "unspoken evaluate: unrecognized arguments: --nope",
        ),
        ("crossplay syzygy-base-4p random", "must be two or more agents"),
        ("tasks nothing", "unspoken tasks: task 'nothing': no task has this in its name"),
    ],
)
def test_a_wrong_request_gets_one_line_and_exit_code_2(
    command: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_traceback_can_be_asked_for() -> None:
    with pytest.raises(ValueError, match="games=0"):
        main(["--traceback", "evaluate", "syzygy-base-4p", "--seats", "random", "--games", "0"])


def test_what_needs_no_torch_does_not_load_it() -> None:
    script = (
        "import sys; from unspoken.train.cli import main; "
        "main('evaluate syzygy-base4-2p --seats random --games 5'.split()); main(['tasks', 'base4']); "
        "main('crossplay syzygy-base4-2p random syzygy/greedy --games 5'.split()); "
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m unspoken.train.cli tasks | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stderr == ""


class TestText:
    def test_a_percentage_is_perfect_only_if_it_is(self) -> None:
        assert [percent(rate) for rate in (0, 1e-6, 0.1234, 0.99999, 1)] == [
            "0.00%",
            "<0.01%",
            "12.34%",
            ">99.99%",
            "100.00%",
        ]

    def test_columns_are_aligned(self) -> None:
        assert table(["name", "n"], [["a", "10"], ["longer", "5"]]) == "name     n\na       10\nlonger   5"

    def test_options_keep_their_types(self) -> None:
        assert parse_options(["a=1", "b=0.5", "c=none", "d=x=y"]) == {
            "a": 1,
            "b": 0.5,
            "c": "none",
            "d": "x=y",
        }

    @pytest.mark.parametrize("pairs", [["a"], ["=1"], ["a=1", "a=2"]])
    def test_options_must_be_pairs(self, pairs: list[str]) -> None:
        with pytest.raises(ValueError, match=r"must be of the form key=value|is given twice"):
            parse_options(pairs)

    def test_a_value_that_is_not_yaml_is_refused(self) -> None:
        message = r"option 'partners=\[random': '\[random' is not a value in YAML"
        with pytest.raises(ValueError, match=message):
            parse_options(["partners=[random"])
