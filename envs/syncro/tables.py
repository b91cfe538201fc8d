"""From a ``CardSet`` to the arrays that the compiled rules read.

Every card gets a number (see ``state``). The three cards of the end of the adventure always have theirs, the
last of their kind, so that an observation of either adventure is laid out alike; they are in the decks of a
second adventure only.
"""

from typing import Any

from unspoken.envs.syncro import state as s
from unspoken.envs.syncro.cards import (
    CardSet,
    FogCard,
    MonsterCard,
    RewardCard,
)
from unspoken.envs.syncro.limits import CHAPTER_2, LEVELS, LevelName
from unspoken.envs.syncro.vocabulary import ChangeStrength, Destroy, Forbid, Force, PassHands, Reveal

_TRAITS = {"mushroom": s.MUSHROOM, "golem": s.GOLEM, "dragon": s.DRAGON}
_BACKS = {
    "monster": s.BACK_MONSTER,
    "fog": s.BACK_FOG,
    "lieutenant": s.BACK_LIEUTENANT,
    "boss": s.BACK_BOSS,
    "cerberus": s.BACK_CERBERUS,
}
_DO = {
    "draw": s.DRAW,
    "discard": s.DISCARD,
    "pass_hands": s.PASS_HANDS,
    "redeal": s.REDEAL,
    "reveal": s.REVEAL,
    "strength": s.STRENGTH,
    "draw_reward": s.DRAW_REWARD,
    "apply_fog": s.APPLY_FOG,
    "recover": s.RECOVER,
    "swap_hands": s.SWAP_HANDS,
    "announce_sums": s.ANNOUNCE_SUMS,
    "destroy": s.DESTROY,
    "forbid": s.SET_RULE,
    "force": s.SET_RULE,
    "hand_limit": s.HAND_LIMIT,
}
_WHO = {
    "team": s.TEAM,
    "each": s.EACH,
    "leader": s.LEADER,
    "player": s.PLAYER,
    "all": s.ALL,
    "chosen": s.CHOSEN,
}
_WHICH = {
    "lowest": s.LOWEST,
    "highest": s.HIGHEST,
    "leftmost": s.LEFTMOST,
    "rightmost": s.RIGHTMOST,
    "left": s.TO_THE_LEFT,
    "right": s.TO_THE_RIGHT,
}
RULES = {
    "estimate": s.NO_ESTIMATE,
    "pass": s.NO_PASS,
    "reward": s.NO_REWARD,
    "mushroom_draw": s.NO_MUSHROOM_DRAW,
    "leader_attacks": s.LEADER_ATTACKS,
    "end_cards": s.END_CARDS,
}
"""What curses forbid or force, with the bit of each."""
MAX_APPLY_FOG = s.MAX_FRAMES - 4
"""Most Fog cards that apply another one: a Reward or lieutenant may lie under them, an estimate over them."""


def monster_kinds(cards: CardSet) -> tuple[MonsterCard, ...]:
    """The different cards of the monster deck in the order of their numbers, the unlocked Dragon last."""
    new = cards.unlocked.dragon
    dragon = MonsterCard(name=new.name, kind="dragon", strength=new.strength, count=1)
    return (*cards.monsters, dragon)


def fog_kinds(cards: CardSet) -> tuple[FogCard, ...]:
    """The different Fog cards in the order of their numbers, the unlocked one last."""
    return (*cards.fog, cards.unlocked.fog)


def reward_kinds(cards: CardSet) -> tuple[RewardCard, ...]:
    """The different Reward cards in the order of their numbers, the unlocked one last."""
    return (*cards.rewards, cards.unlocked.reward)


def foe_names(cards: CardSet) -> tuple[str, ...]:
    """The names of all foes in the order of their numbers."""
    names = [card.name for card in monster_kinds(cards)] + [card.name for card in cards.lieutenants]
    bosses = cards.bosses
    return (*names, bosses.first.name, bosses.second.name, bosses.cerberus.name)


def compile_cards(cards: CardSet, record: Any, unlocked: bool) -> None:
    """Write the cards and levels into a record of ``PARAMS_DTYPE``.

    Args:
        cards: what there is.
        record: its tables are filled; what does not come from the cards stays as it is.
        unlocked: the decks are those of a second adventure.

    Raises:
        ValueError: more Fog cards apply another Fog card than can lie on each other.
    """
    _compile_decks(cards, record, unlocked)
    _compile_foes(cards, record)
    for index, name in enumerate(LEVELS):
        _compile_level(cards, record, index, name, unlocked)
    for index, fog in enumerate(fog_kinds(cards)):
        _compile_effects(record, s.FOG + index, fog.effects)
        record.card_ongoing[s.FOG + index] = fog.ongoing
    for index, reward in enumerate(reward_kinds(cards)):
        _compile_effects(record, s.REWARD + index, reward.effects)
    for index, lieutenant in enumerate(cards.lieutenants):
        _compile_power(record, s.LIEUTENANT + index, lieutenant.power)


def _compile_decks(cards: CardSet, record: Any, unlocked: bool) -> None:
    record.n_fog = len(fog_kinds(cards))
    record.n_rewards = len(reward_kinds(cards))
    record.n_lieutenants = len(cards.lieutenants)
    for index, fog in enumerate(cards.fog):
        record.fog_copies[index] = fog.count
    record.fog_copies[len(cards.fog)] = unlocked
    for index, reward in enumerate(cards.rewards):
        record.reward_copies[index] = reward.count
    record.reward_copies[len(cards.rewards)] = unlocked
    record.lieutenant_copies[: len(cards.lieutenants)] = 1
    chained = sum(fog.count for fog in fog_kinds(cards) if fog.effects[-1].do == "apply_fog")
    if chained > MAX_APPLY_FOG:
        raise ValueError(f"fog: {chained} cards with apply_fog; must be at most {MAX_APPLY_FOG}")


def _compile_foes(cards: CardSet, record: Any) -> None:
    kinds = monster_kinds(cards)
    record.n_monsters = len(kinds)
    record.n_foes = len(foe_names(cards))
    for index, monster in enumerate(kinds):
        record.foe_strength[index] = monster.strength
        record.foe_traits[index] = _TRAITS[monster.kind]
    for index, lieutenant in enumerate(cards.lieutenants, len(kinds)):
        record.foe_strength[index] = lieutenant.strength
        record.foe_crowd[index] = lieutenant.power == "crowd"
    bosses = (cards.bosses.first, cards.bosses.second)
    for index, boss in enumerate(bosses, len(kinds) + len(cards.lieutenants)):
        record.foe_strength[index] = boss.strength
        record.foe_traits[index] = sum(_TRAITS[kind] for kind in set(boss.like))
        record.foe_crowd[index] = boss.per_other_card
    record.foe_strength[record.n_foes - 1] = cards.bosses.cerberus.strength


def _compile_level(cards: CardSet, record: Any, index: int, name: LevelName, unlocked: bool) -> None:
    level = cards.levels[name]
    horde = level.horde
    for value in cards.spell_deck(name):
        record.spell_copies[index, value] += 1
    numbers = {kind.name: number for number, kind in enumerate(monster_kinds(cards))}
    for card in cards.monster_deck(name, unlocked):
        record.monster_copies[index, numbers[card.name]] += 1
    record.says_sums[index] = level.estimate == "sum"
    record.rewards_unlocked[index] = name in CHAPTER_2
    record.level_slots[index] = len(horde.slots)
    record.resolution_order[index, : len(horde.slots)] = horde.resolution_order
    record.slot_order[index, list(horde.resolution_order)] = range(len(horde.slots))
    first_boss = record.n_foes - 3
    for number, slot in enumerate(horde.slots):
        bit = 1 << number
        back = _BACKS[slot.back]
        record.slot_back[index, number] = back
        record.back_slots[index, back] |= bit
        record.slot_face_up[index] |= bit * slot.face_up
        record.covered_by[index, number] = sum(1 << over for over in horde.covered_by[number])
        if slot.back == "boss":
            record.slot_foe[index, number] = first_boss + slot.is_big_boss
            record.big_boss[index] |= bit * slot.is_big_boss
        elif slot.back == "cerberus":
            record.slot_foe[index, number] = first_boss + 2


def _compile_effects(record: Any, card: int, effects: tuple[Any, ...]) -> None:
    record.card_effects[card] = len(effects)
    for step, effect in enumerate(effects):
        record.effect_do[card, step] = _DO[effect.do]
        if isinstance(effect, (Forbid, Force)):
            record.effect_amount[card, step] = RULES[effect.rule]
        elif isinstance(effect, Destroy):
            record.effect_amount[card, step] = effect.limit
        else:
            record.effect_amount[card, step] = getattr(effect, "count", getattr(effect, "amount", 0))
        if isinstance(effect, PassHands):
            record.effect_which[card, step] = _WHICH[effect.direction]
        elif hasattr(effect, "which"):
            record.effect_which[card, step] = _WHICH[effect.which]
        if isinstance(effect, (Reveal, ChangeStrength)):
            record.effect_who[card, step] = _WHO[effect.what]
        elif hasattr(effect, "who"):
            record.effect_who[card, step] = _WHO[effect.who]


def _compile_power(record: Any, card: int, power: str) -> None:
    """What a lieutenant does when it is turned up; ``crowd`` is a matter of its strength instead."""
    if power == "crowd":
        return
    record.card_effects[card] = 1
    record.effect_do[card, 0] = s.APPLY_FOG if power == "fog" else s.DRAW_REWARD
    record.effect_amount[card, 0] = 1
