"""Books of first turns: what is written is what is played, and it wins what was counted."""

from pathlib import Path
from threading import Event

import numpy as np
import pytest

from unspoken.agents.syzygy.belief import new_tree
from unspoken.agents.syzygy.belief_book import BOOKS, Plan, format_book, load_book, parse_book
from unspoken.agents.syzygy.belief_rows import all_rows
from unspoken.agents.syzygy.belief_tree import Node, PlanTree
from unspoken.envs.tasks import task_config
from unspoken.train.write_book import Settings, StoppedError, choose, main, write_book


def test_a_plan_says_the_actions_that_it_was_made_of() -> None:
    rows = all_rows(5)
    known = 0b00101
    seen = (rows & 15) * 5 + ((rows >> 8) & 15)
    card = (rows >> 4) & 15
    action = np.where(seen % 3 == 0, 25, 5 + 2 + (seen + card) % 2)
    assert (Plan.of(rows, action, known, 5).actions(rows, known, 5) == action).all()


def test_a_book_is_read_as_it_was_written() -> None:
    book = {
        (): Plan({0: 0}, {0: 2, 1: 3, 2: 3, 3: 2, 4: 1}),
        (2,): Plan({0: 5}, {}),
        (2, 25): Plan({0: 4, 4: 1}, {1: 1, 2: 3, 20: 2}),
        (2, 25, 23): Plan({0: 5}, {}),
    }
    text = format_book("syzygy-base5-2p", book, 2, 5)
    assert parse_book(text, 5) == book
    assert '"13 pass": {"1": "5 .24..", "5": "2 3...."}' in text


def test_the_team_wins_with_a_book_what_was_counted_when_it_was_chosen() -> None:
    plain = PlanTree(7, 2, True, 20)
    for node in plain.draw_nodes(3, 4, np.random.default_rng(5)):
        assert node.rows is not None
        wins, book = choose(plain, Node(node.record, node.sets, node.rows), Settings(turns=5), Event())
        assert {len(record) for record in book} == {3, 4}
        with_book = PlanTree(7, 2, True, 20, book=parse_book(format_book("", book, 2, 7), 7))
        assert with_book.count_wins(Node(node.record, node.sets, node.rows)) == wins
        assert wins >= plain.count_wins(node)


def test_a_book_of_a_game_that_is_always_won_wins_it(tmp_path: Path) -> None:
    assert write_book("syzygy-base4-2p", tmp_path / "new" / "book.json", Settings(turns=2)) == 1.0
    book = parse_book((tmp_path / "new" / "book.json").read_text(), 4)
    assert () in book
    assert PlanTree(4, 2, False, 200, book=book).count_wins() == 24


def test_small_situations_are_chosen_side_by_side_with_the_same_result(tmp_path: Path) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for threads, file in enumerate(files, start=1):
        write_book("syzygy-base6-2p", file, Settings(turns=4, search_rows=30, threads=threads))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_plan_that_leaves_something_out_is_refused() -> None:
    rows = all_rows(4)
    book = {(): Plan({0: 1}, {0: 2, 1: 3, 2: 3})}
    with pytest.raises(ValueError, match=r"book, after the moves \(\): the plan does not say"):
        PlanTree(4, 2, False, 0, book=book).count_wins()
    with pytest.raises(ValueError, match="does not say"):
        Plan({1: 4}, {}).actions(rows, 0b0001, 4)


def test_choosing_stops_when_it_is_told_to_and_the_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop = Event()
    tree = PlanTree(6, 2, False, 0)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    stop.set()
    with pytest.raises(StoppedError):
        choose(tree, tree.root(), Settings(), stop)
    monkeypatch.setattr("unspoken.train.write_book.choose", interrupt)
    assert main(["syzygy-base6-2p", str(tmp_path / "book.json"), "search_rows=30"]) == 130
    assert "interrupted" in capsys.readouterr().err
    assert () in parse_book((tmp_path / "book.json").read_text(), 6)


def test_a_book_that_is_there_is_not_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.json"
    book.write_text("precious")
    assert main(["syzygy-base4-2p", str(book)]) == 2
    assert "exists already, must be a new file" in capsys.readouterr().err
    assert book.read_text() == "precious"


@pytest.mark.parametrize("key", BOOKS)
def test_a_shipped_book_has_a_plan_for_whatever_its_plans_lead_to(key: tuple[int, int, bool]) -> None:
    config = task_config(f"syzygy-{BOOKS[key]}")
    assert key == (config.n_positions, config.n_turns, config.has_blackhole)
    book = load_book(*key)
    tree = new_tree(config.n_positions, config.n_players, config.has_blackhole)
    nodes, met, deals = [tree.root()], set(), 0
    for node in nodes:
        assert node.rows is not None
        count = len(node.rows)
        # Where all deals are won without more thought, the book may end early.
        if node.record in book and node.turn < max(map(len, book)):
            tree.plan(node)
            nodes += [Node((*node.record, move), *branch) for move, branch in node.branches.items()]
        else:
            assert node.record in book or tree.count_wins(node) == count
            deals += count
        met.add(node.record)
    assert deals == tree.count_deals()
    assert set(book) <= met


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["syncro-Ia-3p", "OUT"], "must be one of Syzygy"),
        (["syzygy-base10-3p", "OUT"], "must have at most 9"),
        (["syzygy-trial-2p", "OUT", "turns=8"], "turns=8: must be from 1 to 7"),
        (["syzygy-trial-2p", "OUT", "threads=0"], "threads=0: must be positive"),
        (["syzygy-trial-2p", "OUT", "hours=1"], "unknown setting"),
        (["syzygy-trial-2p", "."], "is a folder"),
        (["syzygy-trial-2p"], "given syzygy-trial-2p: must be TASK and OUT"),
        (["syzygy-trial-2p", "OUT", "--turns", "3"], "must be TASK and OUT"),
    ],
)
def test_bad_arguments_are_named(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "book.json"
    words = [str(out) if word == "OUT" else str(tmp_path) if word == "." else word for word in arguments]
    assert main(words) != 0
    assert message in capsys.readouterr().err
    assert not out.exists()
