"""Other-Play (Hu et al. 2020): every seat sees every game through a symmetry of its own.

A convention that rests on an arbitrary label (this end of the row rather than that one) means something else
to each seat, so it is of no use, and a team learns none. Teams that were trained apart then play together
better.
"""

import torch
from torch import Tensor

from unspoken.envs.faces.batch import BatchEnv


class OtherPlay:
    """A symmetry for each seat of each game, drawn anew with every game, and what is seen through it.

    Attributes:
        random: the generator that draws them.
    """

    def __init__(self, vec: BatchEnv, seed: int) -> None:
        """Raises ``ValueError`` for a game without symmetries."""
        symmetries = vec.game.symmetries
        if symmetries.count == 1:
            raise ValueError(f"other_play=True: {vec.game.config.game} has no symmetry; must be False")
        device = vec.features.device
        self._games = torch.arange(vec.num_envs, device=device)
        self._count = symmetries.count
        self._source = torch.tensor(symmetries.source.astype("int64"), device=device)
        self._label = torch.tensor(symmetries.label.astype("int64"), device=device)
        self._labels = torch.tensor(symmetries.labels, device=device)
        self._originals = torch.tensor(symmetries.originals, device=device)
        self.random = torch.Generator(device).manual_seed(seed)
        self._chosen = torch.zeros(vec.num_envs, vec.n_players, dtype=torch.int64, device=device)
        self.begin(torch.ones(vec.num_envs, dtype=torch.bool, device=device))

    def begin(self, ended: Tensor) -> None:
        """Draw new symmetries in the games that have ``ended``, ``(n,) bool``."""
        drawn = torch.randint(
            self._count, self._chosen.shape, generator=self.random, device=self._chosen.device
        )
        self._chosen.copy_(torch.where(ended[:, None], drawn, self._chosen))

    def features(self, features: Tensor, player: Tensor) -> Tensor:
        """``(n, F) int8`` as seat ``player`` of each game sees them."""
        which = self._chosen[self._games, player]
        return self._labels[self._label[which], features.gather(1, self._source[which]).long()]

    def mask(self, mask: Tensor, player: Tensor) -> Tensor:
        """``(n, A) int8`` as seat ``player`` of each game sees it."""
        return mask.gather(1, self._originals[self._chosen[self._games, player]])

    def original_actions(self, action: Tensor, player: Tensor) -> Tensor:
        """The actions ``(n,) int64`` that seats ``player`` have chosen, as the game calls them."""
        return self._originals[self._chosen[self._games, player], action]

    def state(self) -> dict[str, Tensor]:
        """What the next games depend on."""
        return {"other_play.random": self.random.get_state(), "other_play.chosen": self._chosen}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Go back to a ``state()``."""
        self.random.set_state(tensors["other_play.random"])
        self._chosen.copy_(tensors["other_play.chosen"])
