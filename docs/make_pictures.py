"""Draw the pictures of the documents: python docs/make_pictures.py [NAME ...].

Each is a moment of a game of a team of bots: over the seeds 0, 1, and so on, the first that shows what the
page tells of.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from unspoken.agents import load_agent
from unspoken.envs import make_game
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.display import scene_of
from unspoken.envs.faces.one_game import OneGame

IMAGES = Path(__file__).parent / "images"
SEEDS = 500
Told = dict[str, Any]
"""A moment as plain data (see ``unspoken.envs.*.scene.describe``)."""


@dataclass(frozen=True)
class Picture:
    """A picture to draw.

    Attributes:
        task, team: what is played, and the bot in all seats.
        wanted: whether this is the moment, as the seat to act sees it (at the end: with all cards turned up).
    """

    task: str
    team: str
    wanted: Callable[[Told], bool]


def _known(told: Told) -> int:
    return sum(card["planet"] is not None for card in told["cards"])


def _kinds(told: Told) -> set[str]:
    return {slot["kind"] for slot in told["slots"] if slot["state"] == "up"}


def _spells_down(told: Told) -> int:
    return sum(slot["spells_down"] > 0 for slot in told["slots"])


PICTURES = {
    # The two that stand at the head of a page show a game some way in.
    "syzygy": Picture(
        "syzygy-base-4p",
        "syzygy/convention",
        lambda told: told["turn"] == 9 and told["phase"] == "destination" and _known(told) >= 3,
    ),
    "syncro": Picture(
        "syncro-IIb-3p",
        "syncro/convention",
        lambda told: told["decision"] == "turn" and _spells_down(told) >= 2 and len(_kinds(told)) >= 3,
    ),
    "syzygy-deal": Picture("syzygy-base-4p", "syzygy/convention", lambda told: told["turn"] == 0),
    "syzygy-look": Picture(
        "syzygy-base-4p",
        "syzygy/convention",
        lambda told: told["phase"] == "destination",
    ),
    "syzygy-later": Picture(
        "syzygy-base-4p", "syzygy/convention", lambda told: told["turn"] == 13 and told["phase"] == "source"
    ),
    "syzygy-won": Picture("syzygy-base-4p", "syzygy/convention", lambda told: told["result"] == "won"),
    "syzygy-trial": Picture("syzygy-trial-3p", "syzygy/convention", lambda told: told["turn"] == 0),
    "syncro-start": Picture(
        "syncro-Ia-3p",
        "syncro/convention",
        lambda told: told["decision"] == "turn" and told["position"] == 0 and told["last"] is not None,
    ),
    "syncro-attacks": Picture(
        "syncro-Ib-3p",
        "syncro/convention",
        lambda told: told["decision"] == "turn" and _spells_down(told) >= 2 and told["position"] == 3,
    ),
    "syncro-dragon": Picture(
        "syncro-Ic-3p", "syncro/convention", lambda told: told["decision"] == "discard" and told["owed"] >= 2
    ),
    "syncro-estimate": Picture(
        "syncro-Ia-4p",
        "syncro/convention",
        lambda told: (
            told["decision"] == "turn"
            and len({seat["estimate"] for seat in told["seats"]} - {None}) == 3
            and told["position"] == 0
        ),
    ),
    "syncro-fog": Picture(
        "syncro-IIa-3p",
        "syncro/convention",
        lambda told: (
            told["decision"] == "turn" and bool(told["fog"]["curses"]) and "lieutenant" in _kinds(told)
        ),
    ),
}
"""By the name of its file."""


def moments(game: Game, team: str, seed: int) -> Iterator[OneGame]:
    """A game of a team of one bot, before every decision and at its end."""
    one = OneGame(game)
    one.deal(seed)
    agent = load_agent(team)
    state = agent.reset(game, game.config.n_players, seed)
    while not one.finished:
        yield one
        seat = one.seat
        features, mask = one.features(seat)[None], one.mask(seat)[None]
        mine = None if state is None else state[seat : seat + 1]
        actions, mine = agent.act(features, mask, np.array([seat], np.int8), mine)
        if state is not None:
            state[seat] = mine
        one.play(int(actions[0]))
    yield one


def find(picture: Picture) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The first moment that is wanted, drawn.

    Raises:
        ValueError: there is none.
    """
    game = make_game(picture.task)
    for seed in range(SEEDS):
        for one in moments(game, picture.team, seed):
            scene = scene_of(one, None if one.finished else one.seat)
            if picture.wanted(game.renderer.describe(game, scene)):
                return game.renderer.draw_image(game, scene)
    raise ValueError(f"{picture.task}: no such moment in {SEEDS} games")


def reduce(picture: Image.Image) -> Image.Image:
    """The picture in 256 colours, a third of the bytes: half of them for what there is much of (shades of the
    table), half for what there is little of (chips)."""
    methods = (Image.Quantize.MEDIANCUT, Image.Quantize.MAXCOVERAGE)
    colours = [picture.quantize(128, method).getpalette() for method in methods]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for half in colours for part in (half or [])[: 3 * 128]])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def main(names: list[str]) -> None:
    """Draw the pictures with these names, or all."""
    IMAGES.mkdir(exist_ok=True)
    for name in names or PICTURES:
        file = IMAGES / f"{name}.png"
        reduce(Image.fromarray(find(PICTURES[name]))).save(file, optimize=True)
        print(f"{file.name}: {file.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main(sys.argv[1:])
