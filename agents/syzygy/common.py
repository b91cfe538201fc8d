"""What the Syzygy bots share."""

from typing import Any

from unspoken.envs.engine.game import Game


def syzygy_config(game: Game, agent: str) -> Any:
    """The configuration of ``game`` (a ``SyzygyConfig``).

    Raises:
        ValueError: ``game`` is another game than Syzygy.
    """
    if game.config.game != "syzygy":
        raise ValueError(f"agent {agent!r} plays only Syzygy, not {game.config.game!r}")
    return game.config
