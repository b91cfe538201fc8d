"""People at the terminal: saving a game and going on with it, whatever happens; requests that are refused."""

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.play_terminal import FIRST, SYNCRO, SYZYGY, Play, at_a_terminal, through_a_pipe
from unspoken.agents.random_agent import RandomAgent
from unspoken.train import sitting
from unspoken.train.cli import main
from unspoken.train.replay_file import Replay, load_replay, play_through


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Play:
    monkeypatch.chdir(tmp_path)
    return through_a_pipe(monkeypatch, capsys)


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    monkeypatch.chdir(tmp_path)
    return at_a_terminal(monkeypatch)


class TestSaving:
    @pytest.mark.parametrize(
        ("arguments", "moves"),
        [
            (f"{SYZYGY} --seed 4 --partners random", ["1", "2", "pass", "#1", "#2", "#3", "#1"]),
            (f"{SYNCRO} --seed 4 --partners random,syncro/estimate", ["good"] + ["#2"] * 9),
            ("syncro-IIb-2p --seed 4 --seat all", ["good", "bad"] + ["#2"] * 9),
        ],
    )
    def test_a_game_that_is_left_and_gone_on_with_is_the_same(
        self, play: Play, arguments: str, moves: list[str]
    ) -> None:
        moves = moves + FIRST
        play(f"{arguments} --record whole.json", moves)
        whole = load_replay("whole.json")
        for cut in (1, 3, 5):
            name = f"left{cut}.json"
            play(arguments, [*moves[:cut], "quit", name])
            ended = play(f"--resume {name} --record again{cut}.json", moves[cut:])
            assert ended.partition("\n")[0].endswith("seed 4, gone on with")
            again = load_replay(f"again{cut}.json")
            assert again.decisions == whole.decisions
            assert again.result == whole.result

    def test_after_going_on_the_same_is_shown(self, play: Play) -> None:
        arguments = f"{SYNCRO} --seed 4"
        whole = play(arguments, ["good", "#2", "#2", "quit", "no"])
        play(arguments, ["good", "#2", "quit", "left.json"])
        resumed = play("--resume left.json", ["#2", "quit", "no"])
        assert resumed.partition("quit to leave.\n\n")[2].partition("quit\n")[0] in whole

    def test_when_nothing_more_is_typed_the_game_is_saved_and_goes_on(self, play: Play) -> None:
        printed = play(f"{SYZYGY} --seed 1", ["0", "2"])
        assert "Saved in syzygy-base5-3p-seed1.json. Go on with it: unspoken play --resume" in printed
        play("--resume syzygy-base5-3p-seed1.json", [])
        saved = load_replay("syzygy-base5-3p-seed1.json")
        assert [each.seat for each in saved.decisions][:2] == [0, 0]
        play(f"{SYZYGY} --seed 1", [])
        assert load_replay("syzygy-base5-3p-seed1-2.json").decisions == ()

    def test_an_interruption_saves_the_game(
        self, play: Play, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        class Interrupted(io.StringIO):
            def readline(self, size: int | None = -1, /) -> str:
                line = super().readline()
                if not line:
                    raise KeyboardInterrupt
                return line

        monkeypatch.setattr(sys, "stdin", Interrupted("0\n2\n"))
        assert main(["play", SYZYGY, "--seed", "1", "--save", "mine.json"]) == 130
        assert "Saved in mine.json" in capsys.readouterr().out
        assert len(load_replay("mine.json").decisions) >= 2

    def test_a_closed_terminal_saves_the_game(self, tmp_path: Path) -> None:
        pty = pytest.importorskip("pty")
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "unspoken.train.cli", "play", "syzygy-base4-2p", "--seed", "1"]
        with subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
            start_new_session=True,
        ) as process:
            os.close(theirs)
            seen = b""
            while b"player_0>" not in seen:
                seen += os.read(ours, 1 << 16)
            os.close(ours)
            process.wait()
        assert load_replay(tmp_path / "syzygy-base4-2p-seed1.json").result is None

    def test_a_reader_that_stops_early_does_not_lose_the_game(self, tmp_path: Path) -> None:
        command = (
            f"echo '#1' | {sys.executable} -m unspoken.train.cli play syzygy-base4-2p --seed 1 | head -1"
        )
        done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        assert load_replay(tmp_path / "syzygy-base4-2p-seed1.json").result is None

    def test_an_agent_that_fails_does_not_lose_the_game(
        self, play: Play, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def fail(self: RandomAgent, *view: object) -> None:
            raise ValueError("no idea")

        monkeypatch.setattr(RandomAgent, "act", fail)
        monkeypatch.setattr(sys, "stdin", io.StringIO("0\n2\n"))
        assert main(["play", SYZYGY, "--seed", "1", "--partners", "random"]) == 2
        captured = capsys.readouterr()
        assert "Saved in syzygy-base5-3p-seed1.json" in captured.out
        assert captured.err == "unspoken play: no idea\n"

    def test_save_goes_on(self, play: Play) -> None:
        play(f"{SYZYGY} --seed 1 --save mine.json", ["0", "save", "2", "quit", "no"])
        assert [each.action for each in load_replay("mine.json").decisions] == [0]

    def test_a_game_with_cards_of_ones_own_goes_on_with_them(
        self, play: Play, capsys: pytest.CaptureFixture[str]
    ) -> None:
        cards = Path(__file__).parent / "cards"
        printed = play(f"{SYNCRO} --seed 1 --set cards={cards}", ["good", "quit", "my game.json"])
        assert f"unspoken play --resume 'my game.json' --set cards={cards}\n" in printed
        Path("my game.json").rename("mine.json")
        assert main(["play", "--resume", "mine.json"]) == 2
        assert "which must be given" in capsys.readouterr().err
        assert "gone on with" in play(f"--resume mine.json --set cards={cards}", ["quit", "no"])

    def test_no_file_is_written_over(self, play: Play) -> None:
        Path("there.json").write_text("mine")
        printed = play(f"{SYZYGY} --seed 1", ["quit", "there.json", "other.json"])
        assert "there.json is there already; choose another name." in printed
        assert Path("there.json").read_text() == "mine"
        assert load_replay("other.json").seed == 1

    def test_where_nothing_can_be_written_it_is_asked_again(self, play: Play) -> None:
        names = ["nowhere/x.json", "x" * 5000, "a\0b", "."]
        printed = play(f"{SYZYGY} --seed 1", ["quit", *names, "x.json"])
        assert printed.count("Not saved: ") == len(names)
        assert Path("x.json").exists()

    def test_a_recorded_game_can_be_played_through(self, play: Play) -> None:
        play(f"{SYNCRO} --seed 2 --record game.json", FIRST)
        replay = load_replay("game.json")
        assert replay.seats == ("human", "syncro/convention", "syncro/convention")
        assert replay.result is not None
        *_, (one, decision) = play_through(replay)
        assert decision is None
        assert one.finished

    def test_a_finished_game_that_cannot_be_recorded_there_is_recorded_elsewhere(
        self, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        save = sitting.save_replay

        def full(path: Path, replay: Replay) -> None:
            if path == Path("game.json"):
                raise OSError(28, "No space left on device")
            save(path, replay)

        monkeypatch.setattr(sitting, "save_replay", full)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "elsewhere"))
        (tmp_path / "elsewhere").mkdir()
        printed = play(f"{SYZYGY} --seed 1 --record game.json", FIRST)
        assert "Not recorded where it should be: [Errno 28] No space left on device." in printed
        assert load_replay(tmp_path / "elsewhere" / "game.json").result is not None

    def test_a_replay_holds_what_learned_partners_thought(self, play: Play) -> None:
        play("syzygy-base-4p --seed 2 --partners zoo:syzygy-base-4p --record game.json", FIRST)
        decisions = load_replay("game.json").decisions
        assert {each.seat for each in decisions if each.probabilities is None} == {0}
        assert {each.seat for each in decisions if each.probabilities is not None} == {1, 2, 3}

    def test_another_game_is_the_next_deal(self, at_terminal: Play) -> None:
        printed = at_terminal("syzygy-base4-2p --seed 1 --record game.json", ["#1"] * 8 + ["y"] + ["#1"] * 8)
        assert "syzygy-base4-2p, seed 1, game 2\n" in printed
        assert load_replay("game.json").episode == 0
        assert load_replay("game-2.json").episode == 1


class TestRequests:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("", "TASK: is missing"),
            ("syzygy-base-9p", "task='syzygy-base-9p': unknown"),
            (f"{SYZYGY} --seat 3", "seat='3': must be 'all', or from 0 to 2, such as 0,1"),
            (f"{SYZYGY} --seat 0,0", "seat='0,0': 0 is given twice"),
            (f"{SYZYGY} --seat x", "seat='x': must be"),
            (f"{SYZYGY} --partners nobody", "agent 'nobody': unknown"),
            (
                f"{SYZYGY} --partners random,random,random",
                "3 agents; must be one, or one for each of 2",
            ),
            (f"{SYZYGY} --partners syncro/solo", "syncro"),
            (f"{SYZYGY} --seat all --partners random", "must be left out, people play all seats"),
            (f"{SYZYGY} --seed -1", "seed=-1"),
            (f"{SYZYGY} --set emotions=9", "emotions=9: must be from 1 to"),
            (f"{SYZYGY} --record there.json", "record='there.json': is there already; must be a new file"),
            (f"{SYZYGY} --save no/x.json", "save='no/x.json': must be in a folder that is there"),
            ("--resume none.json", "none.json"),
            ("--resume there.json", "there.json"),
            ("--resume saved.json --seat 1", "--seat='1': must be left out with --resume"),
            ("syzygy --resume saved.json", "TASK='syzygy': must be left out with --resume"),
            ("--resume saved.json --set emotions=2", "emotions=2: must be left out with --resume"),
            ("--resume saved.json --record saved.json", "record='saved.json': is there already"),
        ],
    )
    def test_a_wrong_request_gets_one_line(
        self, play: Play, capsys: pytest.CaptureFixture[str], arguments: str, message: str
    ) -> None:
        Path("there.json").write_text("{")
        play(f"{SYZYGY} --seed 1", ["quit", "saved.json"])
        assert main(["play", *arguments.split()]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert message in captured.err
        assert captured.err.count("\n") == 1

    def test_a_game_that_is_over_is_not_gone_on_with(
        self, play: Play, capsys: pytest.CaptureFixture[str]
    ) -> None:
        play(f"{SYZYGY} --seed 1 --record game.json", FIRST)
        assert main(["play", "--resume", "game.json"]) == 2
        assert "this game is over; see unspoken replay game.json" in capsys.readouterr().err
