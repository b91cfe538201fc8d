"""One game of Syncro on the engine's scalar rules, asked the same questions as the reference model."""

from __future__ import annotations

import copy
from itertools import product
from typing import Any

import numpy as np

from tests.reference.syncro import Syncro
from tests.reference.syncro_features import features, foe_names, fog_names, numbered_actions, reward_names
from tests.reference.syncro_parts import Action, Save
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
        self.params = config.params
        self.states = self.game.new_states(1, seed)
        rules.reset(self.params[0], self.states[0])

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

    def vector(self, seat: int) -> list[int]:
        """What `seat` observes now."""
        out = np.full(self.game.feature_width, -1, np.int8)
        observation.observe(self.params[0], self.states[0], seat, out)
        return [int(value) for value in out[: self.layout.size]]

    def features(self, seat: int) -> dict[str, list[int]]:
        """The same, name -> values."""
        decoded = self.layout.decode(np.array(self.vector(seat)))
        return {name: values.tolist() for name, values in decoded.items()}

    def vectors(self) -> list[list[int]]:
        """What every seat observes."""
        return [self.vector(seat) for seat in range(self.config.n_players)]

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

    def __init__(self, config: SyncroConfig, states: Any) -> None:
        """`states`: an array of the one game, just dealt."""
        self.monsters = foe_names(config.card_set)
        self.state = states.copy()
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
        # As they lie in the engine before it shuffles them.
        if pile == "spells":
            cards = sorted(cards, key=lambda spell: spell.value)
        elif pile == "monsters":
            cards = sorted(cards, key=lambda card: self.monsters.index(card.name))
        order = np.arange(len(cards), dtype=np.int8)
        piles.shuffle(state, order, len(cards))
        shuffled = [cards[index] for index in order]
        # The engine's top card is the last one.
        return shuffled if pile == "hands" else shuffled[::-1]


class ReferenceGame:
    """The reference model of one of the engine's games, with the same shuffles and numbers of actions."""

    def __init__(self, config: SyncroConfig, states: Any) -> None:
        """`states`: an array of the one game, just dealt."""
        self.config = config
        self.shuffler = SameShuffles(config, states)
        cards, players = config.card_set, config.n_players
        if config.levels == config.levels_of_scenario:
            tries = config.max_tries
            self.game = Syncro(cards, players, config.scenario, self.shuffler, tries, config.unlocked)
        else:
            assert config.scenario == "adventure"
            self.game = Syncro.load(
                Save(config.levels[0], config.unlocked),  # type: ignore[arg-type]
                cards, players, self.shuffler, config.max_tries,
            )  # fmt: skip
        self.most = {feature.name: feature.cardinality - 1 for feature in config.layout.features}
        self.room = {feature.name: feature.size for feature in config.layout.features}["slot_back"]

    def actions(self) -> dict[int, Action]:
        """Flat number -> action, of everything that the current player may do."""
        return numbered_actions(self.game, self.config.n_slots)

    def mask(self) -> list[int]:
        legal = self.actions()
        return [int(number in legal) for number in range(self.config.n_actions)]

    def features(self, seat: int) -> dict[str, list[int]]:
        return features(self.game, seat, self.most, self.room)

    def vector(self, seat: int) -> list[int]:
        return [value for values in self.features(seat).values() for value in values]

    def vectors(self) -> list[list[int]]:
        return [self.vector(seat) for seat in range(self.game.players)]


def level_name(states: Any) -> Any:
    return SCENARIOS["adventure"][int(states["level"][0])]


def reference_state(game: Syncro) -> dict[str, Any]:
    """Everything there is, hidden or not, in a form that both sides can be brought to."""
    table = game.table
    horde = sorted(table.horde.items())
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
        "horde": [(number, card.card.name, card.face_up) for number, card in horde],
        "strengths": [(number, table.strength(card)) for number, card in horde if card.is_monster],
        "remembered": [number for number, card in horde if card.remembered],
        "spells": {
            number: [
                (laid.spell.value, laid.owner, None if laid.face_up else sorted(laid.spell.known))
                for laid in card.spells
            ]
            for number, card in horde
            if card.spells
        },
        "absorbed": {
            number: sorted(spell.value for spell in card.absorbed) for number, card in horde if card.absorbed
        },
        "fog_deck": [card.name for card in table.fog_deck],
        "fog_discards": [card.name for card, _ in table.fog_discards],
        "curses": [card.name for card in table.curses],
        "rewards": [None if reward is None else reward.name for reward in table.rewards],
        "reward_deck": [card.name for card in table.reward_deck],
        "reward_discards": [card.name for card in table.reward_discards],
        "lieutenant_deck": [card.name for card in table.lieutenant_deck],
        "lieutenant_box": [card.name for card in table.lieutenant_box],
    }


def engine_state(config: SyncroConfig, states: Any) -> dict[str, Any]:
    """The same of one of the engine's games. A deck's first card is the top one, as in the reference."""
    state = {name: states[name][0] for name in states.dtype.names}
    cards = config.card_set
    players = range(config.n_players)
    foes, fogs, rewards = foe_names(cards), fog_names(cards), reward_names(cards)
    lieutenants = [card.name for card in cards.lieutenants]
    slots = cards.levels[level_name(states)].horde.slots
    present = [number for number in range(state["n_slots"]) if state["present"] >> number & 1]

    def named(pile: str, names: list[str], first: int = 0) -> list[str]:
        return [names[number - first] for number in state[pile][: state[f"{pile}_size"]]]

    def seats(bits: Any) -> list[int]:
        return [seat for seat in players if int(bits) >> seat & 1]

    def name(number: int) -> str:
        card = int(state["horde_card"][number])
        return fogs[card - FOG] if slots[number].back == "fog" else foes[card]

    spells: dict[int, list[tuple[int, int, list[int] | None]]] = {}
    absorbed: dict[int, list[int]] = {}
    for index in range(state["table_size"]):
        slot, value = int(state["table_slot"][index]), int(state["table_value"][index])
        place, owner = state["table_place"][index], int(state["table_owner"][index])
        if place == ABSORBED:
            absorbed.setdefault(slot, []).append(value)
        else:
            known = None if place == FACE_UP else seats(state["table_known"][index])
            spells.setdefault(slot, []).append((value, owner, known))
    return {
        "level": level_name(states),
        "tries": int(state["tries"]),
        "all_tries": int(state["all_tries"]),
        "levels_won": int(state["levels_won"]),
        "leader": int(state["leader"]),
        "position": int(state["position"]),
        "owed": int(state["owed"]),
        "hands": [
            [
                (int(value), [other for other in seats(known) if other != seat])
                for value, known in zip(state["hand"][seat][:size], state["hand_known"][seat], strict=False)
            ]
            for seat, size in zip(players, state["hand_size"], strict=False)
        ],
        "spell_deck": [int(value) for value in state["spell_deck"][: state["spell_deck_size"]][::-1]],
        "spell_discards": [value for value in range(1, 8) for _ in range(state["spell_discards"][value])],
        "horde": [(number, name(number), bool(state["face_up"] >> number & 1)) for number in present],
        "strengths": [
            (number, int(strength_now(config.params[0], states[0], number)))
            for number in present
            if slots[number].back != "fog"
        ],
        "remembered": [number for number in present if state["remembered"] >> number & 1],
        "spells": spells,
        "absorbed": {slot: sorted(values) for slot, values in absorbed.items()},
        "fog_deck": named("fog_deck", fogs, FOG)[::-1],
        "fog_discards": named("fog_discards", fogs, FOG),
        "curses": named("curses", fogs, FOG),
        "rewards": [rewards[card - REWARD] if card else None for card in state["reward"][: len(players)]],
        "reward_deck": named("reward_deck", rewards, REWARD)[::-1],
        "reward_discards": named("reward_discards", rewards, REWARD),
        "lieutenant_deck": named("lieutenant_deck", lieutenants)[::-1],
        "lieutenant_box": named("lieutenant_box", lieutenants),
    }
