"""Saved adventures of Syncro."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unspoken.envs.syncro import rules
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.limits import LEVELS
from unspoken.envs.syncro.progress import (
    Progress,
    ProgressError,
    fingerprint,
    load_progress,
    progress_of,
    save_progress,
)
from unspoken.envs.syncro.state import DECIDE_KEEP, new_states


def game_at(config: SyncroConfig, **fields: Any) -> Any:
    state: Any = new_states(1, 0)[0]
    rules.reset(config.params[0], state)
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def test_a_level_that_is_not_won_is_begun_anew() -> None:
    config = SyncroConfig("adventure", 4)
    assert progress_of(config, game_at(config, level=2)).level == "I-c"


def test_between_levels_the_next_one_is_saved() -> None:
    config = SyncroConfig("adventure", 4)
    assert progress_of(config, game_at(config, level=3, decision=DECIDE_KEEP)).level == "II-a"


def test_the_end_unlocks_the_three_cards_for_a_second_adventure() -> None:
    config = SyncroConfig("adventure", 4)
    progress = progress_of(config, game_at(config, level=8, won=True, finished=True))
    assert (progress.level, progress.unlocked) == ("I-a", True)
    assert progress.config().unlocked


def test_loading_goes_on_with_a_new_deal_and_a_reward_each(tmp_path: Path) -> None:
    config = SyncroConfig("adventure", 3)
    path = tmp_path / "adventure.json"
    save_progress(path, progress_of(config, game_at(config, level=5)))
    again = load_progress(path).config(reward="shaped")
    assert again == SyncroConfig("adventure", 3, "shaped", first_level="II-b")
    assert again.levels == LEVELS[5:]
    state = game_at(again)
    assert LEVELS[state.level] == "II-b"
    assert (state.reward[:3] != 0).all()
    assert state.hand_size[:3].tolist() == [6, 6, 6]


def test_chapter_one_has_no_rewards() -> None:
    assert not game_at(SyncroConfig("adventure", 3)).reward.any()


def saved(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    path = tmp_path / "adventure.json"
    save_progress(path, Progress("II-c", False, 5, fingerprint(SyncroConfig().card_set)))
    return path, json.loads(path.read_text())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"level": "II-e"}, "damaged"),
        ({"check": "0"}, "damaged"),
        ({"version": 2}, "version 2; this release reads version 1"),
        ({"format": "chess"}, "must be a saved adventure"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path, data = saved(tmp_path)
    path.write_text(json.dumps({**data, **change}))
    with pytest.raises(ProgressError, match=message):
        load_progress(path)


@pytest.mark.parametrize("text", ["", "{", "[]", '"II-a"'])
def test_what_is_no_saved_adventure_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "adventure.json"
    path.write_text(text)
    with pytest.raises(ProgressError, match=r"adventure\.json: "):
        load_progress(path)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "adventure.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ProgressError, match=r"adventure\.json: "):
        load_progress(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProgressError, match="No such file"):
        load_progress(tmp_path / "none.json")


def test_other_cards_are_refused() -> None:
    with pytest.raises(ProgressError, match="other cards"):
        Progress("I-a", False, 3, "0123456789abcdef").config()
