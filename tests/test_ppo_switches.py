"""What can be switched on in the trainer: a central critic, a memory, partners, several processes."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from tests.test_checkpoint import run_until, weights
from tests.test_ppo import SMALL
from unspoken.agents import load_agent
from unspoken.agents.base import State
from unspoken.agents.item_network import NETWORKS
from unspoken.agents.learned import LearnedAgent
from unspoken.agents.policy import masked
from unspoken.envs import make_vec
from unspoken.train.config import TrainConfig, load_config
from unspoken.train.machine import choose_device
from unspoken.train.other_play import OtherPlay
from unspoken.train.partners import Partners
from unspoken.train.ppo import PPO
from unspoken.train.processes import Processes
from unspoken.train.run_folder import RunFolder, read_metrics

EXACT = SMALL | {"precision": "float32"}
MEMORY = {"memory": 8, "game": {"memory": "none"}}


def judged(ppo: PPO) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities of the recorded actions and values, as learning sees them before its first step."""
    record = ppo._record
    units = ppo.config.num_envs if ppo.config.memory else record.size
    with torch.no_grad():
        rows, logits, value = ppo._judge(torch.arange(units))
    logits = masked(logits, record.mask.flatten(0, 1)[rows])
    chosen = logits.log_softmax(1).gather(1, record.action.flatten()[rows][:, None])[:, 0]
    back = rows.argsort()
    return chosen[back], value[back]


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("switch", [{}, MEMORY, {"critic": "central"}, MEMORY | {"critic": "central"}])
def test_learning_begins_with_the_probabilities_and_values_of_playing(
    network: str, switch: dict[str, object]
) -> None:
    ppo = PPO(TrainConfig(**EXACT | {"network": network} | switch))
    for _ in range(2):  # the second time, games and memories are under way
        ppo._play(shaping=0.0)
        log_probability, value = judged(ppo)
        torch.testing.assert_close(log_probability, ppo._record.log_probability.flatten())
        torch.testing.assert_close(value, ppo._record.value[:-1].flatten())


def test_a_memory_is_a_seats_own_and_ends_with_the_game() -> None:
    ppo = PPO(TrainConfig(**EXACT | MEMORY))
    ppo._play(shaping=0.0)  # 16 decisions are a whole game of two players and four cards, all move
    memory = ppo._memory.clone()
    ended = ppo._record.done[-1]
    assert (memory[ended] == 0).all()
    # A seat that has acted remembers, and its decision changes nothing for the other.
    seat = ppo.vec.player.long()
    ppo._record.features[0], ppo._record.player[0], _ = ppo._look()
    ppo._record.mask[0] = ppo.vec.mask
    ppo._decide(0, torch.rand(64), 0, 64)
    games = torch.arange(64)
    assert (ppo._memory[games, seat] != 0).any(1).all()
    assert torch.equal(ppo._memory[games, 1 - seat], memory[games, 1 - seat])


def test_a_policy_with_a_memory_carries_it_to_the_table(tmp_path: Path) -> None:
    run_until(tmp_path / "run", 1024, TrainConfig(**EXACT | MEMORY))
    agent = load_agent(tmp_path / "run")
    assert isinstance(agent, LearnedAgent)
    vec = make_vec("syzygy-base4-2p", 50, seed=0, memory="none")
    vec.reset()
    memory = agent.reset(vec.game, 50, 0)
    assert memory is not None
    assert memory.shape == (50, 8)
    actions, after = agent.act(vec.features, vec.mask, vec.player, memory)
    assert after is not None
    with torch.no_grad():
        policy = agent.policy
        logits, _, kept = policy(policy.expand(torch.from_numpy(vec.features)), torch.from_numpy(memory))
    assert kept is not None
    np.testing.assert_array_equal(after, kept.numpy())
    assert np.array_equal(actions, masked(logits, torch.from_numpy(vec.mask)).argmax(1).numpy())


def test_a_central_critic_sees_every_card_and_stays_out_of_the_policy(tmp_path: Path) -> None:
    config = TrainConfig(**EXACT | {"critic": "central"})
    ppo = run_until(tmp_path / "run", 1024, config)
    assert ppo._record.revealed is not None
    vec = ppo.vec
    revealed = vec.observe(vec.player, everything=True)
    assert (revealed[:, vec.layout["value"].slice] > 0).all()
    assert torch.equal(ppo._look()[2], revealed)
    plain = run_until(tmp_path / "plain", 1024, TrainConfig(**EXACT))
    assert len(weights(tmp_path / "run")) == len(weights(tmp_path / "plain"))
    assert not torch.equal(ppo.policy.state_dict()["head.weight"], plain.policy.state_dict()["head.weight"])


@pytest.mark.parametrize("switch", [MEMORY, {"critic": "central"}])
def test_a_stopped_run_with_a_switch_ends_with_the_same_weights(
    tmp_path: Path, switch: dict[str, object]
) -> None:
    config = TrainConfig(**SMALL | {"checkpoint_every": 1024} | switch)
    run_until(tmp_path / "whole", 4096, config)
    run_until(tmp_path / "stopped", 2048, config)
    run_until(tmp_path / "stopped", 4096, config)
    last = "checkpoints/step-000000004096"
    assert torch.equal(weights(tmp_path / "whole" / last), weights(tmp_path / "stopped" / last))


class Passing:
    """Passes whenever it may, and counts its decisions of a game in its memory."""

    name = "passing"
    sees_state = False

    def __init__(self) -> None:
        self.counts: list[int] = []

    def reset(self, game: object, num_games: int, seed: int) -> State:
        return np.zeros(num_games, np.int64)

    def act(
        self, features: State, mask: np.ndarray, player: np.ndarray, state: State
    ) -> tuple[np.ndarray, State]:
        assert state is not None
        self.counts += (state + 1).tolist()
        return np.full(len(mask), mask.shape[1] - 1), state + 1


def test_partners_play_their_seats_and_only_the_others_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    passing = Passing()
    monkeypatch.setattr("unspoken.train.partners.load_agent", lambda name: passing)
    config = TrainConfig(**EXACT | {"task": "syzygy-base4-3p", "partners": ("x",), "partner_share": 1.0})
    ppo = PPO(config)
    seated = ppo._partners._seated.copy() if ppo._partners else np.zeros(0)
    assert ((seated == 0).sum(1) >= 1).all()
    assert ((seated == 0).sum(1) <= 2).all()
    ppo._play(shaping=0.0)
    record = ppo._record
    games = np.arange(64)
    assert not record.done[:9].any()  # twelve turns: nobody is seated anew before the ninth decision
    for step in range(9):
        theirs = seated[games, record.player[step].numpy()] == 0
        assert np.array_equal(record.own[step].numpy(), ~theirs)
    # Each decision of a partner is a whole turn, PASS, and it has four of them in a game.
    assert max(passing.counts) == 4
    learned = ppo._learn(0.0, 0.0)
    # With all weight on the learner's decisions, normalised advantages have mean 0: so has the first loss.
    assert learned["policy_loss"] == pytest.approx(0.0, abs=1e-5)


def test_a_share_of_the_games_has_partners_of_one_kind() -> None:
    vec = make_vec("syzygy-base4-3p", 4000, seed=0, backend="torch")
    partners = Partners(vec, ["random", "syzygy/greedy"], 0.25, seed=0)
    kinds = [set(row[row >= 0].tolist()) for row in partners._seated]
    assert all(len(kind) <= 1 for kind in kinds)
    share = sum(bool(kind) for kind in kinds) / 4000
    assert share == pytest.approx(0.25, abs=0.03)


def test_partners_can_be_named_by_a_pattern_and_are_written_down_as_whole_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_until(tmp_path / "run", 2048, TrainConfig(**SMALL | {"checkpoint_every": 1024}))
    monkeypatch.chdir(tmp_path)
    config = load_config("syzygy-base4-2p", ["partners=[random, run/checkpoints/step-*]"])
    checkpoints = tmp_path / "run" / "checkpoints"
    assert config.partners == (
        "random",
        str(checkpoints / "step-000000001024"),
        str(checkpoints / "step-000000002048"),
    )
    with pytest.raises(ValueError, match=r"partners: nothing matches 'nowhere\*'"):
        load_config("syzygy-base4-2p", ["partners=[nowhere*]"])


def test_bad_partners_are_refused() -> None:
    vec = make_vec("syzygy-base4-2p", 8, seed=0, backend="torch")
    with pytest.raises(ValueError, match="'syzygy/oracle' sees all cards, so it cannot be a partner"):
        Partners(vec, ["syzygy/oracle"], 0.5, seed=0)
    with pytest.raises(ValueError, match=r"partner_share=0\.9: there are no partners; set them too"):
        TrainConfig(**SMALL | {"partner_share": 0.9})


def test_a_run_with_partners_that_goes_on_seats_them_anew(tmp_path: Path) -> None:
    config = TrainConfig(**SMALL | {"partners": ("random",), "checkpoint_every": 1024})
    begun = run_until(tmp_path / "run", 1024, config)
    again = PPO(config)
    first = again._partners._seated.copy() if again._partners else np.zeros(0)
    RunFolder(tmp_path / "run", again, "test").close()
    assert again.steps == begun.steps == 1024
    assert again._partners is not None
    assert not np.array_equal(again._partners._seated, first)


def test_a_memory_has_a_width() -> None:
    with pytest.raises(ValueError, match="must be a width, such as 128, or 0 for none"):
        TrainConfig(**SMALL | {"memory": True})


def test_two_processes_learn_what_one_learns(tmp_path: Path) -> None:
    settings = ["syzygy-base4-2p", "num_envs=64", "rollout_steps=16", "minibatches=4", "hidden=[16]"]
    settings += ["total_steps=8192", "evaluate_every=8192", "evaluate_games=200", "threads=1"]
    settings += ["precision=float32", "learning_rate=0.001"]
    command = ["-m", "unspoken.train.cli", "train", *settings, "--folder"]
    alone = [sys.executable, *command, str(tmp_path / "alone")]
    both = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", *command]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run(alone, check=True, capture_output=True, env=environment)
    subprocess.run([*both, str(tmp_path / "both")], check=True, capture_output=True, env=environment)
    one, two = read_metrics(tmp_path / "alone"), read_metrics(tmp_path / "both")
    assert [row["steps"] for row in two] == [1024 * update for update in range(1, 9)]
    for before, after in zip(one, two, strict=True):
        for name in ("loss", "value_loss", "entropy", "gradient_norm", "train_progress"):
            # Sums in another order; after a few updates one draw in thousands comes out differently.
            assert after[name] == pytest.approx(before[name], rel=0.05, abs=0.01), (before["steps"], name)
    assert two[0]["loss"] == pytest.approx(one[0]["loss"], abs=1e-5)
    assert two[0]["train_progress"] == pytest.approx(one[0]["train_progress"], abs=1e-6)
    assert two[-1]["win_rate"] == pytest.approx(one[-1]["win_rate"], abs=0.03)


def test_games_are_shared_equally() -> None:
    processes = Processes()
    processes.count = 3
    assert processes.share(63, "num_envs") == 21
    with pytest.raises(ValueError, match="num_envs=64: must be a multiple of the number of processes, 3"):
        processes.share(64, "num_envs")


def test_with_a_memory_minibatches_are_made_of_whole_games() -> None:
    with pytest.raises(ValueError, match="minibatches=3: must divide num_envs=64, since with a memory"):
        TrainConfig(**SMALL | {"minibatches": 3, "memory": 4, "rollout_steps": 3})


@pytest.mark.parametrize("network", NETWORKS)
def test_a_minibatch_may_have_fewer_games_than_threads(network: str) -> None:
    tiny = {"num_envs": 2, "minibatches": 2, "precision": "float32", "network": network}
    one, three = (PPO(TrainConfig(**SMALL | MEMORY | tiny | {"threads": threads})) for threads in (1, 3))
    assert three.update()["loss"] == pytest.approx(one.update()["loss"], abs=1e-6)
    for weight, same in zip(one.policy.parameters(), three.policy.parameters(), strict=True):
        torch.testing.assert_close(weight, same)


def test_where_partners_make_every_decision_only_values_are_learned() -> None:
    few = {"num_envs": 1, "rollout_steps": 1, "minibatches": 1, "shaping": 0.0}
    ppo = PPO(TrainConfig(**SMALL | few | {"partners": ("random",), "partner_share": 1.0}))
    assert ppo._partners is not None
    ppo._partners._seated[:] = 0
    learned = ppo.update()
    assert not ppo._record.own.any()
    assert learned["policy_loss"] == learned["entropy"] == 0.0
    assert learned["value_loss"] > 0.0


def test_each_process_of_a_machine_takes_a_gpu_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert choose_device("cuda") == "cuda:0"
    monkeypatch.setenv("LOCAL_RANK", "3")
    assert [choose_device(device) for device in ("cpu", "cuda", "cuda:1")] == ["cpu", "cuda:3", "cuda:1"]


def test_a_gpu_that_is_not_there_is_refused() -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(ValueError, match="device='cuda': torch finds no CUDA device here; must be 'cpu'"):
        PPO(TrainConfig(**SMALL | {"device": "cuda"}))


def test_each_seat_sees_its_games_through_symmetries_of_its_own() -> None:
    ppo = PPO(TrainConfig(**EXACT | {"task": "syzygy-base4-3p", "other_play": True}))
    other_play, record = ppo._other_play, ppo._record
    assert other_play is not None
    assert other_play._chosen.unique().tolist() == [0, 1, 2, 3]
    replay = make_vec("syzygy-base4-3p", 64, seed=0, backend="numpy")
    replay.reset()
    symmetries = replay.game.symmetries
    chosen = other_play._chosen.numpy().copy()
    ppo._play(shaping=0.0)
    for step in range(9):  # nobody sees a new game before
        which = chosen[np.arange(64), replay.player]
        seen = symmetries.relabel_features(replay.features, which)
        assert np.array_equal(record.features[step].numpy(), seen)
        assert np.array_equal(record.mask[step].numpy(), symmetries.relabel_mask(replay.mask, which))
        replay.step(symmetries.original_actions(record.action[step].numpy(), which))
        assert not replay.illegal.any()
    ppo._play(shaping=0.0)
    log_probability, value = judged(ppo)
    torch.testing.assert_close(log_probability, record.log_probability.flatten())
    torch.testing.assert_close(value, record.value[:-1].flatten())
    assert ppo.update()["steps"] == 1024


def test_other_play_needs_a_game_with_symmetries() -> None:
    game = SimpleNamespace(symmetries=SimpleNamespace(count=1), config=SimpleNamespace(game="whist"))
    with pytest.raises(ValueError, match="other_play=True: whist has no symmetry; must be False"):
        OtherPlay(SimpleNamespace(game=game), seed=0)  # type: ignore[arg-type]
