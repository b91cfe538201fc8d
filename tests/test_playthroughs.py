"""The golden playthroughs, played again and compared line by line.

After a deliberate change of rules or observations: `python -m tests.playthroughs.regenerate`, then read the
difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playthroughs.regenerate import FOLDER, GAMES, SETTINGS, playthrough
from unspoken.envs.syzygy import SyzygyConfig
from unspoken.envs.syzygy.config import VARIANTS

FILES = sorted(FOLDER.glob("*.txt"))


def settings(lines: list[str]) -> dict[str, str]:
    return dict(line.split(" = ") for line in lines if " = " in line and not line.startswith("plays"))


def recorded_config(lines: list[str]) -> SyzygyConfig:
    """The configuration, from the head of the file."""
    values = settings(lines)
    numbers = {name: int(values[name]) for name in ("n_players", "n_planets", "emotions")}
    words = {name: values[name] for name in SETTINGS if name not in numbers}
    return SyzygyConfig(**numbers, **words)  # type: ignore[arg-type]


def recorded_actions(lines: list[str]) -> list[int]:
    return [int(line.split()[1]) for line in lines if line.startswith("plays")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_recorded_game_is_played_the_same_today(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8").splitlines()
    actions = iter(recorded_actions(recorded))
    played = playthrough(
        recorded_config(recorded), int(settings(recorded)["seed"]), lambda legal: next(actions)
    )
    for number, (then, now) in enumerate(zip(recorded, played, strict=False), start=1):
        assert now == then, f"{path.name}, line {number}"
    assert len(played) == len(recorded)
    assert next(actions, None) is None


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_playthrough(variant: str) -> None:
    recorded = [recorded_config(path.read_text(encoding="utf-8").splitlines()).variant for path in FILES]
    assert variant in recorded


def test_the_files_are_those_that_the_command_writes() -> None:
    assert {path.stem for path in FILES} == set(GAMES)


def test_one_of_the_recorded_games_is_won() -> None:
    results = [path.read_text(encoding="utf-8").splitlines()[-3:] for path in FILES]
    assert any(lines[-1].split() == ["result", "won"] for lines in results)
