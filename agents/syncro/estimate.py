"""A wizard who counts: what others probably hold and have played, by their thumbs and the public record."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.syncro.bot import SyncroBot
from unspoken.agents.syncro.chances import MOST_SUM, add_spell, not_turned_up
from unspoken.agents.syncro.choices import choose_other, wants_reward
from unspoken.agents.syncro.view import MOST_VALUES, Setting, read_view
from unspoken.agents.syncro.worth import Weights, worth_destroyed, worth_failed
from unspoken.envs.syncro.limits import MAX_PLAYERS, MAX_SLOTS
from unspoken.envs.syncro.state import BAD, DECIDE_TURN, GOOD

TILT = 0.35
"""By how much a point more makes a spell likelier in a good hand, and less likely in a bad one."""


class Help(NamedTuple):
    """How the rest of a round may go.

    Attributes:
        reliance: how surely somebody does what it can.
        fresh: the same for a foe that nobody has begun.
        waste: what help costs more than what is needed.
        forced: how much it counts that otherwise the last wizard may have to attack in vain.
    """

    reliance: float = 0.525
    fresh: float = 0.19
    waste: float = 0.35
    forced: float = 1.16


class Scratch(NamedTuple):
    """Room to work in.

    Attributes:
        card: ``(MAX_PLAYERS, MOST_VALUES)``, how likely a spell of a seat has each value.
        total: ``(MAX_SLOTS, MOST_SUM)``, how likely the face-down spells on a foe have each sum.
        helped: ``(MOST_SUM,)``, how likely the rest of the round can provide each sum.
    """

    card: npt.NDArray[np.float64]
    total: npt.NDArray[np.float64]
    helped: npt.NDArray[np.float64]


def new_scratch() -> Scratch:
    """Room for one caller."""
    return Scratch(np.zeros((MAX_PLAYERS, MOST_VALUES)), np.zeros((MAX_SLOTS, MOST_SUM)), np.zeros(MOST_SUM))


class EstimateAgent(SyncroBot):
    """Attacks what the spells on a foe, its own and the others' help will probably destroy at least cost.

    It says its thumbs as anyone would, and takes those of the others so.
    """

    name = "syncro/estimate"
    weights = Weights(kill=1.35, foe=0.35, leftover=1.6, draw=0.9, mushroom=2.0, debt=0.93, point=1.2)
    help = Help()

    def _choose(
        self,
        setting: Setting,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        view: "np.recarray[Any, Any]",
        actions: npt.NDArray[np.int64],
    ) -> None:
        _choose(setting, self.weights, self.help, features, mask, view, new_scratch(), actions)


@njit(cache=True, nogil=True)
def _choose(setting, weights, help_, features, mask, views, scratch, actions):  # type: ignore[no-untyped-def]
    view = views[0]
    params = setting.params[0]
    for game in range(features.shape[0]):
        read_view(setting, features[game], view)
        if view.decision != DECIDE_TURN:
            actions[game] = choose_other(params, view, mask[game])
        elif wants_reward(params, view, mask[game]):
            actions[game] = params.reward_action
        else:
            actions[game] = _choose_turn(params, weights, help_, view, mask[game], scratch)


@njit(cache=True, nogil=True)
def guess_cards(view, scratch):  # type: ignore[no-untyped-def]
    """For each seat, how likely one of its unseen spells has each value."""
    for seat in range(view.players):
        tilt = 0.0
        if view.said_size[seat] > 0:
            if view.said_sum[seat] > 0:
                tilt = _tilt_of_sum(view, seat)
            elif view.estimate[seat] == GOOD:
                tilt = TILT
            elif view.estimate[seat] == BAD:
                tilt = -TILT
        whole = 0.0
        for value in range(1, MOST_VALUES):
            likely = view.unseen[value] * np.exp(tilt * (value - view.mean))
            scratch.card[seat, value] = likely
            whole += likely
        for value in range(1, MOST_VALUES):
            scratch.card[seat, value] = scratch.card[seat, value] / whole if whole > 0 else 0.0


@njit(cache=True, nogil=True)
def _tilt_of_sum(view, seat):  # type: ignore[no-untyped-def]
    """The tilt under which a spell's mean is that of the sum said, less what was shown since."""
    count = not_turned_up(view, seat)
    if count == 0:
        return 0.0
    mean = (view.said_sum[seat] - view.shown[seat]) / count
    spread = 0.0
    for value in range(1, MOST_VALUES):
        spread += view.unseen[value] * (value - view.mean) ** 2
    spread = spread / view.n_unseen if view.n_unseen > 0 else 1.0
    return min(2.0, max(-2.0, (mean - view.mean) / max(spread, 0.5)))


@njit(cache=True, nogil=True)
def guess_totals(view, scratch):  # type: ignore[no-untyped-def]
    """For each foe, how likely the spells that lie on it have each sum."""
    for slot in range(view.slots):
        total = scratch.total[slot]
        total[:] = 0.0
        total[min(MOST_SUM - 1, view.up_sum[slot] + view.known[slot])] = 1.0
    for turn in range(view.position):
        if not view.turn_hidden[turn] or view.turn_value[turn] > 0:
            continue
        add_spell(scratch.total[view.turn_foe[turn]], scratch.card[view.turn_seat[turn]])


@njit(cache=True, nogil=True)
def guess_help(view, scratch):  # type: ignore[no-untyped-def]
    """How likely those who decide after the reader can add at least each sum."""
    helped = scratch.helped
    helped[:] = 0.0
    helped[0] = 1.0
    last = view.turns
    for turn in range(last - 1, view.position, -1):
        seat = view.turn_seat[turn]
        size = view.size[seat]
        if size == 0:
            continue
        if seat == 0:
            size -= 1  # the spell played now
            highest = 0
            second = 0
            for slot in range(view.size[0]):
                value = view.hand[0, slot]
                if value > highest:
                    second = highest
                    highest = value
                elif value > second:
                    second = value
            if size > 0:
                for needed in range(MOST_SUM - 1, 0, -1):
                    helped[needed] = helped[max(0, needed - second)]
            continue
        for needed in range(MOST_SUM - 1, 0, -1):
            # The highest spell of the seat if that is not enough, else one that is.
            likely = 0.0
            below = 0.0
            lower = 0.0
            for value in range(1, MOST_VALUES):
                lower += scratch.card[seat, value]
                upto = lower**size
                likely += (upto - below) * helped[max(0, needed - value)]
                below = upto
            helped[needed] = likely


@njit(cache=True, nogil=True)
def worth_of_foe(weights, help_, view, slot, added, room, begun, scratch):  # type: ignore[no-untyped-def]
    """What a foe will be worth at the end of the round if the reader adds ``added`` (0: nothing) now."""
    worth = 0.0
    strength = view.strength[slot]
    reliance = help_.reliance if begun or added > 0 else help_.fresh
    lowest = view.lowest[slot] if view.up[slot] > 0 else 2
    if added > 0:
        lowest = min(lowest, added) if view.up[slot] + view.hidden[slot] > 0 else added
    for summed in range(MOST_SUM):
        likely = scratch.total[slot, summed]
        if likely == 0.0:
            continue
        total = summed + added
        if total >= strength:
            worth += likely * worth_destroyed(weights, view, slot, total - strength, room)
            continue
        needed = strength - total
        chance = reliance * scratch.helped[min(MOST_SUM - 1, needed)]
        done = worth_destroyed(weights, view, slot, 0, room) - needed - help_.waste
        failed = worth_failed(weights, view, slot, total, min(lowest, total))
        if done > failed:
            worth += likely * (chance * done + (1.0 - chance) * failed)
        else:
            worth += likely * failed
    return worth


@njit(cache=True, nogil=True)
def worth_of_force(weights, view):  # type: ignore[no-untyped-def]
    """What it is worth, 0 or less, that the last wizard must attack if nobody does."""
    best = -(10.0**9)
    for turn in range(view.position):
        if view.turn_foe[turn] >= 0:
            return 0.0
    for slot in range(view.slots):
        if view.open[slot]:
            total = view.up_sum[slot] + 2
            if total >= view.strength[slot]:
                return 0.0
            worth = worth_failed(weights, view, slot, total, 2) - 2.0
            best = max(best, worth)
    return best if best > -(10.0**8) else 0.0


@njit(cache=True, nogil=True)
def _choose_turn(params, weights, help_, view, mask, scratch):  # type: ignore[no-untyped-def]
    guess_cards(view, scratch)
    guess_totals(view, scratch)
    guess_help(view, scratch)
    room = 0
    for seat in range(view.players):
        room += max(0, view.limit - view.size[seat])
    best = help_.forced * worth_of_force(weights, view) if mask[params.pass_action] else -(10.0**9)
    action = params.pass_action
    for foe in range(params.n_slots):
        before = 0.0
        ready = False
        for hand_slot in range(view.size[0]):
            number = hand_slot * params.n_slots + foe
            if mask[number] == 0:
                continue
            if not ready:
                ready = True
                begun = view.up[foe] + view.hidden[foe] > 0
                before = worth_of_foe(weights, help_, view, foe, 0, room, begun, scratch)
            value = view.hand[0, hand_slot]
            after = worth_of_foe(weights, help_, view, foe, value, room + 1, True, scratch)
            worth = after - before - weights.spell - weights.point * value
            if worth > best:
                best = worth
                action = number
    return action
