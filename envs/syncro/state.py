"""The state of a game of Syncro: one record, public and hidden, and what the rules read of a configuration.

Cards are numbers. A spell is its value, 1 to 7. Fog, Reward and lieutenant cards share one numbering, so that
their effects lie in one table: Fog cards from ``FOG``, Rewards from ``REWARD``, lieutenants' powers from
``LIEUTENANT`` on. What can be attacked is a *foe*, numbered in the order monsters, lieutenants, Boss I,
Boss II, Cerberus. Sets of slots or seats are bits of an ``int64``.
"""

from typing import Any

import numpy as np

from unspoken.envs.syncro.limits import (
    LEVELS,
    MAX_EFFECTS,
    MAX_FOG,
    MAX_HAND,
    MAX_LIEUTENANTS,
    MAX_MONSTERS,
    MAX_PLAYERS,
    MAX_REWARDS,
    MAX_SLOTS,
    MAX_SPELLS,
    MAX_VALUE,
)

N_LEVELS = len(LEVELS)
VALUES = MAX_VALUE + 1
"""Length of a count of spells by value; entry 0 is not used."""
EVERYBODY = (1 << MAX_PLAYERS) - 1
"""All seats, as bits."""
MAX_TURNS = 5
"""Most decisions of a round."""
MAX_PLAYS = 2
"""Most decisions of one seat in a round."""
MAX_FRAMES = 20
"""Deepest stack of things being done: a round, a Reward, and Fog cards that apply Fog cards."""

FOG = 0
REWARD = FOG + MAX_FOG
LIEUTENANT = REWARD + MAX_REWARDS
MAX_CARDS = LIEUTENANT + MAX_LIEUTENANTS

MAX_KINDS = MAX_MONSTERS + 1
"""Most different cards of the monster deck, the unlocked Dragon included."""
MAX_FOES = MAX_KINDS + MAX_LIEUTENANTS + 3

LEVEL_POTENTIAL = 100
"""What a level adds to the potential."""

PILE = 64
"""Room of every deck; of one length, so that one compiled function shuffles them all."""

PUBLIC = 512
"""Room for the features that all wizards see alike (see ``public``), in blocks of 32."""

# Backs of the cards of the horde.
BACK_MONSTER, BACK_FOG, BACK_LIEUTENANT, BACK_BOSS, BACK_CERBERUS = 1, 2, 3, 4, 5

# What a foe does when it is resolved, as bits.
MUSHROOM, GOLEM, DRAGON = 1, 2, 4

# Where a spell on a foe lies.
FACE_DOWN, FACE_UP, ABSORBED = 0, 1, 2

# What an effect does.
(
    DRAW,
    DISCARD,
    PASS_HANDS,
    REDEAL,
    REVEAL,
    STRENGTH,
    DRAW_REWARD,
    APPLY_FOG,
    RECOVER,
    SWAP_HANDS,
    ANNOUNCE_SUMS,
    DESTROY,
    SET_RULE,
    HAND_LIMIT,
) = range(1, 15)

# Whom an effect concerns; for REVEAL and STRENGTH: all, or one that is chosen.
TEAM, EACH, LEADER, PLAYER, ALL, CHOSEN = 0, 1, 2, 3, 4, 5
# Which card an effect takes; for PASS_HANDS: to whom.
LOWEST, HIGHEST, LEFTMOST, RIGHTMOST, TO_THE_LEFT, TO_THE_RIGHT = 0, 1, 2, 3, 4, 5
# What curses forbid or force, as bits.
NO_ESTIMATE, NO_PASS, NO_REWARD, NO_MUSHROOM_DRAW, LEADER_ATTACKS, END_CARDS = 1, 2, 4, 8, 16, 32
N_RULES = 6

# What the seat to act decides.
DECIDE_TURN, DECIDE_ESTIMATE, DECIDE_DEBT, DECIDE_TARGET, DECIDE_KEEP, DECIDE_NOTHING = 0, 1, 2, 3, 4, 5

# Estimates.
GOOD, AVERAGE, BAD = 1, 2, 3

PARAMS_DTYPE = np.dtype(
    [
        ("n_players", np.int64),
        ("hand_limit", np.int64),
        ("n_turns", np.int64),  # decisions of a round
        ("turn_offset", np.int64, (MAX_TURNS,)),  # seats from the leader to the one that decides
        ("n_slots", np.int64),  # slots of the scenario's largest horde: the stride of the ATTACK actions
        ("slot_reciprocal", np.int64),  # 2**16 divided by that, rounded up
        ("first_level", np.int64),
        ("last_level", np.int64),
        ("max_tries", np.int64),  # of each level
        ("max_decisions", np.int64),
        ("shaped", np.bool_),
        ("max_potential", np.int64),
        # The first action of each kind, and their number.
        ("pass_action", np.int64),
        ("estimate_action", np.int64),
        ("discard_action", np.int64),
        ("stop_action", np.int64),
        ("keep_action", np.int64),
        ("drop_action", np.int64),
        ("reward_action", np.int64),
        ("target_action", np.int64),
        ("n_actions", np.int64),
        ("feature_width", np.int64),  # entries of memory a row of features takes
        ("mask_width", np.int64),  # entries of memory a row of the mask takes
        ("public_size", np.int64),  # features that all wizards see alike (see `public`)
        ("strength_top", np.int64),  # the highest strength that an observation tells apart
        ("owed_top", np.int64),  # and the largest debt
        ("n_fog", np.int64),  # different cards
        ("n_rewards", np.int64),
        ("n_lieutenants", np.int64),
        ("shows_fog", np.bool_),  # the scenario has levels of chapter II
        # Decks, as the copies of each different card.
        ("fog_copies", np.int64, (MAX_FOG,)),
        ("reward_copies", np.int64, (MAX_REWARDS,)),
        ("lieutenant_copies", np.int64, (MAX_LIEUTENANTS,)),
        # By level.
        ("spell_copies", np.int64, (N_LEVELS, VALUES)),
        ("monster_copies", np.int64, (N_LEVELS, MAX_KINDS)),
        ("says_sums", np.int8, (N_LEVELS,)),
        ("rewards_unlocked", np.int8, (N_LEVELS,)),
        ("level_slots", np.int64, (N_LEVELS,)),
        ("slot_back", np.int8, (N_LEVELS, MAX_SLOTS)),
        ("slot_foe", np.int8, (N_LEVELS, MAX_SLOTS)),  # of a boss or Cerberus, whose card the level settles
        ("slot_face_up", np.int64, (N_LEVELS,)),
        ("covered_by", np.int64, (N_LEVELS, MAX_SLOTS)),
        ("resolution_order", np.int8, (N_LEVELS, MAX_SLOTS)),
        ("slot_order", np.int8, (N_LEVELS, MAX_SLOTS)),  # by slot: its place in the resolution order
        ("back_slots", np.int64, (N_LEVELS, 6)),  # by back: the slots that have it
        ("big_boss", np.int64, (N_LEVELS,)),  # the slot of Boss II
        # Foes.
        ("n_monsters", np.int64),  # different ones
        ("n_foes", np.int64),
        ("foe_strength", np.int16, (MAX_FOES,)),
        ("foe_traits", np.int8, (MAX_FOES,)),
        ("foe_crowd", np.int8, (MAX_FOES,)),  # strength added for every other card in the horde
        # Effects of Fog, Reward and lieutenant cards.
        ("card_effects", np.int8, (MAX_CARDS,)),  # how many
        ("card_ongoing", np.int8, (MAX_CARDS,)),
        ("effect_do", np.int8, (MAX_CARDS, MAX_EFFECTS)),
        ("effect_who", np.int8, (MAX_CARDS, MAX_EFFECTS)),
        ("effect_which", np.int8, (MAX_CARDS, MAX_EFFECTS)),
        ("effect_amount", np.int8, (MAX_CARDS, MAX_EFFECTS)),
    ],
    align=True,
)
"""What the rules read of a configuration, the tables of its cards included."""

STATE_DTYPE = np.dtype(
    [
        # What every decision reads or writes comes first, the decks last: of a batch that is larger than a
        # processor's nearest memory then only the first part is fetched at every step (see `HOT_BYTES`).
        ("generator", np.uint64),
        # What the seat to act decides, and what it may do.
        ("offered_hand", np.int64),  # ATTACK: bits of the hand slots that may be played ...
        ("offered_foes", np.int64),  # ... and of the slots of the horde they may be played on
        ("offered_others", np.int64),  # bits of the actions from PASS on, except TARGET
        ("offered_targets", np.int64),  # bits of the TARGET actions
        ("decision", np.int8),
        ("seat", np.int8),
        # The game.
        ("finished", np.bool_),
        ("won", np.bool_),
        ("truncated", np.bool_),
        ("level", np.int8),  # 0 (I-a) to 8 (II-e)
        ("levels_won", np.int8),
        ("tries", np.int8),  # of this level, the current one included
        ("all_tries", np.int16),
        ("potential", np.int16),  # 100 for a level won, and the percentage destroyed of this horde's strength
        ("decisions", np.int32),
        # What is being done: a stack of frames (see `flow`), the lowest of which is the round.
        ("depth", np.int8),
        ("frame_stage", np.int8, (MAX_FRAMES,)),
        # The round.
        ("leader", np.int8),
        ("position", np.int8),  # decisions of the round that have been made
        ("attacks", np.int8),
        ("passes", np.int8),
        ("rounds", np.int16),  # completed in this try
        ("play_slot", np.int8, (MAX_PLAYERS, MAX_PLAYS)),  # 0 not yet, 1 passed, 2 + slot attacked
        ("play_hand", np.int8, (MAX_PLAYERS, MAX_PLAYS)),  # 1 + hand slot that the spell left
        ("play_value", np.int8, (MAX_PLAYERS, MAX_PLAYS)),  # hidden, but from those who know it
        ("play_known", np.int8, (MAX_PLAYERS, MAX_PLAYS)),  # the seats that know it
        # The resolution.
        ("resolving", np.int8),  # how many entries of the resolution order have been looked at
        ("foe", np.int8),  # the slot being resolved, -1 if none
        ("total", np.int16),  # of the spells on it
        ("needed", np.int16),  # its strength then
        ("owed", np.int16),  # spells still to be discarded for a Dragon
        ("asked", np.int8),  # wizards that have answered, in a question that goes round
        ("answers", np.int8, (MAX_PLAYERS,)),  # hidden until all have answered
        # What curses change.
        ("rules_in_force", np.int8),  # what they forbid or force, as bits
        ("limit_change", np.int8),
        # Spells.
        ("spell_deck_size", np.int8),
        ("spell_discards", np.int8, (VALUES,)),  # by value
        ("hand", np.int8, (MAX_PLAYERS, MAX_HAND)),
        ("hand_known", np.int8, (MAX_PLAYERS, MAX_HAND)),  # other seats that know the card
        ("hand_size", np.int8, (MAX_PLAYERS,)),
        # What was said of each hand last; it goes with the hand when hands change owners.
        ("estimate", np.int8, (MAX_PLAYERS,)),
        ("said_sum", np.int16, (MAX_PLAYERS,)),
        ("said_size", np.int8, (MAX_PLAYERS,)),  # spells in the hand then
        ("shown", np.int16, (MAX_PLAYERS,)),  # sum of the spells that left it since and were turned up
        ("reward", np.int8, (MAX_PLAYERS,)),  # in hand: a card's number, 0 if none
        # The horde, by slot.
        ("n_slots", np.int8),
        ("present", np.int64),
        ("accessible", np.int64),
        ("face_up", np.int64),
        ("remembered", np.int64),  # face-down lieutenants seen in an earlier try
        ("horde_card", np.int8, (MAX_SLOTS,)),  # a foe's number, or a Fog card's
        ("strength", np.int16, (MAX_SLOTS,)),  # without what is added for other cards in the horde
        # Spells on foes, in the order in which they were played.
        ("table_size", np.int8),
        ("table_value", np.int8, (MAX_SPELLS,)),
        ("table_slot", np.int8, (MAX_SPELLS,)),
        ("table_owner", np.int8, (MAX_SPELLS,)),
        ("table_known", np.int8, (MAX_SPELLS,)),  # seats that know a face-down one
        ("table_place", np.int8, (MAX_SPELLS,)),
        # The seat with the hand it left, if nothing has been said of that hand since; else -1.
        ("table_hand", np.int8, (MAX_SPELLS,)),
        # What all wizards see alike, kept ready for observations (see `public`).
        ("first_down", np.int8),  # no spell on the table before this one lies face down
        ("public", np.int8, (PUBLIC,)),
        # The horde, when a monster is destroyed.
        ("printed", np.int16, (MAX_SLOTS,)),  # the strength on the card
        ("horde_total", np.int16),  # of the printed strengths
        ("destroyed", np.int16),  # of the printed strengths
        # Cards being applied, by frame.
        ("frame_card", np.int8, (MAX_FRAMES,)),
        ("frame_step", np.int8, (MAX_FRAMES,)),  # its next effect
        ("frame_actor", np.int8, (MAX_FRAMES,)),  # who chooses for it
        ("frame_drew", np.int8, (MAX_FRAMES,)),  # 1: a spell has been drawn for it
        # Decks and discards: a deck's top card is its last one.
        ("spell_deck", np.int8, (PILE,)),
        ("monster_deck", np.int8, (PILE,)),
        ("monster_deck_size", np.int8),
        ("fog_deck", np.int8, (PILE,)),
        ("fog_deck_size", np.int8),
        ("fog_discards", np.int8, (MAX_FOG,)),
        ("fog_discards_size", np.int8),
        ("fog_shown", np.int8, (MAX_FOG,)),  # by card: how many of the discards everybody saw
        ("curses", np.int8, (MAX_FOG,)),  # lying aside, in force
        ("curses_size", np.int8),
        ("reward_deck", np.int8, (PILE,)),
        ("reward_deck_size", np.int8),
        ("reward_discards", np.int8, (MAX_REWARDS,)),
        ("reward_discards_size", np.int8),
        ("lieutenant_deck", np.int8, (PILE,)),
        ("lieutenant_deck_size", np.int8),
        ("lieutenant_box", np.int8, (MAX_LIEUTENANTS,)),  # beaten ones
        ("lieutenant_box_size", np.int8),
        # Key of the random stream; `episode` is the number of the next game dealt from it.
        ("seed", np.uint64),
        ("slot", np.uint64),
        ("episode", np.uint64),
    ],
    align=True,
)
"""One game, public and hidden."""

_PUBLIC_AT = STATE_DTYPE.fields["public"][1]  # type: ignore[index]
HOT_BYTES = _PUBLIC_AT + 2 * MAX_VALUE + 12 * 16
"""The first part of a record, which nearly every decision touches: up to what all see of sixteen slots."""


def new_states(num_games: int, seed: int) -> "np.recarray[Any, Any]":
    """``(num_games,)`` records keyed by ``seed`` and their index, before the first deal."""
    states = np.zeros(num_games, STATE_DTYPE).view(np.recarray)
    states.seed = seed
    states.slot = np.arange(num_games)
    return states
