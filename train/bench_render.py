"""How fast pictures are drawn: every moment of a game of either game, at its fullest table."""

import random

from unspoken.envs import make_game
from unspoken.envs.engine.drawing import Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.display import scene_of
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.bench_rates import Measurement, Plan, median, rate

TASKS = ("syzygy-divine-6p", "syncro-IIe-5p")


def measure_render(plan: Plan) -> list[Measurement]:
    """Pictures (``rgb_array``) and text (``ansi``), all cards turned up and as a seat sees it."""
    results = []
    for task in TASKS:
        game = make_game(task)
        scenes = _moments(game)

        def draw(game: Game = game, scenes: list[Scene] = scenes) -> int:
            for scene in scenes:
                game.renderer.draw_image(game, scene)
            return len(scenes)

        def write(game: Game = game, scenes: list[Scene] = scenes) -> int:
            for scene in scenes:
                game.renderer.draw_text(game, scene)
            return len(scenes)

        height, width, _ = game.renderer.draw_image(game, scenes[0]).shape
        name = f"picture, {task}, {width} x {height}"
        pictures = rate(
            name, "frames/s", draw, None, plan, "one moment of a game, from its features to pixels"
        )
        results += [pictures, median(name, "ms a frame", [1000 / run for run in pictures.runs])]
        counted = "one moment of a game, from its features to lines of text"
        results.append(rate(f"text, {task}", "frames/s", write, None, plan, counted))
    return results


def _moments(game: Game) -> list[Scene]:
    """A game of random allowed actions, seen now as the seat to act sees it, now with all cards turned up."""
    one = OneGame(game, "compact")
    one.deal(0)
    draw = random.Random(0)
    scenes: list[Scene] = []
    while not one.finished:
        seat = None if len(scenes) % 2 else one.seat
        scenes.append(scene_of(one, seat).kept())
        allowed = one.mask(one.seat).nonzero()[0]
        one.play(int(allowed[draw.randrange(len(allowed))]))
    return scenes
