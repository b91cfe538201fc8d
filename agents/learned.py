"""A learned policy at the table."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from unspoken.agents.base import State
from unspoken.agents.checkpoint import CheckpointError, PolicyDescription, find_policy, load_policy
from unspoken.agents.policy import PolicyNetwork, masked
from unspoken.envs.engine.game import Game


class LearnedAgent:
    """Plays the most probable action of a policy network, in any seat.

    Attributes:
        policy: the network. description: what it was trained for.
    """

    sees_state = False

    def __init__(self, policy: PolicyNetwork, description: PolicyDescription, name: str) -> None:
        self.policy = policy
        self.description = description
        self.name = name

    @classmethod
    def load(cls, path: Path) -> "LearnedAgent":
        """From a checkpoint or a run (see ``unspoken.agents.checkpoint.load_policy``)."""
        policy, description = load_policy(path)
        file = find_policy(path)
        return cls(policy, description, file.stem if file.name != "policy.safetensors" else path.name)

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
        """The allowed action with the largest logit."""
        device = next(self.policy.parameters()).device
        with torch.inference_mode():
            before = None if state is None else torch.from_numpy(state).to(device)
            blocks = self.policy.expand(torch.from_numpy(features).to(device))
            logits, _, memory = self.policy(blocks, before)
            actions = masked(logits, torch.from_numpy(mask).to(device)).argmax(1)
        return actions.cpu().numpy(), None if memory is None else memory.float().cpu().numpy()
