"""The table of Syncro: cards, hands, piles, and what can be done with them without anybody deciding."""

from __future__ import annotations

from collections import Counter

from tests.reference.syncro_parts import (
    Foe,
    HordeCard,
    InEffect,
    Laid,
    LevelWon,
    Play,
    Said,
    Shuffler,
    Spell,
)
from unspoken.envs.syncro.cards import (
    BossCard,
    CardSet,
    Effect,
    FogCard,
    Forbid,
    Force,
    HandLimit,
    LieutenantCard,
    MonsterCard,
    RewardCard,
)
from unspoken.envs.syncro.horde import Slot
from unspoken.envs.syncro.limits import LevelName

CARD_WIDTH = 2
"""In half cards, as slots are measured."""
HAND_LIMITS = {5: 4, 4: 5, 3: 6, 2: 8}
CHAPTERS: dict[str, tuple[LevelName, ...]] = {
    "chapter-1": ("I-a", "I-b", "I-c", "I-d"),
    "chapter-2": ("II-a", "II-b", "II-c", "II-d", "II-e"),
}
ADVENTURE = CHAPTERS["chapter-1"] + CHAPTERS["chapter-2"]


class Table:
    """Everything that lies on the table or is held in a hand. Of a deck, the first card is the top one."""

    def __init__(self, cards: CardSet, players: int, shuffler: Shuffler, unlocked: bool) -> None:
        self.cards, self.players, self.shuffler, self.unlocked = cards, players, shuffler, unlocked
        self.level: LevelName = ADVENTURE[0]
        self.leader: int = shuffler("leader", list(range(players)))[0]
        self.hands: list[list[Spell]] = [[] for _ in range(players)]
        self.spell_deck: list[Spell] = []
        self.spell_discards: list[Spell] = []
        self.said = [Said() for _ in range(players)]

        self.horde: dict[int, HordeCard] = {}
        self.destroyed: dict[int, HordeCard] = {}
        self.order: tuple[int, ...] = ()
        """Slots from the bottom row to the top, left to right."""
        self.monster_deck: list[MonsterCard] = []
        self.monster_discards: list[MonsterCard] = []

        self.fog_deck: list[FogCard] = list(shuffler("fog", list(cards.fog_deck(unlocked))))
        self.fog_discards: list[tuple[FogCard, bool]] = []
        """With whether everybody saw the card."""
        self.curses: list[FogCard] = []
        """Lying aside, in force until the level ends."""
        self.reward_deck: list[RewardCard] = list(shuffler("rewards", list(cards.reward_deck(unlocked))))
        self.reward_discards: list[RewardCard] = []
        self.rewards: list[RewardCard | None] = [None] * players
        self.lieutenant_deck: list[LieutenantCard] = list(shuffler("lieutenants", list(cards.lieutenants)))
        self.lieutenant_box: list[LieutenantCard] = []
        self.lieutenants_of_level: dict[int, LieutenantCard] = {}
        """Slot -> the lieutenant that lies there in every try of this level."""
        self.lieutenants_seen: set[int] = set()
        self.in_effect: list[InEffect] = []
        """The cards being applied, the innermost last."""
        self.plays: list[Play] = []
        """Of this round."""
        self.owed_to: int | None = None
        self.owed = 0

    # Wizards

    def clockwise(self, first: int) -> list[int]:
        """All seats, `first` first."""
        return [(first + k) % self.players for k in range(self.players)]

    def after(self, seat: int) -> int:
        """The wizard to the left."""
        return (seat + 1) % self.players

    def in_force(self) -> list[Effect]:
        """The effects of the curses that lie aside."""
        return [effect for curse in self.curses for effect in curse.effects]

    def forbidden(self, rule: str) -> bool:
        return any(isinstance(effect, Forbid) and effect.rule == rule for effect in self.in_force())

    def forced(self, rule: str) -> bool:
        return any(isinstance(effect, Force) and effect.rule == rule for effect in self.in_force())

    @property
    def hand_limit(self) -> int:
        changes = [effect.amount for effect in self.in_force() if isinstance(effect, HandLimit)]
        return max(0, HAND_LIMITS[self.players] + sum(changes))

    def has_room(self, seat: int) -> bool:
        return len(self.hands[seat]) < self.hand_limit

    # Spells

    def _next_spell(self) -> Spell | None:
        if not self.spell_deck:
            self.spell_deck = self.shuffler("spells", self.spell_discards)
            self.spell_discards = []
            for spell in self.spell_deck:
                spell.known = set()
        return self.spell_deck.pop(0) if self.spell_deck else None

    def take_spell(self, seat: int) -> bool:
        """The wizard draws a spell, if there is one: to the right end of its hand, seen by nobody else."""
        spell = self._next_spell()
        if spell is None:
            return False
        spell.known = {seat}
        self.hands[seat].append(spell)
        return True

    def draw(self, first: int, count: int, goes_round: bool) -> bool:
        """Draw spells one by one; a wizard with a full hand is passed over. Returns whether anybody drew.

        `goes_round`: from `first` on clockwise. Else all are meant for `first`, or the next one with room.
        """
        drew = False
        for _ in range(count):
            takers = [seat for seat in self.clockwise(first) if self.has_room(seat)]
            if not takers or not self.take_spell(takers[0]):
                break
            drew = True
            if goes_round:
                first = self.after(takers[0])
        return drew

    def draw_each(self, count: int) -> bool:
        """Every wizard with room draws, `count` times round the table."""
        drew = False
        for _ in range(count):
            for seat in self.clockwise(self.leader):
                if self.has_room(seat):
                    drew |= self.take_spell(seat)
        return drew

    def discard(self, spell: Spell) -> None:
        """Face up, for all to see."""
        spell.known = set(range(self.players))
        self.spell_discards.append(spell)

    def discard_from_hand(self, seat: int, place: int) -> Spell:
        spell = self.hands[seat].pop(place)
        self.discard(spell)
        self.said[seat].shown += spell.value
        return spell

    def drop_hand(self, seat: int) -> None:
        """Between levels, unseen."""
        self.spell_discards += self.hands[seat]
        self.hands[seat] = []

    # Rewards

    def draw_reward(self) -> None:
        """The leader, or the next wizard that has none."""
        for seat in self.clockwise(self.leader):
            if self.rewards[seat] is None:
                self._take_reward(seat)
                return

    def draw_missing_rewards(self) -> None:
        """Every wizard that has none draws one."""
        for seat in self.clockwise(self.leader):
            if self.rewards[seat] is None:
                self._take_reward(seat)

    def _take_reward(self, seat: int) -> None:
        if not self.reward_deck:
            self.reward_deck = self.shuffler("rewards", self.reward_discards)
            self.reward_discards = []
        if self.reward_deck:
            self.rewards[seat] = self.reward_deck.pop(0)

    # The horde

    def is_covered(self, card: HordeCard) -> bool:
        """Another card lies on it: one of a lower row, placed later, that overlaps it."""
        left, right = card.slot.left, card.slot.left + card.slot.width
        return any(
            other.slot.row > card.slot.row
            and other.slot.left < right
            and left < other.slot.left + other.slot.width
            for other in self.horde.values()
        )

    def in_order(self) -> list[HordeCard]:
        """The horde from bottom to top, left to right."""
        return [self.horde[number] for number in self.order if number in self.horde]

    def cerberus(self) -> list[HordeCard]:
        return [card for card in self.in_order() if card.slot.back == "cerberus"]

    def is_second_boss(self, card: HordeCard) -> bool:
        return isinstance(card.card, BossCard) and card.slot.width > CARD_WIDTH

    def can_be_attacked(self, card: HordeCard) -> bool:
        """Its face is seen entirely, and it is not Boss II behind a Cerberus."""
        if not card.is_monster or not card.face_up or self.is_covered(card):
            return False
        return not (self.is_second_boss(card) and self.cerberus())

    def strength(self, card: HordeCard) -> int:
        """Its strength at this moment, at least 1."""
        assert not isinstance(card.card, FogCard)
        others = len(self.horde) - 1
        strength = card.card.strength + card.change + sum(spell.value for spell in card.absorbed)
        if isinstance(card.card, LieutenantCard) and card.card.power == "crowd":
            strength += others
        if isinstance(card.card, BossCard):
            strength += card.card.per_other_card * others
        return max(1, strength)

    def destroy(self, card: HordeCard) -> None:
        """Discard a monster and all spells on and under it. Of the last one: LevelWon."""
        self.destroyed[card.number] = self.horde.pop(card.number)
        for laid in card.spells:
            self.show(laid)
            self.discard(laid.spell)
        for spell in card.absorbed:
            self.discard(spell)
        if isinstance(card.card, LieutenantCard):
            self.lieutenant_box.append(card.card)
        elif isinstance(card.card, MonsterCard):
            self.monster_discards.append(card.card)
        if not any(other.is_monster for other in self.horde.values()):
            raise LevelWon

    def lay_spell(self, seat: int, place: int, number: int) -> None:
        """Put a spell of the hand face down on a monster."""
        spell = self.hands[seat].pop(place)
        spell.known = spell.known | {seat}
        play = Play(seat, place, number, spell.value, spell.known)
        self.plays.append(play)
        self.horde[number].spells.append(Laid(spell, seat, play, self.said[seat]))

    def show(self, laid: Laid) -> None:
        """Turn a spell on a monster face up."""
        if not laid.face_up:
            laid.face_up = True
            laid.said.shown += laid.spell.value
            laid.spell.known = laid.play.known = set(range(self.players))

    # Fog

    def next_fog(self) -> FogCard | None:
        """The top card of the Fog deck."""
        if not self.fog_deck:
            self.fog_deck = self.shuffler("fog", [card for card, _ in self.fog_discards])
            self.fog_discards = []
        return self.fog_deck.pop(0) if self.fog_deck else None

    def discard_card(self, card: FogCard | RewardCard | LieutenantCard) -> None:
        """A card has had its effects. Lasting curses lie aside; a lieutenant stays in the horde."""
        if isinstance(card, RewardCard):
            self.reward_discards.append(card)
        elif isinstance(card, FogCard):
            if card.ongoing:
                self.curses.append(card)
            else:
                self.fog_discards.append((card, True))

    def next_lieutenant(self) -> LieutenantCard:
        if not self.lieutenant_deck:
            self.lieutenant_deck = self.shuffler("lieutenants", self.lieutenant_box)
            self.lieutenant_box = []
        return self.lieutenant_deck.pop(0)

    # Levels

    def set_up(self, again: bool) -> None:
        """Shuffle spells and monsters, lay out the horde of this level, deal. `again`: after a loss."""
        pile = self.spell_deck + self.spell_discards
        there = Counter(spell.value for spell in [*pile, *(spell for hand in self.hands for spell in hand)])
        joining = Counter(self.cards.spell_deck(self.level)) - there
        pile += [Spell(value) for value in joining.elements()]
        for spell in pile:
            spell.known = set()
        self.spell_deck = self.shuffler("spells", sorted(pile, key=lambda spell: spell.value))
        self.spell_discards = []
        self.monster_deck = self.shuffler(
            "monsters", list(self.cards.monster_deck(self.level, self.unlocked))
        )
        self.monster_discards = []
        self.said = [Said() for _ in range(self.players)]
        self.destroyed, self.plays = {}, []
        self._lay_out(again)
        self.draw(self.leader, self.players * self.hand_limit, goes_round=True)

    def _lay_out(self, again: bool) -> None:
        slots = self.cards.levels[self.level].horde.slots
        numbered = list(enumerate(slots))
        numbered.sort(key=lambda entry: (-entry[1].row, entry[1].left))
        self.order = tuple(number for number, _ in numbered)
        if not again:
            self.lieutenants_of_level, self.lieutenants_seen = {}, set()
        # The highest row first, each from left to right.
        for number, slot in sorted(numbered, key=lambda entry: (entry[1].row, entry[1].left)):
            lying = HordeCard(number, slot, self._card_for(number, slot), slot.face_up)
            lying.remembered = number in self.lieutenants_seen
            self.horde[number] = lying

    def _card_for(self, number: int, slot: Slot) -> Foe | FogCard:
        if slot.back == "monster":
            return self.monster_deck.pop(0)
        if slot.back == "fog":
            fog = self.next_fog()
            assert fog is not None
            return fog
        if slot.back == "lieutenant":
            if number not in self.lieutenants_of_level:
                self.lieutenants_of_level[number] = self.next_lieutenant()
            lieutenant = self.lieutenants_of_level[number]
            if lieutenant in self.lieutenant_box:
                self.lieutenant_box.remove(lieutenant)  # beaten in the try before
            return lieutenant
        bosses = self.cards.bosses
        if slot.back == "cerberus":
            return bosses.cerberus
        return bosses.first if slot.width == CARD_WIDTH else bosses.second

    def put_away(self) -> None:
        """Clear the table after a level. Hands, Rewards, and the decks that carry on stay."""
        for applied in self.in_effect:
            # Its effect has destroyed the last monster.
            self.discard_card(applied.card)
        self.in_effect = []
        for card in self.horde.values():
            self.spell_discards += [laid.spell for laid in card.spells] + card.absorbed
            if isinstance(card.card, FogCard):
                self.fog_discards.append((card.card, False))
            elif isinstance(card.card, LieutenantCard) and card.face_up:
                self.lieutenants_seen.add(card.number)
            elif isinstance(card.card, MonsterCard):
                self.monster_discards.append(card.card)
        # A lieutenant that was beaten had been turned up.
        self.lieutenants_seen |= set(self.lieutenants_of_level) - set(self.horde)
        self.fog_discards += [(curse, True) for curse in self.curses]
        self.curses = []
        self.horde = {}
        self.owed_to, self.owed = None, 0
