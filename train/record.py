"""What one update of PPO learns from: a stretch of every game, decision by decision."""

import torch
from torch import Tensor

from unspoken.envs.faces.batch import BatchEnv


class Record:
    """``T`` decisions in each of ``n`` games, as tensors that every update overwrites.

    Attributes:
        features: ``(T, n, F) int8``, what the seat to act saw. mask: ``(T, n, A) int8``, what it might do.
        revealed: ``(T, n, F) int8``, the same with every card turned up, for a central critic; else ``None``.
        player: ``(T, n) int64``, the seat. action: ``(T, n) int64``, its action.
        own: ``(T, n) bool``, whether the learning policy chose it, and not a partner.
        log_probability: ``(T, n)``, of the action. value: ``(T + 1, n)``, of the position before it.
        reward: ``(T, n)``, for it. done: ``(T, n) bool``, whether it ended the game.
        memory: ``(n, n_players, width)``, what each seat remembered at first; width 0 without memories.
    """

    def __init__(self, steps: int, vec: BatchEnv, central: bool, memory: int) -> None:
        shape = (steps, vec.num_envs)
        device = vec.features.device

        def zeros(*sizes: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(sizes, dtype=dtype, device=device)

        self.features = zeros(*shape, vec.layout.size, dtype=torch.int8)
        self.mask = zeros(*shape, vec.n_actions, dtype=torch.int8)
        self.revealed = torch.zeros_like(self.features) if central else None
        self.player = zeros(*shape, dtype=torch.int64)
        self.action = zeros(*shape, dtype=torch.int64)
        self.own = torch.ones(shape, dtype=torch.bool, device=device)
        self.log_probability = zeros(*shape)
        self.value = zeros(steps + 1, vec.num_envs)
        self.reward = zeros(*shape)
        self.done = zeros(*shape, dtype=torch.bool)
        self.memory = zeros(vec.num_envs, vec.n_players, memory)

    @property
    def size(self) -> int:
        """Decisions of all games."""
        return self.action.numel()

    def advantages(self, gae_lambda: float) -> Tensor:
        """``(T, n)``: generalised advantage estimates (Schulman et al. 2016), without discount."""
        advantage = torch.zeros_like(self.reward)
        following = torch.zeros_like(self.reward[0])
        for step in reversed(range(len(self.reward))):
            goes_on = (~self.done[step]).float()
            surprise = self.reward[step] + goes_on * self.value[step + 1] - self.value[step]
            following = surprise + gae_lambda * goes_on * following
            advantage[step] = following
        return advantage
