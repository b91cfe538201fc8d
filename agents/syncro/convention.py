"""A silent convention that a team could agree on before the game: there is one list of attacks for everybody.

As one would teach it at the table:

1. At each decision everyone can work out, from what is public, what every spell on every foe would be worth:
   foes that it probably destroys, help that is probably still to come, what is wasted. That is the list.
2. A wizard makes the first attack on the list for which it holds the spell, and passes if all those are worth
   less than a pass.
3. So an attack tells which spells it can have been made with, and which ones the wizard does not hold: those
   of the attacks higher up. A pass tells that it holds none of the spells for them.
4. The last decision of a round is free, since nobody has to read it.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.syncro.agreed import Trust, make_list, new_common, rank_attacks, read_round
from unspoken.agents.syncro.bot import SyncroBot
from unspoken.agents.syncro.choices import choose_other, wants_reward
from unspoken.agents.syncro.thumbs import say_thumb
from unspoken.agents.syncro.view import Setting, read_view
from unspoken.agents.syncro.worth import Weights
from unspoken.envs.syncro.state import DECIDE_ESTIMATE, DECIDE_TURN


class ConventionAgent(SyncroBot):
    """Plays the convention above in any seat of any game of Syncro, without a state."""

    name = "syncro/convention"
    weights = Weights(
        kill=1.05, foe=0.0, leftover=0.69, draw=0.65, mushroom=2.2, debt=1.85, spell=-0.4, point=0.6
    )
    trust = Trust()

    def _choose(
        self,
        setting: Setting,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        view: "np.recarray[Any, Any]",
        actions: npt.NDArray[np.int64],
    ) -> None:
        _choose(setting, self.weights, self.trust, features, mask, view, new_common(), actions)


@njit(cache=True, nogil=True)
def _choose(setting, weights, trust, features, mask, views, common, actions):  # type: ignore[no-untyped-def]
    view = views[0]
    params = setting.params[0]
    for game in range(features.shape[0]):
        read_view(setting, features[game], view)
        if view.decision == DECIDE_ESTIMATE:
            actions[game] = params.estimate_action + say_thumb(params, view) - 1
        elif view.decision != DECIDE_TURN:
            actions[game] = choose_other(params, view, mask[game])
        elif wants_reward(params, view, mask[game]):
            actions[game] = params.reward_action
        else:
            read_round(params, weights, trust, view, common)
            actions[game] = _choose_turn(params, weights, trust, view, mask[game], common)


@njit(cache=True, nogil=True)
def _choose_turn(params, weights, trust, view, mask, common):  # type: ignore[no-untyped-def]
    """The first attack on the list that the reader can make."""
    passing = rank_attacks(weights, trust, view, view.position, common.mine, common)
    last = view.position + 1 == view.turns
    if not last:
        length = make_list(trust, view, 0, passing, common)
        for entry in range(length):
            for hand_slot in range(view.size[0]):
                number = hand_slot * params.n_slots + common.list_foe[entry]
                if view.hand[0, hand_slot] == common.list_spell[entry] and mask[number] != 0:
                    return number
        if mask[params.pass_action]:
            return params.pass_action
    best = passing if mask[params.pass_action] else -(10.0**9)
    action = params.pass_action
    for foe in range(params.n_slots):
        for hand_slot in range(view.size[0]):
            number = hand_slot * params.n_slots + foe
            if mask[number] != 0 and common.gain[foe, view.hand[0, hand_slot]] > best:
                best = common.gain[foe, view.hand[0, hand_slot]]
                action = number
    return action
