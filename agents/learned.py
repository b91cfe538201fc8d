"""A learned policy at the table."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from unspoken.agents.amendments import Amendments
from unspoken.agents.base import State, Thought
from unspoken.agents.checkpoint import (
    CheckpointError,
    PolicyDescription,
    find_policy,
    load_amended_policy,
)
from unspoken.agents.policy import PolicyNetwork, masked
from unspoken.envs.engine.game import Game


class LearnedAgent:
    """Plays the most probable action of a policy network, in any seat, or what amends it.

    Attributes:
        policy: the network. description: what it was trained for.
        amendments: what is played instead of the network's choice; ``None``: nothing.
    """

    sees_state = False

    def __init__(
        self,
        policy: PolicyNetwork,
        description: PolicyDescription,
        name: str,
        amendments: Amendments | None = None,
    ) -> None:
        self.policy = policy
        self.description = description
        self.name = name
        self.amendments = amendments

    @classmethod
    def load(cls, path: Path) -> "LearnedAgent":
        """From a checkpoint or a run (see ``unspoken.agents.checkpoint.load_amended_policy``)."""
        policy, description, amendments = load_amended_policy(path)
        file = find_policy(path)
        name = file.stem if file.name != "policy.safetensors" else path.name
        return cls(policy, description, name, amendments)

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Check that the policy was trained for ``game``.

        Returns:
            Empty memories, ``(num_games, memory) float32``, or ``None`` for a policy without.

        Raises:
            ValueError: it was trained for another game, feature layout or version.
        """
        try:
            self.description.check(game)
        except ValueError as error:
            raise CheckpointError(f"agent {self.name!r}: {error}") from None
        width = self.policy.memory
        return np.zeros((num_games, width), np.float32) if width else None

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """The allowed action with the largest logit, or the amendment."""
        logits, _, memory = self._decide(features, mask, state)
        actions: npt.NDArray[np.int64] = logits.cpu().numpy().argmax(1)
        if self.amendments is not None:
            self.amendments.apply(features, actions)
        return actions, memory

    def think(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> Thought:
        """What the network thinks, before any amendment."""
        logits, values, memory = self._decide(features, mask, state)
        return Thought(logits.softmax(1).cpu().numpy(), values.float().cpu().numpy(), memory)

    def logits(self, features: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """``(m, A)``: the network's logits; those of forbidden actions are out of reach."""
        logits: npt.NDArray[np.float32] = self._decide(features, mask, None)[0].cpu().numpy()
        return logits

    def _decide(
        self, features: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], state: State
    ) -> tuple[Tensor, Tensor, State]:
        """Logits, those of forbidden actions out of reach, values, and the new state."""
        device = next(self.policy.parameters()).device
        with torch.inference_mode():
            before = None if state is None else torch.from_numpy(state).to(device)
            blocks = self.policy.expand(torch.from_numpy(features).to(device))
            logits, values, memory = self.policy(blocks, before)
            allowed = masked(logits, torch.from_numpy(mask).to(device))
        return allowed, values, None if memory is None else memory.float().cpu().numpy()
