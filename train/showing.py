"""A recorded game to look at: every position, from each view that its file allows."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike

import numpy as np

from unspoken.envs.engine.drawing import ENDINGS, Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.display import scene_of
from unspoken.train.checked_json import read_json
from unspoken.train.replay_file import Decision, Replay, play_through, replay_of
from unspoken.train.replay_format import ReplayError, Result, recorded_game
from unspoken.train.seat_file import KIND as SEAT
from unspoken.train.seat_file import SeatReplay, SeatStep, seat_replay_of
from unspoken.train.text import plain

View = int | None
"""A seat, or ``None`` for all cards turned up."""


@dataclass(frozen=True)
class Step:
    """One position.

    Attributes:
        scenes: what is seen, by view.
        decision: what was done here; ``None`` at the end, and where the file does not say.
    """

    scenes: Mapping[View, Scene]
    decision: Decision | None

    def decision_for(self, view: View) -> Decision | None:
        """The decision, if this view may know it and what was thought about it."""
        if self.decision is None or view is None or self.decision.seat == view:
            return self.decision
        return None


@dataclass(frozen=True)
class Showing:
    """A recorded game with its positions.

    Attributes:
        task: the task's name. game: what was played.
        agents: who played, by seat; ``None`` where the file does not say.
        views: from where it can be looked at.
        steps: the positions, the first and the last one included.
        result: ``None`` if the game was not over.
        replay: the whole game, if the file holds it.
    """

    task: str
    game: Game
    agents: tuple[str | None, ...]
    views: tuple[View, ...]
    steps: tuple[Step, ...]
    result: Result | None
    replay: Replay | None

    def check_view(self, view: View) -> View:
        """``view``, if there is this one.

        Raises:
            ValueError: there is not.
        """
        if view not in self.views:
            seats = ", ".join(str(seat) for seat in self.views if seat is not None)
            raise ValueError(f"seat={view}: must be one of {seats}")
        return view


def view_name(showing: Showing, view: View) -> str:
    """Who looks, for people."""
    if view is None:
        return "all cards turned up"
    agent = showing.agents[view]
    return f"player_{view}" + (f" ({plain(agent)})" if agent else "")


def describe_result(showing: Showing) -> str:
    """How the game ended, for people."""
    result, most = showing.result, showing.game.max_score
    if result is None:
        return "Not finished."
    score = f" Levels won: {result.score:.0f} of {most}." if most > 1 else ""
    if result.illegal:
        return f"{ENDINGS['illegal']}{score}"
    if result.truncated:
        return f"Cut off for its length.{score}"
    return f"{ENDINGS['won' if result.won else 'lost']}{score}"


def likely_actions(decision: Decision) -> list[tuple[int, float]] | None:
    """The actions with their probabilities, the most likely first; ``None`` without probabilities."""
    if decision.probabilities is None:
        return None
    return sorted(decision.probabilities.items(), key=lambda item: -item[1])


def open_recording(path: str | PathLike[str], cards: str | PathLike[str] | None = None) -> Showing:
    """What is in the file of a whole game or of one seat.

    Args:
        path: the file. cards: as in ``recorded_game``.

    Raises:
        ReplayError: the file cannot be used; the message says why.
    """
    content = read_json(path, "a replay", ReplayError)
    if isinstance(content, dict) and content.get("kind") == SEAT:
        return _show_seat(seat_replay_of(content, str(path), cards), cards)
    return show_replay(replay_of(content, str(path)), cards)


def show_replay(replay: Replay, cards: str | PathLike[str] | None = None) -> Showing:
    """A whole game, played through and checked.

    Raises:
        ReplayError: it does not fit the rules.
    """
    game = recorded_game(replay, cards)
    views: tuple[View, ...] = (None, *range(game.config.n_players))
    steps = []
    for one, decision in play_through(replay, game):
        steps.append(Step({view: scene_of(one, view).kept() for view in views}, decision))
    return Showing(replay.task, game, replay.seats, views, tuple(steps), replay.result, replay)


@contextmanager
def drawn(source: str, number: int) -> Iterator[None]:
    """Draw step ``number`` of what a seat saw in here: no rules have checked that it is of any game.

    Raises:
        ReplayError: every number is one that there is, but together they show nothing.
    """
    try:
        yield
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        raise ReplayError(f"{source}: step {number}: must be a position of the game") from None


def _show_seat(seen: SeatReplay, cards: str | PathLike[str] | None) -> Showing:
    game = recorded_game(seen, cards)
    last = len(seen.steps) - 1
    steps = []
    for number, step in enumerate(seen.steps):
        ending = _ending(seen.result) if number == last else None
        scene = _seat_scene(step, ending)
        with drawn(seen.source, number):
            game.renderer.draw_text(game, scene, False)
        steps.append(Step({seen.seat: scene}, step.decision))
    agents = [seen.agent if seat == seen.seat else None for seat in range(game.config.n_players)]
    return Showing(seen.task, game, tuple(agents), (seen.seat,), tuple(steps), seen.result, None)


def _seat_scene(step: SeatStep, ending: str | None) -> Scene:
    return Scene(np.array(step.features, np.int8), False, step.last, ending)


def _ending(result: Result | None) -> str | None:
    if result is None:
        return None
    if result.illegal:
        return "illegal"
    return "won" if result.won else "lost"
