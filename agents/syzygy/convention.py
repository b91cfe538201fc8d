"""A silent convention that a team could agree on before the game: the place of a card says its number.

As one would teach it at the table:

1. We sort from left to right, 1 to n. "Work" is the number of moves still needed: cards outside the longest
   rising chain, and cards nobody has looked at. A card belongs about at the place of its number.
2. When you take a card whose number is not public, everyone pictures, for each number it might be, the place
   where it would leave the least work. Rising numbers have rising places; two neighbours share a place only
   if places run out. So the place where you put it says its number, or one of two.
3. Cross off: a number that is taken is no other card's; two cards with the same two numbers have both.
4. Take the card that promises to leave the least work and the least doubt: new ones first, those at the ends
   last, and then those that are out of order. A card whose number everyone knows goes where it is needed.
5. The Blackhole is a card that only the others can shift: never let it lie beside an unknown card at an end.
6. Passing says "I see no work": whoever has looked at a card and passes confirms the order as it lies.
7. Alarm: only two cards are in doubt, you know that they lie the wrong way round, and you cannot help it?
   Make a little work on purpose, and everyone knows.

Every seat keeps the same public sets of possible numbers, decoded from the record at each decision, and joins
to them what it has looked at itself. With more than one emotion, the emotion tells numbers apart that share a
place. Players without memory (``memory="none"``) read nothing into a pass.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.base import State
from unspoken.agents.syzygy.common import syzygy_config
from unspoken.agents.syzygy.convention_sets import Setting, Table, conclude, new_table
from unspoken.agents.syzygy.convention_signals import (
    choose_destination,
    choose_source,
    forget_contradictions,
    new_scratch,
    read_move,
    read_pass,
)
from unspoken.agents.syzygy.convention_work import Weights
from unspoken.envs.engine.game import Game
from unspoken.envs.syzygy.config import CHIPS


class ConventionAgent:
    """Plays the convention above in any seat of any game of Syzygy, without a state."""

    name = "syzygy/convention"
    sees_state = False
    weights = Weights()

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Bind the game; there is no state. ``ValueError`` for another game than Syzygy."""
        config = syzygy_config(game, self.name)
        self._setting = Setting(
            n=config.n_positions,
            blackhole=config.n_positions // 2 if config.has_blackhole else -1,
            players=config.n_players,
            emotions=config.emotions,
            remembers=config.memory == "perfect",
        )
        names = ["turn", "seat", "confirmed", "value", "source_0", "destination_0", "chip_0"]
        starts = [game.layout[name].start for name in names]
        starts.append(game.layout["emotion_0"].start if config.emotions > 1 else 0)
        block = game.layout["chip_1"].start - game.layout["chip_0"].start
        self._starts = np.array([*starts, block], np.int64)
        return None

    def act(
        self,
        features: npt.NDArray[np.int8],
        mask: npt.NDArray[np.int8],
        player: npt.NDArray[np.int8],
        state: State,
    ) -> tuple[npt.NDArray[np.int64], State]:
        """See the class."""
        actions = np.empty(len(mask), np.int64)
        n = self._setting.n
        _act(
            np.ascontiguousarray(features),
            self._starts,
            self._setting,
            self.weights,
            new_table(n),
            new_table(n).sets,
            new_scratch(n),
            actions,
        )
        return actions, None


@njit(cache=True, nogil=True)
def _act(features, starts, setting, weights, table, mine, scratch, actions):  # type: ignore[no-untyped-def]
    n = setting.n
    turn, confirmed, value = starts[0], starts[2], starts[3]
    for game in range(features.shape[0]):
        view = features[game]
        seat = int(view[starts[1]])
        left = CHIPS * setting.players - int(view[turn])
        read_record(view, starts, setting, weights, table, scratch)
        mine[:] = table.sets
        for position in range(n):
            seen = int(view[value + position])
            if seen != 0:
                mine[table.row[position]] = 1 << seen
        conclude(mine, n)
        forget_contradictions(mine, n)
        if view[confirmed] == 0:
            source = choose_source(setting, weights, table, mine, seat, left, scratch)
            actions[game] = source if source >= 0 else n + setting.emotions * n
        else:
            source = int(view[confirmed]) - 1
            seen = int(view[value + source])
            d, word = choose_destination(setting, weights, table, mine, source, seen, left, scratch)
            actions[game] = n + word * n + d


@njit(cache=True, nogil=True)
def read_record(  # type: ignore[no-untyped-def]
    view: Any, starts: Any, setting: Any, weights: Any, table: Table, scratch: Any
) -> None:
    """Replay the record of an observation, writing what it says into ``table``."""
    n = setting.n
    seat, sources, destinations, words, block = starts[1], starts[4], starts[5], starts[7], starts[8]
    for card in range(n):
        table.row[card] = card
        table.sets[card] = (2 << n) - 2
        table.placed[card] = 0
        table.chips[card] = 0
    for turn in range(view[starts[0]]):
        mover = turn % setting.players
        entry = (mover - int(view[seat])) % setting.players * block + turn // setting.players
        left = CHIPS * setting.players - turn
        source = int(view[sources + entry])
        if source >= 2:
            word = int(view[words + entry]) - 1 if setting.emotions > 1 else 0
            destination = int(view[destinations + entry]) - 1
            read_move(setting, weights, table, mover, source - 2, destination, word, left, scratch)
        elif setting.remembers:
            read_pass(setting, weights, table, mover, left, scratch)
