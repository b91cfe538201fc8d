"""What a team could win with all hands face up: the upper line in tables."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.syncro.bot import SyncroBot
from unspoken.agents.syncro.choices import choose_other, wants_reward
from unspoken.agents.syncro.planner import best_plan, new_planner
from unspoken.agents.syncro.situation import lay_out, new_situations
from unspoken.agents.syncro.view import MOST_VALUES, Setting, read_view
from unspoken.agents.syncro.worth import Weights
from unspoken.envs.syncro.state import DECIDE_TURN


class OracleAgent(SyncroBot):
    """Plans each round for the whole team, with every hand and every card of the horde face up."""

    name = "syncro/oracle"
    sees_state = True
    weights = Weights(
        kill=0.62, foe=0.35, leftover=0.97, draw=0.59, mushroom=2.0, debt=1.85, spell=-0.35, point=0.97
    )

    def _choose(
        self,
        setting: Setting,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        view: "np.recarray[Any, Any]",
        actions: npt.NDArray[np.int64],
    ) -> None:
        _choose(setting, self.weights, features, mask, view, new_situations(1), new_planner(), actions)


@njit(cache=True, nogil=True)
def _choose(setting, weights, features, mask, views, situations, planner, actions):  # type: ignore[no-untyped-def]
    view = views[0]
    params = setting.params[0]
    for game in range(features.shape[0]):
        read_view(setting, features[game], view)
        if view.decision != DECIDE_TURN:
            actions[game] = choose_other(params, view, mask[game])
        elif wants_reward(params, view, mask[game]):
            actions[game] = params.reward_action
        else:
            lay_out(params, view, view.hand, view.turn_value, situations[0])
            must = mask[game, params.pass_action] == 0
            plan, _ = best_plan(params, weights, situations, must, planner)
            actions[game] = _play(params, view, mask[game], planner, plan)


@njit(cache=True, nogil=True)
def _play(params, view, mask, planner, plan):  # type: ignore[no-untyped-def]
    """The action that begins a plan, or the first one allowed."""
    if plan >= 0:
        foe = planner.plan_foe[plan, view.position]
        if foe < 0 and mask[params.pass_action]:
            return params.pass_action
        # A curse can forbid the spell: then the next higher one, or the highest lower one.
        chosen = -1
        least = 2 * MOST_VALUES
        for slot in range(view.size[0] if foe >= 0 else 0):
            more = view.hand[0, slot] - planner.plan_spell[plan, view.position]
            distance = more if more >= 0 else MOST_VALUES - more
            if mask[slot * params.n_slots + foe] and distance < least:
                least = distance
                chosen = slot * params.n_slots + foe
        if chosen >= 0:
            return chosen
    for action in range(params.pass_action, -1, -1):
        if mask[action]:
            return action
    return 0
