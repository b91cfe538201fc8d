"""Sizes that the data of the cards must keep to, and the levels in their order."""

from typing import Literal, get_args

LevelName = Literal["I-a", "I-b", "I-c", "I-d", "II-a", "II-b", "II-c", "II-d", "II-e"]

LEVELS: tuple[LevelName, ...] = get_args(LevelName)
"""The levels that are played, in the order of the adventure."""
CHAPTER_1 = LEVELS[:4]
CHAPTER_2 = LEVELS[4:]

HAND_LIMITS = {2: 8, 3: 6, 4: 5, 5: 4}
"""Most spells in a hand, by number of wizards."""
MIN_PLAYERS = min(HAND_LIMITS)
MAX_PLAYERS = max(HAND_LIMITS)
MAX_HAND = max(HAND_LIMITS.values())

MAX_VALUE = 7
"""Highest spell."""
MIN_SPELLS = max(players * limit for players, limit in HAND_LIMITS.items())
"""Fewest spells from the start: every hand can be dealt in full."""
MAX_SPELLS = 64
"""Most spells, those that join later included; one bit of a word for each (see ``foes.spells_on``)."""
MAX_STRENGTH = 40
"""Highest strength on a card."""
MAX_COPIES = 20
"""Most copies of one card."""
MAX_MONSTERS = 64
MAX_LIEUTENANTS = 16
MAX_FOG = 48
MAX_REWARDS = 48
"""Most cards of each deck, those unlocked at the end of the adventure included."""
MAX_CHAINED_FOG = 16
"""Most Fog cards that apply another Fog card."""
MAX_EFFECTS = 4
"""Most effects of one card."""
MAX_SLOTS = 24
"""Most slots of a horde; Boss II is one slot."""
MAX_WIDTH = 32
"""Widest row of a horde, in half cards."""
MAX_ENTRY = 126
"""Highest value of an entry of an observation: the number of its values, one more, is an ``int8`` too."""
