"""Syzygy: sort a row of face-down planets in silence.

``config.py`` what can be set, ``state.py`` one game's record, ``rules.py`` the rules, ``observation.py`` what
a player may know, ``kernels.py`` the compiled loops, ``game.py`` all of it in one object, ``scene.py`` a
moment as plain data, ``render.py`` that moment shown, as text or as the picture that ``picture.py`` composes
of ``sprites.py``.
"""

from unspoken.envs.syzygy.config import SyzygyConfig
from unspoken.envs.syzygy.game import Action, SyzygyGame, actions

__all__ = ["Action", "SyzygyConfig", "SyzygyGame", "actions"]
