"""The golden playthroughs, played again and compared line by line.

After a deliberate change of rules or observations: `python -m tests.playthroughs.regenerate`, then read the
difference.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.playthroughs import syncro
from tests.playthroughs.regenerate import FOLDER, GAMES, SETTINGS, playthrough
from unspoken.envs.syncro.config import SCENARIOS, SyncroConfig
from unspoken.envs.syncro.limits import LEVELS
from unspoken.envs.syncro.progress import fingerprint
from unspoken.envs.syzygy import SyzygyConfig
from unspoken.envs.syzygy.config import VARIANTS

FILES = sorted(FOLDER.glob("syzygy-*.txt"))
SYNCRO_FILES = sorted(FOLDER.glob("syncro-*.txt"))


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


def assert_same_lines(path: Path, recorded: list[str], played: list[str]) -> None:
    for number, (then, now) in enumerate(zip(recorded, played, strict=False), start=1):
        assert now == then, f"{path.name}, line {number}"
    assert len(played) == len(recorded)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_recorded_game_is_played_the_same_today(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8").splitlines()
    actions = iter(recorded_actions(recorded))
    played = playthrough(
        recorded_config(recorded), int(settings(recorded)["seed"]), lambda legal: next(actions)
    )
    assert_same_lines(path, recorded, played)
    assert next(actions, None) is None


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_playthrough(variant: str) -> None:
    recorded = [recorded_config(path.read_text(encoding="utf-8").splitlines()).variant for path in FILES]
    assert variant in recorded


def test_the_files_are_those_that_the_command_writes() -> None:
    written = {path.stem for path in FOLDER.glob("*.txt")}
    assert written == {*GAMES, *syncro.GAMES}


def test_one_of_the_recorded_games_is_won() -> None:
    results = [path.read_text(encoding="utf-8").splitlines()[-3:] for path in FILES]
    assert any(lines[-1].split() == ["result", "won"] for lines in results)


@pytest.mark.parametrize("path", SYNCRO_FILES, ids=lambda path: path.stem)
def test_the_recorded_game_of_syncro_is_played_the_same_today(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8").splitlines()
    head = settings(recorded[: recorded.index("")])
    config = SyncroConfig(head["scenario"], int(head["n_players"]), unlocked=head["unlocked"] == "True")
    if head["cards"] != fingerprint(config.card_set):
        pytest.fail(f"{path.name} is of other cards; after a change of the cards: {syncro.COMMAND}")
    decisions = [line for line in recorded if re.match(r"\d+\. player_", line)]
    actions = iter([int(line.split()[2]) for line in decisions])
    played = syncro.playthrough(config, int(head["seed"]), head["team"], actions.__next__)
    assert_same_lines(path, recorded, played)
    assert next(actions, None) is None


def test_every_level_a_chapter_and_an_adventure_of_syncro_have_a_playthrough() -> None:
    recorded = {config.scenario for config in syncro.GAMES.values()}
    assert recorded == {*LEVELS, "chapter-1", "adventure"} < set(SCENARIOS)
    assert {config.n_players for config in syncro.GAMES.values()} == {2, 3, 4, 5}
