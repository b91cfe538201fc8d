"""Syncro: destroy a horde of monsters together, in silence.

``config.py`` what can be set, ``limits.py`` sizes and the names of the levels; the cards: ``cards.py`` and
``vocabulary.py`` what there is, ``card_file.py`` reading them from YAML, ``horde.py`` how the cards of a
level lie, ``tables.py`` all of it as arrays; the rules: ``state.py`` one game's record, ``flow.py`` what is
being done, ``rules.py`` the whole, with ``piles.py``, ``foes.py``, ``resolution.py``, ``effects.py`` and
``adventure.py`` for its parts; ``layout.py``, ``public.py`` and ``observation.py`` what a wizard may know,
``kernels.py`` the compiled loops, ``game.py`` all of it in one object, ``progress.py`` saved adventures,
``scene.py`` (in the words of ``wording.py``) a moment as plain data, ``render.py`` that moment shown, as text
or as the picture that ``picture.py`` composes of ``sprites.py`` with the ``emblems.py``.
"""

from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.game import Action, SyncroGame, actions

__all__ = ["Action", "SyncroConfig", "SyncroGame", "actions"]
