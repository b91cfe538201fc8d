"""What PPO minimises: its value, and its gradient with respect to logits and values, written down.

Automatic differentiation would make some fifty operations of it, on the CPU more work than a layer of the
network. Here it is one compiled pass over the decisions, block by block; a GPU is spared the backward half.
The other compiled pass draws actions.
"""

import math
from typing import NamedTuple

import numpy as np
import torch
from numba import njit
from torch import Tensor

from unspoken.agents.policy import FORBIDDEN, masked

MEASURED = ("loss", "policy_loss", "value_loss", "entropy", "kl")
"""What ``loss_gradient`` measures, in this order."""

_BLOCK = 64
"""Decisions that are computed side by side: vectors of numbers, and all of them in the nearest cache."""

_BELOW_ONE = 1.0 - 2.0**-23
"""Numbers that draw actions stay below the sum of probabilities, which rounding leaves a little from 1."""

_LOG2_E = np.float32(1.0 / math.log(2.0))
_SMALLEST_POWER = np.float32(-60.0)
"""Probabilities are not told apart below 2 to this power; it keeps numbers normal, which are fast."""


class Decisions(NamedTuple):
    """Recorded decisions.

    Attributes:
        mask: ``(N, A) int8``. action: ``(N,) int64``.
        numbers: ``(N, 4) float32``: the logarithm of the action's probability when it was drawn, the
            advantage, the weight in the means of entropy and divergence, what the value should be.
    """

    mask: Tensor
    action: Tensor
    numbers: Tensor


class LossWeights(NamedTuple):
    """How the parts of the loss are weighed.

    Attributes:
        clip: how far the ratio of probabilities may be from 1. value, entropy: weights. size: decisions whose
            mean the loss is.
    """

    clip: float
    value: float
    entropy: float
    size: int


def loss_gradient(
    logits: Tensor, value: Tensor, decisions: Decisions, rows: Tensor, weights: LossWeights
) -> tuple[Tensor, Tensor, Tensor]:
    """The loss of the decisions ``rows``, ``(m,) int64``, and its derivatives.

    Args:
        logits: ``(m, A) float32``, before masking, and value: ``(m,) float32``: what the network says,
            detached from what they were computed of.

    Returns:
        Its derivatives by ``logits`` and ``value``, of their shapes, and ``MEASURED``, ``(5,) float32``:
        parts of means over ``weights.size`` decisions, to be added up.
    """
    if logits.device.type == "cpu":
        by_logits, by_value = torch.empty_like(logits), torch.empty_like(value)
        sums = np.zeros(4)
        _loss_gradient(
            np.float32(FORBIDDEN),
            logits.numpy(),
            value.numpy(),
            decisions.mask.numpy(),
            decisions.action.numpy(),
            decisions.numbers.numpy(),
            rows.numpy(),
            np.float32(weights.clip),
            np.float32(weights.value),
            np.float32(weights.entropy),
            np.float32(weights.size),
            by_logits.numpy(),
            by_value.numpy(),
            sums,
        )
        parts = torch.from_numpy(sums).float() / weights.size
    else:
        by_logits, by_value, parts = _on_device(logits, value, decisions, rows, weights)
    return by_logits, by_value, torch.cat([_loss(parts, weights)[None], parts])


def _loss(parts: Tensor, weights: LossWeights) -> Tensor:
    policy_loss, value_loss, entropy, _ = parts.unbind()
    return policy_loss + weights.value * value_loss - weights.entropy * entropy


def _on_device(
    logits: Tensor, value: Tensor, decisions: Decisions, rows: Tensor, weights: LossWeights
) -> tuple[Tensor, Tensor, Tensor]:
    log_probabilities = masked(logits, decisions.mask.index_select(0, rows)).log_softmax(1)
    probabilities = log_probabilities.exp()
    action = decisions.action.index_select(0, rows)[:, None]
    before, advantage, weight, target = decisions.numbers.index_select(0, rows).unbind(1)
    log_ratio = log_probabilities.gather(1, action)[:, 0] - before
    ratio = log_ratio.exp()
    gained, clipped = ratio * advantage, ratio.clamp(1.0 - weights.clip, 1.0 + weights.clip) * advantage
    entropy = -(probabilities * log_probabilities).sum(1)
    surprise = value - target
    by_chosen = -torch.where(gained <= clipped, gained, 0.0) / weights.size
    by_entropy = weights.entropy * weight / weights.size
    by_logits = probabilities * (
        by_entropy[:, None] * (log_probabilities + entropy[:, None]) - by_chosen[:, None]
    )
    by_logits.scatter_add_(1, action, by_chosen[:, None])
    parts = [
        -torch.minimum(gained, clipped),
        surprise.square(),
        entropy * weight,
        (ratio - 1.0 - log_ratio) * weight,
    ]
    by_value = (2.0 * weights.value / weights.size) * surprise
    return by_logits, by_value, torch.stack(parts).sum(1) / weights.size


def draw_actions(logits: Tensor, mask: Tensor, uniform: Tensor) -> tuple[Tensor, Tensor]:
    """An action for each row of ``logits``, with a number in 0..1 for each.

    Args:
        logits: ``(m, A) float32``, before masking. mask: ``(m, A) int8``. uniform: ``(m,) float32``.

    Returns:
        ``(m,) int64`` actions, which the mask allows where the logits are numbers; ``(m,) float32`` the
        logarithms of their probabilities.
    """
    if logits.device.type == "cpu":
        action = torch.empty(len(logits), dtype=torch.int64)
        log_probability = torch.empty(len(logits))
        _draw_actions(
            np.float32(FORBIDDEN),
            logits.numpy(),
            mask.numpy(),
            uniform.numpy(),
            action.numpy(),
            log_probability.numpy(),
        )
        return action, log_probability
    return _draw_on_device(logits, mask, uniform)


def _draw_on_device(logits: Tensor, mask: Tensor, uniform: Tensor) -> tuple[Tensor, Tensor]:
    log_probabilities = masked(logits, mask).log_softmax(1)
    reached = log_probabilities.exp().cumsum(1)
    # A forbidden action adds nothing, so it is never the first to exceed the number.
    number = uniform * reached[:, -1] * _BELOW_ONE
    # Where the network has diverged, the search finds nothing.
    action = torch.searchsorted(reached, number[:, None], right=True).clamp(max=logits.shape[1] - 1)
    return action[:, 0], log_probabilities.gather(1, action)[:, 0]


@njit(cache=True, nogil=True, error_model="numpy")
def _probabilities(  # type: ignore[no-untyped-def]
    forbidden, logits, mask, rows, first, count, logs, chances, bits, powers, top, total
):
    # Of decisions first..first + count - 1: ``logs`` and ``chances``, (A, _BLOCK), an action a row, so that
    # the loops over decisions become vector instructions. ``powers`` and ``bits`` are the same memory.
    n_actions = logits.shape[1]
    half = np.float32(0.5) * forbidden
    for i in range(count):
        row = rows[first + i]
        for action in range(n_actions):
            allowed = np.float32(mask[row, action])
            logs[action, i] = logits[first + i, action] + (np.float32(1.0) - allowed) * forbidden
    for i in range(_BLOCK):
        top[i] = logs[0, i]
        total[i] = np.float32(0.0)
    for action in range(1, n_actions):
        for i in range(_BLOCK):
            top[i] = max(top[i], logs[action, i])
    for action in range(n_actions):
        for i in range(_BLOCK):
            # 2 ** x is a power of two, made of its bits, times 2 ** (-0.5..0.5), a polynomial. x is at most
            # 0, so this rounds it to the nearest integer.
            x = max((logs[action, i] - top[i]) * _LOG2_E, _SMALLEST_POWER)
            whole = np.int32(x - np.float32(0.5))
            rest = x - np.float32(whole)
            bits[i] = (whole + np.int32(127)) << np.int32(23)
            power = np.float32(0.009618437357674640) + rest * (
                np.float32(0.001339262701226460) + rest * np.float32(0.000154035303933816)
            )
            power = np.float32(0.2402264923172690) + rest * (np.float32(0.05550332471162809) + rest * power)
            chances[action, i] = np.float32(1.0) + rest * (np.float32(0.6931471805599453) + rest * power)
        for i in range(_BLOCK):
            chance = chances[action, i] * powers[i]
            chances[action, i] = chance if logs[action, i] > half else np.float32(0.0)
            total[i] += chances[action, i]
    for i in range(count):
        top[i] += np.float32(math.log(total[i]))
        total[i] = np.float32(1.0) / total[i]
    for action in range(n_actions):
        for i in range(_BLOCK):
            chances[action, i] *= total[i]
            logs[action, i] -= top[i]


@njit(cache=True, nogil=True)
def _workspace(n_actions):  # type: ignore[no-untyped-def]
    bits = np.zeros(_BLOCK, np.int32)
    return (
        np.zeros((n_actions, _BLOCK), np.float32),
        np.zeros((n_actions, _BLOCK), np.float32),
        bits,
        bits.view(np.float32),
        np.zeros(_BLOCK, np.float32),
        np.zeros(_BLOCK, np.float32),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _loss_gradient(  # type: ignore[no-untyped-def]
    forbidden,
    logits,
    value,
    mask,
    action,
    numbers,
    rows,
    clip,
    value_weight,
    entropy_weight,
    size,
    by_logits,
    by_value,
    sums,
):
    n_actions = logits.shape[1]
    logs, chances, bits, powers, top, total = _workspace(n_actions)
    entropy = np.zeros(_BLOCK, np.float32)
    by_entropy = np.zeros(_BLOCK, np.float32)
    by_chosen = np.zeros(_BLOCK, np.float32)
    one = np.float32(1.0)
    for first in range(0, rows.shape[0], _BLOCK):
        count = min(_BLOCK, rows.shape[0] - first)
        _probabilities(forbidden, logits, mask, rows, first, count, logs, chances, bits, powers, top, total)
        entropy[:] = np.float32(0.0)
        for choice in range(n_actions):
            for i in range(_BLOCK):
                entropy[i] -= chances[choice, i] * logs[choice, i]
        for i in range(count):
            row = rows[first + i]
            advantage = numbers[row, 1]
            weight = numbers[row, 2]
            log_ratio = logs[action[row], i] - numbers[row, 0]
            ratio = np.float32(math.exp(log_ratio))
            gained = ratio * advantage
            clipped = min(max(ratio, one - clip), one + clip) * advantage
            by_chosen[i] = -gained / size if gained <= clipped else np.float32(0.0)
            by_entropy[i] = entropy_weight * weight / size
            surprise = value[first + i] - numbers[row, 3]
            by_value[first + i] = np.float32(2.0) * value_weight * surprise / size
            sums[0] -= min(gained, clipped)
            sums[1] += surprise * surprise
            sums[2] += entropy[i] * weight
            sums[3] += (ratio - one - log_ratio) * weight
        for choice in range(n_actions):
            for i in range(_BLOCK):
                chances[choice, i] *= by_entropy[i] * (logs[choice, i] + entropy[i]) - by_chosen[i]
        for i in range(count):
            for choice in range(n_actions):
                by_logits[first + i, choice] = chances[choice, i]
            by_logits[first + i, action[rows[first + i]]] += by_chosen[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _draw_actions(forbidden, logits, mask, uniform, action, log_probability):  # type: ignore[no-untyped-def]
    n_actions = logits.shape[1]
    logs, chances, bits, powers, top, total = _workspace(n_actions)
    rows = np.arange(logits.shape[0])
    for first in range(0, rows.shape[0], _BLOCK):
        count = min(_BLOCK, rows.shape[0] - first)
        _probabilities(forbidden, logits, mask, rows, first, count, logs, chances, bits, powers, top, total)
        for i in range(count):
            reached = np.float32(0.0)
            for choice in range(n_actions):
                reached += chances[choice, i]
            number = uniform[first + i] * reached * np.float32(_BELOW_ONE)
            chosen = -1
            reached = np.float32(0.0)
            for choice in range(n_actions):
                # Where the network has diverged, it is the first that is allowed.
                if mask[first + i, choice] != 0 and (chosen < 0 or reached <= number):
                    chosen = choice
                reached += chances[choice, i]
            action[first + i] = chosen
            log_probability[first + i] = logs[chosen, i]
