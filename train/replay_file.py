"""A recorded game: its set-up, its seed and every action, in one small JSON file.

The engine plays it again from that, so nothing else of the game is kept, and a file that does not fit the
rules is noticed. A game that is not over yet can be kept in the same way and gone on with::

    one = OneGame(game)
    one.deal(seed)
    recorder = Recorder(game, names, seed)
    while not one.finished:
        action = ...
        recorder.append(one.seat, action)
        one.play(action)
    save_replay("game.json", recorder.replay(one))  # at any time

    for one, decision in play_through(load_replay("game.json")):
        ...  # the position before each decision; at last the one after the last of them, with None
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

from unspoken.envs.engine.game import Game
from unspoken.envs.engine.random import MAX_SEED
from unspoken.envs.engine.whole_file import write_whole
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.checked_json import Fields, read_json
from unspoken.train.replay_format import (
    MOST,
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

KIND = "game"
"""Beside a whole game there is the file of one seat (see ``unspoken.train.seat_file``)."""


@dataclass(frozen=True)
class Decision:
    """One action of one seat.

    Attributes:
        seat, action: who did what. An action outside the action space is kept as ``n_actions``, NOOP.
        probabilities: of the actions where a learned policy chose, else ``None``; what is 0 to four decimal
            places is left out.
        value: the reward that the policy still expected, else ``None``.
    """

    seat: int
    action: int
    probabilities: dict[int, float] | None = None
    value: float | None = None

    def thought(self) -> dict[str, Any]:
        """Probabilities and value, where there are any, ready for JSON."""
        given = {"probabilities": self.probabilities, "value": self.value}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Replay(SetUp):
    """A recorded game, finished or not.

    Attributes:
        seed, slot, episode: the deal (see ``OneGame.deal``).
        seats: who played, by seat, for the reader.
        decisions: in order. result: ``None`` while the game goes on.
    """

    seed: int
    slot: int
    episode: int
    seats: tuple[str, ...]
    decisions: tuple[Decision, ...]
    result: Result | None


class Recorder:
    """Keeps what is done in one game.

    Attributes:
        decisions: those noted so far.
    """

    def __init__(self, game: Game, seats: Sequence[str], seed: int, slot: int = 0, episode: int = 0) -> None:
        """``seats``: who plays, by seat. ``seed``, ``slot``, ``episode``: the deal."""
        if len(seats) != game.config.n_players:
            raise ValueError(f"{len(seats)} seats: must be {game.config.n_players}, a name for each seat")
        self.decisions: list[Decision] = []
        self._deal: dict[str, Any] = {"seed": int(seed), "slot": int(slot), "episode": int(episode)}
        self._set_up = set_up(game)
        self._seats = tuple(seats)
        self._n_actions: int = game.config.n_actions

    def append(
        self,
        seat: int,
        action: int,
        probabilities: dict[int, float] | None = None,
        value: float | None = None,
    ) -> None:
        """Note the next decision."""
        if not 0 <= action < self._n_actions:
            action = self._n_actions
        self.decisions.append(Decision(int(seat), int(action), probabilities, value))

    def replay(self, one: OneGame) -> Replay:
        """What has been noted so far of the game ``one``, with its result if it is over."""
        return Replay(
            **self._set_up,
            **self._deal,
            seats=self._seats,
            decisions=tuple(self.decisions),
            result=Result.of(one),
        )


def save_replay(path: str | PathLike[str], replay: Replay) -> None:
    """Write a replay, whole or not at all: what was at ``path`` before stays until then.

    Raises:
        OSError: the file cannot be written.
    """
    rest = {name: getattr(replay, name) for name in ("seed", "slot", "episode", "seats")}
    rest["result"] = None if replay.result is None else asdict(replay.result)
    lines = [{"seat": each.seat, "action": each.action, **each.thought()} for each in replay.decisions]
    write_whole(path, file_text(KIND, replay, rest, "decisions", lines))


def load_replay(path: str | PathLike[str]) -> Replay:
    """Read a replay; ``play_through`` checks that it fits the rules.

    Raises:
        ReplayError: there is no such file, it is damaged, or of another version; the message says what is
            wrong and what is allowed.
    """
    return replay_of(read_json(path, "a replay", ReplayError), str(path))


def replay_of(content: object, source: str) -> Replay:
    """The replay in the content of a file; ``source`` is named in messages.

    Raises:
        ReplayError: as ``load_replay``.
    """
    taken = open_fields(content, source)
    kind = taken.text("kind")
    if kind != KIND:
        hint = "; what one seat saw cannot be played again" if kind == "seat" else ""
        raise taken.fail("kind", kind, repr(KIND) + hint)
    seats = taken.take("seats", "a list of names", _are_names)
    replay = Replay(
        **take_set_up(taken),
        seed=taken.integer("seed", 0, MAX_SEED),
        slot=taken.integer("slot", 0, MOST),
        episode=taken.integer("episode", 0, MOST),
        seats=tuple(seats),
        decisions=tuple(
            _decision(Fields(f"{source}: decision {number}", each, ReplayError), len(seats))
            for number, each in enumerate(taken.items("decisions"), 1)
        ),
        result=take_result(taken),
    )
    taken.end()
    return replay


def _are_names(value: object) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(each, str) for each in value)


def _decision(taken: Fields, n_players: int) -> Decision:
    decision = Decision(
        seat=taken.integer("seat", 0, n_players - 1),
        action=taken.integer("action", 0, MOST),
        probabilities=take_probabilities(taken),
        value=take_value(taken),
    )
    taken.end()
    return decision


def play_through(replay: Replay, game: Game | None = None) -> Iterator[tuple[OneGame, Decision | None]]:
    """Play a recorded game again, and check it.

    Args:
        replay: the replay.
        game: what ``recorded_game`` gives, if it is there already.

    Yields:
        The position before each decision, with that decision, and at last the position after all of them,
        with ``None``. It is the same ``OneGame`` every time, valid until the next step; play nothing in it
        before the last.

    Raises:
        ReplayError: the replay does not fit the rules; the message names the decision, or what of the result
            differs.
    """
    game = game or recorded_game(replay)
    if len(replay.seats) != game.config.n_players:
        names = list(replay.seats)
        raise ReplayError(f"{replay.source}: seats={names!r}: must be {game.config.n_players} names")
    one = OneGame(game, "compact")
    one.deal(replay.seed, replay.slot, replay.episode)
    for number, decision in enumerate(replay.decisions, 1):
        _check_decision(replay, number, one)
        yield one, decision
        one.play(decision.action)
    _check_result(replay, one)
    yield one, None


def _check_decision(replay: Replay, number: int, one: OneGame) -> None:
    decision = replay.decisions[number - 1]
    where = f"{replay.source}: decision {number}"
    if one.finished:
        raise ReplayError(f"{where}: the game is over after decision {number - 1}")
    if decision.seat != one.seat:
        raise ReplayError(f"{where}: seat={decision.seat}: must be {one.seat}, the seat to act")
    for action in (decision.action, *(decision.probabilities or ())):
        if action > one.n_actions:
            raise ReplayError(f"{where}: action={action}: must be from 0 to {one.n_actions - 1}")
    if decision.action < one.n_actions and one.is_legal(decision.action):
        return
    last = number == len(replay.decisions)
    if not (last and replay.result is not None and replay.result.illegal):
        raise ReplayError(f"{where}: {one.explain_illegal(decision.action)}")


def _check_result(replay: Replay, one: OneGame) -> None:
    after = f"after {len(replay.decisions)} decisions the game"
    result = Result.of(one)
    if result is None:
        if replay.result is not None:
            raise ReplayError(f"{replay.source}: {after} goes on; result must be null")
        return
    if replay.result is None:
        raise ReplayError(f"{replay.source}: {after} is over; result must not be null")
    for name, value in vars(result).items():
        recorded = getattr(replay.result, name)
        if recorded != value:
            raise ReplayError(f"{replay.source}: result: {name}={recorded!r}: {after} has {name}={value!r}")
