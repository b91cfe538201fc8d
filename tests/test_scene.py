"""A scene as data: what it says of a position, and that it is ready for JSON."""

import json
from typing import Any

import numpy as np
import pytest

from tests.face_games import CONFIGURATIONS, configuration_name, draw_legal
from unspoken.envs import make_game, syncro_v0, syzygy_v0
from unspoken.envs.engine.drawing import Scene
from unspoken.envs.engine.game import action_table
from unspoken.envs.faces.aec import GameAECEnv
from unspoken.envs.syncro import scene as syncro_scene
from unspoken.envs.syncro.card_file import load_cards
from unspoken.envs.syncro.tables import foe_names, fog_kinds, reward_kinds
from unspoken.envs.syncro.wording import effects_text

SCENARIOS: list[dict[str, Any]] = [
    {"scenario": "I-a", "n_players": 3},
    {"scenario": "II-b", "n_players": 2},
    {"scenario": "II-e", "n_players": 5},
    {"scenario": "adventure", "n_players": 4},
]


def seen(env: GameAECEnv, seat: int, everything: bool = False) -> dict[str, Any]:
    one = env._one
    features = one.features(seat, everything).copy()
    result = None if not one.finished else "won" if one.score == one.game.max_score else "lost"
    return one.game.renderer.describe(one.game, Scene(features, everything, one.last_action, result))


def play(env: GameAECEnv, seed: int, decisions: int) -> None:
    random = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(decisions):
        if any(env.terminations.values()):
            return
        env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))


def example() -> GameAECEnv:
    """A trial game: seat 0 has moved a card past the Blackhole, seat 1 has passed, seat 2 looks at a card."""
    env = syzygy_v0.env(n_players=3, variant="trial")
    env.reset(seed=1)
    for action in (0, 7 + 4, 14, 1):
        env.step(action)
    return env


def test_a_scene_of_syzygy_tells_turn_phase_and_what_was_done() -> None:
    scene = seen(example(), 2)
    assert (scene["turn"], scene["n_turns"], scene["to_act"], scene["phase"]) == (2, 12, 2, "destination")
    assert (scene["observer"], scene["looked_at"], scene["result"]) == (2, 1, None)
    assert scene["last"] == {"seat": 2, "action": 1, "text": "CONFIRM 1"}
    assert scene["seats"][0]["turns"] == [
        {"chip": 1, "passed": False, "source": 0, "destination": 4, "emotion": None}
    ]
    assert scene["seats"][1]["turns"] == [
        {"chip": 1, "passed": True, "source": None, "destination": None, "emotion": None}
    ]
    assert scene["cards"][4]["chips"] == [1, 0, 0]
    assert scene["cards"][4]["origin"] == 0
    assert [card["blackhole"] for card in scene["cards"]].index(True) == 2


def test_a_seat_knows_the_planets_it_looked_at_and_no_others() -> None:
    env = example()
    known = [[card["planet"] is not None for card in seen(env, seat)["cards"]] for seat in range(3)]
    assert known[0] == [False, False, False, False, True, False, False]
    assert known[1] == [False] * 7
    assert known[2] == [False, True, False, False, False, False, False]
    assert all(card["planet"] for card in seen(env, 0, everything=True)["cards"])


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=configuration_name)
def test_scenes_of_syzygy_are_ready_for_json(options: dict[str, Any]) -> None:
    env = syzygy_v0.env(**options)
    for decisions in (0, 1, 7, 1000):
        play(env, 3, decisions)
        for seat in range(env.max_num_agents):
            for everything in (False, True):
                scene = seen(env, seat, everything)
                assert json.loads(json.dumps(scene)) == scene


@pytest.mark.parametrize("options", SCENARIOS, ids=lambda options: options["scenario"])
def test_scenes_of_syncro_are_ready_for_json(options: dict[str, Any]) -> None:
    env = syncro_v0.env(**options)
    for decisions in (0, 1, 3, 9, 25, 60):
        play(env, 5, decisions)
        for seat in range(env.max_num_agents):
            for everything in (False, True):
                scene = seen(env, seat, everything)
                assert json.loads(json.dumps(scene)) == scene
                assert len(scene["seats"]) == env.max_num_agents


def test_an_estimate_of_another_is_hidden_until_all_have_chosen() -> None:
    env = syncro_v0.env("I-a", n_players=3)
    env.reset(seed=0)
    first = env._one.seat
    names = [entry["name"] for entry in action_table(env._one.game)]
    for said in range(3):
        assert seen(env, 0)["decision"] == "estimate"
        env.step(names.index("ESTIMATE good"))
        scenes = [seen(env, seat) for seat in range(3)]
        told = [scene["last"]["action"] is not None for scene in scenes]
        mover = (first + said) % 3
        assert told == [said == 2 or seat == mover for seat in range(3)]
    assert [seat["estimate"] for seat in seen(env, 0)["seats"]] == ["good"] * 3


def test_a_scene_says_whether_a_slot_or_a_wizard_is_to_be_chosen() -> None:
    env = syncro_v0.env("II-b", n_players=4)
    random = np.random.default_rng(0)
    names = [entry["name"] for entry in action_table(env._one.game)]
    asked: dict[str, set[str]] = {}
    for seed in range(40):
        env.reset(seed=seed)
        while not env._one.finished:
            scene = seen(env, env._one.seat)
            if scene["decision"] == "target":
                asked.setdefault(scene["targets"], set()).add(scene["fog"]["card"])
            else:
                assert scene["targets"] is None
            mask = env._one.mask(env._one.seat)
            rewarded = names.index("PLAY REWARD")
            env.step(rewarded if mask[rewarded] else draw_legal(random, mask))
    assert asked["wizards"] == {"Borrowed Cloak"}
    assert {"Lantern", "Whetstone"} <= asked["slots"]


def test_hands_of_others_are_hidden() -> None:
    env = syncro_v0.env("II-a", n_players=3)
    env.reset(seed=0)
    scene = seen(env, 1)
    assert all(value is not None for value in scene["seats"][1]["hand"])
    assert scene["seats"][0]["hand"] == [None] * 6
    assert scene["seats"][1]["reward"] is not None
    assert (scene["seats"][0]["has_reward"], scene["seats"][0]["reward"]) == (True, None)
    assert None not in seen(env, 1, everything=True)["seats"][0]["hand"]


def test_every_card_of_a_horde_has_its_own_face() -> None:
    cards = load_cards()
    names = (*foe_names(cards), *(card.name for card in fog_kinds(cards)))
    faces = [syncro_scene._face(cards, number) for number in range(len(names))]
    assert tuple(face.name for face in faces) == names
    assert all(face.text.endswith(".") for face in faces)


def test_every_effect_of_the_house_cards_has_words() -> None:
    cards = load_cards()
    texts = {card.name: effects_text(card) for card in (*fog_kinds(cards), *reward_kinds(cards))}
    assert all(text[0].isupper() and text.endswith(".") for text in texts.values())


@pytest.mark.parametrize("task", ["syzygy-base-4p", "syncro-IIa-3p"])
def test_the_table_of_actions_has_every_action_by_name(task: str) -> None:
    game = make_game(task)
    table = action_table(game)
    assert len(table) == game.config.n_actions
    assert [entry["name"] for entry in table] == [game.action_name(number) for number in range(len(table))]
    assert json.loads(json.dumps(table)) == table
