"""What Fog, Reward and lieutenant cards do: the closed vocabulary of effects, one after the other.

What needs a choice (a monster, or a wizard to swap with) is offered as TARGET actions to the card's actor:
the wizard who plays the Reward, and the leader for Fog and lieutenants. Where there is nothing to choose
from, nothing happens.
"""

from numba import njit

from unspoken.envs.engine.apart import keep_apart
from unspoken.envs.syncro.flow import ESTIMATE, offer, pop, push, push_card, seat_after
from unspoken.envs.syncro.foes import destroy, hidden_monsters, monsters, turn_spells_up, weak_monsters
from unspoken.envs.syncro.limits import (
    MAX_HAND,
    MAX_VALUE,
)
from unspoken.envs.syncro.piles import (
    add_to_hand,
    any_discards,
    any_spells,
    discard_from_hand,
    draw_each,
    draw_reward,
    draw_spells,
    forget_statements,
    hand_limit,
    hand_slot,
    hand_sum,
    put_away,
    shuffle,
    take_fog,
)
from unspoken.envs.syncro.state import (
    ANNOUNCE_SUMS,
    APPLY_FOG,
    CHOSEN,
    DECIDE_TARGET,
    DESTROY,
    DISCARD,
    DRAW,
    DRAW_REWARD,
    EACH,
    EVERYBODY,
    HAND_LIMIT,
    HIGHEST,
    LEADER,
    PASS_HANDS,
    RECOVER,
    REDEAL,
    REVEAL,
    SET_RULE,
    STRENGTH,
    SWAP_HANDS,
    TEAM,
    TO_THE_LEFT,
)


@njit(cache=True, nogil=True)
def apply_card(params, state):  # type: ignore[no-untyped-def]
    """CARD: the next effect of the card on top; returns whether somebody has to choose.

    Whoever drew spells for a card estimates before another card is applied, or this one put away.
    """
    keep_apart()
    depth = state.depth
    card = int(state.frame_card[depth])
    step = int(state.frame_step[depth])
    over = step == params.card_effects[card]
    if (over or params.effect_do[card, step] == APPLY_FOG) and state.frame_drew[depth] != 0:
        state.frame_drew[depth] = 0
        push(state, ESTIMATE)
        return False
    if over:
        put_away(params, state, card)
        pop(state)
        return False
    targets = _targets(params, state, card, step)
    if targets > 0:
        offer(state, DECIDE_TARGET, state.frame_actor[depth])
        state.offered_targets = targets
        return True
    state.frame_step[depth] += 1
    if targets < 0:
        _carry_out(params, state, card, step)
    return False


@njit(cache=True, nogil=True)
def playable(params, state, card, actor):  # type: ignore[no-untyped-def]
    """Whether all that a Reward needs exists: spells, cards, targets, and room to recover a spell.

    Dealing hands anew needs nothing: there may be something to draw afterwards.
    """
    keep_apart()
    for step in range(params.card_effects[card]):
        do = params.effect_do[card, step]
        who = params.effect_who[card, step]
        if do == DRAW:
            needed = state.spell_deck_size > 0 or any_discards(state)
        elif do == DISCARD:
            needed = (
                any_spells(params, state) if who == EACH else state.hand_size[_one(state, who, actor)] > 0
            )
        elif do in (PASS_HANDS, ANNOUNCE_SUMS, SWAP_HANDS):
            needed = any_spells(params, state)
        elif do == REVEAL:
            needed = hidden_monsters(params, state) != 0
        elif do in (STRENGTH, DESTROY):
            needed = _targets(params, state, card, step) != 0
        elif do == RECOVER:
            room = state.hand_size[_one(state, who, actor)] < hand_limit(params, state)
            needed = room and any_discards(state)
        elif do == APPLY_FOG:
            needed = state.fog_deck_size + state.fog_discards_size > 0
        else:
            needed = True
        if not needed:
            return False
    return True


@njit(cache=True, nogil=True)
def _targets(params, state, card, step):  # type: ignore[no-untyped-def]
    """Bits of the TARGET actions of an effect; -1 for one without a choice."""
    do = params.effect_do[card, step]
    chosen = params.effect_who[card, step] == CHOSEN
    if do == REVEAL and chosen:
        return hidden_monsters(params, state)
    if do == STRENGTH and chosen:
        return monsters(params, state) & state.face_up
    if do == DESTROY:
        return weak_monsters(params, state, params.effect_amount[card, step])
    if do == SWAP_HANDS:
        return (1 << params.n_players) - 2
    return -1


@njit(cache=True, nogil=True)
def choose_target(params, state, target):  # type: ignore[no-untyped-def]
    """Carry out the effect that asked for a target: a slot, or seats clockwise from the card's actor."""
    keep_apart()
    depth = state.depth
    card = int(state.frame_card[depth])
    step = int(state.frame_step[depth])
    state.frame_step[depth] += 1
    do = params.effect_do[card, step]
    if do == REVEAL:
        state.face_up |= 1 << target
    elif do == STRENGTH:
        state.strength[target] += params.effect_amount[card, step]
    elif do == DESTROY:
        turn_spells_up(state, target)
        destroy(params, state, target)
    else:
        actor = int(state.frame_actor[depth])
        _swap_hands(state, actor, seat_after(params, actor, target))


@njit(cache=True, nogil=True)
def _one(state, who, actor):  # type: ignore[no-untyped-def]
    """The wizard that an effect concerns."""
    return int(state.leader) if who == LEADER else int(actor)


@njit(cache=True, nogil=True)
def _carry_out(params, state, card, step):  # type: ignore[no-untyped-def]
    do = params.effect_do[card, step]
    who = params.effect_who[card, step]
    which = params.effect_which[card, step]
    amount = int(params.effect_amount[card, step])
    depth = state.depth
    seat = _one(state, who, state.frame_actor[depth])
    if do == DRAW:
        if who == EACH:
            drew = draw_each(params, state, amount)
        elif who == TEAM:
            drew = draw_spells(params, state, int(state.leader), amount, True)
        else:
            drew = draw_spells(params, state, seat, amount, False)
        if drew:
            state.frame_drew[depth] = 1
    elif do == DISCARD:
        if who == EACH:
            for other in range(params.n_players):
                _discard(state, other, which, amount)
        else:
            _discard(state, seat, which, amount)
    elif do == PASS_HANDS:
        _pass_hands(params, state, which)
    elif do == REDEAL:
        _redeal(params, state)
    elif do == REVEAL:
        state.face_up |= hidden_monsters(params, state)
    elif do == STRENGTH:
        for slot in range(state.n_slots):
            if monsters(params, state) & (1 << slot):
                state.strength[slot] += amount
    elif do == DRAW_REWARD:
        for _ in range(amount):
            draw_reward(params, state)
    elif do == APPLY_FOG:
        fog = take_fog(state)
        if fog >= 0:
            push_card(state, fog, int(state.leader))
    elif do == RECOVER:
        _recover(params, state, seat, which)
    elif do == ANNOUNCE_SUMS:
        announce_sums(params, state)
    elif do == SET_RULE:
        state.rules_in_force |= amount
    elif do == HAND_LIMIT:
        state.limit_change = max(-params.hand_limit, state.limit_change + amount)


@njit(cache=True, nogil=True)
def announce_sums(params, state):  # type: ignore[no-untyped-def]
    """Every wizard says the sum of its hand, which takes the place of what was said of it before."""
    forget_statements(params, state)
    for seat in range(params.n_players):
        state.said_sum[seat] = hand_sum(state, seat)
        state.said_size[seat] = state.hand_size[seat]


@njit(cache=True, nogil=True)
def _discard(state, seat, which, count):  # type: ignore[no-untyped-def]
    for _ in range(count):
        if state.hand_size[seat] > 0:
            discard_from_hand(state, seat, hand_slot(state, seat, which))


@njit(cache=True, nogil=True)
def _recover(params, state, seat, which):  # type: ignore[no-untyped-def]
    if state.hand_size[seat] >= hand_limit(params, state):
        return
    for index in range(1, MAX_VALUE + 1):
        value = MAX_VALUE + 1 - index if which == HIGHEST else index
        if state.spell_discards[value] > 0:
            state.spell_discards[value] -= 1
            add_to_hand(state, seat, value, EVERYBODY)
            return


# Hands that change owners. What was said of a hand goes with it, and who has held a spell knows it.


@njit(cache=True, nogil=True)
def _pass_hands(params, state, which):  # type: ignore[no-untyped-def]
    """Every hand goes one seat clockwise (left) or back, by swaps that carry one of them all the way."""
    last = params.n_players - 1
    for seat in range(params.n_players):
        _remember_hand(state, seat)
    for index in range(last):
        if which == TO_THE_LEFT:
            _exchange(state, last - index - 1, last - index)
        else:
            _exchange(state, index, index + 1)


@njit(cache=True, nogil=True)
def _swap_hands(state, seat, other):  # type: ignore[no-untyped-def]
    _remember_hand(state, seat)
    _remember_hand(state, other)
    _exchange(state, seat, other)


@njit(cache=True, nogil=True)
def _remember_hand(state, seat):  # type: ignore[no-untyped-def]
    """A wizard will know the spells it holds now, wherever they go."""
    for slot in range(state.hand_size[seat]):
        state.hand_known[seat, slot] |= 1 << int(seat)


@njit(cache=True, nogil=True)
def _exchange(state, seat, other):  # type: ignore[no-untyped-def]
    for slot in range(MAX_HAND):
        value = state.hand[seat, slot]
        state.hand[seat, slot] = state.hand[other, slot]
        state.hand[other, slot] = value
        known = state.hand_known[seat, slot]
        state.hand_known[seat, slot] = state.hand_known[other, slot]
        state.hand_known[other, slot] = known
    for said in (state.hand_size, state.estimate, state.said_size):
        number = said[seat]
        said[seat] = said[other]
        said[other] = number
    for summed in (state.said_sum, state.shown):
        total = summed[seat]
        summed[seat] = summed[other]
        summed[other] = total
    for index in range(state.table_size):
        if state.table_hand[index] == seat:
            state.table_hand[index] = other
        elif state.table_hand[index] == other:
            state.table_hand[index] = seat


@njit(cache=True, nogil=True)
def _redeal(params, state):  # type: ignore[no-untyped-def]
    """All hands are shuffled together and dealt one by one from the leader; nobody knows them any more."""
    forget_statements(params, state)
    free = int(state.spell_deck_size)
    size = 0
    for seat in range(params.n_players):
        for slot in range(state.hand_size[seat]):
            state.spell_deck[free + size] = state.hand[seat, slot]
            size += 1
            state.hand[seat, slot] = 0
            state.hand_known[seat, slot] = 0
        state.hand_size[seat] = 0
    shuffle(state, state.spell_deck[free:], size)
    seat = int(state.leader)
    for index in range(size):
        add_to_hand(state, seat, int(state.spell_deck[free + index]), 0)
        seat = seat_after(params, seat, 1)
