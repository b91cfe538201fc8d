"""A wizard who plays as if it were alone."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.syncro.bot import SyncroBot
from unspoken.agents.syncro.choices import choose_other, wants_reward
from unspoken.agents.syncro.view import (
    Setting,
    is_dragon,
    is_golem,
    is_mushroom,
    read_view,
)
from unspoken.envs.syncro.state import DECIDE_TURN


class SoloAgent(SyncroBot):
    """Attacks what one spell of its own, with the spells that lie there face up, destroys or nearly does.

    Of several such attacks it takes the one that wastes least. It reads nothing into what others say or play.
    In a round's last decision, when no help is to come, it attacks in vain only if it must.
    """

    name = "syncro/solo"

    def _choose(
        self,
        setting: Setting,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        view: "np.recarray[Any, Any]",
        actions: npt.NDArray[np.int64],
    ) -> None:
        _choose(setting, features, mask, view, actions)


@njit(cache=True, nogil=True)
def _choose(setting, features, mask, views, actions):  # type: ignore[no-untyped-def]
    view = views[0]
    params = setting.params[0]
    for game in range(features.shape[0]):
        read_view(setting, features[game], view)
        if view.decision != DECIDE_TURN:
            actions[game] = choose_other(params, view, mask[game])
        elif wants_reward(params, view, mask[game]):
            actions[game] = params.reward_action
        else:
            actions[game] = _choose_turn(params, view, mask[game])


@njit(cache=True, nogil=True)
def _choose_turn(params, view, mask):  # type: ignore[no-untyped-def]
    best = 0.0 if mask[params.pass_action] else -(10.0**9)
    last = view.position + 1 == view.turns
    action = params.pass_action
    for hand_slot in range(view.size[0]):
        for foe in range(params.n_slots):
            number = hand_slot * params.n_slots + foe
            if mask[number] == 0:
                continue
            worth = _worth(view, view.hand[0, hand_slot], foe, last)
            if worth > best:
                best = worth
                action = number
    return action


@njit(cache=True, nogil=True)
def _worth(view, value, foe, last):  # type: ignore[no-untyped-def]
    """What an attack is worth, positive if it destroys the foe or is a good part of what it takes."""
    # Its own spells lie there too.
    excess = view.up_sum[foe] + view.known[foe] + value - view.strength[foe]
    if excess < 0 and last and view.unknown[foe] == 0:
        # In vain: the spell is lost, a Golem grows by it, and a Dragon wants what is missing.
        return excess * is_dragon(view, foe) - value - value * is_golem(view, foe)
    if excess < 0:
        careful = is_golem(view, foe) or is_dragon(view, foe)
        return 10.0 + excess + 0.5 * value - 4.0 * careful - 10.0 * (excess < -9)
    if is_mushroom(view, foe):
        return 40.0 + excess
    return 40.0 + view.strength[foe] - 3.0 * excess - 3.0 * excess * is_dragon(view, foe)
