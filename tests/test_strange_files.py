"""Recordings of strangers: what they hold is shown or refused, and does no harm."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.recorded_games import played, saved
from unspoken.envs import make_game
from unspoken.train.cli import main
from unspoken.train.replay import moving_picture, step_text
from unspoken.train.replay_file import load_replay
from unspoken.train.replay_format import ReplayError, recorded_game
from unspoken.train.seat_file import save_seat_replay, seat_replay
from unspoken.train.showing import open_recording


def test_a_recording_names_no_other_file(tmp_path: Path) -> None:
    for name in ("cards", "card_set"):
        replay = played("syncro-Ia-3p", decisions=1)
        strange = replace(replay, options={**replay.options, name: "/dev/stdin"})
        with pytest.raises(ReplayError, match=f"options: '{name}': there is no such setting"):
            recorded_game(load_replay(saved(tmp_path, strange)))


def test_names_do_not_command_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replay = played("syzygy-base4-2p", decisions=1)
    file = saved(tmp_path, replace(replay, seats=("\x1b]0;title\x07\n\u202e", "é 行星")))
    for arguments in (["--seat", "0"], ["--seat", "1"]):
        main(["replay", str(file), *arguments])
    printed = capsys.readouterr().out
    assert "player_0 (\\x1b]0;title\\x07\\n\\u202e)" in printed
    assert "player_1 (é 行星)" in printed
    strange = replace(replay, options={**replay.options, "\x1b[2J": 1})
    assert main(["replay", str(saved(tmp_path, strange))]) == 2
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize("task", ["syzygy-base4-2p", "syncro-Ia-3p", "syncro-IIa-3p"])
def test_what_a_seat_saw_that_is_of_no_game_is_shown_or_refused(task: str, tmp_path: Path) -> None:
    game = make_game(task)
    save_seat_replay(tmp_path / "seat.json", seat_replay(played(task), 0, game))
    content = json.loads((tmp_path / "seat.json").read_text())
    tops = game.layout.cardinalities
    rng = np.random.default_rng(1)
    refused = []
    for number in range(40):
        step = dict(content["steps"][rng.integers(len(content["steps"]))])
        features = np.array(step["features"])
        changed = rng.random(len(features)) < rng.choice([0.01, 0.1, 1.0])
        changed[game.layout["seat"].start] = False
        step["features"] = np.where(changed, rng.integers(tops), features).tolist()
        (tmp_path / "strange.json").write_text(json.dumps({**content, "steps": [step]}))
        try:
            showing = open_recording(tmp_path / "strange.json")
            step_text(showing, 0, 0, True)
            if number % 10 == 0:
                moving_picture(showing, 0, 100)
        except ReplayError as error:
            refused.append(str(error))
    assert refused or task.startswith("syzygy")
    assert all(message.endswith("step 0: must be a position of the game") for message in refused)
