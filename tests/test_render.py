"""Pictures of a game: what they show, and that they need no display."""

import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import render_test

from tests.face_games import CONFIGURATIONS, configuration_name, draw_legal
from unspoken.envs import make_single, syzygy_v0
from unspoken.envs.faces import display
from unspoken.envs.faces.aec import GameAECEnv

all_configurations = pytest.mark.parametrize("options", CONFIGURATIONS, ids=configuration_name)


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(display, "RENDER_FPS", 1000)


def example(render_mode: str, **options: Any) -> GameAECEnv:
    """A trial game: seat 0 has moved a card past the Blackhole, seat 1 has passed, seat 2 looks at a card."""
    env = syzygy_v0.env(n_players=3, variant="trial", render_mode=render_mode, **options)
    env.reset(seed=1)
    for action in (0, 7 + 4, 14, 1):
        env.step(action)
    return env


def test_text_shows_all_cards_and_says_so() -> None:
    env = example("ansi")
    values = env.feature_layout.decode(env.state())["value"]
    cells = [str(value) for value in values]
    cells[1] = f"[{values[1]}]"
    cells[2] = f"@{values[2]}"
    assert env.render() == (
        "Syzygy trial, 3 players: all cards turned up\n"
        "Turn 3 of 12. player_2 looks at card 1 and chooses where it goes.\n"
        "Last: player_2 CONFIRM 1\n"
        "\n"
        "  position    0    1    2    3    4    5    6\n"
        f"  planet   {' '.join(f'{cell:>4}' for cell in cells)}\n"
        "  player_0    .    .    .    .    1    .    .\n"
        "  player_1    .    .    .    .    .    .    .   passed 1\n"
        "> player_2    .    .    .    .    .    .    .\n"
    )


def test_text_of_a_seat_shows_what_that_seat_knows() -> None:
    env = example("ansi")
    values = env.feature_layout.decode(env.state())["value"]
    rows = {}
    for agent in env.possible_agents:
        env.render_view = agent
        text = env.render()
        assert isinstance(text, str)
        lines = text.splitlines()
        assert lines[0] == f"Syzygy trial, 3 players: as {agent} sees it"
        rows[agent] = lines[5].split()[1:]
    assert rows["player_0"] == ["?", "[?]", "@", "?", str(values[4]), "?", "?"]
    assert rows["player_1"] == ["?", "[?]", "@", "?", "?", "?", "?"]
    assert rows["player_2"] == ["?", f"[{values[1]}]", "@", "?", "?", "?", "?"]


def test_text_says_how_the_game_ended() -> None:
    env = syzygy_v0.env(n_players=2, n_planets=4, render_mode="ansi")
    random = np.random.default_rng(0)
    endings = set()
    for seed in range(60):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))
        text = env.render()
        assert isinstance(text, str)
        status = text.splitlines()[1]
        assert status == "Turn 8 of 8 is over. " + ("Won." if env.infos["player_0"]["score"] else "Lost.")
        endings.add(status)
    assert len(endings) == 2
    env.reset()
    env.step(4)
    assert "Lost by an illegal action." in str(env.render())


@all_configurations
def test_pictures_are_drawn_in_memory(options: dict[str, Any]) -> None:
    env = syzygy_v0.env(render_mode="rgb_array", **options)
    env.reset(seed=0)
    random = np.random.default_rng(0)
    shapes = set()
    while True:
        image = env.render()
        assert isinstance(image, np.ndarray)
        assert image.dtype == np.uint8
        assert image.std() > 10
        shapes.add(image.shape)
        if any(env.terminations.values()):
            break
        env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))
    assert len(shapes) == 1


def test_a_picture_of_a_seat_does_not_depend_on_what_it_does_not_know() -> None:
    env = example("rgb_array")
    seen = env.render()
    env.render_view = "player_1"
    hidden = env.render()
    assert isinstance(seen, np.ndarray)
    assert isinstance(hidden, np.ndarray)
    assert not np.array_equal(seen, hidden)
    for seed in (2, 3, 4):
        other = syzygy_v0.env(n_players=3, variant="trial", render_mode="rgb_array")
        other.reset(seed=seed)
        for action in (0, 7 + 4, 14, 1):
            other.step(action)
        other.render_view = "player_1"
        np.testing.assert_array_equal(other.render(), hidden)


def test_the_parallel_and_single_agent_faces_show_the_same() -> None:
    aec = syzygy_v0.env(render_mode="ansi")
    parallel = syzygy_v0.parallel_env(render_mode="ansi")
    single = make_single("syzygy", render_mode="ansi")
    aec.reset(seed=3)
    parallel.reset(seed=3)
    single.reset(seed=3)
    assert parallel.render() == aec.render()
    aec.render_view = parallel.render_view = "player_0"
    assert parallel.render() == aec.render() == single.render()


def test_rendering_without_a_mode_is_refused() -> None:
    env = syzygy_v0.env()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="render_mode=None: must be one of 'human', 'ansi', 'rgb_array'"):
        env.render()


@pytest.mark.usefixtures("no_screen")
@pytest.mark.parametrize("options", CONFIGURATIONS[:2], ids=configuration_name)
def test_pettingzoo_accepts_all_modes(options: dict[str, Any]) -> None:
    pytest.importorskip("pygame")
    render_test(lambda **mode: syzygy_v0.env(**options, **mode))


@pytest.mark.usefixtures("no_screen")
@pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")
def test_gymnasium_accepts_all_modes() -> None:
    pytest.importorskip("pygame")
    check_env(gymnasium.make("Syzygy-v0", render_mode="rgb_array").unwrapped)


@pytest.mark.usefixtures("no_screen")
def test_a_window_opens_by_itself_and_closes() -> None:
    pygame = pytest.importorskip("pygame")
    env = syzygy_v0.env(render_mode="human")
    env.reset(seed=0)
    assert pygame.display.get_surface() is not None
    assert env.render() is None
    env.close()
    assert not pygame.display.get_init()
    env.close()


def test_without_pygame_human_mode_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    for make in (syzygy_v0.env, syzygy_v0.parallel_env, lambda **mode: make_single("syzygy", **mode)):
        with pytest.raises(ImportError, match=r"pip install 'unspoken\[view\]'"):
            make(render_mode="human")
    env = syzygy_v0.env(render_mode="rgb_array")
    env.reset(seed=0)
    assert isinstance(env.render(), np.ndarray)
