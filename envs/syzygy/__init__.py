"""Syzygy: sort a row of face-down planets in silence.

``config.py`` what can be set, ``state.py`` one game's record, ``rules.py`` the rules, ``observation.py`` what
a player may know, ``kernels.py`` the compiled loops, ``game.py`` all of it in one object, ``render.py``
pictures.
"""

from unspoken.envs.syzygy.config import SyzygyConfig
from unspoken.envs.syzygy.game import Action, SyzygyGame, actions

__all__ = ["Action", "SyzygyConfig", "SyzygyGame", "actions"]
