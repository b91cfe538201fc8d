"""The layout of an observation of Syncro: which features there are, in order, and what each of them means.

Everything is relative to the observer: it is seat 0, the next wizard clockwise 1, and so on.
"""

from typing import TYPE_CHECKING

from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.syncro.limits import CHAPTER_2, LEVELS, MAX_EFFECTS, MAX_ENTRY, MAX_VALUE
from unspoken.envs.syncro.tables import RULES, foe_names, fog_kinds, reward_kinds

if TYPE_CHECKING:
    from unspoken.envs.syncro.config import SyncroConfig

ABSORBED_ROOM = 16
"""What a Golem's strength is shown to grow by at most."""
CHANGED_ROOM = 8
"""What the strength of a monster is shown to grow by at most through Fog."""


def strength_top(config: "SyncroConfig") -> int:
    """The highest strength that is told apart; what is higher is shown as this."""
    cards = config.card_set
    top = 0
    for level in config.levels_of_scenario:
        horde = cards.levels[level].horde  # type: ignore[index]
        others = len(horde.slots) - 1
        found = [
            card.strength + ABSORBED_ROOM * (card.kind == "golem")
            for card in cards.monster_deck(level, config.unlocked)  # type: ignore[arg-type]
        ]
        if horde.count("lieutenant"):
            found += [card.strength + others * (card.power == "crowd") for card in cards.lieutenants]
        if horde.count("cerberus"):
            found.append(cards.bosses.cerberus.strength)
        for slot in horde.slots:
            if slot.back == "boss":
                boss = cards.bosses.second if slot.is_big_boss else cards.bosses.first
                found.append(
                    boss.strength + boss.per_other_card * others + ABSORBED_ROOM * ("golem" in boss.like)
                )
        top = max(top, *found)
    return min(top + CHANGED_ROOM * shows_fog(config), MAX_ENTRY)


def owed_top(config: "SyncroConfig") -> int:
    """The largest debt that is told apart: what a round's spells can be too much, or too little."""
    return max(strength_top(config), MAX_VALUE * config.n_turns)


def shows_fog(config: "SyncroConfig") -> bool:
    """Whether the scenario has levels of chapter II."""
    return config.levels_of_scenario[-1] in CHAPTER_2


def feature_layout(config: "SyncroConfig") -> FeatureLayout:
    """The layout of an observation (see ``observation.observe``)."""
    cards = config.card_set
    players, slots = config.n_players, config.n_slots
    top = strength_top(config) + 1
    decks = [cards.spell_deck(level) for level in LEVELS]
    copies = 1 + max(deck.count(value) for deck in decks for value in range(1, MAX_VALUE + 1))
    parts = [
        (
            "decision",
            1,
            6,
            "0 turn, 1 estimate, 2 discard for a Dragon, 3 target, 4 keep the hand, 5 game over",
        ),
        ("to_act", 1, players, "relative seat that decides"),
        ("seat", 1, players, "the observer's seat"),
        ("leader", 1, players, "relative seat of the leader"),
        ("position", 1, config.n_turns + 1, "decisions of the round that have been made"),
        ("level", 1, len(LEVELS), "0 (I-a) to 8 (II-e)"),
        ("tries", 1, config.max_tries + 1, "tries of this level, the current one included"),
        ("foe", 1, slots + 1, "1 + slot of the monster being resolved, 0 if none"),
        ("owed", 1, owed_top(config) + 1, "what must still be discarded for a Dragon"),
        ("spell_deck", 1, 1 + max(map(len, decks)), "spells in the deck"),
        ("discards", MAX_VALUE, copies, "by value: spells among the discards"),
        ("leftovers", MAX_VALUE, copies, "by value: spells face up on monsters"),
        ("absorbed", MAX_VALUE, copies, "by value: spells under Golems"),
        ("slot_back", slots, 6, "by slot: 1 monster, 2 fog, 3 lieutenant, 4 boss, 5 Cerberus, 0 no slot"),
        ("slot_state", slots, 4, "by slot: 1 gone, 2 face down, 3 face up, 0 no slot"),
        ("slot_accessible", slots, 2, "by slot: nothing lies over it"),
        (
            "slot_card",
            slots,
            1 + len(foe_names(cards)) + len(fog_kinds(cards)),
            "by slot: 1 + card, 0 if unknown",
        ),
        ("slot_strength", slots, top, "by slot: strength now, 0 if unknown"),
        ("slot_spells", slots, 8, "by slot: face-up spells on it"),
        ("slot_sum", slots, top, "by slot: their sum"),
        ("slot_lowest", slots, MAX_VALUE + 1, "by slot: the lowest of them"),
        ("slot_hidden", slots, 6, "by slot: face-down spells on it"),
        ("slot_known", slots, 5 * MAX_VALUE + 1, "by slot: sum of the face-down spells the observer knows"),
        ("slot_top", slots, players + 1, "by slot: 1 + relative seat that played the top spell, 0 if none"),
        ("slot_absorbed", slots, top, "by slot: sum of the spells absorbed"),
    ]
    if shows_fog(config):
        parts += _fog_parts(config)
    for seat in range(players):
        parts += _seat_parts(config, seat)
    return FeatureLayout(parts)


def _fog_parts(config: "SyncroConfig") -> list[tuple[str, int, int, str]]:
    cards = config.card_set
    fog, rewards, lieutenants = fog_kinds(cards), reward_kinds(cards), cards.lieutenants
    n_fog, n_rewards = len(cards.fog_deck(True)), len(cards.reward_deck(True))
    most_fog = 1 + max(card.count for card in fog)
    most_rewards = 1 + max(card.count for card in rewards)
    n_cards = len(fog) + len(rewards) + len(lieutenants)
    return [
        ("card", 1, 1 + n_cards, "1 + card being applied: Fog, then Rewards, then lieutenants; 0 if none"),
        ("card_step", 1, MAX_EFFECTS + 1, "its effects that have been carried out"),
        ("rules", len(RULES), 2, f"in force: {', '.join(RULES)}"),
        ("hand_limit", 1, config.hand_limit + 1, "most spells in a hand"),
        ("fog_deck", 1, 1 + n_fog, "cards in the Fog deck"),
        ("fog_discards", 1, 1 + n_fog, "cards among the Fog discards"),
        ("fog_seen", len(fog), most_fog, "by card: how many of these were turned up"),
        ("curses", len(fog), most_fog, "by card: curses in force"),
        ("reward_deck", 1, 1 + n_rewards, "cards in the Reward deck"),
        ("reward_discards", len(rewards), most_rewards, "by card: Rewards played"),
        ("lieutenant_deck", 1, 1 + len(lieutenants), "cards in the lieutenant deck"),
        ("lieutenant_box", len(lieutenants), 2, "by card: lieutenants beaten"),
    ]


def _seat_parts(config: "SyncroConfig", seat: int) -> list[tuple[str, int, int, str]]:
    limit, plays = config.hand_limit, 2 if config.n_players <= 3 else 1
    who = ("the observer", "the next wizard", f"the wizard {seat} seats on")[min(seat, 2)]
    parts = [
        (f"hand_{seat}", limit, MAX_VALUE + 1, f"by hand slot, {who}: the spell, 0 if unknown or none"),
        (f"hand_size_{seat}", 1, limit + 1, f"spells in the hand of {who}"),
        (f"estimate_{seat}", 1, 4, f"said of the hand of {who}: 1 good, 2 average, 3 bad, 0 nothing"),
        (f"said_sum_{seat}", 1, MAX_VALUE * limit + 1, "sum said of that hand, 0 if none"),
        (f"said_size_{seat}", 1, limit + 1, "spells in that hand when that was said"),
        (
            f"shown_{seat}",
            1,
            MAX_VALUE * limit + 1,
            "sum of the spells that left it since and were turned up",
        ),
        (
            f"play_{seat}",
            plays,
            config.n_slots + 2,
            f"this round, {who}: 2 + slot attacked, 1 passed, 0 not yet",
        ),
        (f"play_hand_{seat}", plays, limit + 1, "1 + hand slot that the spell left, 0 if none"),
        (f"play_value_{seat}", plays, MAX_VALUE + 1, "that spell, 0 if none or unknown"),
    ]
    if shows_fog(config):
        kinds = 1 + len(reward_kinds(config.card_set))
        parts.append((f"has_reward_{seat}", 1, 2, f"{who} holds a Reward"))
        parts.append((f"reward_{seat}", 1, kinds, "1 + that Reward, 0 if unknown or none"))
    return parts
