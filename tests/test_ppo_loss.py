"""What PPO minimises: the written-down gradient is that of automatic differentiation; draws are fair."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from unspoken.agents.policy import masked
from unspoken.train import ppo_loss
from unspoken.train.ppo_loss import Decisions, LossWeights, draw_actions, loss_gradient

ROWS, ACTIONS = 300, 21
WEIGHTS = LossWeights(clip=0.2, value=0.5, entropy=0.3, size=256)

Gradient = Callable[[Tensor, Tensor, Decisions, Tensor, LossWeights], tuple[Tensor, Tensor, Tensor]]


@pytest.fixture
def decisions() -> Decisions:
    generator = torch.Generator().manual_seed(4)
    mask = (torch.rand(ROWS, ACTIONS, generator=generator) < 0.4).to(torch.int8)
    action = torch.randint(ACTIONS, (ROWS,), generator=generator)
    mask.scatter_(1, action[:, None], 1)
    mask[0] = torch.nn.functional.one_hot(action[0], ACTIONS)
    numbers = torch.randn(ROWS, 4, generator=generator)
    numbers[:, 0] = -1.0 - numbers[:, 0].abs()
    numbers[:, 2] = (numbers[:, 2] > -1.0).float()
    return Decisions(mask, action, numbers)


def said(rows: int) -> tuple[Tensor, Tensor]:
    """Logits, in the layout in which a network gives them, and values."""
    generator = torch.Generator().manual_seed(5)
    out = 3.0 * torch.randn(rows, ACTIONS + 1, generator=generator)
    return out[:, :ACTIONS], out[:, ACTIONS]


def on_cpu(*given: object) -> tuple[Tensor, Tensor, Tensor]:
    return loss_gradient(*given)  # type: ignore[arg-type]


def as_on_a_gpu(
    logits: Tensor, value: Tensor, decisions: Decisions, rows: Tensor, weights: LossWeights
) -> tuple[Tensor, Tensor, Tensor]:
    by_logits, by_value, parts = ppo_loss._on_device(logits, value, decisions, rows, weights)
    return by_logits, by_value, torch.cat([ppo_loss._loss(parts, weights)[None], parts])


@pytest.mark.parametrize("count", [1, 64, 200])
@pytest.mark.parametrize("gradient", [on_cpu, as_on_a_gpu])
def test_the_gradient_is_that_of_the_loss(decisions: Decisions, gradient: Gradient, count: int) -> None:
    rows = torch.randperm(ROWS, generator=torch.Generator().manual_seed(6))[:count]
    logits, value = (each.clone().requires_grad_() for each in said(count))
    mask, action, numbers = (each[rows] for each in decisions)
    before, advantage, weight, target = numbers.unbind(1)
    logs = masked(logits, mask).log_softmax(1)
    log_ratio = logs.gather(1, action[:, None])[:, 0] - before
    ratio = log_ratio.exp()
    gained = torch.minimum(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
    policy_loss = -gained.sum() / WEIGHTS.size
    value_loss = (value - target).square().sum() / WEIGHTS.size
    entropy = -((logs.exp() * logs).sum(1) * weight).sum() / WEIGHTS.size
    kl = ((ratio - 1.0 - log_ratio) * weight).sum() / WEIGHTS.size
    loss = policy_loss + WEIGHTS.value * value_loss - WEIGHTS.entropy * entropy
    expected = torch.autograd.grad(loss, (logits, value))

    by_logits, by_value, measured = gradient(*said(count), decisions, rows, WEIGHTS)
    # Of one decision, so that the numbers are of the size of 1.
    size, close = WEIGHTS.size, {"rtol": 2e-6, "atol": 2e-6}
    torch.testing.assert_close(size * by_logits, size * expected[0], **close)
    torch.testing.assert_close(size * by_value, size * expected[1], **close)
    parts = torch.stack([loss, policy_loss, value_loss, entropy, kl]).detach()
    torch.testing.assert_close(measured, parts, rtol=1e-5, atol=1e-7)
    assert (by_logits[mask == 0] == 0.0).all()


def test_what_is_not_a_number_is_seen_in_the_loss(decisions: Decisions) -> None:
    logits, value = said(ROWS)
    logits[7, 3] = torch.nan
    measured = loss_gradient(logits, value, decisions, torch.arange(ROWS), WEIGHTS)[2]
    assert measured[0].isnan()


Draw = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]
both_ways = pytest.mark.parametrize("draw", [draw_actions, ppo_loss._draw_on_device])


@both_ways
def test_every_action_is_drawn_where_its_share_of_the_numbers_lies(draw: Draw) -> None:
    logits = torch.tensor([[0.0, 5.0, 1.0, 0.5, 9.0]]).log().repeat(650, 1)
    logits[:, 0] = 2.0
    mask = torch.tensor([[0, 1, 1, 1, 0]], dtype=torch.int8).repeat(650, 1)
    uniform = (torch.arange(650) + 0.5) / 650
    action, log_probability = draw(logits, mask, uniform)
    assert action.tolist() == [1] * 500 + [2] * 100 + [3] * 50
    expected = (torch.tensor([0.0, 500.0, 100.0, 50.0]) / 650).log()[action]
    torch.testing.assert_close(log_probability, expected)


@both_ways
def test_an_action_that_is_next_to_impossible_is_not_drawn_for_the_last_number(draw: Draw) -> None:
    logits = torch.randn(2000, 20, generator=torch.Generator().manual_seed(7))
    logits[:, -1] = -200.0
    mask = torch.ones(2000, 20, dtype=torch.int8)
    number = torch.tensor(1.0).nextafter(torch.tensor(0.0)).repeat(2000)
    action, log_probability = draw(logits, mask, number)
    assert (action == 18).all()
    torch.testing.assert_close(log_probability, logits.log_softmax(1)[:, 18], rtol=1e-6, atol=1e-6)


@both_ways
def test_a_forbidden_action_is_never_drawn(draw: Draw) -> None:
    logits = torch.tensor([[0.0, 90.0, -90.0, 0.0]]).repeat(4, 1)
    mask = torch.tensor([[0, 1, 1, 0], [1, 0, 1, 0], [0, 0, 1, 0], [0, 0, 1, 1]], dtype=torch.int8)
    below_one = torch.tensor(1.0).nextafter(torch.tensor(0.0)).repeat(4)
    for uniform in (torch.zeros(4), below_one):
        action, _ = draw(logits, mask, uniform)
        assert (mask.gather(1, action[:, None]) == 1).all()


def test_a_network_that_has_diverged_draws_what_is_allowed() -> None:
    mask = torch.tensor([[0, 1, 1, 0], [1, 0, 1, 0]], dtype=torch.int8)
    nothing = torch.full((2, 4), torch.nan)
    assert draw_actions(nothing, mask, torch.zeros(2))[0].tolist() == [1, 0]
    assert ppo_loss._draw_on_device(nothing, mask, torch.zeros(2))[0].max() < 4
