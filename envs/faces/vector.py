"""Gymnasium's ``VectorEnv`` over the batch engine."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.random import check_seed
from unspoken.envs.faces.batch import BatchEnv
from unspoken.envs.faces.one_game import OneGame
from unspoken.envs.faces.partners import PartnerOrPartners, Partners, check_seat

Array = npt.NDArray[Any]


class GameVectorEnv(VectorEnv[Array, Array, Array]):
    """``num_envs`` games as a ``gymnasium.vector.VectorEnv``, with autoreset in the same step
    (``SAME_STEP``).

    Self-play: the one agent plays whichever seat is to act, so that a step is one decision in every game and
    the reward is the team's for it. With partners the agent plays one seat, and a step is its decision and
    all that the partners do until its next.

    Observations and spaces are those of ``SingleAgentEnv``. ``infos`` always has ``action_mask`` ``(n, A)
    int8``, ``score``, ``illegal`` and, where a game has several, ``tries`` of the games as they now stand;
    where a game has ended, ``final_obs`` and ``final_info`` are its last observation and info (in self-play
    the view of the seat that acted last). All with Gymnasium's ``_key`` presence masks. An action that its
    mask does not allow ends that game with reward -1 and ``illegal`` = 1.

    Game i is slot i of a batch with the same seed.

    Attributes:
        game, config: what is played. feature_layout: what the entries of an observation mean.
        seat: ``(n,) int8``, the agent's seats in games with partners.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}
    # Where Gymnasium's own vector environments have it and TorchRL looks for it.
    autoreset_mode = AutoresetMode.SAME_STEP

    def __init__(
        self,
        game: Game,
        num_envs: int,
        partners: PartnerOrPartners = None,
        seat: int | str | None = None,
        observation: str = "onehot",
        threads: int | None = None,
    ) -> None:
        """See ``unspoken.envs.make_gym_vec``."""
        self.game = game
        self.config = game.config
        self.feature_layout: FeatureLayout = game.layout
        self.observation = observation
        self._batch = BatchEnv(game, num_envs, threads=threads)
        self.num_envs = self._batch.num_envs
        self.single_observation_space = OneGame(game, observation).new_space()
        self.single_action_space = Discrete(self._batch.n_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.seat = np.full(self.num_envs, -1, np.int8)
        self._partners = None
        self._fixed_seat: int | None = None
        if partners is not None or seat is not None:
            self._partners = Partners(game, partners, self.num_envs)
            self._fixed_seat = check_seat(0 if seat is None else seat, self._batch.n_players)
        self._everyone = np.ones(self.num_envs, np.bool_)
        self._start_step()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deal everywhere: episode 0 of ``seed``; without one, the next episode. ``options`` are ignored."""
        checked = None if seed is None else check_seed(seed)
        super().reset(seed=checked)
        self._batch.reset(checked)
        self._start_step()
        if self._partners is not None:
            self._partners.reset(self.np_random)
            self._seat_learner(self._everyone)
            self._play_partners()
        return self._observe(self._batch.features), self._infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Play one action in each game.

        Args:
            actions: ``(n,)`` integers.

        Returns:
            observations (of the next game where one has ended), rewards ``(n,) float64``, terminations ``(n,)
            bool``, truncations (of games cut off for their length), infos.

        Raises:
            RuntimeError: before ``reset``. ValueError, TypeError: not ``(n,)`` integers.
            ValueError: a partner chose an illegal action.
        """
        self._start_step()
        self._batch.step(actions)
        self._collect(self._everyone)
        if self._partners is not None:
            self._play_partners()
        return (
            self._observe(self._batch.features),
            self._reward,
            self._ended & ~self._truncated,
            self._truncated,
            self._infos(),
        )

    def _start_step(self) -> None:
        self._reward = np.zeros(self.num_envs, np.float64)
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._score = np.zeros(self.num_envs, np.float64)
        self._truncated = np.zeros(self.num_envs, np.bool_)
        self._illegal = np.zeros(self.num_envs, np.int64)
        self._tries = np.zeros(self.num_envs, np.int64)
        self._final_features = np.zeros((self.num_envs, self.feature_layout.size), np.int8)

    def _collect(self, active: npt.NDArray[np.bool_]) -> None:
        """Take over what the batch's last step did in the ``active`` games."""
        batch = self._batch
        # What partners earn by opening the next game is nobody's, as in the single-agent face.
        earning = active & ~self._ended
        self._reward[earning] += batch.reward[earning]
        done = active & batch.done
        if not done.any():
            return
        self._ended |= done
        self._score[done] = batch.score[done]
        self._illegal[done] = batch.illegal[done]
        self._truncated[done] = batch.truncated[done]
        self._tries[done] = batch.tries[done]
        self._final_features[done] = batch.final_features[done]
        if self._partners is not None:
            self._partners.begin(np.flatnonzero(done), self.np_random)
            self._seat_learner(done)

    def _seat_learner(self, games: npt.NDArray[np.bool_]) -> None:
        if self._fixed_seat is None:
            self.seat[games] = self.np_random.integers(self._batch.n_players, size=int(games.sum()))
        else:
            self.seat[games] = self._fixed_seat
        self._batch.final_view[:] = self.seat

    def _play_partners(self) -> None:
        """Play the partners' decisions until the learner is to act in every game."""
        batch = self._batch
        assert self._partners is not None
        while True:
            active = batch.player != self.seat
            if not active.any():
                return
            actions = self._partners.act(
                np.flatnonzero(active),
                self.seat,
                batch.features,
                batch.mask,
                batch.player,
                lambda: batch.observe(batch.player, everything=True),
            )
            # The batch steps all its games; those in which the learner is to act are put back as they were.
            arrays = (batch.states, batch.features, batch.mask, batch.player)
            waiting = np.flatnonzero(~active)
            kept = [array[waiting] for array in arrays]
            batch.step(actions)
            for array, rows in zip(arrays, kept, strict=True):
                array[waiting] = rows
            self._collect(active)

    def action_masks(self) -> npt.NDArray[np.int8]:
        """``(n, A) int8``, new: the legal actions of each game; never all zero."""
        mask: npt.NDArray[np.int8] = self._batch.mask.copy()
        return mask

    def _observe(self, features: npt.NDArray[np.int8]) -> Array:
        return self.feature_layout.onehot(features) if self.observation == "onehot" else features.copy()

    def _infos(self) -> dict[str, Any]:
        infos = _with_presence(
            {
                "action_mask": self.action_masks(),
                "illegal": np.zeros(self.num_envs, np.int64),
                **self.game.standings(self._batch.states),
            },
            self._everyone,
        )
        if self._ended.any():
            ended = np.flatnonzero(self._ended)
            final = np.full(self.num_envs, None, object)
            for game, observation in zip(ended, self._observe(self._final_features[ended]), strict=True):
                final[game] = observation
            final_info = {
                "action_mask": np.zeros_like(infos["action_mask"]),
                "score": self._score,
                "illegal": self._illegal,
            }
            if self.game.has_tries:
                final_info["tries"] = self._tries
            last = {"final_obs": final, "final_info": _with_presence(final_info, self._ended)}
            infos.update(_with_presence(last, self._ended))
        return infos

    def action_name(self, action: int) -> str:
        """What an action means, in words; ``ValueError`` if there is no such action."""
        return self.game.action_name(action)

    def close_extras(self, **kwargs: Any) -> None:
        """Let the batch's threads go."""
        self._batch.close()


def _with_presence(values: dict[str, Any], present: npt.NDArray[np.bool_]) -> dict[str, Any]:
    return {**values, **{f"_{key}": present.copy() for key in values}}
