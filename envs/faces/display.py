"""Showing a game: text, a picture in memory, or a window."""

from typing import Any

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.one_game import OneGame

RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_FPS = 2

_MODES = ", ".join(map(repr, RENDER_MODES))


def check_render_mode(render_mode: str | None) -> None:
    """Raise ``ValueError`` for an unknown mode."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode={render_mode!r}: must be one of {_MODES}, or None")


class Display:
    """Renders one game in the mode chosen, with the game's own ``draw_text`` and ``draw_image``."""

    def __init__(self, game: Game, render_mode: str | None) -> None:
        """
        Raises:
            ValueError: unknown mode. ImportError: ``"human"`` without pygame.
        """
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._title = game.config.game.capitalize()
        self._window: Any = None
        if render_mode == "human":
            _import_pygame()

    def render(self, one: OneGame, seat: int | None) -> str | npt.NDArray[np.uint8] | None:
        """Show the view of ``seat``, or all cards turned up for ``None``."""
        if self.render_mode is None:
            raise ValueError(f"render_mode=None: must be one of {_MODES} to render")
        everything = seat is None
        scene = Scene(one.features(seat or 0, everything), everything, one.last_action, _result(one))
        renderer = one.game.renderer
        if self.render_mode == "ansi":
            text: str = renderer.draw_text(one.game, scene)
            return text
        image: npt.NDArray[np.uint8] = renderer.draw_image(one.game, scene)
        if self.render_mode == "rgb_array":
            return image
        self._draw_in_window(image)
        return None

    def _draw_in_window(self, image: npt.NDArray[np.uint8]) -> None:
        pygame = _import_pygame()
        size = (image.shape[1], image.shape[0])
        if self._window is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._window = (pygame.display.set_mode(size), pygame.time.Clock())
        surface, clock = self._window
        pygame.event.pump()
        surface.blit(pygame.surfarray.make_surface(image.swapaxes(0, 1)), (0, 0))
        pygame.display.flip()
        clock.tick(RENDER_FPS)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window = None
            _import_pygame().display.quit()

    def __getstate__(self) -> dict[str, Any]:
        # A copy of an environment opens a window of its own when it renders.
        return {**self.__dict__, "_window": None}


def _result(one: OneGame) -> str | None:
    if not one.finished:
        return None
    if one.illegal:
        return "illegal"
    return "won" if one.score == one.game.max_score else "lost"


def _import_pygame() -> Any:
    try:
        import pygame
    except ImportError:
        raise ImportError("render_mode='human' needs pygame: pip install 'unspoken[view]'") from None
    return pygame
