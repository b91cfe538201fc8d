"""One game of Syncro on the engine's scalar rules, asked the same questions as the reference model."""

from __future__ import annotations

import copy
import random
from itertools import product
from typing import Any

import numpy as np

from tests.reference.syncro import Syncro
from tests.reference.syncro_features import features, foe_names, fog_names, numbered_actions, reward_names
from tests.reference.syncro_parts import Action
from unspoken.envs.engine.random import advance, below, stream
from unspoken.envs.syncro import observation, piles, rules
from unspoken.envs.syncro.config import SCENARIOS, SyncroConfig
from unspoken.envs.syncro.foes import strength_now
from unspoken.envs.syncro.game import SyncroGame
from unspoken.envs.syncro.state import ABSORBED, FACE_UP, FOG, REWARD

CONFIGS = [
    SyncroConfig(scenario=scenario, n_players=players)
    for scenario, players in product(SCENARIOS, (2, 3, 4, 5))
]
"""Scenario x players."""


def config_name(config: SyncroConfig) -> str:
    """A readable name for a test's id."""
    return f"{config.scenario}-{config.n_players}p" + "-unlocked" * config.unlocked


class EngineGame:
    """One game on the scalar rules.

    Attributes:
        states: an array of one state record.
    """

    def __init__(self, config: SyncroConfig, seed: int = 0) -> None:
        """Deal game 0 of `seed`."""
        self.config = config
        self.game = SyncroGame(config)
        self.layout = self.game.layout
        self.most = {feature.name: feature.cardinality - 1 for feature in self.layout.features}
        self.params = config.params
        self.states = self.game.new_states(1, seed)
        rules.reset(self.params[0], self.states[0])

    @property
    def state(self) -> Any:
        return self.states[0]

    @property
    def finished(self) -> bool:
        return bool(self.states.finished[0])

    @property
    def player(self) -> int:
        return int(rules.current_player(self.params[0], self.states[0]))

    def mask(self) -> list[int]:
        mask = np.full(self.game.mask_width, -1, np.int8)
        rules.legal(self.params[0], self.states[0], mask)
        return [int(allowed) for allowed in mask[: self.config.n_actions]]

    def is_legal(self, action: int) -> bool:
        return bool(rules.is_legal(self.params[0], self.states[0], action))

    def legal_actions(self) -> list[int]:
        return [action for action, allowed in enumerate(self.mask()) if allowed]

    def step(self, action: int) -> float:
        return float(rules.step(self.params[0], self.states[0], action))

    def features(self, seat: int) -> dict[str, list[int]]:
        """Name -> values of what `seat` observes now."""
        out = np.full(self.game.feature_width, -1, np.int8)
        observation.observe(self.params[0], self.states[0], seat, out)
        return {name: values.tolist() for name, values in self.layout.decode(out[: self.layout.size]).items()}

    def views(self) -> list[dict[str, list[int]]]:
        """The features of every seat."""
        return [self.features(seat) for seat in range(self.config.n_players)]

    def everything(self) -> dict[str, list[Any]]:
        """The whole state, field by field (a record's padding means nothing)."""
        return {name: self.states[name].tolist() for name in self.states.dtype.names}

    def copy(self) -> EngineGame:
        """The same game once more, to be played differently."""
        other = copy.copy(self)
        other.states = self.states.copy()
        return other


class SameShuffles:
    """Shuffles for a reference game as the engine does for one of its games: from the same random stream."""

    def __init__(self, engine: EngineGame) -> None:
        self.monsters = foe_names(engine.config.card_set)
        self.state = engine.states.copy()
        state = self.state[0]
        state.generator = stream(state.seed, state.slot, state.episode - np.uint64(1))

    @property
    def generator(self) -> int:
        return int(self.state.generator[0])

    def __call__(self, pile: str, cards: list[Any]) -> list[Any]:
        state = self.state[0]
        if pile == "leader":
            state.generator = advance(state.generator)
            leader = int(below(state.generator, np.uint64(len(cards))))
            return [leader, *(seat for seat in cards if seat != leader)]
        cards = self._as_they_lie(pile, cards)
        order = np.arange(len(cards), dtype=np.int8)
        piles.shuffle(state, order, len(cards))
        shuffled = [cards[index] for index in order]
        # The engine's top card is the last one.
        return shuffled if pile == "hands" else shuffled[::-1]

    def _as_they_lie(self, pile: str, cards: list[Any]) -> list[Any]:
        """In the order in which the engine holds them before it shuffles."""
        if pile == "spells":
            return sorted(cards, key=lambda spell: spell.value)
        if pile == "monsters":
            return sorted(cards, key=lambda card: self.monsters.index(card.name))
        return cards


def level_name(engine: EngineGame) -> Any:
    return SCENARIOS["adventure"][int(engine.state.level)]


def reference_game(engine: EngineGame) -> tuple[Syncro, SameShuffles]:
    """The reference model of a game that has just been dealt."""
    config = engine.config
    shuffler = SameShuffles(engine)
    game = Syncro(
        config.card_set, config.n_players, config.scenario, shuffler, config.max_tries, config.unlocked
    )
    return game, shuffler


def reference_actions(game: Syncro, config: SyncroConfig) -> dict[int, Action]:
    return numbered_actions(game, config.n_slots)


def reference_features(game: Syncro, seat: int, engine: EngineGame) -> dict[str, list[int]]:
    most = {**engine.most, "slot_back": engine.config.n_slots}
    return features(game, seat, most)


def reference_state(game: Syncro) -> dict[str, Any]:
    """Everything there is, hidden or not, in a form that both sides can be brought to."""
    table = game.table
    return {
        "level": table.level,
        "tries": game.tries,
        "all_tries": game.all_tries,
        "levels_won": game.levels_won,
        "leader": table.leader,
        "position": game.position,
        "owed": table.owed,
        "hands": [
            [(spell.value, sorted(spell.known - {seat})) for spell in hand]
            for seat, hand in enumerate(table.hands)
        ],
        "spell_deck": [spell.value for spell in table.spell_deck],
        "spell_discards": sorted(spell.value for spell in table.spell_discards),
        "horde": {
            number: (card.card.name, card.face_up, None if not card.is_monster else table.strength(card))
            for number, card in sorted(table.horde.items())
        },
        "remembered": sorted(number for number, card in table.horde.items() if card.remembered),
        "spells": {
            number: (
                [
                    (laid.spell.value, laid.owner, None if laid.face_up else sorted(laid.spell.known))
                    for laid in card.spells
                ],
                sorted(spell.value for spell in card.absorbed),
            )
            for number, card in sorted(table.horde.items())
            if card.spells or card.absorbed
        },
        "fog_deck": [card.name for card in table.fog_deck],
        "fog_discards": [card.name for card, _ in table.fog_discards],
        "curses": [card.name for card in table.curses],
        "rewards": [None if reward is None else reward.name for reward in table.rewards],
        "reward_deck": [card.name for card in table.reward_deck],
        "reward_discards": [card.name for card in table.reward_discards],
        "lieutenant_deck": [card.name for card in table.lieutenant_deck],
        "lieutenant_box": sorted(card.name for card in table.lieutenant_box),
    }


def engine_state(engine: EngineGame) -> dict[str, Any]:
    """The same of an engine's game. A deck's first card is the top one, as in the reference."""
    state, cards = engine.state, engine.config.card_set
    players = range(engine.config.n_players)
    foes, fogs, rewards = foe_names(cards), fog_names(cards), reward_names(cards)
    lieutenants = [card.name for card in cards.lieutenants]
    slots = cards.levels[level_name(engine)].horde.slots
    present = [number for number in range(state.n_slots) if state.present >> number & 1]

    def top_first(deck: Any, size: Any, names: list[str] | None = None, first: int = 0) -> list[Any]:
        numbers = [int(card) for card in deck[:size]][::-1]
        return numbers if names is None else [names[number - first] for number in numbers]

    def seats(bits: Any) -> list[int]:
        return [seat for seat in players if int(bits) >> seat & 1]

    def lying(number: int) -> tuple[str, bool, int | None]:
        card, up = int(state.horde_card[number]), bool(state.face_up >> number & 1)
        if slots[number].back == "fog":
            return fogs[card - FOG], up, None
        return foes[card], up, int(strength_now(engine.params[0], state, number))

    spells: dict[int, tuple[list[Any], list[int]]] = {}
    for index in range(state.table_size):
        stack, absorbed = spells.setdefault(int(state.table_slot[index]), ([], []))
        value, place = int(state.table_value[index]), state.table_place[index]
        if place == ABSORBED:
            absorbed.append(value)
        else:
            known = None if place == FACE_UP else seats(state.table_known[index])
            stack.append((value, int(state.table_owner[index]), known))
    box = [lieutenants[number] for number in state.lieutenant_box[: state.lieutenant_box_size]]
    return {
        "level": level_name(engine),
        "tries": int(state.tries),
        "all_tries": int(state.all_tries),
        "levels_won": int(state.levels_won),
        "leader": int(state.leader),
        "position": int(state.position),
        "owed": int(state.owed),
        "hands": [
            [
                (
                    int(state.hand[seat, slot]),
                    [other for other in seats(state.hand_known[seat, slot]) if other != seat],
                )
                for slot in range(state.hand_size[seat])
            ]
            for seat in players
        ],
        "spell_deck": top_first(state.spell_deck, state.spell_deck_size),
        "spell_discards": [value for value in range(1, 8) for _ in range(state.spell_discards[value])],
        "horde": {number: lying(number) for number in present},
        "remembered": [number for number in present if state.remembered >> number & 1],
        "spells": {number: (stack, sorted(under)) for number, (stack, under) in sorted(spells.items())},
        "fog_deck": top_first(state.fog_deck, state.fog_deck_size, fogs, FOG),
        "fog_discards": top_first(state.fog_discards, state.fog_discards_size, fogs, FOG)[::-1],
        "curses": top_first(state.curses, state.curses_size, fogs, FOG)[::-1],
        "rewards": [None if state.reward[s] == 0 else rewards[state.reward[s] - REWARD] for s in players],
        "reward_deck": top_first(state.reward_deck, state.reward_deck_size, rewards, REWARD),
        "reward_discards": top_first(state.reward_discards, state.reward_discards_size, rewards, REWARD)[
            ::-1
        ],
        "lieutenant_deck": top_first(state.lieutenant_deck, state.lieutenant_deck_size, lieutenants),
        "lieutenant_box": sorted(box),
    }


def random_action(engine: EngineGame, dice: random.Random) -> int:
    return dice.choice(engine.legal_actions())
