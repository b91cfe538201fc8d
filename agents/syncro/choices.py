"""What all Syncro bots decide alike: thumbs, a Dragon's debt, Rewards, targets, keeping a hand."""

from numba import njit

from unspoken.agents.syncro.view import MOST_VALUES, is_dragon, is_mushroom
from unspoken.envs.syncro.state import (
    ANNOUNCE_SUMS,
    AVERAGE,
    BAD,
    DECIDE_DEBT,
    DECIDE_ESTIMATE,
    DECIDE_KEEP,
    DESTROY,
    DISCARD,
    DRAW,
    EACH,
    GOOD,
    PASS_HANDS,
    RECOVER,
    REDEAL,
    STRENGTH,
    SWAP_HANDS,
)

GOOD_MARGIN = 0.3
"""A hand is good, or bad, if its mean is this far from the deck's."""


@njit(cache=True, nogil=True)
def deck_mean(params, level):  # type: ignore[no-untyped-def]
    """Mean of all spells of a level."""
    count = 0
    total = 0
    for value in range(1, MOST_VALUES):
        count += params.spell_copies[level, value]
        total += value * params.spell_copies[level, value]
    return total / count


@njit(cache=True, nogil=True)
def hand_total(view):  # type: ignore[no-untyped-def]
    """Sum of the reader's hand."""
    total = 0
    for slot in range(view.size[0]):
        total += view.hand[0, slot]
    return total


@njit(cache=True, nogil=True)
def natural_estimate(params, view):  # type: ignore[no-untyped-def]
    """GOOD, AVERAGE or BAD as anyone would say it: by the mean of the hand."""
    above = hand_total(view) - deck_mean(params, view.level) * view.size[0]
    if above > GOOD_MARGIN * view.size[0]:
        return GOOD
    return BAD if above < -GOOD_MARGIN * view.size[0] else AVERAGE


@njit(cache=True, nogil=True)
def choose_other(params, view, mask):  # type: ignore[no-untyped-def]
    """The action for a decision that is neither a turn nor an estimate."""
    if view.decision == DECIDE_ESTIMATE:
        return params.estimate_action + natural_estimate(params, view) - 1
    if view.decision == DECIDE_DEBT:
        return choose_payment(params, view)
    if view.decision == DECIDE_KEEP:
        level = min(view.level + 1, params.last_level)
        keeps = hand_total(view) >= deck_mean(params, level) * view.size[0]
        return params.keep_action if keeps else params.drop_action
    return choose_target(params, view, mask)


@njit(cache=True, nogil=True)
def choose_payment(params, view):  # type: ignore[no-untyped-def]
    """A discard for a Dragon, or to stop: pay what is cheap, and leave the rest to those who surely can."""
    size = view.size[0]
    later = 0  # what those after the reader can pay at the very least
    for places in range(view.players):
        seat = (view.leader + places) % view.players
        if seat == 0:
            later = 0
        else:
            for slot in range(view.size[seat]):
                later += max(1, view.hand[seat, slot])
    best, cost = cheapest_payment(view, view.owed)
    if best == 0:
        # It is not enough: the least that leaves the others able to pay, else everything.
        if later >= view.owed:
            return params.stop_action
        best, cost = cheapest_payment(view, view.owed - later)
        if best == 0:
            best = (1 << size) - 1
    elif cost > view.owed and later >= view.owed and later >= cost - view.owed + 2:
        return params.stop_action
    first = 0
    for slot in range(size):
        if (best >> slot) & 1 and ((best >> first) & 1 == 0 or view.hand[0, slot] > view.hand[0, first]):
            first = slot
    return params.discard_action + first


@njit(cache=True, nogil=True)
def cheapest_payment(view, owed):  # type: ignore[no-untyped-def]
    """The own spells worth ``owed`` or more that are worth least, of such most: (bits of slots, worth)."""
    best = 0
    least = 0
    most = 0
    for chosen in range(1, 1 << view.size[0]):
        worth = 0
        count = 0
        for slot in range(view.size[0]):
            if (chosen >> slot) & 1:
                worth += view.hand[0, slot]
                count += 1
        if worth >= owed and (best == 0 or worth < least or (worth == least and count > most)):
            best = chosen
            least = worth
            most = count
    return best, least


@njit(cache=True, nogil=True)
def choose_target(params, view, mask):  # type: ignore[no-untyped-def]
    """A slot or a wizard for the effect being applied."""
    first = params.target_action
    do = params.effect_do[view.card, view.card_step] if view.card >= 0 else 0
    amount = params.effect_amount[view.card, view.card_step] if view.card >= 0 else 0
    best = -1
    most = -(10.0**9)
    for target in range(params.n_actions - first):
        if mask[first + target] == 0:
            continue
        worth = 0.0
        if do == STRENGTH:
            # A point of a Mushroom's strength is a spell less, and one of a foe that lies open counts now.
            worth = 2.0 * is_mushroom(view, target) + view.open[target] - 0.5 * is_dragon(view, target)
            worth += 0.01 * view.strength[target]
            if amount > 0:
                worth = -worth
            elif view.strength[target] == 1:
                worth = -10.0  # there is nothing to take
        elif do == DESTROY:
            worth = view.strength[target] - 3.0 * is_mushroom(view, target)
        elif do == SWAP_HANDS:
            worth = view.size[target] if target < view.players else 0
        if worth > most:
            most = worth
            best = target
    return first + best


@njit(cache=True, nogil=True)
def wants_reward(params, view, mask):  # type: ignore[no-untyped-def]
    """Whether to play the own Reward now: as soon as nothing of it would be lost."""
    if view.reward < 0 or mask[params.reward_action] == 0:
        return False
    room = 0
    spells = 0
    for seat in range(view.players):
        room += max(0, view.limit - view.size[seat])
        spells += view.size[seat]
    for step in range(params.card_effects[view.reward]):
        do = params.effect_do[view.reward, step]
        amount = params.effect_amount[view.reward, step]
        if do == DRAW:
            needed = amount * view.players if params.effect_who[view.reward, step] == EACH else amount
            if room < min(needed, view.players * view.limit // 2):
                return False
        elif do in (PASS_HANDS, SWAP_HANDS):
            # It tells the team nothing and makes it forget: only for a wizard that cannot do anything else.
            return view.size[0] == 0 and spells > 1
        elif do == DISCARD and view.size[0] > 0:
            room += 1
        elif do == RECOVER:
            return view.size[0] < view.limit
        elif do == DESTROY:
            strongest = 0
            for slot in range(view.slots):
                if view.open[slot] and view.strength[slot] <= amount and not is_mushroom(view, slot):
                    strongest = max(strongest, view.strength[slot])
            if strongest == 0 and view.n_present > view.n_open:
                return False
        elif do in (ANNOUNCE_SUMS, REDEAL):
            continue
    return True
