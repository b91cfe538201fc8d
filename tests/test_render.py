"""Pictures of a game: what they show and what they do not tell, and that they need no display."""

import io
import os
import re
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import render_test

from tests.face_games import CONFIGURATIONS, configuration_name, draw_legal
from unspoken.envs import make_single, syncro_v0, syzygy_v0
from unspoken.envs.engine.canvas import Canvas, Sprite
from unspoken.envs.engine.tokens import SEATS, glow, panel
from unspoken.envs.faces import display
from unspoken.envs.faces.aec import GameAECEnv
from unspoken.envs.faces.display import shows_colour
from unspoken.envs.syncro.sprites import foe_back
from unspoken.envs.syzygy.sprites import planet_card

all_configurations = pytest.mark.parametrize("options", CONFIGURATIONS, ids=configuration_name)


SCENARIOS = [("I-a", 2), ("II-b", 3), ("II-e", 5), ("adventure", 4)]
ESCAPE = "\x1b["


@pytest.fixture(autouse=True)
def no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "dumb")


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


def shapes_of_a_game(env: GameAECEnv, decisions: int) -> set[tuple[int, ...]]:
    """Of its pictures, one after every third decision of random play, and the last."""
    env.reset(seed=0)
    random = np.random.default_rng(0)
    shapes = set()
    for decision in range(decisions):
        over = any(env.terminations.values())
        if over or decision % 3 == 0:
            env.render_view = env.agent_selection if decision % 2 else None
            image = picture(env)
            assert image.dtype == np.uint8
            assert image.std() > 10
            shapes.add(image.shape)
        if over:
            break
        env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))
    return shapes


def picture(env: GameAECEnv) -> npt.NDArray[np.uint8]:
    image = env.render()
    assert isinstance(image, np.ndarray)
    return image


@all_configurations
def test_pictures_of_syzygy_have_one_size_during_a_whole_game(options: dict[str, Any]) -> None:
    ((height, width, colours),) = shapes_of_a_game(syzygy_v0.env(render_mode="rgb_array", **options), 1000)
    assert (width, colours) == (1040, 3)
    assert 500 < height < 650


@pytest.mark.parametrize(("scenario", "n_players"), SCENARIOS)
def test_pictures_of_syncro_have_one_size_during_a_whole_game(scenario: str, n_players: int) -> None:
    env = syncro_v0.env(scenario, n_players, render_mode="rgb_array")
    ((height, width, colours),) = shapes_of_a_game(env, 80)
    assert (width, colours) == (1040, 3)
    assert 600 < height < 900


def test_a_picture_of_a_finished_game_says_how_it_ended() -> None:
    env = syzygy_v0.env(n_players=2, n_planets=4, render_mode="rgb_array")
    random = np.random.default_rng(0)
    corners = {}
    for seed in range(60):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))
        # The middle of the ribbon, between its sign and its word: green or red.
        corners[env.infos["player_0"]["score"]] = tuple(picture(env)[52, 930])
    assert corners == {0.0: (188, 62, 62), 1.0: (38, 150, 104)}


def test_a_picture_of_a_seat_does_not_depend_on_what_it_does_not_know() -> None:
    env = example("rgb_array")
    seen = picture(env)
    env.render_view = "player_1"
    hidden = picture(env)
    assert not np.array_equal(seen, hidden)
    for seed in (2, 3, 4):
        other = syzygy_v0.env(n_players=3, variant="trial", render_mode="rgb_array")
        other.reset(seed=seed)
        for action in (0, 7 + 4, 14, 1):
            other.step(action)
        other.render_view = "player_1"
        np.testing.assert_array_equal(picture(other), hidden)


def test_a_picture_of_a_wizards_view_does_not_depend_on_hands_decks_and_face_down_cards() -> None:
    env = syncro_v0.env("II-b", 3, render_mode="rgb_array")
    env.reset(seed=0)
    while env.feature_layout.decode(env.state())["decision"][0]:
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    known = [env.action_name(action) for action in range(env.config.n_actions)]
    env.step(known.index("PASS"))
    seat = env.possible_agents.index(env.agent_selection)
    others = [other for other in range(3) if other != seat]

    def pictures() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        env.render_view = env.agent_selection
        own = picture(env)
        env.render_view = None
        return own, picture(env)

    own, everything = pictures()
    saved = env._one.get_state()
    for hidden, swapped in (("hand", others), ("reward", others), ("horde_card", [0, 2])):
        state = env._one.get_state()
        values = state["states"][hidden][0]
        assert not np.array_equal(values[swapped[0]], values[swapped[1]])
        values[swapped] = values[swapped[::-1]]
        env._one.set_state(state)
        changed = pictures()
        np.testing.assert_array_equal(changed[0], own)
        assert not np.array_equal(changed[1], everything)
        env._one.set_state(saved)


@pytest.mark.parametrize(
    "sprite",
    [planet_card(5, 94, 132), foe_back("fog", 102, 132, True), panel(480, 66, True, SEATS[2]), glow(90, 120)],
)
def test_a_sprite_laid_down_in_parts_looks_as_if_laid_down_whole(sprite: Sprite) -> None:
    parts, whole = Canvas(600, 200), Canvas(600, 200)
    parts.paste(sprite, 40, 20)
    whole._image.paste(sprite.image, (40, 20), sprite.image)
    np.testing.assert_array_equal(parts.finish(), whole.finish())
    covered = np.zeros((sprite.height, sprite.width), np.int64)
    for left, top, part in sprite.parts:
        covered[top : top + part.height, left : left + part.width] += 1
    assert (covered == 1).all()


def test_text_of_syncro_tells_the_horde_and_the_wizards() -> None:
    env = syncro_v0.env("I-b", 2, render_mode="ansi")
    env.reset(seed=2)
    names = [env.action_name(action) for action in range(env.config.n_actions)]
    env.step(names.index("ESTIMATE good"))
    env.step(names.index("ESTIMATE bad"))
    first = env.agent_selection
    env.step(names.index("ATTACK 7 with 0"))
    env.render_view = first
    text = str(env.render())
    lines = text.splitlines()
    assert lines[0] == f"Syncro I-b (Old Quarry), 2 players: as {first} sees it"
    assert lines[2] == f"Last: {first} ATTACK 7 with 0"
    assert lines[5:8] == [
        "         0     1     2",
        "      3     4     5     6",
        "        [7]   [8]   [9]",
    ]
    slots = {int(line[1:4]): line for line in lines if re.match(r"[* ] +\d+ [a-zA-Z]", line)}
    assert [number for number, line in slots.items() if line[0] == "*"] == [7, 8, 9]
    assert slots[0] == "   0 monster, face down"
    value = env.feature_layout.decode(env.observe(first)["observation"])["play_value_0"][0]
    assert slots[7].endswith(f"[1 down, known {value}; top by {first}]")
    wizards = {line[3:11]: line for line in lines if "  said " in line}
    assert wizards[first].split("  said ")[1].split(None, 1)[1] == f"{value} on 7"
    other = next(name for name in wizards if name != first)
    assert wizards[other][:2] == "> "
    assert wizards[other].split("  said ")[0].endswith("hand ? ? ? ? ? ? ? ?")


@pytest.mark.parametrize("make", [syzygy_v0.env, syncro_v0.env])
def test_text_has_colours_only_where_they_are_asked_for(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    env = make(render_mode="ansi")
    env.reset(seed=0)
    plain = str(env.render())
    assert ESCAPE not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = str(env.render())
    assert coloured.count(ESCAPE) > 10
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert env.render() == plain


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "terminal", "colour"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, False, True),
        ({"TERM": "xterm", "FORCE_COLOR": "0"}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colours_are_shown_where_a_terminal_can(
    environment: dict[str, str], terminal: bool, colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert shows_colour(_Terminal() if terminal else io.StringIO()) is colour


def test_pictures_need_neither_a_display_nor_pygame() -> None:
    script = (
        "import sys\n"
        "sys.modules['pygame'] = None\n"
        "from unspoken.envs import syncro_v0, syzygy_v0\n"
        "assert 'PIL' not in sys.modules\n"
        "for game in (syncro_v0, syzygy_v0):\n"
        "    env = game.env(render_mode='rgb_array')\n"
        "    env.reset(seed=0)\n"
        "    print(env.render().shape[1])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "DISPLAY": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split() == ["1040", "1040"]


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


@pytest.mark.usefixtures("no_screen")
def test_a_window_that_a_person_closes_stays_closed_until_the_environment_is() -> None:
    pygame = pytest.importorskip("pygame")
    env = syzygy_v0.env(render_mode="human")
    env.reset(seed=0)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    assert not pygame.display.get_init()
    env.step(0)
    assert not pygame.display.get_init()
    env.close()
    env.reset(seed=0)
    assert pygame.display.get_init()
    env.close()


@pytest.mark.usefixtures("no_screen")
def test_a_window_takes_the_size_of_the_picture() -> None:
    pygame = pytest.importorskip("pygame")
    window = display._Window("Syzygy")
    for height, width in ((300, 400), (320, 500)):
        window.show(np.full((height, width, 3), 90, np.uint8))
        surface = pygame.display.get_surface()
        assert surface.get_size() == (width, height)
        assert surface.get_at((width - 1, height - 1))[:3] == (90, 90, 90)
    window.close()


def test_without_pygame_human_mode_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    for make in (syzygy_v0.env, syzygy_v0.parallel_env, lambda **mode: make_single("syzygy", **mode)):
        with pytest.raises(ImportError, match=r"pip install 'unspoken\[view\]'"):
            make(render_mode="human")
    env = syzygy_v0.env(render_mode="rgb_array")
    env.reset(seed=0)
    assert isinstance(env.render(), np.ndarray)
