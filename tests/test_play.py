"""People at the terminal: whole games, what they are told and not told, saving and going on."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from unspoken.agents.human import HumanAgent
from unspoken.agents.moves import meant, spans
from unspoken.agents.random_agent import RandomAgent
from unspoken.envs import make_game
from unspoken.train.cli import main
from unspoken.train.play_table import PlayTable
from unspoken.train.replay_file import load_replay, play_through
from unspoken.train.seating import PERSON

Play = Callable[..., str]
FIRST = ["#1"] * 300
"""More than any game here takes of the first move of the list."""

SYZYGY = "syzygy-base5-3p"
SYNCRO = "syncro-Ia-3p"


class Keyboard(io.StringIO):
    """Typed lines, at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Play:
    """``unspoken play`` with these arguments and typed lines, in an empty folder; what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(arguments: str, lines: list[str], code: int = 0) -> str:
        typed = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), "utf-8"))
        assert main(["play", *arguments.split()]) == code
        return capsys.readouterr().out

    return run


@pytest.fixture
def at_terminal(play: Play, monkeypatch: pytest.MonkeyPatch) -> Play:
    """The same at a terminal."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(arguments: str, lines: list[str], code: int = 0) -> str:
        screen = Keyboard()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", screen)
            patch.setattr(sys, "stdin", Keyboard("".join(f"{line}\n" for line in lines)))
            assert main(["play", *arguments.split()]) == code
        return screen.getvalue()

    return run


def sections(printed: str, seat: int) -> str:
    """What was printed while ``seat`` sat at the keyboard, the end of the game left out."""
    parts = re.split(
        r"^--- player_(\d) ---\n", printed.partition("all cards turned up")[0], flags=re.MULTILINE
    )
    return "".join(text for who, text in zip(parts[1::2], parts[2::2], strict=True) if int(who) == seat)


class TestWholeGames:
    @pytest.mark.parametrize(
        "task", [SYZYGY, "syzygy-trial-2p", SYNCRO, "syncro-IIe-2p", "syncro-chapter1-4p"]
    )
    def test_with_bots(self, play: Play, task: str) -> None:
        printed = play(f"{task} --seed 1", FIRST * 4)
        assert printed.startswith(f"{task}, seed 1\n  player_0: you\n  player_1: {task[:6]}/convention\n")
        assert re.search(r"You have all lost|have all won", printed)
        assert "all cards turned up" in printed

    @pytest.mark.parametrize("task", ["syzygy-base4-2p", "syncro-Ia-2p", "syncro-IIb-5p"])
    def test_of_people_alone(self, play: Play, task: str) -> None:
        printed = play(f"{task} --seed 5 --seat all", FIRST)
        assert "player_1: a person here" in printed
        assert re.search(r"You have all lost|have all won", printed)
        for seat in range(int(task[-2])):
            views = re.findall(r"as (player_\d) sees it", sections(printed, seat))
            assert set(views) == {f"player_{seat}"}

    def test_a_game_is_won_and_the_row_is_read_out(self, play: Play) -> None:
        printed = play("syzygy-base4-2p --seed 7 --seat all", winning_moves())
        assert "The row is in order: you have all won. It reads " in printed

    def test_the_seed_is_drawn_and_shown(self, play: Play) -> None:
        assert re.match(rf"{SYZYGY}, seed \d+\n", play(SYZYGY, FIRST))

    def test_partners_and_seats_are_chosen(self, play: Play) -> None:
        printed = play(f"{SYZYGY} --seed 1 --seat 1 --partners random,syzygy/greedy", FIRST)
        assert "  player_0: random\n  player_1: you\n  player_2: syzygy/greedy\n" in printed

    def test_torch_is_not_loaded_for_bots(self, tmp_path: Path) -> None:
        script = (
            "import sys; from unspoken.train.cli import main; "
            "main('play syzygy-base4-2p --seed 1'.split()); print('torch' in sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            input="#1\n",
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=True,
        )
        assert done.stdout.splitlines()[-1] == "False"


def winning_moves() -> list[str]:
    """Found by trying: moves of two people that sort four planets."""
    game = make_game("syzygy-base4-2p")
    random = np.random.default_rng(0)
    while True:
        table = people("syzygy-base4-2p", 7)
        while not table.one.finished:
            table.play(int(random.choice(np.flatnonzero(table.one.mask(table.one.seat)))))
        if table.one.score:
            return [game.action_name(int(action)) for action in table.actions]


class Silence:
    """A dialogue in which nobody says anything."""

    colour = False

    def __init__(self) -> None:
        self.shown: list[str] = []

    def show(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, prompt: str) -> str:
        raise EOFError


def people(task: str, seed: int) -> PlayTable:
    game = make_game(task)
    n_players = game.config.n_players
    return PlayTable(game, [HumanAgent(Silence())] * n_players, [PERSON] * n_players, seed)


class TestMoves:
    NAMES = {0: "ATTACK 8 with 2", 1: "ATTACK 2 with 8", 2: "PASS", 3: "PLAY REWARD", 4: "ATTACK 12 with 1"}

    @pytest.mark.parametrize(
        ("typed", "actions"),
        [
            ("ATTACK 8 with 2", [0]),
            ("attack 8, WITH 2", [0]),
            ("a 8 2", [0]),
            ("8 2", [0]),
            ("8", [0, 1]),
            ("2 8", [1]),
            ("12", [4]),
            ("1", [4]),
            ("with 1", [4]),
            ("pass", [2]),
            ("p", [2, 3]),
            ("pl", [3]),
            ("reward", [3]),
            ("rew pl", []),
            ("08 2", []),
            ("pass 3", []),
            ("", []),
            ("?", []),
            ("-8 2", []),
            ("8 2!", []),
            ("8:2.", [0]),
        ],
    )
    def test_a_name_is_meant_by_as_much_as_tells_it_apart(self, typed: str, actions: list[int]) -> None:
        assert meant(typed, self.NAMES) == actions

    def test_numbers_in_short(self) -> None:
        assert spans([0, 1, 2, 4, 6, 7]) == "0-2, 4, 6-7"

    @pytest.mark.parametrize("typed", ["CONFIRM 3", "confirm 3", "c 3", "3", "#4", " 3 ", "# 4"])
    def test_each_way_to_type_a_move(self, play: Play, typed: str) -> None:
        printed = play(f"{SYZYGY} --seed 1", [typed, "quit", "no"])
        assert "The card at 3 is planet " in printed


class TestAnswers:
    @pytest.mark.parametrize(
        ("typed", "answer"),
        [
            ("undo", "There is no undo"),
            (
                "dance",
                "'dance' is not understood. Type a move, or one of help, moves, look, log, save, quit.",
            ),
            ("99", "'99' is not understood."),
            ("-1", "'-1' is not understood."),
            ("#0", "'#0': the list has the moves #1 to #6."),
            ("#77777777777777777777777", "the list has the moves #1 to #6."),
            ("#x", "'#x': the list has the moves #1 to #6."),
            ("confirm", "'confirm' can mean CONFIRM 0, CONFIRM 1, CONFIRM 2, CONFIRM 3, CONFIRM 4."),
            ("move 2", "MOVE 2 is not allowed: first CONFIRM a card; it is moved after you have seen it."),
            ("\x1b[A\x00", "is not understood."),
            ("é" * 5000, f"{'é' * 80!r} is not understood."),
            ("\udcff\udcfe0", "'\ufffd\ufffd0' is not understood."),
            ("help", "The row of planets must read"),
            ("HELP", "#3 is the third move of the list"),
            ("he", "The row of planets must read"),
            ("log", "Nothing has happened yet."),
        ],
    )
    def test_what_is_no_move_is_answered_and_changes_nothing(
        self, play: Play, typed: str, answer: str
    ) -> None:
        printed = play(f"{SYZYGY} --seed 1", [typed, "quit", "saved.json"])
        assert answer in printed
        assert load_replay("saved.json").decisions == ()

    def test_an_empty_line_asks_again(self, play: Play) -> None:
        printed = play(f"{SYZYGY} --seed 1", ["", "  ", "quit", "no"])
        assert printed.count("player_0> ") == 3

    @pytest.mark.parametrize(
        ("moves", "answer"),
        [
            (["c 1", "move 0"], "MOVE 0 is not allowed: a card never goes to an end of the row."),
            (["c 1", "move 1"], "MOVE 1 is not allowed: the card may not stay where it is."),
            (["c 1", "pass"], "PASS is not allowed: you have looked at a card, so it must be moved now."),
            (["c 1", "2", "c 2"], "CONFIRM 2 is not allowed: that card carries your own chip."),
        ],
    )
    def test_syzygy_says_why_a_move_is_not_allowed(self, play: Play, moves: list[str], answer: str) -> None:
        task = "syzygy-base5-2p"
        arguments = f"{task} --seed 1 --seat all"
        if len(moves) == 3:
            moves = [*moves[:2], "pass", moves[2]]
        assert answer in play(arguments, [*moves, "quit", "no"])

    def test_nobody_may_look_at_the_blackhole(self, play: Play) -> None:
        printed = play("syzygy-trial-2p --seed 1", ["c 3", "quit", "no"])
        assert "CONFIRM 3 is not allowed: nobody may look at the Blackhole." in printed

    @pytest.mark.parametrize(
        ("typed", "answer"),
        [
            ("keep", "KEEP is not allowed: now you attack or pass."),
            ("good", "ESTIMATE good is not allowed: now you attack or pass."),
            ("attack 0 with 0", "ATTACK 0 with 0 is not allowed: another card lies over slot 0."),
            ("play reward", "PLAY REWARD is not allowed: you have no Reward."),
        ],
    )
    def test_syncro_says_why_a_move_is_not_allowed(self, play: Play, typed: str, answer: str) -> None:
        printed = play(f"{SYNCRO} --seed 3 --seat all", ["g", "a", "b", typed, "quit", "no"])
        assert answer in printed

    def test_emotions_are_moves_of_their_own(self, play: Play) -> None:
        arguments = "syzygy --seed 1 --seat all --set n_players=2 n_planets=5 emotions=2"
        printed = play(arguments, ["0", "2", "2 1", "log", "quit", "no"])
        assert "'2' can mean MOVE 2 emotion 0, MOVE 2 emotion 1." in printed
        assert "player_0 moves it from 0 to 2, with emotion 1." in printed


class TestSecrets:
    def test_who_has_not_looked_is_shown_the_same_whatever_the_cards_are(self, play: Play) -> None:
        moves = ["pass", "0", "2", "log", "pass", "0", "3", "log", "look", "moves"]
        printed = [
            play(f"syzygy-base5-2p --seed {seed} --seat all --save left.json", [*moves, "quit", "no"])
            for seed in (1, 2, 3)
        ]
        assert len({sections(text, 0) for text in printed}) == 1
        assert len({sections(text, 1) for text in printed}) > 1
        ended = [
            play(f"syzygy-base5-2p --seed {seed} --seat all", ["pass"] * 8).partition("It reads ")[2]
            for seed in (1, 2, 3)
        ]
        assert len(set(ended)) > 1

    def test_hands_of_others_are_not_told_before_they_are_turned_up(self) -> None:
        """Two games of Syncro that differ in who of the others holds which spell."""
        one, other = people(SYNCRO, 3), people(SYNCRO, 3)
        hands = other.one._states["hand"][0]
        leader = one.one.seat
        seats = [(leader + places) % 3 for places in range(3)]
        watcher = seats[0]
        hands[[seats[1], seats[2]]] = hands[[seats[2], seats[1]]]
        slots = [
            number for number, slot in enumerate(one.sight(watcher).scene["slots"]) if slot["accessible"]
        ]
        names = ["ESTIMATE good", "ESTIMATE bad", "ESTIMATE average", f"ATTACK {slots[0]} with 0"]
        names += [f"ATTACK {slots[1]} with 0", f"ATTACK {slots[1]} with 1", "PASS"]
        for count, name in enumerate(names):
            for table in (one, other):
                table.play(action(table, name))
            same = shown(one, watcher) == shown(other, watcher)
            assert same == (count < len(names) - 1), name

    def test_thumbs_are_told_when_all_have_chosen(self) -> None:
        table = people(SYNCRO, 3)
        first, second, third = ((table.one.seat + places) % 3 for places in range(3))
        for name in ("ESTIMATE good", "ESTIMATE bad"):
            table.play(action(table, name))
            assert shown(table, third)[1] == []
            assert shown(table, second)[1] == []
        table.play(action(table, "ESTIMATE average"))
        said = {first: "good", second: "bad", third: "average"}
        for viewer in range(3):
            names = [f"{'you' if seat == viewer else f'player_{seat}'} {said[seat]}" for seat in range(3)]
            assert table.logs[viewer] == [f"Thumbs: {', '.join(names)}."]

    def test_the_screen_is_cleared_between_people(self, at_terminal: Play) -> None:
        clear = "\033[H\033[2J\033[3J"
        printed = at_terminal("syzygy-base4-2p --seed 1 --seat all", ["", "0", "2", "", "1", "quit", "no"])
        before, first, ready, second, left = printed.split(clear)
        assert "as player" not in before + ready + left
        assert first.endswith("player_0> ")
        assert "as player_1" not in first
        assert "as player_0" not in second
        assert ready == "Hand the keyboard to player_1, press Enter. "
        assert left == "The game is given up.\n\n"

    def test_one_person_keeps_the_screen(self, at_terminal: Play) -> None:
        printed = at_terminal(f"{SYZYGY} --seed 1", ["0", "2", "quit", "no"])
        assert "\033" not in printed
        assert "Hand the keyboard" not in printed


def action(table: PlayTable, name: str) -> int:
    names = [table.game.action_name(number) for number in range(table.one.n_actions)]
    return names.index(name)


def shown(table: PlayTable, seat: int) -> tuple[str, list[str]]:
    """The picture that a seat is shown now, and its log."""
    sight = table.sight(seat)
    return table.game.renderer.draw_text(table.game, sight.shown), list(table.logs[seat])


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
