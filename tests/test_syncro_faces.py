"""Syncro in every face: the tests that PettingZoo, Gymnasium and SB3 bring, and the same games in all."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils import turn_based_aec_to_parallel

from tests.face_games import configuration_name, draw_legal
from tests.syncro_files import easy_cards
from tests.test_single import FirstLegal
from unspoken.envs import make_gym_vec, make_single, make_vec, syncro_v0
from unspoken.envs.syncro.state import DECIDE_KEEP, DECIDE_NOTHING

CONFIGURATIONS: list[dict[str, Any]] = [
    {},
    {"scenario": "I-c", "n_players": 2, "reward": "shaped", "observation": "compact"},
    {"scenario": "II-b", "n_players": 4, "unlocked": True},
    {"scenario": "II-e", "n_players": 5, "observation": "compact"},
    {"scenario": "chapter-2", "n_players": 3, "reward": "shaped"},
    {"scenario": "adventure", "n_players": 2, "first_level": "II-c", "observation": "compact"},
]
all_configurations = pytest.mark.parametrize("options", CONFIGURATIONS, ids=configuration_name)


def game_options(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != "observation"}


@all_configurations
@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
def test_pettingzoo_accepts_it(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(syncro_v0.env(**options), num_cycles=60)
    api_test(syncro_v0.raw_env(**options), num_cycles=60)
    parallel_api_test(syncro_v0.parallel_env(**options), num_cycles=60)
    seed_test(lambda: syncro_v0.env(**options), num_cycles=60)
    state_test(syncro_v0.env(**options), syncro_v0.parallel_env(**options))


@all_configurations
@pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")
@pytest.mark.parametrize("seat", [0, "random"])
def test_gymnasium_accepts_it(options: dict[str, Any], seat: int | str) -> None:
    check_env(make_single("syncro", seat=seat, **options), skip_render_check=True)


@all_configurations
def test_stable_baselines_accepts_it(options: dict[str, Any]) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(make_single("syncro", **options))


def test_pettingzoos_turn_based_conversion_runs_on_it() -> None:
    parallel = turn_based_aec_to_parallel(syncro_v0.env("I-b"))
    observations, _ = parallel.reset(seed=0)
    random = np.random.default_rng(0)
    while parallel.agents:
        masks = {agent: seen["action_mask"] for agent, seen in observations.items()}
        actions = {agent: draw_legal(random, mask) if mask.any() else 0 for agent, mask in masks.items()}
        observations, _, terminations, _, _ = parallel.step(actions)
    assert terminations == dict.fromkeys(parallel.possible_agents, True)


def test_it_is_made_by_its_names() -> None:
    env = gymnasium.make("Syncro-v0", scenario="II-a", n_players=4).unwrapped
    assert env.config.scenario == "II-a"  # type: ignore[attr-defined]
    assert gymnasium.make("Syncro-v0", task="syncro-Ic-2p").unwrapped.config.scenario == "I-c"  # type: ignore[attr-defined]
    many = gymnasium.make_vec("Syncro-v0", 3, "vector_entry_point", task="syncro-chapter1-5p")
    assert many.num_envs == 3
    if hasattr(pettingzoo, "make"):
        assert pettingzoo.make("aec", "unspoken/syncro-v0", scenario="I-d").config.scenario == "I-d"
        assert pettingzoo.make("parallel", "unspoken/syncro-v0").metadata["name"] == "syncro_v0"


@all_configurations
def test_a_game_is_slot_0_of_a_batch_with_the_same_seed(options: dict[str, Any]) -> None:
    env, parallel = syncro_v0.env(**options), syncro_v0.parallel_env(**options)
    vec = make_vec("syncro", 3, seed=11, **game_options(options))
    vec.reset()
    env.reset(seed=11)
    views, _ = parallel.reset(seed=11)
    random = np.random.default_rng(0)

    def shown(features: Any) -> Any:
        return features if options.get("observation") == "compact" else vec.layout.onehot(features)

    for _ in range(150):
        agent = env.agent_selection
        assert agent == f"player_{vec.player[0]}"
        observation = env.observe(agent)
        np.testing.assert_array_equal(observation["observation"], shown(vec.features[0]))
        np.testing.assert_array_equal(observation["action_mask"], vec.mask[0])
        for seat, name in enumerate(env.possible_agents):
            np.testing.assert_array_equal(views[name]["observation"], shown(vec.observe(seat)[0]))
            np.testing.assert_array_equal(views[name]["observation"], env.observe(name)["observation"])
            assert views[name]["action_mask"][parallel.noop] == (name != agent)
        actions = [draw_legal(random, mask) for mask in vec.mask]
        env.step(actions[0])
        views, rewards, terminations, truncations, infos = parallel.step(
            {name: actions[0] if name == agent else parallel.noop for name in env.possible_agents}
        )
        vec.step(actions)
        assert set(rewards.values()) == set(env.rewards.values())
        assert {np.float32(reward) for reward in rewards.values()} == {vec.reward[0]}
        assert set(terminations.values()) == set(env.terminations.values()) == {bool(vec.done[0])}
        assert not any(truncations.values())
        assert infos[agent]["score"] == env.infos[agent]["score"]
        if vec.done[0]:
            assert infos[agent]["score"] == vec.score[0]
            assert infos[agent]["tries"] == env.infos[agent]["tries"] == vec.tries[0]
            np.testing.assert_array_equal(views[agent]["observation"], shown(vec.final_features[0]))
            env.reset()
            views, _ = parallel.reset()


@all_configurations
def test_the_vector_form_is_the_batch_in_self_play(options: dict[str, Any]) -> None:
    env = make_gym_vec("syncro", 5, **options)
    vec = make_vec("syncro", 5, seed=3, **game_options(options))
    compact = options.get("observation") == "compact"
    vec.reset()
    observations, infos = env.reset(seed=3)
    random = np.random.default_rng(3)
    for _ in range(80):
        expected = vec.features if compact else vec.layout.onehot(vec.features)
        np.testing.assert_array_equal(observations, expected)
        np.testing.assert_array_equal(infos["action_mask"], vec.mask)
        actions = np.array([draw_legal(random, mask) for mask in vec.mask])
        observations, rewards, terminations, _, infos = env.step(actions)
        vec.step(actions)
        np.testing.assert_array_equal(rewards, vec.reward)
        np.testing.assert_array_equal(terminations, vec.done)
        for game in np.flatnonzero(vec.done):
            assert infos["final_info"]["score"][game] == vec.score[game]
            assert infos["final_info"]["tries"][game] == vec.tries[game]


@all_configurations
@pytest.mark.parametrize("seat", [0, 1])
def test_one_learner_with_partners_plays_the_same_games_alone_and_among_many(
    options: dict[str, Any], seat: int
) -> None:
    many = make_gym_vec("syncro", 3, FirstLegal(), seat, **options)
    one = make_single("syncro", FirstLegal(), seat, **options)
    observations, infos = many.reset(seed=6)
    observation, info = one.reset(seed=6)
    random = np.random.default_rng(6)
    for _ in range(40):
        np.testing.assert_array_equal(observations[0], observation)
        np.testing.assert_array_equal(infos["action_mask"][0], info["action_mask"])
        assert infos["score"][0] == info["score"]
        assert infos["tries"][0] == info["tries"]
        assert list(info) == ["action_mask", "score", "illegal", "tries"]
        actions = np.array([draw_legal(random, mask) for mask in infos["action_mask"]])
        observations, rewards, terminations, _, infos = many.step(actions)
        observation, reward, terminated, _, info = one.step(actions[0])
        assert rewards[0] == pytest.approx(reward, abs=1e-6)
        assert terminations[0] == terminated
        if terminated:
            np.testing.assert_array_equal(infos["final_obs"][0], observation)
            assert infos["final_info"]["score"][0] == info["score"]
            assert infos["final_info"]["tries"][0] == info["tries"]
            observation, info = one.reset()


def test_every_face_draws_every_phase(tmp_path: Path) -> None:
    cards = easy_cards(tmp_path / "cards")
    env = syncro_v0.env("chapter-2", 3, cards=cards, observation="compact", render_mode="ansi")
    picture = syncro_v0.env("chapter-2", 3, cards=cards, render_mode="rgb_array")
    env.reset(seed=1)
    picture.reset(seed=1)
    random = np.random.default_rng(1)
    decision = env.feature_layout["decision"].start
    drawn: dict[int, str] = {}
    while len(drawn) <= DECIDE_NOTHING:
        kind = int(env.state()[decision])
        if kind not in drawn:
            env.render_view = picture.render_view = None if len(drawn) % 2 else "player_1"
            drawn[kind] = str(env.render())
            image = picture.render()
            assert isinstance(image, np.ndarray)
            assert image.dtype == np.uint8
        if kind == DECIDE_NOTHING:
            env.reset()
            picture.reset()
            continue
        action = draw_legal(random, env.infos[env.agent_selection]["action_mask"])
        env.step(action)
        picture.step(action)
    words = ("of the round", "estimates its", "owed to a Dragon", "chooses a target", "keeps or", "is over")
    for kind, word in enumerate(words):
        assert word in drawn[kind]


@pytest.mark.parametrize("kinds", [("ESTIMATE good", "ESTIMATE bad"), ("KEEP", "DISCARD ALL")])
def test_a_picture_does_not_tell_what_is_decided_together_before_all_have(
    kinds: tuple[str, str], tmp_path: Path
) -> None:
    env = syncro_v0.raw_env("chapter-1", 3, cards=easy_cards(tmp_path / "cards"), render_mode="ansi")
    env.reset(seed=0)
    random = np.random.default_rng(0)
    names = [env.action_name(action) for action in range(env.config.n_actions)]

    def may(name: str) -> bool:
        return bool(env.infos[env.agent_selection]["action_mask"][names.index(name)])

    while not may(kinds[0]):
        env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))
    first = env.agent_selection
    seen: dict[str, dict[str | None, str]] = {}
    for kind in kinds:
        twin = copy.deepcopy(env)
        twin.step(names.index(kind))
        seen[kind] = {}
        for view in (*env.possible_agents, None):
            twin.render_view = view
            seen[kind][view] = str(twin.render())
        assert f"Last: {first} {kind}" in seen[kind][first]
    for view in env.possible_agents:
        assert (seen[kinds[0]][view] == seen[kinds[1]][view]) == (view != first)
    while may(kinds[0]):
        last = env.agent_selection
        env.step(names.index(kinds[0]))
    assert f"Last: {last} {kinds[0]}" in str(env.render())


class TestIllegalActions:
    @pytest.mark.parametrize("kind", range(DECIDE_KEEP + 1))
    def test_one_of_any_phase_loses_the_game_at_once_for_all(self, kind: int, tmp_path: Path) -> None:
        env = syncro_v0.env("chapter-2", 2, cards=easy_cards(tmp_path / "cards"), observation="compact")
        env.reset(seed=2)
        random = np.random.default_rng(2)
        decision = env.feature_layout["decision"].start
        while int(env.state()[decision]) != kind:
            if env.terminations[env.agent_selection]:
                env.reset()
            env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))
        score = env.infos["player_0"]["score"]
        env.step(int(np.argmin(env.infos[env.agent_selection]["action_mask"])))
        assert env.rewards == {"player_0": -1, "player_1": -1}
        assert all(env.terminations.values())
        assert {(info["illegal"], info["score"]) for info in env.infos.values()} == {(1, score)}

    def test_the_raw_environment_refuses_it_and_says_what_is_legal(self) -> None:
        env = syncro_v0.raw_env()
        env.reset(seed=0)
        passing = env.config.pass_action
        message = rf"action={passing} \(PASS\): illegal for seat \d; legal are \d+ \(ESTIMATE good\), "
        with pytest.raises(ValueError, match=message):
            env.step(passing)
        before = env.observe(env.agent_selection)["observation"]
        with pytest.raises(ValueError, match="not in the action space, must be from 0 to"):
            env.step(env.config.n_actions)
        with pytest.raises(TypeError, match="must be an integer"):
            env.step(1.5)
        np.testing.assert_array_equal(env.observe(env.agent_selection)["observation"], before)

    @pytest.mark.parametrize("action", [-1, 2**40, -(2**40)])
    def test_a_number_outside_the_action_space_is_illegal_in_a_batch(self, action: int) -> None:
        vec = make_vec("syncro-IIc-3p", 4, seed=0)
        vec.reset()
        actions = vec.sample_actions().astype(np.int64)
        actions[2] = action
        vec.step(actions)
        assert vec.illegal.tolist() == [False, False, True, False]
        assert vec.reward[2] == -1.0


class TestTruncation:
    def test_it_is_the_same_flag_for_all_in_every_face(self) -> None:
        options: dict[str, Any] = {"scenario": "adventure", "n_players": 2}
        aec, parallel = syncro_v0.env(**options), syncro_v0.parallel_env(**options)
        single, vector = make_single("syncro", **options), make_gym_vec("syncro", 2, **options)
        for env in (aec, parallel, single, vector):
            env.config.params.max_decisions = 12
        random = np.random.default_rng(0)
        aec.reset(seed=0)
        for _ in range(12):
            assert not any(aec.truncations.values())
            aec.step(draw_legal(random, aec.infos[aec.agent_selection]["action_mask"]))
        assert set(aec.truncations.values()) == {True}
        assert set(aec.terminations.values()) == {False}
        views, _ = parallel.reset(seed=0)
        while parallel.agents:
            actions = {agent: draw_legal(random, view["action_mask"]) for agent, view in views.items()}
            views, _, terminations, truncations, _ = parallel.step(actions)
        assert set(truncations.values()) == {True}
        assert set(terminations.values()) == {False}
        _, info = single.reset(seed=0)
        terminated = truncated = False
        while not (terminated or truncated):
            _, _, terminated, truncated, info = single.step(draw_legal(random, info["action_mask"]))
        assert (terminated, truncated) == (False, True)
        _, infos = vector.reset(seed=0)
        for _ in range(12):
            actions = np.array([draw_legal(random, mask) for mask in infos["action_mask"]])
            _, _, ended, cut, infos = vector.step(actions)
        assert cut.all()
        assert not ended.any()
        assert "final_obs" in infos


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scenario": "III-a"}, "scenario='III-a': must be one of 'I-a', 'I-b'"),
        ({"scenario": 1}, "scenario=1: must be one of"),
        ({"scenario": np.array(["I-a", "I-b"])}, "scenario=array(['I-a', 'I-b'], dtype='<U3'): must be one"),
        ({"n_players": 1}, "n_players=1: must be from 2 to 5"),
        ({"n_players": 6}, "n_players=6: must be from 2 to 5"),
        ({"n_players": 3.0}, r"n_players=3.0: must be an integer from 2 to 5"),
        ({"reward": "dense"}, "reward='dense': must be one of 'sparse', 'shaped'"),
        ({"unlocked": 1}, "unlocked=1: must be True or False"),
        ({"first_level": "I-b"}, "first_level='I-b': must be one of 'I-a'"),
        ({"scenario": "chapter-2", "first_level": "I-b"}, "first_level='I-b': must be one of 'II-a'"),
        ({"cards": 5}, "cards=5: must be the path of a YAML file or folder, or None"),
        ({"cards": "nowhere.yaml"}, "nowhere.yaml: No such file"),
        ({"cards": "null\0.yaml"}, "'null\\x00.yaml': must be the path of a file or folder"),
        ({"observation": "pixels"}, "observation='pixels': must be one of 'onehot', 'compact'"),
        ({"render_mode": "gif"}, "render_mode='gif': must be one of 'human', 'ansi', 'rgb_array', or None"),
    ],
)
def test_arguments_that_are_not_allowed_are_refused_by_name_value_and_range(
    options: dict[str, Any], message: str
) -> None:
    for make in (syncro_v0.env, syncro_v0.raw_env, syncro_v0.parallel_env):
        with pytest.raises((ValueError, TypeError)) as refusal:
            make(**options)
        assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        ("syncro-Ia-6p", {}, "task='syncro-Ia-6p': unknown; did you mean 'syncro-Ia-"),
        ("syncro-I-a-3p", {}, "task='syncro-I-a-3p': unknown; did you mean"),
        ("syncro-Ia-3p", {"n_players": 2}, "n_players=2: task 'syncro-Ia-3p' fixes it at 3; use 'syncro'"),
        ("syncro-Ia-3p", {"emotions": 2}, "emotions=2: unexpected keyword argument 'emotions'"),
        ("syncro", {"card_set": None}, "card_set=None: unexpected keyword argument 'card_set'"),
    ],
)
def test_a_wrong_task_or_option_is_refused(task: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as refusal:
        make_vec(task, 2, **options)
    assert message in str(refusal.value)


@pytest.mark.parametrize("scenario", ["I-a", "II-e", "adventure"])
def test_every_action_has_a_name_of_its_own(scenario: str) -> None:
    env = syncro_v0.parallel_env(scenario, 3)
    names = [env.action_name(action) for action in range(env.noop + 1)]
    assert len(set(names)) == len(names)
    assert names[0] == "ATTACK 0 with 0"
    assert names[-1] == "NOOP"
    for action in (-1, env.noop + 1):
        with pytest.raises(ValueError, match=f"action={action}: must be from 0 to {env.noop}"):
            env.action_name(action)
