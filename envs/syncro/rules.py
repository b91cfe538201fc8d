"""The rules of Syncro, as plain functions over one game's state.

A horde of monsters lies in overlapping rows. In each round the wizards in turn play a spell face down on an
accessible monster, or pass; then the monsters are resolved from the bottom up. The level is won when the last
one is destroyed, and lost when no wizard has a spell left or a Dragon's debt is not paid.

Actions (H the hand limit, S the slots of the scenario's largest horde, T the larger of S and the number of
seats), the same for every seat::

    h * S + m              ATTACK: the spell in hand slot h on the monster in slot m of the horde
    H * S                  PASS
    H * S + 1, 2, 3        ESTIMATE good, average, bad
    H * S + 4 + h          DISCARD the spell in hand slot h, for a Dragon
    H * S + 4 + H          STOP discarding
    H * S + 5 + H          KEEP the hand for the next level
    H * S + 6 + H          DISCARD ALL of it
    H * S + 7 + H          PLAY REWARD
    H * S + 8 + H + t      TARGET: slot t of the horde, or the wizard t seats clockwise

A decision can come in the middle of anything; how the game goes on afterwards is told by ``flow``. The
functions are compiled by numba, and run as ordinary Python with ``NUMBA_DISABLE_JIT=1``. ``params`` is a
record of ``PARAMS_DTYPE``, ``state`` one of ``STATE_DTYPE``.
"""

import numpy as np
from numba import njit

from unspoken.envs.engine.apart import keep_apart
from unspoken.envs.engine.words import spread_bits
from unspoken.envs.syncro.adventure import ask_keep, begin_game, lose_level, set_up, win_level
from unspoken.envs.syncro.effects import announce_sums, apply_card, choose_target, playable
from unspoken.envs.syncro.flow import (
    CARD,
    DEBT,
    END_ROUND,
    ESTIMATE,
    KEEP,
    LEVEL_WON,
    OVER,
    RESOLVE,
    SET_UP,
    SETTLE,
    TURN,
    TURN_UP,
    end_game,
    go_to,
    offer,
    pop,
    push_card,
    seat_after,
)
from unspoken.envs.syncro.foes import attackable, lay_spell, under_own_spell
from unspoken.envs.syncro.piles import forget_statements, take_from_hand
from unspoken.envs.syncro.public import write_public
from unspoken.envs.syncro.resolution import ask_debt, end_round, pay_debt, resolve_next, settle, turn_up_next
from unspoken.envs.syncro.state import (
    DECIDE_DEBT,
    DECIDE_ESTIMATE,
    DECIDE_TURN,
    END_CARDS,
    LEADER_ATTACKS,
    NO_ESTIMATE,
    NO_PASS,
    NO_REWARD,
)

_ONE = np.uint64(1)


@njit(cache=True, nogil=True, inline="always")
def reset(params, state):  # type: ignore[no-untyped-def]
    """Deal the next game of the state's random stream."""
    begin_game(params, state)
    run(params, state)


@njit(cache=True, nogil=True)
def current_player(params, state):  # type: ignore[no-untyped-def]
    """The seat to act."""
    return state.seat


@njit(cache=True, nogil=True)
def is_legal(params, state, action):  # type: ignore[no-untyped-def]
    """Whether the seat to act may play ``action`` (any integer)."""
    if action < 0 or action >= params.n_actions:
        return False
    if action >= params.target_action:
        return (state.offered_targets >> (action - params.target_action)) & 1 != 0
    if action >= params.pass_action:
        return (state.offered_others >> (action - params.pass_action)) & 1 != 0
    hand_slot, slot = attack_of(params, action)
    return (state.offered_hand >> hand_slot) & (state.offered_foes >> slot) & 1 != 0


@njit(cache=True, nogil=True)
def attack_of(params, action):  # type: ignore[no-untyped-def]
    """The hand slot and the slot of the horde of an ATTACK action, by a multiplication instead of a division
    (exact, because an action times the number of slots stays below 2**16)."""
    hand_slot = (int(action) * params.slot_reciprocal) >> 16
    return hand_slot, int(action) - hand_slot * params.n_slots


@njit(cache=True, nogil=True)
def legal(params, state, mask, start=0):  # type: ignore[no-untyped-def]
    """Write 1 for each action the seat to act may play and 0 for the others, from ``mask[start]`` on.

    ``mask`` is one-dimensional ``int8``, with ``params.mask_width`` entries of room (those after the actions
    become 0).
    """
    foes = np.uint64(state.offered_foes)
    hand = np.uint64(state.offered_hand)
    entry = start
    for _ in range(params.hand_limit):
        # Each word is written as 32 entries, the next one over its unused end. Without a branch, which a
        # processor would guess wrongly.
        spread_bits(foes * (hand & _ONE), mask, entry)
        hand >>= _ONE
        entry += params.n_slots
    spread_bits(np.uint64(state.offered_others), mask, entry)
    spread_bits(np.uint64(state.offered_targets), mask, start + params.target_action)


@njit(cache=True, nogil=True, inline="always")
def step(params, state, action):  # type: ignore[no-untyped-def]
    """Play a legal action and return the team's reward.

    Sparse: 1 for each level that the action wins. Shaped: the change of potential / max_potential is added,
    the potential of a finished game being 0; over a game these terms add up to 0, whatever is played, so no
    choice becomes better or worse.
    """
    won = state.levels_won
    potential = state.potential
    if action < params.pass_action:
        _attack(params, state, action)
    elif action >= params.target_action:
        choose_target(params, state, action - params.target_action)
    elif state.decision == DECIDE_TURN:
        if action == params.pass_action:
            _record_play(params, state, 1, -1, 0, 0)
            state.passes += 1
            state.position += 1
        else:
            card = int(state.reward[state.seat])
            state.reward[state.seat] = 0
            push_card(state, card, int(state.seat))
    elif state.decision == DECIDE_ESTIMATE:
        state.answers[state.seat] = action - params.pass_action
        state.asked += 1
    elif state.decision == DECIDE_DEBT:
        if action == params.stop_action:
            state.asked += 1
        else:
            pay_debt(state, action - params.discard_action)
    else:
        state.answers[state.seat] = action - params.keep_action
        state.asked += 1
    state.decisions += 1
    run(params, state)
    if state.decisions >= params.max_decisions and not state.finished:
        state.truncated = True
        forfeit(params, state)
    reward = float(state.levels_won - won)
    if params.shaped:
        after = 0 if state.finished else int(state.potential)
        reward += (after - int(potential)) / params.max_potential
    return reward


@njit(cache=True, nogil=True)
def forfeit(params, state):  # type: ignore[no-untyped-def]
    """End the game, lost, in the middle of whatever is done: an illegal action, or too many decisions."""
    end_game(state)
    write_public(params, state)


@njit(cache=True, nogil=True)
def run(params, state):  # type: ignore[no-untyped-def]
    """Go on until somebody has to decide or the game is over."""
    keep_apart()
    waiting = False
    changed = False
    while not waiting:
        stage = state.frame_stage[np.uint64(state.depth)]
        if stage == TURN:
            waiting = _ask_turn(params, state)
        elif stage == ESTIMATE:
            waiting = _ask_estimate(params, state)
        elif stage == DEBT:
            waiting = ask_debt(params, state)
        elif stage == KEEP:
            waiting = ask_keep(params, state)
        elif stage == OVER:
            waiting = True
        else:
            waiting = _carry_out(params, state, stage)
            changed = True
    if changed:
        write_public(params, state)


@njit(cache=True, nogil=True, inline="always")
def _carry_out(params, state, stage):  # type: ignore[no-untyped-def]
    """The stages that may change what all wizards see of the horde and the decks."""
    if stage == RESOLVE:
        return resolve_next(params, state)
    if stage == SETTLE:
        return settle(params, state)
    if stage == TURN_UP:
        return turn_up_next(params, state)
    if stage == END_ROUND:
        return end_round(params, state)
    if stage == CARD:
        return apply_card(params, state)
    if stage == SET_UP:
        return set_up(params, state)
    if stage == LEVEL_WON:
        return win_level(params, state)
    return lose_level(params, state)


@njit(cache=True, nogil=True)
def _ask_turn(params, state):  # type: ignore[no-untyped-def]
    """TURN: what the wizard at this position of the round may do; after the last one, RESOLVE."""
    if state.position == params.n_turns:
        go_to(state, RESOLVE)
        return False
    seat = seat_after(params, int(state.leader), params.turn_offset[state.position])
    offer(state, DECIDE_TURN, seat)
    rules = state.rules_in_force
    size = int(state.hand_size[np.uint64(seat)])
    hand = (1 << size) - 1
    if rules & END_CARDS and size > 2:
        hand = (1 << (size - 1)) | 1
    foes = attackable(params, state)
    if params.n_players <= 3:
        foes &= ~under_own_spell(state, seat)
    last = state.position + 1 == params.n_turns
    can_attack = hand != 0 and foes != 0
    if params.n_players == 5 and last and state.passes == 0:
        can_attack = False
    must_attack = can_attack and (
        (last and state.attacks == 0)
        or rules & NO_PASS != 0
        or (rules & LEADER_ATTACKS != 0 and state.position == 0)
    )
    if can_attack:
        state.offered_hand = hand
        state.offered_foes = foes
    if not must_attack:
        state.offered_others |= 1
    card = int(state.reward[np.uint64(seat)])
    if card != 0 and rules & NO_REWARD == 0 and playable(params, state, card, seat):
        state.offered_others |= 1 << (params.reward_action - params.pass_action)
    return True


@njit(cache=True, nogil=True)
def _attack(params, state, action):  # type: ignore[no-untyped-def]
    hand_slot, slot = attack_of(params, action)
    seat = int(state.seat)
    value, known = take_from_hand(state, seat, hand_slot)
    known |= 1 << seat
    lay_spell(state, seat, slot, value, known)
    _record_play(params, state, 2 + slot, hand_slot, value, known)
    state.attacks += 1
    state.position += 1


@njit(cache=True, nogil=True)
def _record_play(params, state, slot, hand_slot, value, known):  # type: ignore[no-untyped-def]
    """Remember for this round what the seat to act has done."""
    seat = np.uint64(state.seat)
    play = np.uint64(state.play_slot[seat, 0] != 0)
    state.play_slot[seat, play] = slot
    state.play_hand[seat, play] = hand_slot + 1
    state.play_value[seat, play] = value
    state.play_known[seat, play] = known


@njit(cache=True, nogil=True)
def _ask_estimate(params, state):  # type: ignore[no-untyped-def]
    """ESTIMATE: every wizard with spells in turn; what was said before stands until all have chosen."""
    if state.rules_in_force & NO_ESTIMATE:
        pop(state)
        return False
    if params.says_sums[state.level] != 0:
        announce_sums(params, state)
        pop(state)
        return False
    while state.asked < params.n_players:
        seat = seat_after(params, int(state.leader), int(state.asked))
        if state.hand_size[seat] > 0:
            offer(state, DECIDE_ESTIMATE, seat)
            state.offered_others = 0b1110
            return True
        state.asked += 1
    forget_statements(params, state)
    for seat in range(params.n_players):
        if state.hand_size[seat] > 0:
            state.estimate[seat] = state.answers[seat]
            state.said_size[seat] = state.hand_size[seat]
    pop(state)
    return False
