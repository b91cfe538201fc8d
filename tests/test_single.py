"""The single-agent face: one learner at a table of agents."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from tests.face_games import CONFIGURATIONS, assert_same, configuration_name, draw_legal
from unspoken.envs import SingleAgentEnv, make_single, make_vec
from unspoken.envs.engine.game import Game

all_configurations = pytest.mark.parametrize("options", CONFIGURATIONS, ids=configuration_name)


class FirstLegal:
    """Plays the first legal action, and writes down what it was asked and shown."""

    def __init__(self, name: str = "first", sees_state: bool = False) -> None:
        self.name = name
        self.sees_state = sees_state
        self.asked: list[tuple[int, npt.NDArray[np.int8]]] = []

    def reset(self, game: Game, num_games: int, seed: int) -> npt.NDArray[np.int64]:
        return np.zeros(num_games, np.int64)

    def act(self, features: Any, mask: Any, player: Any, state: Any) -> Any:
        self.asked.extend(zip(player.tolist(), features.copy(), strict=True))
        return mask.argmax(axis=1), state + 1


class Cheat(FirstLegal):
    """Plays the last action it may not play."""

    def act(self, features: Any, mask: Any, player: Any, state: Any) -> Any:
        return mask.shape[1] - 1 - (mask[:, ::-1] == 0).argmax(axis=1), state


def play(env: SingleAgentEnv, random: np.random.Generator, decisions: int = 1000) -> list[Any]:
    seen: list[Any] = []
    terminated = False
    while not terminated and len(seen) < decisions:
        result = env.step(draw_legal(random, env.action_masks()))
        terminated = result[2]
        seen.append(result)
    return seen


@all_configurations
@pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")
@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_gymnasium_accepts_it(options: dict[str, Any], seat: int | str) -> None:
    check_env(make_single("syzygy", seat=seat, **options), skip_render_check=True)


@all_configurations
def test_stable_baselines_accepts_it(options: dict[str, Any]) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(make_single("syzygy", **options))


def test_gymnasium_makes_it_by_its_name() -> None:
    env = gymnasium.make("Syzygy-v0", n_players=3, variant="trial", observation="compact", seat=2)
    assert env.unwrapped.spec is not None
    inner = env.unwrapped
    assert isinstance(inner, SingleAgentEnv)
    assert inner.config.variant == "trial"
    assert inner.seat == 2
    env.reset(seed=0)
    assert gymnasium.make("Syzygy-v0", task="syzygy-base5-3p").unwrapped.config.n_planets == 5  # type: ignore[attr-defined]


@pytest.mark.parametrize("seat", [0, 2])
def test_the_partners_sit_clockwise_from_the_learner(seat: int) -> None:
    partners = [FirstLegal(f"partner {place}") for place in (1, 2, 3)]
    env = make_single("syzygy", partners, seat)
    env.reset(seed=0)
    play(env, np.random.default_rng(0))
    for place, partner in enumerate(partners, 1):
        assert {player for player, _ in partner.asked} == {(seat + place) % 4}


def test_one_agent_can_play_all_other_seats() -> None:
    for partners in (FirstLegal(), [FirstLegal()]):
        env = make_single("syzygy", partners, 1)
        env.reset(seed=0)
        play(env, np.random.default_rng(0))
        agent = partners[0] if isinstance(partners, list) else partners
        assert {player for player, _ in agent.asked} == {0, 2, 3}


def test_a_partner_sees_its_own_view_and_an_oracle_sees_all_cards() -> None:
    blind, oracle = FirstLegal(), FirstLegal(sees_state=True)
    env = make_single("syzygy", [blind, oracle, blind])
    layout = env.feature_layout
    env.reset(seed=0)
    play(env, np.random.default_rng(0))
    assert not layout.decode(blind.asked[0][1])["value"].any()
    for player, features in blind.asked + oracle.asked:
        assert layout.decode(features)["seat"] == player
    for _, features in oracle.asked:
        assert sorted(layout.decode(features)["value"]) == list(range(1, 10))


@all_configurations
def test_it_plays_the_same_game_as_a_batch_with_the_same_seed(options: dict[str, Any]) -> None:
    options = {**options, "observation": "compact"}
    env = make_single("syzygy", FirstLegal(), 1, **options)
    del options["observation"]
    vec = make_vec("syzygy", 1, seed=5, **options)
    vec.final_view[:] = 1
    vec.reset()
    random = np.random.default_rng(5)
    for episode in range(2):
        observation, info = env.reset(seed=5 if episode == 0 else None)
        terminated = False
        while not terminated:
            while vec.player[0] != 1:
                vec.step(vec.mask.argmax(axis=1))
            np.testing.assert_array_equal(observation, vec.features[0])
            np.testing.assert_array_equal(info["action_mask"], vec.mask[0])
            action = draw_legal(random, info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            assert env.observation_space.contains(observation)
            assert truncated is False
            earned = 0.0
            vec.step([action])
            earned += vec.reward[0]
            while vec.player[0] != 1 and not vec.done[0]:
                vec.step(vec.mask.argmax(axis=1))
                earned += vec.reward[0]
            assert reward == pytest.approx(earned, abs=1e-6)
            assert terminated == vec.done[0]
        np.testing.assert_array_equal(observation, vec.final_features[0])
        assert info["score"] == vec.score[0]


def test_the_mask_is_the_infos_and_that_of_action_masks() -> None:
    env = make_single("syzygy-base5-3p", seat="random")
    random = np.random.default_rng(0)
    seats = set()
    for _ in range(20):
        _, info = env.reset(seed=None)
        seats.add(env.seat)
        terminated = False
        while not terminated:
            assert list(info) == ["action_mask", "score", "illegal"]
            assert info["action_mask"].dtype == np.int8
            assert info["action_mask"].any()
            np.testing.assert_array_equal(info["action_mask"], env.action_masks())
            _, _, terminated, _, info = env.step(draw_legal(random, info["action_mask"]))
        assert not info["action_mask"].any()
    assert seats == {0, 1, 2}


def test_an_illegal_action_loses_the_game_at_once() -> None:
    env = make_single("syzygy")
    _, info = env.reset(seed=0)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"] == 1
    with pytest.raises(ResetNeeded):
        env.step(0)
    assert env.reset()[1]["illegal"] == 0


def test_an_illegal_action_of_a_partner_is_an_error_that_names_it() -> None:
    env = make_single("syzygy", Cheat("cheat"))
    env.reset(seed=0)
    with pytest.raises(ValueError, match="partner 'cheat' in seat 1: action 17 is illegal"):
        env.step(18)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"partners": [FirstLegal()] * 2}, ValueError, "partners: 2 agents; must be one, or 3, one for each"),
        ({"partners": "random"}, TypeError, "partners='random': must be agents, not names"),
        ({"partners": [1]}, TypeError, "partners=1: must be agents"),
        ({"seat": 4}, ValueError, "seat=4: must be from 0 to 3, or 'random'"),
        ({"seat": "first"}, ValueError, "seat='first': must be from 0 to 3, or 'random'"),
        ({"seat": 1.0}, TypeError, r"seat=1\.0: must be from 0 to 3, or 'random'"),
        ({"observation": "flat"}, ValueError, "observation='flat': must be one of"),
        ({"n_planets": 3}, ValueError, "n_planets=3"),
        ({"colour": 3}, ValueError, "colour=3: unexpected keyword argument"),
    ],
)
def test_arguments_that_are_not_allowed_are_refused(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make_single("syzygy", **arguments)


def test_actions_are_integers_of_the_action_space() -> None:
    env = make_single("syzygy")
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=0)
    with pytest.raises(TypeError, match="action=None"):
        env.step(None)
    with pytest.raises(ValueError, match="action=19: not in the action space"):
        env.step(19)
    env.step(np.array(3))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@all_configurations
def test_a_copy_in_the_middle_of_a_game_goes_on_exactly_like_it(options: dict[str, Any], copied: Any) -> None:
    env = make_single("syzygy", seat="random", **options)
    env.reset(seed=4)
    play(env, np.random.default_rng(4), 3)
    twin = copied(env)
    first, second = (
        [play(one, np.random.default_rng(5)), one.reset(), play(one, np.random.default_rng(6))]
        for one in (env, twin)
    )
    assert_same(first, second)


def test_the_same_seed_gives_the_same_games_partners_included() -> None:
    def games() -> list[Any]:
        env = make_single("syzygy", seat="random")
        seen: list[Any] = [env.reset(seed=9)]
        for _ in range(3):
            seen += [play(env, np.random.default_rng(0)), env.reset()]
        return seen

    assert_same(games(), games())


def test_uniform_partners_play_every_legal_action_equally_often() -> None:
    counts = np.zeros(11, int)
    env = make_single("syzygy", n_planets=5, n_players=2, seat=1, observation="compact")
    for seed in range(3000):
        observation, _ = env.reset(seed=seed)
        features = env.feature_layout.decode(observation)
        counts[5 if features["source_1"][0] == 1 else features["source_1"][0] - 2] += 1
    assert counts[6:].sum() == 0
    assert counts[:6].min() > 400
    assert counts[:6].max() < 600


def test_maskable_ppo_runs_on_it_as_it_is() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    env = make_single("syzygy-base4-2p")
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=0, device="cpu")
    model.learn(128)
    observation, _ = env.reset(seed=0)
    action, _ = model.predict(observation, action_masks=env.action_masks())
    assert env.action_masks()[int(action)] == 1


def test_the_cardinalities_of_a_compact_observation_add_up() -> None:
    env = make_single("syzygy-base-4p", observation="compact")
    assert int(sum(env.observation_space.nvec)) == env.feature_layout.onehot_size == 720
    assert env.observation_space.dtype == np.int8


def test_an_unknown_option_is_refused_as_an_unexpected_keyword() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        make_single("syzygy", frameskip=1)
