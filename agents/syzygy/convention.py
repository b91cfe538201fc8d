"""A silent convention that a team could agree on before the game: the place of a card says its number.

As one would teach it at the table:

1. We sort from left to right, 1 to n. "Work" is the number of moves still needed: cards outside the longest
   rising chain, and cards nobody has looked at. A card belongs about at the place of its number.
2. When you take a card whose number is not public, everyone pictures, for each number it might be, the place
   where it would leave the least work. Rising numbers have rising places; two neighbours share a place only
   if places run out. So the place where you put it says its number, or one of two.
3. Cross off: a number that is taken is no other card's; two cards with the same two numbers have both.
4. Take the card that promises to leave the least work and the least doubt: new ones first, then those that
   are out of order. A card whose number everyone knows goes where it is needed.
5. The Blackhole is a card that only the others can shift: never let it lie beside an unknown card at an end.
6. Passing says "I see no work": whoever has looked at a card and passes confirms the order as it lies. While
   there are hardly more turns left than work, nobody passes.
7. Alarm: only two cards are in doubt, you know that they lie the wrong way round, and you cannot help it?
   Make a little work on purpose, and everyone knows.

Every seat keeps the same public sets of possible numbers, decoded from the record at each decision, and joins
to them what it has looked at itself. With more than one emotion, the emotion tells numbers apart that share a
place. Players without memory (``memory="none"``) read nothing into a pass.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from unspoken.agents.base import State
from unspoken.agents.syzygy.common import syzygy_config
from unspoken.agents.syzygy.convention_record import FEATURES, Memory, new_memory, read_record
from unspoken.agents.syzygy.convention_sets import Setting, conclude, new_table
from unspoken.agents.syzygy.convention_signals import (
    choose_destination,
    choose_source,
    forget_contradictions,
    new_scratch,
)
from unspoken.agents.syzygy.convention_work import Weights
from unspoken.envs.engine.game import Game
from unspoken.envs.syzygy.config import CHIPS


class ConventionAgent:
    """Plays the convention above in any seat of any game of Syzygy, without a state."""

    name = "syzygy/convention"
    sees_state = False
    weights = Weights()
    _memory: Memory

    def reset(self, game: Game, num_games: int, seed: int) -> State:
        """Bind the game; there is no state. ``ValueError`` for another game than Syzygy."""
        config = syzygy_config(game, self.name)
        setting = Setting(
            n=config.n_positions,
            blackhole=config.n_positions // 2 if config.has_blackhole else -1,
            players=config.n_players,
            emotions=config.emotions,
            remembers=config.memory == "perfect",
        )
        if getattr(self, "_setting", None) != setting or len(self._memory.turns) < num_games:
            self._setting = setting
            self._memory = new_memory(setting, num_games)
            self._starts = np.array(
                [game.layout[name].start if name in game.layout else 0 for name in FEATURES], np.int64
            )
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
        _choose(
            np.ascontiguousarray(features),
            self._starts,
            self._setting,
            self.weights,
            self._memory,
            new_table(n),
            np.zeros(n, np.int64),
            new_scratch(n),
            actions,
        )
        return actions, None


@njit(cache=True, nogil=True)
def _add_looks(view, values, table, mine, n):  # type: ignore[no-untyped-def]
    for position in range(n):
        value = int(view[values + position])
        if value != 0:
            mine[table.row[position]] = 1 << value
    conclude(mine, n)


# Not "nogil": threads that share the agent share its memory too.
@njit(cache=True)
def _choose(features, starts, setting, weights, memory, table, mine, scratch, actions):  # type: ignore[no-untyped-def]
    n = setting.n
    turn, own_seat, confirmed, values = starts[0], starts[1], starts[2], starts[3]
    for game in range(features.shape[0]):
        view = features[game]
        left = CHIPS * setting.players - int(view[turn])
        read_record(view, starts, setting, weights, memory, table, scratch)
        mine[:] = table.sets
        _add_looks(view, values, table, mine, n)
        if forget_contradictions(mine, n):
            _add_looks(view, values, table, mine, n)
        if view[confirmed] == 0:
            source = choose_source(setting, weights, table, mine, int(view[own_seat]), left, scratch)
            actions[game] = source if source >= 0 else n + setting.emotions * n
        else:
            source = int(view[confirmed]) - 1
            value = int(view[values + source])
            place, word = choose_destination(setting, weights, table, mine, source, value, left, scratch)
            actions[game] = n + word * n + place
