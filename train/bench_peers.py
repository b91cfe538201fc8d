"""The speed of other libraries' card games, beside our own.

Silent cooperation is mostly trained on Hanabi, so that is what there is to compare with: OpenSpiel's, as it
is and as PettingZoo's ``hanabi_v5``, and JaxMARL's. Pgx has no cooperative card game; its two small poker
games stand for compiled batches. The games differ, and so does what a step includes: every row says it, and
rows are to be compared with that in mind.

Each measurement imports what it needs itself; where that is missing, it is left out. Games are played at
random, the allowed actions drawn uniformly; of Hanabi, with as many players as the task (from 2 to 5).
"""

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from unspoken.envs import task_config
from unspoken.train.bench_rates import Measurement, Plan, rate

PACKAGES = ("open_spiel", "shimmy", "jax", "jaxlib", "jaxmarl", "pgx")
"""Distributions whose versions a report names, if they are installed."""
DISTRIBUTIONS = {"pyspiel": "open_spiel"}
"""Modules whose distribution has another name."""
GAMES_A_CALL = 3
"""Games of Hanabi that are played between two looks at the clock."""
SB3_GAMES, SB3_STEPS = 8, 128
_COMPILED = "compiled batch on the CPU, one step of all games a call, on threads of XLA's choosing"


def _hanabi_players(plan: Plan) -> int:
    return min(task_config(plan.task).n_players, 5)


def measure_openspiel(plan: Plan) -> list[Measurement]:
    """OpenSpiel's Hanabi, written in C++, from a Python loop."""
    pyspiel: Any = import_module("pyspiel")
    players = _hanabi_players(plan)
    game = pyspiel.load_game("hanabi", {"players": players})
    draw = random.Random(0)

    def play() -> int:
        decisions = 0
        for _ in range(GAMES_A_CALL):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(draw.choices(outcomes, chances)[0])
                    continue
                np.array(state.observation_tensor(), np.float32)
                state.apply_action(draw.choice(state.legal_actions()))
                decisions += 1
        return decisions

    counted = (
        "one decision of one seat; its observation as a numpy array and its allowed actions as a list, every "
        "deal of a card (a step of its own there) and every new game included; one game, Python loop over C++"
    )
    return [rate(f"OpenSpiel hanabi, {players} players", "decisions/s", play, None, plan, counted)]


def measure_hanabi_v5(plan: Plan) -> list[Measurement]:
    """PettingZoo's Hanabi (OpenSpiel through Shimmy) in PettingZoo's loop."""
    env = _hanabi_v5(plan)
    draw = random.Random(0)
    env.reset(seed=0)

    def play() -> int:
        decisions = 0
        for _ in range(GAMES_A_CALL):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                allowed = observation["action_mask"].nonzero()[0]
                env.step(int(allowed[int(draw.random() * len(allowed))]))
                decisions += 1
        return decisions

    counted = (
        "one decision of one seat; observation and mask of the seat to act, checks of PettingZoo's wrappers, "
        "the last round of agent_iter and resets included; one game, Python loop"
    )
    name = f"PettingZoo hanabi_v5, {_hanabi_players(plan)} players (agent_iter, last, step)"
    return [rate(name, "decisions/s", play, None, plan, counted)]


def measure_hanabi_sb3(plan: Plan) -> list[Measurement]:
    """``MaskablePPO`` in self-play on ``hanabi_v5``: playing and learning."""
    import gymnasium as gym
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from unspoken.train.sb3_ppo import Settings, set_torch_threads

    _hanabi_v5(plan)
    settings = Settings(threads=plan.threads or 0)
    set_torch_threads(settings)
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([lambda: _self_play(gym.Env, _hanabi_v5(plan)) for _ in range(SB3_GAMES)]),
        n_steps=SB3_STEPS,
        batch_size=settings.batch_size,
        n_epochs=settings.n_epochs,
        gamma=1.0,
        device="cpu",
        policy_kwargs={"net_arch": [settings.width, settings.width], "activation_fn": torch.nn.ReLU},
    )
    rollout = SB3_GAMES * SB3_STEPS

    def update() -> int:
        model.learn(rollout)
        return rollout

    counted = (
        f"one decision of one seat, played and learned from in {settings.n_epochs} epochs; {SB3_GAMES} games "
        "in one process (DummyVecEnv), Python loop"
    )
    name = (
        f"MaskablePPO on hanabi_v5, {_hanabi_players(plan)} players, 2 x {settings.width}, float32, "
        f"threads: {torch.get_num_threads()}"
    )
    return [rate(name, "samples/s", update, None, plan, counted)]


def measure_jaxmarl(plan: Plan) -> list[Measurement]:
    """JaxMARL's Hanabi, a compiled batch."""
    jax = _jax_on_cpu()
    jaxmarl: Any = import_module("jaxmarl")
    players = _hanabi_players(plan)
    hand = {"hand_size": 5 if players < 4 else 4}
    env = jaxmarl.make("hanabi", num_agents=players, **hand)

    def draw(now: Any, key: Any) -> Any:
        state, _ = now
        legal = env.get_legal_moves(state)
        keys = jax.random.split(key, len(env.agents))
        return {
            agent: jax.random.categorical(keys[index], jax.numpy.log(legal[agent]))
            for index, agent in enumerate(env.agents)
        }

    def step(now: Any, actions: Any, key: Any) -> Any:
        observations, state, _, _, _ = env.step(key, now[0], actions)
        return state, observations

    def begin(key: Any) -> Any:
        observations, state = env.reset(key)
        return state, observations

    counted = (
        "one decision of one seat (the others play a no-op); observations and masks of all seats, auto-reset "
        f"and the draw of the action included; {_COMPILED}"
    )
    name = f"JaxMARL hanabi, {players} players, batch of {plan.num_envs}"
    return [_rate_of_batch(jax, name, begin, draw, step, plan, counted)]


def measure_pgx(plan: Plan) -> list[Measurement]:
    """Pgx's card games that need no data to be downloaded, compiled batches (bridge_bidding does)."""
    jax = _jax_on_cpu()
    pgx: Any = import_module("pgx")
    wrappers: Any = import_module("pgx.experimental.wrappers")
    counted = (
        "one decision of one of two opponents; observation and mask of the next one, auto-reset and the draw "
        f"of the action included; {_COMPILED}"
    )

    def draw(state: Any, key: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.log(state.legal_action_mask))

    results = []
    for game in ("kuhn_poker", "leduc_holdem"):
        env = pgx.make(game)
        play = wrappers.auto_reset(env.step, env.init)
        name = f"Pgx {game}, batch of {plan.num_envs}"
        results.append(_rate_of_batch(jax, name, env.init, draw, play, plan, counted))
    return results


def _jax_on_cpu() -> Any:
    jax: Any = import_module("jax")
    jax.config.update("jax_platforms", "cpu")
    return jax


def _rate_of_batch(
    jax: Any,
    name: str,
    begin: Callable[[Any], Any],
    draw: Callable[[Any, Any], Any],
    step: Callable[[Any, Any, Any], Any],
    plan: Plan,
    counted: str,
) -> Measurement:
    """Steps of ``num_envs`` games at once; ``begin(key)``, ``draw(state, key)`` and ``step(state, actions,
    key)`` are of one game."""
    games = plan.num_envs

    @jax.jit  # type: ignore[untyped-decorator]
    def play(states: Any, key: Any) -> Any:
        draws, steps = jax.random.split(key, (2, games))
        actions = jax.vmap(draw)(states, draws)
        return jax.vmap(step)(states, actions, steps)

    key = jax.random.key(0)
    states = jax.jit(jax.vmap(begin))(jax.random.split(key, games))

    def call() -> None:
        nonlocal states, key
        key, now = jax.random.split(key)
        states = jax.block_until_ready(play(states, now))

    # States that have been stepped can be of other ("weak") types than those dealt. Then the next call, which
    # `rate` makes before its clock runs, compiles again.
    call()
    return rate(name, "decisions/s", call, games, plan, counted)


def _hanabi_v5(plan: Plan) -> Any:
    """The printed game; ``hanabi_v5`` does not settle the size of a hand by itself."""
    # PettingZoo's own message would not name them.
    for needed in ("pyspiel", "shimmy"):
        import_module(needed)
    hanabi_v5: Any = import_module("pettingzoo.classic.hanabi_v5")
    players = _hanabi_players(plan)
    return hanabi_v5.env(players=players, hand_size=5 if players < 4 else 4)


def _self_play(base: type, game: Any) -> Any:
    """A Gymnasium environment in which one learner makes the decisions of whichever seat is to act."""

    class SelfPlay(base):  # type: ignore[misc]
        def __init__(self) -> None:
            seat = game.possible_agents[0]
            self.observation_space = game.observation_space(seat)["observation"]
            self.action_space = game.action_space(seat)

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            game.reset(seed=seed)
            return game.observe(game.agent_selection)["observation"], {}

        def step(self, action: int) -> Any:
            game.step(int(action))
            seat = game.agent_selection
            done = game.terminations[seat] or game.truncations[seat]
            return game.observe(seat)["observation"], float(game.rewards[seat]), done, False, {}

        def action_masks(self) -> Any:
            return game.observe(game.agent_selection)["action_mask"].astype(np.bool_)

    return SelfPlay()


PEERS: dict[str, Callable[[Plan], list[Measurement]]] = {
    "openspiel": measure_openspiel,
    "hanabi-v5": measure_hanabi_v5,
    "jaxmarl": measure_jaxmarl,
    "pgx": measure_pgx,
    "hanabi-sb3": measure_hanabi_sb3,
}
"""Every measurement of another library by name, in the order of the report."""
