"""People at the terminal: whole games, how a move is typed, what they are told and not told."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.play_terminal import (
    FIRST,
    SYNCRO,
    SYZYGY,
    Play,
    at_a_terminal,
    people,
    sections,
    through_a_pipe,
)
from unspoken.agents.moves import meant, spans
from unspoken.envs import make_game
from unspoken.train.play_table import PlayTable
from unspoken.train.replay_file import load_replay


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Play:
    monkeypatch.chdir(tmp_path)
    return through_a_pipe(monkeypatch, capsys)


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    monkeypatch.chdir(tmp_path)
    return at_a_terminal(monkeypatch)


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


def action(table: PlayTable, name: str) -> int:
    names = [table.game.action_name(number) for number in range(table.one.n_actions)]
    return names.index(name)


def shown(table: PlayTable, seat: int) -> tuple[str, list[str]]:
    """The picture that a seat is shown now, and its log."""
    sight = table.sight(seat)
    return table.game.renderer.draw_text(table.game, sight.shown), list(table.logs[seat])


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
