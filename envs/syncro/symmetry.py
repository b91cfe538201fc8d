"""The symmetries of Syncro.

- Seats, turned: every wizard sits k seats further clockwise. Everybody is seen relative to the observer,
  every order begins with the leader, and the first leader is drawn; only the observer's seat is a label.
- Estimates: good, average and bad bind nobody and have no effect, so any permutation of them will do. (Only
  where a level of the scenario has estimates.)
- Monster cards that are alike: of equal kind and strength, with equally many copies at every level of the
  scenario, the names may be exchanged.

Not among them, because the game would not be the same:

- the horde from the other side: monsters are resolved and turned up from left to right, and what one of them
  does (spells drawn, a debt, a count of the cards in play) comes before the next one is looked at;
- other permutations of slots: the order is that of the rows, and every level has its own pattern;
- the hand from the other side, or in any order: spells close up to the left, new ones go to the right end,
  and cards ask for the leftmost or rightmost;
- seats counter-clockwise: turns, draws and the leader card go clockwise.

Lieutenants, Fog and Rewards that are alike could be exchanged too; there are none among the house cards, and
none is looked for.
"""

from itertools import permutations
from math import factorial, prod

import numpy as np

from unspoken.envs.engine.symmetry import Relabelling, Symmetries, relabel
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.limits import LEVELS

MOST_SYMMETRIES = 1000
"""Monster cards are left alone with which there would be more."""
N_ESTIMATES = 3


def symmetries(config: SyncroConfig) -> Symmetries:
    """The group of a configuration's symmetries."""
    factors = [[_turn_seats(config, places) for places in range(config.n_players)]]
    levels = [LEVELS.index(level) for level in config.levels]
    if not config.params[0].says_sums[levels].all():
        factors.append([_rename_estimates(config, order) for order in permutations(range(N_ESTIMATES))])
    count = prod(map(len, factors))
    for kinds in _monsters_alike(config, levels):
        count *= factorial(len(kinds))
        if count > MOST_SYMMETRIES:
            break
        factors.append([_rename_monsters(config, kinds, names) for names in permutations(kinds)])
    return Symmetries.of(factors)


def _turn_seats(config: SyncroConfig, places: int) -> Relabelling:
    """Seat s becomes the seat ``places`` clockwise from it."""
    if places == 0:
        return relabel(config.layout, config.n_actions)
    seats = (np.arange(config.n_players) + places) % config.n_players
    return relabel(config.layout, config.n_actions, f"seats turned by {places}", renamed={"seat": seats})


def _rename_estimates(config: SyncroConfig, order: tuple[int, ...]) -> Relabelling:
    """Estimate e (0 good, 1 average, 2 bad) becomes ``order[e]``; "nothing said" stays."""
    if order == tuple(range(N_ESTIMATES)):
        return relabel(config.layout, config.n_actions)
    said = [0, *(1 + estimate for estimate in order)]
    first = config.pass_action + 1
    actions = np.arange(config.n_actions)
    actions[first : first + N_ESTIMATES] = first + np.array(order)
    return relabel(
        config.layout,
        config.n_actions,
        f"estimates {' '.join(map(str, order))}",
        renamed={f"estimate_{seat}": said for seat in range(config.n_players)},
        actions=actions,
    )


def _monsters_alike(config: SyncroConfig, levels: list[int]) -> list[list[int]]:
    """The numbers of the monster cards that come in the scenario, of those alike together, several each."""
    params = config.params[0]
    alike: dict[tuple[int, ...], list[int]] = {}
    for kind in range(params.n_monsters):
        copies = params.monster_copies[levels, kind].tolist()
        if any(copies):
            card = (int(params.foe_strength[kind]), int(params.foe_traits[kind]), *copies)
            alike.setdefault(card, []).append(kind)
    return [kinds for kinds in alike.values() if len(kinds) > 1]


def _rename_monsters(config: SyncroConfig, kinds: list[int], names: tuple[int, ...]) -> Relabelling:
    """Monster ``kinds[i]`` becomes ``names[i]``; 0, an unknown card, stays, and so do Fog and other foes."""
    if list(names) == kinds:
        return relabel(config.layout, config.n_actions)
    cards = np.arange(config.layout["slot_card"].cardinality)
    cards[1 + np.array(kinds)] = 1 + np.array(names)
    what = f"monsters {' '.join(map(str, kinds))} as {' '.join(map(str, names))}"
    return relabel(config.layout, config.n_actions, what, renamed={"slot_card": cards})
