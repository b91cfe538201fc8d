"""Several processes that train one team: data-parallel training as started by ``torchrun``.

Every process plays its share of the games and computes the gradient of its share of a minibatch. The shares
are added up, so all take the same steps, and they are the steps of one process with all the games, but for
rounding. Without ``torchrun`` there is one process, and nothing here does anything.
"""

import os
from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor, distributed

Result = TypeVar("Result")


class Processes:
    """The processes of a run, as one of them sees them.

    Attributes:
        count: how many there are. rank: which of them this is; process 0 writes the run and evaluates.
    """

    def __init__(self) -> None:
        """Join the others that ``torchrun`` has started, if it has."""
        self.count = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0"))
        if self.count > 1 and not distributed.is_initialized():
            distributed.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")

    def share(self, total: int, name: str) -> int:
        """The part of ``total`` that each process takes.

        Raises:
            ValueError: it cannot be shared equally; the message calls it ``name``.
        """
        if total % self.count:
            raise ValueError(f"{name}={total}: must be a multiple of the number of processes, {self.count}")
        return total // self.count

    def add_up(self, tensor: Tensor) -> Tensor:
        """``tensor``, overwritten by its sum over all processes."""
        if self.count > 1:
            distributed.all_reduce(tensor)
        return tensor

    def from_first(self, ask: Callable[[], Result]) -> Result:
        """What ``ask`` returns in process 0; the others do not call it, and wait."""
        answer = [ask() if self.rank == 0 else None]
        if self.count > 1:
            distributed.broadcast_object_list(answer)
        return answer[0]  # type: ignore[return-value]
