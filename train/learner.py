"""The weights of a training run, and the gradient steps that change them."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from unspoken.agents.policy import PolicyNetwork
from unspoken.train.processes import Processes


class Learner:
    """Networks in float32, copies of them that compute in another precision, and one Adam for all weights.

    All weights are parts of one vector, so a step is a few operations, however many layers there are.

    Attributes:
        networks: by name, with the weights as they are saved.
        computing: the same, to be used everywhere; their weights follow with every step.
        optimizer: Adam, on the vector.
    """

    def __init__(
        self,
        networks: dict[str, PolicyNetwork],
        precision: str,
        max_grad_norm: float,
        processes: Processes,
    ) -> None:
        self.networks = networks
        self._processes = processes
        self._max_grad_norm = max_grad_norm
        self._weights = [weight for network in networks.values() for weight in network.parameters()]
        self._vector = nn.Parameter(_join(self._weights))
        self.computing = {name: network.in_precision(precision) for name, network in networks.items()}
        self.parameters = [weight for network in self.computing.values() for weight in network.parameters()]
        self.optimizer = torch.optim.Adam([self._vector], eps=1e-5, fused=True)

    @torch.no_grad()
    def refresh(self) -> None:
        """Have the computing copies follow the weights."""
        for computing, weight in zip(self.parameters, self._weights, strict=True):
            computing.copy_(weight)

    @torch.no_grad()
    def step(self, gradients: Sequence[Tensor], learning_rate: float) -> Tensor:
        """Go one step along the sum of ``gradients``, each a vector of all ``parameters`` (see ``flat``).

        The first is overwritten.

        Returns:
            The length of the gradient, before it is cut to ``max_grad_norm``.
        """
        # Added up in the given order, so that a run is the same every time.
        total = gradients[0]
        for share in gradients[1:]:
            total += share
        self._processes.add_up(total)
        norm: Tensor = torch.linalg.vector_norm(total)
        total *= (self._max_grad_norm / (norm + 1e-6)).clamp(max=1.0)
        self._vector.grad = total
        self.optimizer.param_groups[0]["lr"] = learning_rate
        self.optimizer.step()
        self.refresh()
        return norm

    def state(self) -> dict[str, Tensor]:
        """What the next steps depend on besides the first network: the others' weights, Adam's moments."""
        tensors = {
            f"{name}.{key}": tensor
            for name, network in list(self.networks.items())[1:]
            for key, tensor in network.state_dict().items()
        }
        for moment in self.optimizer.state_dict()["state"].values():
            tensors |= {f"adam.{name}": tensor for name, tensor in moment.items()}
        return tensors

    def restore(self, weights: dict[str, Tensor], tensors: dict[str, Tensor]) -> None:
        """Go back to the weights of the first network and a ``state()``.

        Raises:
            KeyError, RuntimeError: they are of other networks.
        """
        names = list(self.networks)
        self.networks[names[0]].load_state_dict(weights)
        for name in names[1:]:
            own = {
                key.removeprefix(f"{name}."): each
                for key, each in tensors.items()
                if key.startswith(f"{name}.")
            }
            self.networks[name].load_state_dict(own)
        moments = {
            key.removeprefix("adam."): each for key, each in tensors.items() if key.startswith("adam.")
        }
        if moments:
            saved = self.optimizer.state_dict()
            saved["state"] = {0: moments}
            self.optimizer.load_state_dict(saved)
        self.refresh()


def _join(weights: Sequence[nn.Parameter]) -> Tensor:
    """A vector that the weights are parts of, from now on."""
    vector = flat([weight.detach() for weight in weights])
    start = 0
    for weight in weights:
        weight.data = vector[start : start + weight.numel()].view_as(weight)
        start += weight.numel()
    return vector


def flat(tensors: Sequence[Tensor]) -> Tensor:
    """One float32 vector of all tensors, new."""
    return torch.cat([tensor.flatten().float() for tensor in tensors])
