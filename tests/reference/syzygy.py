"""The rules of Syzygy in plain Python, written from the rules of the card game and not from the engine.

Nothing here is fast and nothing is shared with `unspoken`: cards are objects, hands of chips are lists, and
what has happened at the table is a list of turns. A test that disagrees with the engine can be settled by
reading this file.

    game = Syzygy([3, 1, 4, 2, 5], players=2)
    game.apply(Confirm(0))         # seat 0 looks at the card at the left end: it is planet 3
    game.apply(Move(2))            # ... and puts it in the middle: the row is now 1 4 3 2 5
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

CHIPS = (1, 2, 3, 4)
PLANETS_OF_VARIANT = {"trial": 7, "divine": 9}


class Confirm(NamedTuple):
    """Look at the card at this position, alone."""

    position: int


class Move(NamedTuple):
    """Put the card that was looked at back at this position, counted after the move, with an emotion."""

    position: int
    emotion: int = 0


class Pass(NamedTuple):
    """Turn the smallest chip face down and do nothing else."""


Action = Confirm | Move | Pass


class IllegalActionError(ValueError):
    """The rules do not allow this action now. The game is left as it was."""


@dataclass(eq=False)
class Card:
    """One physical card: everybody can follow it along the row, few know its value.

    The Blackhole has no value of its own: `value` is None.
    """

    origin: int
    value: int | None
    chips: dict[int, int] = field(default_factory=dict)
    """Seat -> number of the chip that the seat has put on this card."""


@dataclass(frozen=True)
class Turn:
    """What everybody saw of one turn. A pass has no source; an unfinished turn has no destination yet."""

    seat: int
    chip: int
    source: int | None = None
    destination: int | None = None
    emotion: int | None = None


@dataclass(frozen=True)
class PublicView:
    """What lies open on the table and has been seen by all. A card's chips are (seat, number) pairs."""

    origins: tuple[int, ...]
    chips: tuple[tuple[tuple[int, int], ...], ...]
    blackhole: int | None
    hands: tuple[tuple[int, ...], ...]
    turns: tuple[Turn, ...]
    looked_at: int | None
    player: int | None


@dataclass(frozen=True)
class PrivateView:
    """Exactly what one seat may know: the table, and the values it remembers (None: unknown), by position."""

    seat: int
    values: tuple[int | None, ...]
    public: PublicView


class Syzygy:
    """One game.

    `values` is the row from left to right as it was laid out, face down. In `trial` and `divine` the middle
    position holds the Blackhole, and the value given for it is the planet that was set aside unseen.
    """

    def __init__(
        self,
        values: Sequence[int],
        variant: str = "base",
        players: int = 4,
        emotions: int = 1,
        memory: str = "perfect",
    ) -> None:
        n = len(values)
        if variant not in ("base", "trial", "divine"):
            raise ValueError(f"unknown variant {variant!r}")
        if variant == "base" and not 4 <= n <= 12:
            raise ValueError(f"base has 4 to 12 planets, not {n}")
        if variant != "base" and n != PLANETS_OF_VARIANT[variant]:
            raise ValueError(f"{variant} has {PLANETS_OF_VARIANT[variant]} planets, not {n}")
        if sorted(values) != list(range(1, n + 1)):
            raise ValueError(f"the row must hold each planet 1..{n} once: {list(values)}")
        if not 2 <= players <= 6:
            raise ValueError(f"2 to 6 players, not {players}")
        if emotions < 1:
            raise ValueError(f"at least one emotion, not {emotions}")
        if memory not in ("perfect", "none"):
            raise ValueError(f"unknown memory {memory!r}")
        self.variant, self.players, self.emotions, self.memory = variant, players, emotions, memory

        self.row = [Card(origin, value) for origin, value in enumerate(values)]
        self.set_aside: int | None = None
        if variant != "base":
            middle = self.row[n // 2]
            self.set_aside, middle.value = middle.value, None

        self.hands: list[list[int]] = [list(CHIPS) for _ in range(players)]
        self.face_down: list[list[int]] = [[] for _ in range(players)]
        self.notes: list[dict[int, int]] = [{} for _ in range(players)]
        """For each seat: origin of a card -> the value the seat saw on it."""
        self.turns: list[Turn] = []
        self.looking: Card | None = None
        self.player = 0

    # The table

    @property
    def finished(self) -> bool:
        """The game is over when every player has used all four chips."""
        return all(not hand for hand in self.hands)

    @property
    def current_player(self) -> int | None:
        """The seat to act, None after the end."""
        return None if self.finished else self.player

    def position_of(self, card: Card) -> int:
        return next(i for i, other in enumerate(self.row) if other is card)

    def is_blackhole(self, card: Card) -> bool:
        return card.value is None

    def planets(self) -> list[int]:
        """The row as it reads with all cards turned up and the set-aside planet on the Blackhole."""
        planets = []
        for card in self.row:
            planet = self.set_aside if card.value is None else card.value
            assert planet is not None
            planets.append(planet)
        return planets

    # Playing

    def legal_actions(self) -> list[Action]:
        """Everything the current player may do, in the order of the flat action numbers."""
        if self.finished:
            return []
        if self.looking is None:
            may_look = [
                Confirm(i)
                for i, card in enumerate(self.row)
                if self.player not in card.chips and not self.is_blackhole(card)
            ]
            return [*may_look, Pass()]
        # Between a card and another card: neither end. And not back to where it lay.
        source = self.position_of(self.looking)
        between = [j for j in range(len(self.row)) if j not in (0, len(self.row) - 1, source)]
        return [Move(j, emotion) for emotion in range(self.emotions) for j in between]

    def apply(self, action: Action) -> None:
        """Play one action of the current player. If it is not allowed: IllegalActionError, no change."""
        if action not in self.legal_actions():
            raise IllegalActionError(f"{action} is not allowed now")
        if isinstance(action, Pass):
            chip = self._use_smallest_chip()
            self.face_down[self.player].append(chip)
            self.turns.append(Turn(self.player, chip))
            self._next_player()
        elif isinstance(action, Confirm):
            card = self.row[action.position]
            assert card.value is not None
            self.looking = card
            self.notes[self.player][card.origin] = card.value
            self.turns.append(Turn(self.player, min(self.hands[self.player]), action.position))
        else:
            assert self.looking is not None
            source = self.position_of(self.looking)
            self.row.pop(source)
            self.row.insert(action.position, self.looking)
            chip = self._use_smallest_chip()
            self.looking.chips[self.player] = chip
            self.turns[-1] = Turn(self.player, chip, source, action.position, action.emotion)
            self.looking = None
            self._next_player()

    def _use_smallest_chip(self) -> int:
        chip = min(self.hands[self.player])
        self.hands[self.player].remove(chip)
        return chip

    def _next_player(self) -> None:
        self.player = (self.player + 1) % self.players

    # The result

    @property
    def aligned(self) -> bool:
        """The row reads 1..n or n..1."""
        planets = self.planets()
        return planets == sorted(planets) or planets == sorted(planets, reverse=True)

    @property
    def won(self) -> bool:
        return self.finished and self.aligned

    def reward(self) -> int:
        """What every player of the team gets for the game so far."""
        return 1 if self.won else 0

    def potential(self) -> int:
        """The number of pairs of planets in the order the row is nearer to; n(n-1)/2 when it is aligned."""
        planets = self.planets()
        pairs = [(left, right) for i, left in enumerate(planets) for right in planets[i + 1 :]]
        rising = sum(left < right for left, right in pairs)
        return max(rising, len(pairs) - rising)

    # Who knows what

    def public_view(self) -> PublicView:
        blackholes = [i for i, card in enumerate(self.row) if self.is_blackhole(card)]
        return PublicView(
            origins=tuple(card.origin for card in self.row),
            chips=tuple(tuple(sorted(card.chips.items())) for card in self.row),
            blackhole=blackholes[0] if blackholes else None,
            hands=tuple(tuple(hand) for hand in self.hands),
            turns=tuple(self.turns),
            looked_at=None if self.looking is None else self.position_of(self.looking),
            player=self.current_player,
        )

    def private_view(self, seat: int) -> PrivateView:
        """Perfect memory: every card the seat ever looked at. No memory: only the card it is looking at."""

        def known(card: Card) -> int | None:
            if self.memory == "perfect" or (card is self.looking and seat == self.player):
                return self.notes[seat].get(card.origin)
            return None

        return PrivateView(seat, tuple(known(card) for card in self.row), self.public_view())


# The flat numbering of actions and the feature vector, as the environments promise them


def action_list(n: int, emotions: int) -> list[Action]:
    """All actions of a game in the order of their flat numbers: n looks, emotions x n moves, the pass."""
    looks: list[Action] = [Confirm(i) for i in range(n)]
    moves: list[Action] = [Move(j, emotion) for emotion in range(emotions) for j in range(n)]
    return [*looks, *moves, Pass()]


def action_mask(game: Syzygy) -> list[int]:
    """1 for each flat action number that the current player may play; all 0 after the end."""
    legal = game.legal_actions()
    return [int(action in legal) for action in action_list(len(game.row), game.emotions)]


def features(game: Syzygy, seat: int) -> dict[str, list[int]]:
    """The categorical feature vector of `seat`, name -> values, in the order of the layout.

    Built only from `game.private_view(seat)`, so it cannot show more than the seat may know. A turn enters
    the record of its round when it is over; until then `confirmed` shows the look.
    """
    view = game.private_view(seat)
    public = view.public
    places = range(len(view.values))
    finished_turns = [turn for turn in public.turns if turn.source is None or turn.destination is not None]
    vector = {
        "phase": [0 if public.looked_at is None else 1],
        "turn": [len(finished_turns)],
        "seat": [seat],
        "confirmed": [0 if public.looked_at is None else 1 + public.looked_at],
        "value": [value or 0 for value in view.values],
        "origin": list(public.origins),
    }
    for k in range(game.players):
        other = (seat + k) % game.players
        turns = {turn.chip: turn for turn in finished_turns if turn.seat == other}
        rounds = [turns.get(chip) for chip in CHIPS]
        vector[f"chip_{k}"] = [dict(public.chips[i]).get(other, 0) for i in places]
        vector[f"source_{k}"] = [
            0 if turn is None else 1 if turn.source is None else 2 + turn.source for turn in rounds
        ]
        vector[f"destination_{k}"] = [
            0 if turn is None or turn.destination is None else 1 + turn.destination for turn in rounds
        ]
        if game.emotions > 1:
            vector[f"emotion_{k}"] = [
                0 if turn is None or turn.emotion is None else 1 + turn.emotion for turn in rounds
            ]
    return vector


def cardinalities(n: int, players: int, emotions: int) -> dict[str, tuple[int, int]]:
    """Name -> (size, number of values) of every feature, in order."""
    table = {
        "phase": (1, 2),
        "turn": (1, 4 * players + 1),
        "seat": (1, players),
        "confirmed": (1, n + 1),
        "value": (n, n + 1),
        "origin": (n, n),
    }
    for k in range(players):
        table[f"chip_{k}"] = (n, 5)
        table[f"source_{k}"] = (4, n + 2)
        table[f"destination_{k}"] = (4, n + 1)
        if emotions > 1:
            table[f"emotion_{k}"] = (4, emotions + 1)
    return table
