"""Training still teaches: a tiny task that is won by chance in one game of twenty is won nearly always."""

from tests.test_ppo import Memory
from unspoken.train.config import TrainConfig
from unspoken.train.loop import train
from unspoken.train.ppo import PPO


def test_a_team_learns_to_win_a_row_of_four_cards() -> None:
    config = TrainConfig(
        task="syzygy-base4-3p",
        total_steps=200_000,
        num_envs=128,
        epochs=4,
        learning_rate={"start": 2e-3, "end": 2e-4},
        hidden=(64, 64),
        precision="float32",
        threads=1,
        evaluate_every=50_000,
        target=0.95,
    )
    ppo = PPO(config)
    assert ppo.evaluate().win_rate < 0.15
    win_rate = train(ppo, Memory())
    assert win_rate is not None
    assert win_rate >= 0.95
