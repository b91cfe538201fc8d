"""What one seat saw of a recorded game, and nothing else: a file for people who may not see the rest.

It holds no seed, and of the others no cards, agents, thoughts or choices that the seat has not seen. Games
that differ only in what the seat never learns give the same file; it cannot be played again.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

import numpy as np

from unspoken.envs.engine.game import Game
from unspoken.envs.engine.whole_file import write_whole
from unspoken.envs.faces.display import scene_of
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.checked_json import Fields, is_integer
from unspoken.train.replay_file import Decision, Replay, play_through
from unspoken.train.replay_format import (
    ReplayError,
    Result,
    SetUp,
    file_text,
    open_fields,
    recorded_game,
    set_up,
    take_probabilities,
    take_result,
    take_set_up,
    take_value,
)

KIND = "seat"


@dataclass(frozen=True)
class SeatStep:
    """One position as the seat saw it.

    Attributes:
        features: its compact observation (see the game's feature layout).
        to_act: the seat to act; ``None`` at the end.
        last: (seat, action) that was done last, the action ``None`` if it is hidden for now; ``None`` at the
            start.
        legal: the actions allowed, if it is this seat's turn, else empty.
        decision: what this seat did here, with what its policy thought; ``None`` if it is not its turn, or
            where the recording stops.
    """

    features: tuple[int, ...]
    to_act: int | None
    last: tuple[int, int | None] | None
    legal: tuple[int, ...]
    decision: Decision | None


@dataclass(frozen=True, kw_only=True)
class SeatReplay(SetUp):
    """A recorded game as one seat saw it.

    Attributes:
        seat: which. agent: who sat there, for the reader.
        steps: the positions, the first and the last one included.
        result: ``None`` if the game was not over.
    """

    seat: int
    agent: str
    steps: tuple[SeatStep, ...]
    result: Result | None


def seat_replay(replay: Replay, seat: int, game: Game) -> SeatReplay:
    """What ``seat`` could know.

    Args:
        replay: the whole game. seat: whose view. game: what ``recorded_game`` gives.

    Raises:
        ReplayError: see ``play_through``.
    """
    return SeatReplay(
        **set_up(game),
        version=replay.version,
        seat=seat,
        agent=replay.seats[seat],
        steps=tuple(seat_step(one, decision, seat) for one, decision in play_through(replay, game)),
        result=replay.result,
    )


def seat_step(one: OneGame, decision: Decision | None, seat: int) -> SeatStep:
    """A position, and what is done in it, as ``seat`` sees it."""
    scene = scene_of(one, seat)
    seen = one.game.renderer.describe(one.game, scene)
    last = seen["last"]
    return SeatStep(
        features=tuple(scene.features.tolist()),
        to_act=None if one.finished else one.seat,
        last=None if last is None else (last["seat"], last["action"]),
        legal=tuple(np.flatnonzero(one.mask(seat)).tolist()),
        decision=decision if decision is not None and decision.seat == seat else None,
    )


def save_seat_replay(path: str | PathLike[str], replay: SeatReplay) -> None:
    """Write it, whole or not at all: what was at ``path`` before stays until then.

    Raises:
        OSError: the file cannot be written.
    """
    result = None if replay.result is None else asdict(replay.result)
    rest = {"seat": replay.seat, "agent": replay.agent, "result": result}
    write_whole(path, file_text(KIND, replay, rest, "steps", [_plain(step) for step in replay.steps]))


def _plain(step: SeatStep) -> dict[str, Any]:
    plain: dict[str, Any] = {"to_act": step.to_act, "last": step.last, "features": step.features}
    if step.legal:
        plain["legal"] = step.legal
    if step.decision is not None:
        plain = {**plain, "action": step.decision.action, **step.decision.thought()}
    return plain


def seat_replay_of(content: object, source: str, cards: str | PathLike[str] | None = None) -> SeatReplay:
    """What one seat saw, from the content of a file; ``source`` is named in messages.

    Args:
        content: plain data. source: where it is from.
        cards: as in ``recorded_game``.

    Raises:
        ReplayError: it is not such a file, damaged, or of another version or other cards; the message says
            what is wrong and what is allowed.
    """
    taken = open_fields(content, source)
    taken.take("kind", repr(KIND), lambda it: it == KIND)
    common = take_set_up(taken)
    game = recorded_game(SetUp(**common), cards)
    seat = taken.integer("seat", 0, game.config.n_players - 1)
    steps = taken.take("steps", "a list of at least one step", lambda it: isinstance(it, list) and bool(it))
    replay = SeatReplay(
        **common,
        seat=seat,
        agent=taken.text("agent"),
        result=take_result(taken),
        steps=tuple(
            _step_of(Fields(f"{source}: step {number}", each, ReplayError), game, seat)
            for number, each in enumerate(steps)
        ),
    )
    taken.end()
    return replay


def _step_of(taken: Fields, game: Game, seat: int) -> SeatStep:
    n_players, n_actions = game.config.n_players, game.config.n_actions
    is_seat = _within(n_players)
    is_action = _within(n_actions + 1)
    features = taken.take(
        "features", f"{game.layout.size} integers that fit the feature layout", lambda it: _fit(game, it)
    )
    if features[game.layout["seat"].start] != seat:
        raise taken.fail("features", features, f"the view of seat {seat}")
    last = taken.optional("last", "a seat and an action or null", lambda it: _is_last(it, is_seat, is_action))
    legal = taken.optional(
        "legal", "a list of actions", lambda it: isinstance(it, list) and all(map(is_action, it))
    )
    to_act = taken.optional("to_act", f"from 0 to {n_players - 1}", is_seat)
    action = taken.optional("action", f"from 0 to {n_actions - 1}", is_action)
    probabilities, value = take_probabilities(taken), take_value(taken)
    for each in probabilities or ():
        if not is_action(each):
            raise taken.fail("probabilities", probabilities, f"of actions from 0 to {n_actions - 1}")
    if action is not None and to_act != seat:
        raise taken.fail("action", action, f"left out: it is not the turn of seat {seat}")
    taken.end()
    return SeatStep(
        features=tuple(features),
        to_act=to_act,
        last=None if last is None else (last[0], last[1]),
        legal=tuple(legal or ()),
        decision=None if action is None else Decision(seat, action, probabilities, value),
    )


def _within(bound: int) -> Callable[[object], bool]:
    return lambda value: is_integer(value, 0, bound - 1)


def _is_last(value: Any, is_seat: Callable[[object], bool], is_action: Callable[[object], bool]) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and is_seat(value[0])
        and (value[1] is None or is_action(value[1]))
    )


def _fit(game: Game, value: Any) -> bool:
    tops = game.layout.cardinalities.tolist()
    return (
        isinstance(value, list)
        and len(value) == len(tops)
        and all(is_integer(each, 0, top - 1) for each, top in zip(value, tops, strict=True))
    )
