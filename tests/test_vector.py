"""Gymnasium's vector form of the batch engine."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.face_games import CONFIGURATIONS, assert_same, configuration_name, draw_legal
from tests.test_single import Cheat, FirstLegal
from unspoken.envs import GameVectorEnv, make_gym_vec, make_single, make_vec

all_configurations = pytest.mark.parametrize("options", CONFIGURATIONS, ids=configuration_name)


def draw(random: np.random.Generator, masks: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array([draw_legal(random, mask) for mask in masks])


@all_configurations
def test_in_self_play_it_is_the_batch(options: dict[str, Any]) -> None:
    env = make_gym_vec("syzygy", 5, **options)
    compact = options.get("observation") == "compact"
    vec = make_vec(
        "syzygy", 5, seed=3, **{key: value for key, value in options.items() if key != "observation"}
    )
    vec.reset()
    observations, infos = env.reset(seed=3)
    random = np.random.default_rng(3)
    for _ in range(130):
        assert env.observation_space.contains(observations)
        np.testing.assert_array_equal(
            observations, vec.features if compact else vec.layout.onehot(vec.features)
        )
        np.testing.assert_array_equal(env.action_masks(), vec.mask)
        np.testing.assert_array_equal(infos["action_mask"], vec.mask)
        actions = draw(random, vec.mask)
        actions[0] = 0  # now and then illegal
        observations, rewards, terminations, truncations, infos = env.step(actions)
        vec.step(actions)
        np.testing.assert_array_equal(rewards, vec.reward)
        np.testing.assert_array_equal(terminations, vec.done)
        assert not truncations.any()
        assert ("final_obs" in infos) == bool(vec.done.any())
        for game in np.flatnonzero(vec.done):
            final = vec.final_features[game]
            np.testing.assert_array_equal(
                infos["final_obs"][game], final if compact else vec.layout.onehot(final)
            )
            assert infos["final_info"]["score"][game] == vec.score[game]
            assert infos["final_info"]["illegal"][game] == vec.illegal[game]


@all_configurations
@pytest.mark.parametrize("seat", [0, 1])
def test_with_partners_it_plays_the_same_games_as_the_single_agent_face(
    options: dict[str, Any], seat: int
) -> None:
    many = make_gym_vec("syzygy", 3, FirstLegal(), seat, **options)
    one = make_single("syzygy", FirstLegal(), seat, **options)
    observations, infos = many.reset(seed=6)
    observation, info = one.reset(seed=6)  # slot 0
    random = np.random.default_rng(6)
    for _ in range(40):
        np.testing.assert_array_equal(observations[0], observation)
        np.testing.assert_array_equal(infos["action_mask"][0], info["action_mask"])
        actions = draw(random, infos["action_mask"])
        observations, rewards, terminations, _, infos = many.step(actions)
        observation, reward, terminated, _, info = one.step(actions[0])
        assert rewards[0] == pytest.approx(reward, abs=1e-6)
        assert terminations[0] == terminated
        if terminated:
            np.testing.assert_array_equal(infos["final_obs"][0], observation)
            assert infos["final_info"]["score"][0] == info["score"]
            observation, info = one.reset()


@pytest.mark.parametrize("version", ["self-play", "partners"])
@pytest.mark.parametrize(
    ("identifier", "task"), [("Syzygy-v0", "syzygy-base4-2p"), ("Syncro-v0", "syncro-Ib-2p")]
)
def test_infos_are_shaped_as_gymnasiums_own_vector_environment_shapes_them(
    version: str, identifier: str, task: str
) -> None:
    arguments: dict[str, Any] = {} if version == "self-play" else {"partners": FirstLegal(), "seat": 0}
    ours = make_gym_vec(task, 4, **arguments)
    theirs = gymnasium.make_vec(
        identifier, 4, "sync", vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP}, task=task
    )
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space

    def shape(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shape(value[key]) for key in sorted(value)}
        return (value.shape, value.dtype)

    def first_end(env: Any) -> tuple[Any, ...]:
        _, infos = env.reset(seed=0)
        seen = [shape(infos)]
        random = np.random.default_rng(0)
        terminations = np.zeros(4, bool)
        while not terminations.any():
            result = env.step(draw(random, infos["action_mask"]))
            infos, terminations = result[-1], result[2]
        for game in range(4):
            ended = bool(terminations[game])
            assert infos["_final_obs"][game] == infos["_final_info"][game] == ended
            assert (infos["final_obs"][game] is not None) == ended
        return seen, [shape(array) for array in result[:4]], shape(infos)

    assert_same(first_end(ours), first_end(theirs))


def test_gymnasium_makes_it_by_its_name() -> None:
    env = gymnasium.make_vec("Syzygy-v0", 3, "vector_entry_point", n_players=3, variant="trial")
    assert isinstance(env, GameVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.num_envs == 3
    assert env.config.n_players == 3
    assert env.spec is not None
    assert env.spec.id == "Syzygy-v0"
    env.close()


def test_the_learners_seat_can_be_drawn_for_every_game() -> None:
    env = make_gym_vec("syzygy-base4-2p", 64, seat="random", observation="compact")
    observations, infos = env.reset(seed=0)
    random = np.random.default_rng(0)
    before = env.seat.copy()
    assert set(before) == {0, 1}
    changed = False
    for _ in range(12):
        np.testing.assert_array_equal(observations[:, env.feature_layout["seat"].start], env.seat)
        observations, _, terminations, _, infos = env.step(draw(random, infos["action_mask"]))
        assert (env.seat == before)[~terminations].all()
        changed |= bool((env.seat != before).any())
        before = env.seat.copy()
    assert changed


def test_an_oracle_among_the_partners_is_shown_all_cards() -> None:
    oracle = FirstLegal(sees_state=True)
    env = make_gym_vec("syzygy-base5-3p", 4, [FirstLegal(), oracle])
    _, infos = env.reset(seed=0)
    for _ in range(3):
        infos = env.step(draw(np.random.default_rng(0), infos["action_mask"]))[-1]
    assert len(oracle.asked) > 4
    for player, features in oracle.asked:
        decoded = env.feature_layout.decode(features)
        assert decoded["seat"] == player == 2
        assert sorted(decoded["value"]) == [1, 2, 3, 4, 5]


def test_the_same_seed_gives_the_same_games_whatever_their_number_and_the_threads() -> None:
    def run(num_envs: int, threads: int) -> list[Any]:
        env = make_gym_vec("syzygy", num_envs, threads=threads, observation="compact")
        observations, _ = env.reset(seed=1)
        seen = [observations[:3]]
        for _ in range(40):
            result = env.step(env.action_masks().argmax(axis=1))
            seen += [result[0][:3], result[1][:3], result[2][:3]]
        return seen

    assert_same(run(3, 1), run(7, 2))


def test_what_it_hands_out_is_the_callers_own() -> None:
    env = make_gym_vec("syzygy", 3, observation="compact")
    observations, _ = env.reset(seed=0)
    before = observations.copy()
    masks = env.action_masks()
    result = env.step(masks.argmax(axis=1))
    np.testing.assert_array_equal(observations, before)
    result[0][:] = 0
    result[-1]["action_mask"][:] = 0
    env.action_masks()[:] = 0
    assert env.action_masks().any(axis=1).all()


def test_bad_input_is_refused() -> None:
    env = make_gym_vec("syzygy", 3)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros(3, int))
    env.reset(seed=0, options={"anything": 1})
    with pytest.raises(ValueError, match="actions of shape"):
        env.step(np.zeros(2, int))
    with pytest.raises(TypeError, match="must be integers"):
        env.step(np.zeros(3))
    with pytest.raises(ValueError, match="seat=4: must be from 0 to 3"):
        make_gym_vec("syzygy", 3, seat=4)
    with pytest.raises(ValueError, match="observation='flat'"):
        make_gym_vec("syzygy", 3, observation="flat")
    cheated = make_gym_vec("syzygy", 3, Cheat("cheat"))
    cheated.reset(seed=0)
    with pytest.raises(ValueError, match="partner 'cheat' in seat 1: action 17 is illegal"):
        cheated.step(np.full(3, 18))


def test_the_autoreset_mode_is_where_other_frameworks_look_for_it() -> None:
    env = make_gym_vec("syzygy", 2)
    assert env.autoreset_mode is env.metadata["autoreset_mode"]
