"""The demonstration: every part of it, with a team that has hardly trained."""

from pathlib import Path

import pytest

from unspoken.train.cli import main
from unspoken.train.curve import draw_curve


def test_the_demo_trains_draws_compares_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    settings = ["total_steps=32768", "evaluate_every=16384", "evaluate_games=100", "hidden=[16]", "threads=1"]
    assert main(["demo", *settings, "--games", "100", "--folder", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "32,768 decisions" in said
    for team in ("random", "convention", "trained"):
        assert f"\n{team} " in said
    assert said.count("player_0: ") == said.count("player_1: ") == said.count("player_2: ") == 4
    assert "The row is" in said
    assert (folder / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_curve_is_drawn_from_its_first_point_on() -> None:
    picture = draw_curve([(50.0, 0.0), (75.0, 1.0), (100.0, 1.0)], width=8, height=3)
    assert picture.splitlines() == [
        " 100% │     •••",
        "      │",
        "   0% │    •",
        "      └────────",
        "       0" + "100 decisions".rjust(7),
    ]


def test_a_curve_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match="no points"):
        draw_curve([])
