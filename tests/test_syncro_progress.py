"""Saved adventures of Syncro."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.face_games import draw_legal
from tests.syncro_files import easy_cards
from tests.test_syncro_smoke import check_cards
from unspoken.envs import syncro_v0
from unspoken.envs.syncro import rules
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.flow import LEVEL_WON, begin
from unspoken.envs.syncro.limits import LEVELS
from unspoken.envs.syncro.progress import (
    Progress,
    ProgressError,
    _check,
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
    assert progress_of(config, game_at(config, level=2, levels_won=2)).level == "I-c"


def test_between_levels_the_next_one_is_saved() -> None:
    config = SyncroConfig("adventure", 4)
    assert progress_of(config, game_at(config, level=3, levels_won=4, decision=DECIDE_KEEP)).level == "II-a"


def test_the_end_unlocks_the_three_cards_for_a_second_adventure() -> None:
    config = SyncroConfig("adventure", 4)
    progress = progress_of(config, game_at(config, level=8, levels_won=9, won=True, finished=True))
    assert (progress.level, progress.unlocked) == ("I-a", True)
    assert progress.config().unlocked


def test_loading_goes_on_with_a_new_deal_and_a_reward_each(tmp_path: Path) -> None:
    config = SyncroConfig("adventure", 3)
    path = tmp_path / "adventure.json"
    save_progress(path, progress_of(config, game_at(config, level=5, levels_won=5)))
    again = load_progress(path).config(reward="shaped")
    assert again == SyncroConfig("adventure", 3, "shaped", first_level="II-b")
    assert again.levels == LEVELS[5:]
    state = game_at(again)
    assert LEVELS[state.level] == "II-b"
    assert (state.reward[:3] != 0).all()
    assert state.hand_size[:3].tolist() == [6, 6, 6]


def test_chapter_one_has_no_rewards() -> None:
    assert not game_at(SyncroConfig("adventure", 3)).reward.any()


@pytest.mark.parametrize("players", [2, 5])
def test_an_adventure_that_is_saved_and_loaded_after_every_level_comes_to_its_end_and_a_second_one(
    players: int, tmp_path: Path
) -> None:
    """Random play, with cards that let it win."""
    cards, file = easy_cards(tmp_path / "cards"), tmp_path / "adventure.json"
    config = SyncroConfig("adventure", players, cards=cards)
    save_progress(file, progress_of(config, game_at(config)))
    random = np.random.default_rng(0)
    for index, level in enumerate((*LEVELS, LEVELS[0], LEVELS[1])):
        progress = load_progress(file)
        second = index >= len(LEVELS)
        assert (progress.level, progress.unlocked, progress.n_players) == (level, second, players)
        config = progress.config(cards=cards)
        params, state = config.params[0], new_states(1, index)[0]
        mask = np.zeros(config.mask_width, np.int8)
        rules.reset(params, state)
        assert LEVELS[state.level] == level
        assert (state.hand_size[:players] == config.hand_limit).all()
        assert (state.reward[:players] != 0).all() == (level.startswith("II-"))
        check_cards(params, state)
        assert params.fog_copies.sum() == len(config.card_set.fog_deck(second))
        assert params.reward_copies.sum() == len(config.card_set.reward_deck(second))
        while not (state.decision == DECIDE_KEEP or state.finished):
            # In the middle of a level it is this one that is begun anew.
            assert progress_of(config, state) == progress
            rules.legal(params, state, mask)
            rules.step(params, state, draw_legal(random, mask[: config.n_actions]))
        assert state.levels_won == 1
        save_progress(file, progress_of(config, state))


def test_the_record_of_a_game_comes_from_any_face_that_saves_its_state(tmp_path: Path) -> None:
    env = syncro_v0.env("adventure", 3, first_level="II-a")
    env.reset(seed=0)
    progress = progress_of(env.config, env.get_state()["states"][0])
    assert (progress.level, progress.n_players) == ("II-a", 3)


def test_a_level_lost_too_often_is_the_one_that_is_saved() -> None:
    config = SyncroConfig("adventure", 2)
    assert (
        progress_of(config, game_at(config, level=4, levels_won=4, tries=10, finished=True)).level == "II-a"
    )


def test_a_level_that_was_won_stays_won_if_the_game_ends_before_the_next_one() -> None:
    config = SyncroConfig("adventure", 3, first_level="I-b")
    state = game_at(config)
    begin(state, LEVEL_WON)
    rules.run(config.params[0], state)
    assert state.decision == DECIDE_KEEP
    assert progress_of(config, state).level == "I-c"
    rules.forfeit(config.params[0], state)
    assert progress_of(config, state).level == "I-c"


def test_a_file_that_cannot_be_written_leaves_the_old_one_as_it_was(tmp_path: Path) -> None:
    path, data = saved(tmp_path)
    (tmp_path / "adventure.json.tmp").mkdir()
    with pytest.raises(OSError, match="adventure"):
        save_progress(path, Progress("I-a", False, 2, "x"))
    assert json.loads(path.read_text()) == data
    assert load_progress(path).level == "II-c"


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
        ({"version": None}, "version None; this release reads version 1"),
        ({"format": "chess"}, "must be a saved adventure"),
        ({"n_players": 4}, "damaged"),
        ({"extra": 1}, "damaged"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path, data = saved(tmp_path)
    path.write_text(json.dumps({**data, **change}))
    with pytest.raises(ProgressError, match=message):
        load_progress(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"level": "III-a"}, "level='III-a': must be one of I-a, I-b"),
        ({"level": ["I-a"]}, "level=\\['I-a'\\]: must be one of"),
        ({"unlocked": 1}, "unlocked=1: must be true or false"),
        ({"n_players": 6}, "n_players=6: must be from 2 to 5"),
        ({"n_players": True}, "n_players=True: must be from 2 to 5"),
        ({"n_players": [2]}, "n_players=\\[2\\]: must be from 2 to 5"),
        ({"cards": 7}, "cards=7: must be a fingerprint"),
    ],
)
def test_a_file_written_by_hand_is_checked_value_by_value(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path, data = saved(tmp_path)
    data.pop("check")
    data |= change
    path.write_text(json.dumps({**data, "check": _check(data)}))
    with pytest.raises(ProgressError, match=r"adventure\.json: " + message):
        load_progress(path)


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    path, _ = saved(tmp_path)
    text = path.read_text()
    for length in range(0, len(text) - 2, 7):
        path.write_text(text[:length])
        with pytest.raises(ProgressError, match=r"adventure\.json: damaged"):
            load_progress(path)


@pytest.mark.parametrize("text", ["", "{", "[]", '"II-a"', "[" * 100_000])
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
    with pytest.raises(
        ProgressError, match=r"cards=None: .* other cards, .* of fingerprint 0123456789abcdef"
    ):
        Progress("I-a", False, 3, "0123456789abcdef").config()
