"""The rules of Syncro in plain Python, written from the rules of the card game and not from the engine.

Nothing here is fast and nothing but the card data is shared with `unspoken`. The rules are generators: where
somebody has to decide, they yield a `Decision` and are sent the action. A test that disagrees with the engine
can be settled by reading this file.

    game = Syncro(load_cards(), players=3, scenario="I-a", shuffler=shuffled_by(random.Random(1)))
    game.apply(Estimate(GOOD))     # the leader; nobody sees it before the two others have said theirs
    ...
    game.apply(Attack(0, 5))       # the leader's leftmost spell, face down, on the monster in slot 5

What lies on the table is in `syncro_table.py`, what cards do in `syncro_effects.py`, what a wizard sees in
`syncro_views.py`, the words in `syncro_parts.py`.
"""

from __future__ import annotations

import random
from typing import Any

from tests.reference.syncro_effects import apply_card, can_play, play_reward
from tests.reference.syncro_parts import (
    AVERAGE,
    BAD,
    DEBT,
    ESTIMATE,
    GOOD,
    KEEP,
    TARGET,
    TURN,
    Action,
    Attack,
    Decision,
    Discard,
    Drop,
    Estimate,
    HordeCard,
    IllegalActionError,
    Keep,
    LevelLost,
    LevelWon,
    Pass,
    Play,
    PlayReward,
    PrivateView,
    PublicView,
    Said,
    Save,
    Script,
    Shuffler,
    Stop,
    Target,
)
from tests.reference.syncro_table import ADVENTURE, CHAPTERS, HAND_LIMITS, Table
from tests.reference.syncro_views import private_view, public_view
from unspoken.envs.syncro.cards import CardSet, FogCard, LieutenantCard
from unspoken.envs.syncro.limits import LevelName

TURNS = {2: (0, 1, 0, 1), 3: (0, 1, 2, 0), 4: (0, 1, 2, 3), 5: (0, 1, 2, 3, 4)}
"""The decisions of a round: places clockwise from the leader."""


def shuffled_by(dice: random.Random) -> Shuffler:
    """Honest shuffling."""

    def shuffler(pile: str, cards: list[Any]) -> list[Any]:
        return dice.sample(cards, len(cards))

    return shuffler


class Syncro:
    """One game: a level, a chapter or the adventure.

    `max_tries` are the tries of each level (None: 1 for a level on its own, else 10). `unlocked`: with the
    three cards of the end of the adventure.
    """

    def __init__(
        self,
        cards: CardSet,
        players: int,
        scenario: str,
        shuffler: Shuffler,
        max_tries: int | None = None,
        unlocked: bool = False,
    ) -> None:
        if players not in HAND_LIMITS:
            raise ValueError(f"2 to 5 wizards, not {players}")
        levels: dict[str, tuple[LevelName, ...]] = {"adventure": ADVENTURE, **CHAPTERS}
        levels |= {level: (level,) for level in ADVENTURE}
        if scenario not in levels:
            raise ValueError(f"unknown scenario {scenario!r}")
        self._start(cards, players, levels[scenario], shuffler, max_tries, unlocked)

    def _start(
        self,
        cards: CardSet,
        players: int,
        levels: tuple[LevelName, ...],
        shuffler: Shuffler,
        max_tries: int | None,
        unlocked: bool,
    ) -> None:
        self.cards, self.players, self.levels = cards, players, levels
        self.max_tries = max_tries or (1 if len(levels) == 1 else 10)
        self.table = Table(cards, players, shuffler, unlocked)
        self.tries = 0
        """Tries of this level, the current one included."""
        self.all_tries = 0
        self.levels_won = 0
        self.position = 0
        """Decisions of this round that have been made."""
        self.finished = False
        self.decision: Decision | None = None
        self._level_is_won = False
        self._script = self._play_levels()
        self._go_on(None)

    @classmethod
    def load(
        cls, save: Save, cards: CardSet, players: int, shuffler: Shuffler, max_tries: int | None = None
    ) -> Syncro:
        """Go on with a saved adventure: new decks, a new deal, and one Reward each if they were unlocked."""
        game = cls.__new__(cls)
        levels = ADVENTURE[ADVENTURE.index(save.level) :]
        game._start(cards, players, levels, shuffler, max_tries or 10, save.unlocked)
        return game

    def save(self) -> Save:
        """What saving keeps. Hands, Rewards, and what was played of a level that is not won are dropped."""
        done = self.finished or self.kind == KEEP
        if done and self.levels_won and self.table.level == ADVENTURE[-1]:
            return Save(ADVENTURE[0], unlocked=True)
        reached = ADVENTURE.index(self.table.level) + (1 if done and self._level_is_won else 0)
        return Save(ADVENTURE[reached], self.table.unlocked)

    # Playing

    @property
    def current_player(self) -> int | None:
        """The seat to act, None after the end."""
        return None if self.decision is None else self.decision.seat

    @property
    def kind(self) -> str | None:
        """What kind of decision it is, None after the end."""
        return None if self.decision is None else self.decision.kind

    def legal_actions(self) -> list[Action]:
        """Everything the current player may do."""
        if self.decision is None:
            return []
        seat, hand = self.decision.seat, self.table.hands[self.decision.seat]
        if self.decision.kind == ESTIMATE:
            return [Estimate(GOOD), Estimate(AVERAGE), Estimate(BAD)]
        if self.decision.kind == DEBT:
            return [*(Discard(place) for place in range(len(hand))), Stop()]
        if self.decision.kind == TARGET:
            assert self.decision.choices is not None
            return [Target(number) for number in self.decision.choices()]
        if self.decision.kind == KEEP:
            return [Keep(), Drop()]
        attacks, passes = self._attacks(seat), [Pass()]
        if self._must_pass():
            attacks = []
        elif self._must_attack() and attacks:
            passes = []
        return [*attacks, *passes, *([PlayReward()] if can_play(self.table, seat) else [])]

    def apply(self, action: Action) -> None:
        """Play one action of the current player. If it is not allowed: IllegalActionError, no change."""
        if action not in self.legal_actions():
            raise IllegalActionError(f"{action} is not allowed now")
        self._go_on(action)

    def _go_on(self, action: Action | None) -> None:
        try:
            self.decision = next(self._script) if action is None else self._script.send(action)
        except StopIteration:
            self.decision, self.finished = None, True

    # Levels

    def _play_levels(self) -> Script[None]:
        table = self.table
        for level in self.levels:
            if level != self.levels[0]:
                yield from self._between_levels()
            table.level = level
            self._level_is_won = False
            self.tries = 0
            while not self._level_is_won:
                if self.tries == self.max_tries:
                    return
                self.tries += 1
                self.all_tries += 1
                self.position = 0
                again = self.tries > 1
                table.set_up(again)
                # From chapter II on there are Rewards: after a loss, and when a game begins there.
                if level in CHAPTERS["chapter-2"] and (again or level == self.levels[0]):
                    table.draw_missing_rewards()
                self._level_is_won = yield from self._play_level()
                table.put_away()
                if not self._level_is_won:
                    for seat in range(self.players):
                        table.drop_hand(seat)
            self.levels_won += 1

    def _between_levels(self) -> Script[None]:
        """The leader card moves on; every wizard with spells keeps or drops its hand, unseen by others."""
        table = self.table
        table.leader = table.after(table.leader)
        dropped = []
        for seat in table.clockwise(table.leader):
            if table.hands[seat]:
                action = yield Decision(seat, KEEP)
                if action == Drop():
                    dropped.append(seat)
        for seat in dropped:
            table.drop_hand(seat)

    def _play_level(self) -> Script[bool]:
        """From the first estimate on. Returns whether the level is won."""
        try:
            yield from self.estimate()
            while True:
                yield from self._play_round()
        except LevelWon:
            return True
        except LevelLost:
            return False

    def estimate(self) -> Script[None]:
        """Every wizard with spells says how good its hand is. Nothing is heard before all have chosen."""
        table = self.table
        if table.forbidden("estimate"):
            return
        asked = [seat for seat in table.clockwise(table.leader) if table.hands[seat]]
        said = [Said() for _ in range(self.players)]
        for seat in asked:
            said[seat].size = len(table.hands[seat])
            if self.cards.levels[table.level].estimate == "sum":
                said[seat].total = sum(spell.value for spell in table.hands[seat])
            else:
                action = yield Decision(seat, ESTIMATE)
                assert isinstance(action, Estimate)
                said[seat].word = action.says
        table.said = said

    # A round

    def _play_round(self) -> Script[None]:
        table = self.table
        table.plays = []
        self.position = 0
        for place in TURNS[self.players]:
            yield from self._take_turn((table.leader + place) % self.players)
            self.position += 1
        yield from self._resolve()
        yield from self._turn_up()
        if not any(table.hands):
            raise LevelLost
        table.leader = table.after(table.leader)

    def _take_turn(self, seat: int) -> Script[None]:
        """Attack or pass; before that, as many Rewards as the wizard comes to hold.

        What a Reward uncovers is turned up at the end of the round, like everything else.
        """
        table = self.table
        action = yield Decision(seat, TURN)
        while action == PlayReward():
            yield from play_reward(self, seat)
            action = yield Decision(seat, TURN)
        if isinstance(action, Attack):
            table.lay_spell(seat, action.hand, action.slot)
        else:
            table.plays.append(Play(seat))

    def _attacks(self, seat: int) -> list[Action]:
        table = self.table
        places = list(range(len(table.hands[seat])))
        if table.forced("end_cards"):
            places = [place for place in places if place in (0, len(places) - 1)]
        monsters = [card for card in table.horde.values() if table.can_be_attacked(card)]
        if self.players <= 3:
            # Not on one's own spell: somebody else must have played on it.
            monsters = [card for card in monsters if not card.spells or card.spells[-1].owner != seat]
        return [Attack(place, card.number) for place in places for card in monsters]

    def _is_last(self) -> bool:
        return self.position == len(TURNS[self.players]) - 1

    def _must_pass(self) -> bool:
        """Five wizards: the last one, if all the others have attacked."""
        all_attacked = all(play.slot is not None for play in self.table.plays)
        return self.players == 5 and self._is_last() and all_attacked

    def _must_attack(self) -> bool:
        """If it can: the last one, if nobody has attacked; and whoever a curse drives on."""
        if self._is_last() and all(play.slot is None for play in self.table.plays):
            return True
        if self.table.forced("leader_attacks") and self.position == 0:
            return True
        return self.table.forbidden("pass")

    # The resolution

    def _resolve(self) -> Script[None]:
        for number in self.table.order:
            card = self.table.horde.get(number)
            if card is not None and card.spells:
                yield from self._resolve_monster(card)

    def _resolve_monster(self, card: HordeCard) -> Script[None]:
        table = self.table
        for laid in card.spells:
            table.show(laid)
        total = sum(laid.spell.value for laid in card.spells)
        strength = table.strength(card)
        if card.has("dragon") and total != strength:
            yield from self._pay(card, abs(total - strength))
        if total >= strength:
            table.destroy(card)
            excess = total - strength
            if (
                card.has("mushroom")
                and not table.forbidden("mushroom_draw")
                and table.draw(table.leader, excess, goes_round=True)
            ):
                yield from self.estimate()
            return
        lowest = min(card.spells, key=lambda laid: laid.spell.value)  # of equals, the one played first
        card.spells.remove(lowest)
        if card.has("golem"):
            card.absorbed.append(lowest.spell)
            for laid in card.spells:
                table.discard(laid.spell)
            card.spells = []
        else:
            table.discard(lowest.spell)

    def _pay(self, dragon: HordeCard, owed: int) -> Script[None]:
        """From the leader on, each wizard with spells discards as many as it likes, until all is paid."""
        table = self.table
        table.owed_to, table.owed = dragon.number, owed
        for seat in table.clockwise(table.leader):
            while table.hands[seat]:
                action = yield Decision(seat, DEBT)
                if not isinstance(action, Discard):
                    break
                table.owed = max(0, table.owed - table.discard_from_hand(seat, action.hand).value)
                if table.owed == 0:
                    table.owed_to = None
                    return
        raise LevelLost

    # Turning up

    def _turn_up(self) -> Script[None]:
        """Turn up what lies accessible and face down, one card at a time, until nothing changes."""
        table = self.table
        while True:
            waiting = [card for card in table.in_order() if self._is_turned_up_now(card)]
            if not waiting:
                return
            # Fog comes last; else from bottom to top, left to right.
            card = next((card for card in waiting if card.is_monster), waiting[0])
            if isinstance(card.card, FogCard):
                del table.horde[card.number]
                yield from apply_card(self, card.card, table.leader)
            elif card.slot.back == "cerberus":
                for big in [*table.cerberus(), *filter(table.is_second_boss, table.horde.values())]:
                    big.face_up = True
            else:
                card.face_up = True
                if isinstance(card.card, LieutenantCard):
                    yield from apply_card(self, card.card, table.leader)

    def _is_turned_up_now(self, card: HordeCard) -> bool:
        table = self.table
        if card.face_up or table.is_second_boss(card):
            return False
        if card.slot.back == "cerberus":
            return not any(table.is_covered(other) for other in table.cerberus())
        return not table.is_covered(card)

    # The result and the views

    @property
    def won(self) -> bool:
        """All levels of the scenario have been won."""
        return self.levels_won == len(self.levels)

    def reward(self) -> int:
        """What every wizard of the team gets for the game so far: 1 for each level won."""
        return self.levels_won

    def public_view(self) -> PublicView:
        return public_view(self.table, self.tries, self.levels_won, self.position, self.decision)

    def private_view(self, seat: int) -> PrivateView:
        return private_view(self.table, seat, self.public_view())
