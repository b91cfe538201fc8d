"""The AEC face: PettingZoo's own tests, and what it promises beyond them."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils import turn_based_aec_to_parallel, wrappers

from tests.face_games import CONFIGURATIONS, assert_same, configuration_name, draw_legal
from unspoken.envs import make_game, make_vec, syncro_v0, syzygy_v0
from unspoken.envs.faces.aec import GameAECEnv

all_configurations = pytest.mark.parametrize("options", CONFIGURATIONS, ids=configuration_name)


def play(env: GameAECEnv, random: np.random.Generator, decisions: int = 1000) -> list[Any]:
    """What ``last`` says before each decision of random legal play, for a game or some decisions."""
    seen = []
    for agent in env.agent_iter(decisions):
        observation, reward, termination, truncation, info = env.last()
        seen.append((agent, copy.deepcopy((observation, reward, termination, truncation, info))))
        env.step(None if termination or truncation else draw_legal(random, info["action_mask"]))
    return seen


@all_configurations
@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
def test_pettingzoo_accepts_it(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(syzygy_v0.env(**options), num_cycles=40)
    api_test(syzygy_v0.raw_env(**options), num_cycles=40)
    seed_test(lambda: syzygy_v0.env(**options), num_cycles=40)
    state_test(syzygy_v0.env(**options), syzygy_v0.parallel_env(**options))


@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
def test_pettingzoos_wrappers_and_its_turn_based_conversion_run_on_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wrapped = wrappers.TerminateIllegalWrapper(syzygy_v0.raw_env(), illegal_reward=-1)
    api_test(wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped)), num_cycles=40)
    parallel = turn_based_aec_to_parallel(syzygy_v0.env())
    observations, _ = parallel.reset(seed=0)
    random = np.random.default_rng(0)
    while parallel.agents:
        masks = {agent: seen["action_mask"] for agent, seen in observations.items()}
        actions = {agent: draw_legal(random, mask) if mask.any() else 0 for agent, mask in masks.items()}
        observations, _, terminations, _, _ = parallel.step(actions)
    assert terminations == dict.fromkeys(parallel.possible_agents, True)


@all_configurations
def test_a_game_is_slot_0_of_a_batch_with_the_same_seed(options: dict[str, Any]) -> None:
    env = syzygy_v0.env(**options)
    game_options = {key: value for key, value in options.items() if key != "observation"}
    vec = make_vec("syzygy", 3, seed=11, **game_options)
    vec.reset()
    random = np.random.default_rng(0)
    for episode in range(3):
        env.reset(seed=11 if episode == 0 else None)
        while True:
            actor = env.agent_selection
            observation, _, _, _, info = env.last()
            assert actor == f"player_{vec.player[0]}"
            features = vec.features[0]
            expected = features if options.get("observation") == "compact" else vec.layout.onehot(features)
            np.testing.assert_array_equal(observation["observation"], expected)
            np.testing.assert_array_equal(observation["action_mask"], vec.mask[0])
            np.testing.assert_array_equal(info["action_mask"], vec.mask[0])
            actions = [draw_legal(random, mask) for mask in vec.mask]
            env.step(actions[0])
            vec.step(actions)
            assert np.float32(env.rewards[actor]) == vec.reward[0]
            assert env.terminations[actor] == vec.done[0]
            if vec.done[0]:
                final = vec.final_features[0]
                expected = final if options.get("observation") == "compact" else vec.layout.onehot(final)
                np.testing.assert_array_equal(env.observe(actor)["observation"], expected)
                assert env.infos[actor]["score"] == vec.score[0]
                break


def test_only_the_seat_to_act_has_a_mask_that_is_not_zero() -> None:
    env = syzygy_v0.env()
    env.reset(seed=0)
    for agent in env.possible_agents:
        mask = env.observe(agent)["action_mask"]
        assert mask.dtype == np.int8
        assert mask.any() == (agent == env.agent_selection)
        np.testing.assert_array_equal(env.infos[agent]["action_mask"], mask)


@all_configurations
def test_infos_are_numbers_under_the_same_keys_from_the_start_to_the_end(options: dict[str, Any]) -> None:
    env = syzygy_v0.env(**options)
    env.reset(seed=1)
    for _, (_, _, _, _, info) in play(env, np.random.default_rng(1)):
        assert list(info) == ["action_mask", "score", "illegal"]
        assert isinstance(info["action_mask"], np.ndarray)
        assert type(info["score"]) is float
        assert type(info["illegal"]) is int
        assert info["illegal"] == 0


@all_configurations
def test_all_seats_end_in_one_step_with_the_same_reward(options: dict[str, Any]) -> None:
    env = syzygy_v0.env(**options)
    env.reset(seed=2)
    random = np.random.default_rng(2)
    team = 0.0
    received = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, _, info = env.last()
        received[agent] += reward
        if termination:
            env.step(None)
            continue
        env.step(draw_legal(random, info["action_mask"]))
        assert len(set(env.rewards.values())) == 1
        assert len(set(env.terminations.values())) == 1
        assert not any(env.truncations.values())
        team += env.rewards[agent]
    assert env.agents == []
    assert received == pytest.approx(dict.fromkeys(env.possible_agents, team))


def test_a_win_is_one_for_every_seat_and_the_score_is_said_once_it_is_won() -> None:
    env = syzygy_v0.env(n_players=2, n_planets=4)
    random = np.random.default_rng(0)
    for seed in range(200):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            assert env.infos["player_0"]["score"] == 0.0
            env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))
        row = env.feature_layout.decode(env.state())["value"].tolist()
        won = row in ([1, 2, 3, 4], [4, 3, 2, 1])
        assert env.rewards == {"player_0": float(won), "player_1": float(won)}
        assert env.infos["player_1"]["score"] == float(won)
        if won:
            return
    raise AssertionError("no game was won")


def test_an_illegal_action_loses_the_game_at_once_for_all() -> None:
    env = syzygy_v0.env()
    env.reset(seed=3)
    illegal = int(np.flatnonzero(env.infos["player_0"]["action_mask"] == 0)[0])
    before = env.state()
    env.step(illegal)
    assert env.rewards == dict.fromkeys(env.possible_agents, -1.0)
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.truncations == dict.fromkeys(env.possible_agents, False)
    assert all(info["illegal"] == 1 and info["score"] == 0.0 for info in env.infos.values())
    np.testing.assert_array_equal(env.state(), before)
    for _ in env.possible_agents:
        assert env.last()[1:4] == (-1.0, True, False)
        env.step(None)
    assert env.agents == []
    env.reset()
    assert all(info["illegal"] == 0 for info in env.infos.values())


def test_the_raw_environment_refuses_an_illegal_action_and_says_what_is_legal() -> None:
    env = syzygy_v0.raw_env(n_planets=5)
    env.reset(seed=0)
    env.step(2)
    before = env.get_state()
    expected = r"action=2 \(CONFIRM 2\): illegal for seat 0; legal are 6 \(MOVE 1\), 8 \(MOVE 3\)$"
    with pytest.raises(ValueError, match=expected):
        env.step(2)
    assert_same(env.get_state(), before)
    env.step(6)


@pytest.mark.parametrize("make", [syzygy_v0.env, syzygy_v0.raw_env])
def test_actions_are_integers_of_the_action_space(make: Any) -> None:
    env = make()
    for action in (3, np.int8(3), np.int32(3), np.int64(3), np.array(3)):
        env.reset(seed=0)
        env.step(action)
        assert env.feature_layout.decode(env.observe("player_0")["observation"])["confirmed"] == 4
    env.reset(seed=0)
    for action in (True, np.True_, 3.0, np.float32(3), "3", None, [3]):
        with pytest.raises(TypeError, match=r"action=.*: must be an integer from 0 to 18"):
            env.step(action)
    for action in (-1, 19, np.int64(400)):
        for error in (ValueError, AssertionError):
            with pytest.raises(error, match="not in the action space, must be from 0 to 18"):
                env.step(action)
    env.step(3)


def test_calls_out_of_order_are_refused_as_in_pettingzoo() -> None:
    env = syzygy_v0.env(render_mode="ansi")
    for name in (
        "agents",
        "agent_selection",
        "rewards",
        "terminations",
        "truncations",
        "infos",
        "num_agents",
    ):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed"):
            getattr(env, name)
    calls = (lambda: env.step(0), lambda: env.observe("player_0"), env.state, env.render, env.agent_iter)
    for call in calls:
        with pytest.raises(AssertionError, match="reset"):
            call()
    env.reset(seed=0)
    agents = iter(env.agent_iter())
    next(agents)
    with pytest.raises(AssertionError, match="need to call step"):
        next(agents)
    with pytest.raises(ValueError, match="agent='player_9': must be one of player_0"):
        env.observe("player_9")


def test_after_the_end_only_none_is_accepted() -> None:
    env = syzygy_v0.env(n_players=2)
    env.reset(seed=0)
    env.step(17)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    env.step(None)
    env.step(None)
    env.step(None)  # nobody is left: a warning in the log
    assert env.agents == []
    assert env.observe("player_1")["action_mask"].sum() == 0


def test_options_that_it_does_not_know_are_tolerated() -> None:
    env = syzygy_v0.env()
    env.reset(seed=0, options={"anything": 1})
    with pytest.raises(TypeError, match=r"seed=1\.5"):
        env.reset(seed=1.5)  # type: ignore[arg-type]


@all_configurations
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_game_goes_on_exactly_like_it(options: dict[str, Any], copied: Any) -> None:
    env = syzygy_v0.env(**options)
    env.reset(seed=4)
    play(env, np.random.default_rng(4), 9)
    twin = copied(env)
    first, second = (
        [play(one, np.random.default_rng(5)), one.reset(), play(one, np.random.default_rng(6))]
        for one in (env, twin)
    )
    assert_same(first, second)


def test_a_copy_shares_nothing_with_the_original() -> None:
    env = syzygy_v0.env()
    env.reset(seed=0)
    before = copy.deepcopy(env.last())
    play(copy.deepcopy(env), np.random.default_rng(0))
    assert_same(env.last(), before)


@pytest.mark.parametrize("decisions", [0, 7, 25, 31])
def test_a_saved_state_can_be_taken_up_by_another_environment(decisions: int) -> None:
    options: dict[str, Any] = {"n_players": 3, "variant": "trial", "reward": "shaped"}
    env = syzygy_v0.env(**options)
    env.reset(seed=7)
    play(env, np.random.default_rng(7), decisions)
    state = pickle.loads(pickle.dumps(env.get_state()))
    other = syzygy_v0.env(**options)
    other.set_state(state)
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        assert_same(getattr(other, name), getattr(env, name))
    expected = play(env, np.random.default_rng(8))
    assert_same(play(other, np.random.default_rng(8)), expected)
    env.set_state(state)
    assert_same(play(env, np.random.default_rng(8)), expected)


def test_a_state_of_another_configuration_is_refused() -> None:
    env = syzygy_v0.env()
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"state of SyzygyConfig.*: must be of SyzygyConfig"):
        syzygy_v0.env(n_players=3).set_state(env.get_state())


def test_equal_states_have_equal_bytes() -> None:
    def state() -> bytes:
        env = syncro_v0.env("II-e", n_players=3)
        env.reset(seed=4)
        for _ in range(9):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(mask.argmax()))
        env.set_state(env.get_state())
        return bytes(env.get_state()["states"].tobytes())

    assert state() == state()


def test_what_is_not_a_state_is_refused() -> None:
    with pytest.raises(ValueError, match="state without 'config': must be what get_state"):
        syzygy_v0.env().set_state({})


def test_what_it_hands_out_is_the_callers_own() -> None:
    env = syzygy_v0.env()
    env.reset(seed=5)
    before = copy.deepcopy([env.observe(agent) for agent in env.possible_agents])
    state = env.state()
    for agent in env.possible_agents:
        for array in env.observe(agent).values():
            array[:] = 1
        env.infos[agent]["action_mask"][:] = 1
    assert_same([env.observe(agent) for agent in env.possible_agents], before)
    np.testing.assert_array_equal(env.state(), state)


@all_configurations
def test_observations_lie_in_their_spaces_which_are_always_the_same_objects(options: dict[str, Any]) -> None:
    env = syzygy_v0.env(**options)
    random = np.random.default_rng(9)
    env.reset(seed=9)
    while not any(env.terminations.values()):
        for agent in env.possible_agents:
            assert env.observation_space(agent) is env.observation_spaces[agent]
            assert env.observation_space(agent).contains(env.observe(agent))
        assert env.state_space.contains(env.state())
        env.step(draw_legal(random, env.infos[env.agent_selection]["action_mask"]))
    assert env.action_space("player_0") is env.action_spaces["player_0"]
    assert env.action_space("player_0").n == env.config.n_actions


def test_the_state_is_seat_0s_view_with_all_cards_turned_up() -> None:
    env = syzygy_v0.env(observation="compact")
    vec = make_vec("syzygy", 1, seed=6)
    env.reset(seed=6)
    vec.reset()
    np.testing.assert_array_equal(env.state(), vec.observe(0, everything=True)[0])
    assert sorted(env.feature_layout.decode(env.state())["value"]) == list(range(1, 10))
    assert not env.feature_layout.decode(env.observe("player_0")["observation"])["value"].any()


def test_it_says_what_it_is() -> None:
    env = syzygy_v0.env(n_players=3, emotions=2)
    assert str(env) == "syzygy_v0"
    assert env.metadata["name"] == "syzygy_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.config.n_players == 3
    assert env.feature_layout == make_game("syzygy", n_players=3, emotions=2).layout
    assert [env.action_name(action) for action in (0, 9, 18, 27)] == [
        "CONFIRM 0",
        "MOVE 0 emotion 0",
        "MOVE 0 emotion 1",
        "PASS",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_players": 7}, "n_players=7: must be from 2 to 6"),
        ({"observation": "pixels"}, "observation='pixels': must be one of 'onehot', 'compact'"),
        ({"render_mode": "gif"}, "render_mode='gif': must be one of 'human', 'ansi', 'rgb_array', or None"),
    ],
)
def test_arguments_that_are_not_allowed_are_refused(options: dict[str, Any], message: str) -> None:
    for make in (syzygy_v0.env, syzygy_v0.raw_env, syzygy_v0.parallel_env):
        with pytest.raises(ValueError, match=message):
            make(**options)


def test_nothing_depends_on_numpys_global_generator() -> None:
    env = syzygy_v0.env()
    results = []
    for seed in (0, 1):
        np.random.seed(seed)  # noqa: NPY002
        before = np.random.get_state()[1].tolist()  # type: ignore[index, call-overload]  # noqa: NPY002
        env.reset(seed=12)
        results.append(play(env, np.random.default_rng(0)))
        assert np.random.get_state()[1].tolist() == before  # type: ignore[index, call-overload]  # noqa: NPY002
    assert_same(results[0], results[1])
