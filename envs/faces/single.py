"""The single-agent face (Gymnasium): one learner; agents that the user brings play the other seats."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.random import check_seed
from unspoken.envs.faces.display import RENDER_FPS, RENDER_MODES, Display
from unspoken.envs.faces.one_game import OneGame
from unspoken.envs.faces.partners import PartnerOrPartners, Partners, check_seat

_ONLY_ROW = np.zeros(1, np.intp)


class SingleAgentEnv(gymnasium.Env[npt.NDArray[Any], int]):
    """A game as a ``gymnasium.Env``: a step is one decision of the learner and all that the partners do until
    its next.

    The observation is one flat vector, ``Box(0, 1, float32)`` for ``"onehot"`` or ``MultiDiscrete``
    (``int8``) for ``"compact"``; the mask is apart, in ``info["action_mask"]`` and from ``action_masks()``,
    so that ``MaskablePPO`` runs on it as it is. ``info`` has the same numeric keys always: ``action_mask``
    ``(A,) int8`` (zeros after the end), ``score`` (the team's so far: 1 once won, else 0, or the levels won),
    ``illegal``, and ``tries`` where a game has several. The reward is the team's.

    An illegal action of the learner ends the game at once with reward -1 and ``illegal`` = 1; one of a
    partner is an error in that partner, and raises.

    Attributes:
        game, config: what is played. feature_layout: what the entries of an observation mean.
        seat: the learner's seat in this game.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(
        self,
        game: Game,
        partners: PartnerOrPartners = None,
        seat: int | str = 0,
        observation: str = "onehot",
        render_mode: str | None = None,
    ) -> None:
        """See ``unspoken.envs.make_single``."""
        self.game = game
        self.config = game.config
        self.feature_layout: FeatureLayout = game.layout
        self.render_mode = render_mode
        self._one = OneGame(game, observation)
        self._display = Display(game, render_mode)
        self._partners = Partners(game, partners, 1)
        self._fixed_seat = check_seat(seat, self._one.n_players)
        self.seat = self._fixed_seat or 0
        self.observation_space = self._one.new_space()
        self.action_space = gymnasium.spaces.Discrete(self._one.n_actions)  # type: ignore[assignment]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Deal, and let the partners play until the learner is to act.

        Args:
            seed: deals slot 0, episode 0 of a batch with this seed, and settles all that the partners draw;
                without one, the next episode.
            options: ignored.

        Raises:
            ValueError: a partner cannot play this game, or chose an illegal action.
        """
        checked = None if seed is None else check_seed(seed)
        super().reset(seed=checked)
        self._one.deal(checked)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self._one.n_players))
        self._partners.reset(self.np_random)
        self._play_partners()
        self._show()
        return self._one.observe(self.seat), self._info()

    def step(self, action: Any) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play ``action``, then let the partners play until the learner is to act or the game is over.

        Raises:
            ResetNeeded: before ``reset``, or after the end.
            TypeError: not an integer. ActionError: outside the action space.
            ValueError: a partner chose an illegal action.
        """
        one = self._one
        if not one.dealt or one.finished:
            raise ResetNeeded("call reset() first: there is no game, or it is over")
        one.play(one.check_action(action, one.n_actions))
        reward = one.reward + self._play_partners()
        self._show()
        terminated = self._one.finished and not self._one.truncated
        return one.observe(self.seat), reward, terminated, one.truncated, self._info()

    def _play_partners(self) -> float:
        one = self._one
        earned = 0.0
        while one.seat != self.seat and not one.finished:
            seat = one.seat
            actions = self._partners.act(
                _ONLY_ROW,
                np.array([self.seat], np.int8),
                one.features(seat)[None],
                one.mask(seat)[None],
                np.array([seat], np.int8),
                lambda: one.features(one.seat, everything=True)[None],
            )
            one.play(int(actions[0]))
            earned += one.reward
        return earned

    def action_masks(self) -> npt.NDArray[np.int8]:
        """``(A,) int8``: the learner's legal actions, never all zero while the game goes on."""
        return self._one.mask(self.seat)

    def _info(self) -> dict[str, Any]:
        one = self._one
        return {"action_mask": one.mask(self.seat), **one.infos()}

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The learner's view. ``"ansi"``: text. ``"rgb_array"``: ``(H, W, 3) uint8``. ``"human"``: ``None``,
        in a window.

        Raises:
            ResetNeeded: before ``reset``.
        """
        if not self._one.dealt:
            raise ResetNeeded("call reset() first: there is no game")
        return self._display.render(self._one, self.seat)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._display.close()

    def action_name(self, action: int) -> str:
        """What an action means, in words; ``ValueError`` if there is no such action."""
        return self.game.action_name(action)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.config}, observation={self._one.observation!r})"
