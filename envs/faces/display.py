"""Showing a game: text, a picture in memory, or a window."""

import os
import sys
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from unspoken.envs.engine.drawing import Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.one_game import OneGame

RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_FPS = 2

_MODES = ", ".join(map(repr, RENDER_MODES))
_WAIT = 20
"""Milliseconds between two looks at what a person does with the window."""


def check_render_mode(render_mode: str | None) -> None:
    """Raise ``ValueError`` for an unknown mode."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode={render_mode!r}: must be one of {_MODES}, or None")


def shows_colour(stream: TextIO | None = None) -> bool:
    """Whether text written to ``stream`` (default: the standard output) should be coloured.

    ``NO_COLOR`` (not empty) says no; ``FORCE_COLOR`` (not empty) says yes, or no if it is ``0``; otherwise it
    should, if the stream is a terminal and ``TERM`` is not ``dumb``.
    """
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced != "0"
    stream = sys.stdout if stream is None else stream
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def scene_of(one: OneGame, seat: int | None) -> Scene:
    """What seat ``seat`` sees of a game now, or the table with all cards turned up for ``None``.

    Its features are valid until the game is looked at or played on.
    """
    everything = seat is None
    result = None
    if one.illegal:
        result = "illegal"
    elif one.finished:
        result = "won" if one.won else "lost"
    return Scene(one.features(seat or 0, everything), everything, one.last_action, result)


class Display:
    """Renders one game in the mode chosen, with the game's own ``draw_text`` and ``draw_image``."""

    def __init__(self, game: Game, render_mode: str | None) -> None:
        """
        Raises:
            ValueError: unknown mode. ImportError: ``"human"`` without pygame.
        """
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._window: _Window | None = None
        if render_mode == "human":
            _import_pygame()
            self._window = _Window(game.config.game.capitalize())

    def render(self, one: OneGame, seat: int | None) -> str | npt.NDArray[np.uint8] | None:
        """Show the view of ``seat``, or all cards turned up for ``None``."""
        if self.render_mode is None:
            raise ValueError(f"render_mode=None: must be one of {_MODES} to render")
        scene = scene_of(one, seat)
        renderer = one.game.renderer
        if self.render_mode == "ansi":
            text: str = renderer.draw_text(one.game, scene, shows_colour())
            return text
        if self._window is not None and self._window.dismissed:
            return None
        image: npt.NDArray[np.uint8] = renderer.draw_image(one.game, scene)
        if self._window is None:
            return image
        self._window.show(image)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()


class _Window:
    """A window on the screen, opened when something is shown.

    Attributes:
        dismissed: a person has closed it; nothing more is shown until the environment is closed.
    """

    def __init__(self, title: str) -> None:
        self.dismissed = False
        self._title = title
        self._surface: Any = None

    def show(self, image: npt.NDArray[np.uint8]) -> None:
        """Show a picture, and wait for as long as it should be seen; the window answers meanwhile."""
        pygame = _import_pygame()
        size = (image.shape[1], image.shape[0])
        if self._surface is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
        if self._surface is None or self._surface.get_size() != size:
            self._surface = pygame.display.set_mode(size)
        picture = pygame.surfarray.make_surface(image.swapaxes(0, 1))
        until = pygame.time.get_ticks() + 1000 / RENDER_FPS
        while True:
            if pygame.event.get(pygame.QUIT):
                self.close()
                self.dismissed = True
                return
            pygame.event.clear()
            # Again and again: another window may have lain over it.
            self._surface.blit(picture, (0, 0))
            pygame.display.flip()
            left = until - pygame.time.get_ticks()
            if left <= 0:
                return
            pygame.time.wait(int(min(_WAIT, left)) + 1)

    def close(self) -> None:
        """Close it; it opens again when something is shown."""
        self.dismissed = False
        if self._surface is not None:
            self._surface = None
            _import_pygame().display.quit()

    def __getstate__(self) -> dict[str, Any]:
        # A copy of an environment opens a window of its own when it renders.
        return {**self.__dict__, "_surface": None}


def _import_pygame() -> Any:
    try:
        import pygame
    except ImportError:
        raise ImportError("render_mode='human' needs pygame: pip install 'unspoken[view]'") from None
    return pygame
