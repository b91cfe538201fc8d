"""A moment of either game as plain data."""

from typing import Any

from unspoken.envs.engine.drawing import Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.syncro.scene import describe as describe_syncro
from unspoken.envs.syzygy.scene import describe as describe_syzygy

_DESCRIBE = {"syzygy": describe_syzygy, "syncro": describe_syncro}


def describe(game: Game, scene: Scene) -> dict[str, Any]:
    """The scene, ready for JSON (see the game's own ``scene.describe``)."""
    return _DESCRIBE[game.config.game](game, scene)
