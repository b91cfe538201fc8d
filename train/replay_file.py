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

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from os import PathLike
from typing import Any

from unspoken.agents.identity import ENVIRONMENTS
from unspoken.envs import __version__, make_game, task_name
from unspoken.envs.engine.game import Game
from unspoken.envs.engine.random import MAX_SEED
from unspoken.envs.faces.one_game import OneGame
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.progress import fingerprint
from unspoken.train.checked_json import Fields, read_json, write_whole
from unspoken.train.replay_format import (
    FORMAT,
    VERSION,
    ReplayError,
    open_fields,
    take_game,
    take_probabilities,
    take_seats,
    take_value,
)

KIND = "game"
"""Beside a whole game there is the file of one seat (see ``unspoken.train.seat_file``)."""

_NOT_OPTIONS = ("cards", "card_set")
"""Cards are told apart by their fingerprint: the path of a file says nothing on another machine."""

_MOST = 2**63 - 1


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


@dataclass(frozen=True)
class Result:
    """How a game ended.

    Attributes:
        score: the team's; won: whether that is all there was to win.
        illegal: an illegal action, the last one, ended the game. truncated: it was cut off for its length.
        tries: begun, where a game has several; else 1.
    """

    score: float
    won: bool
    illegal: bool
    truncated: bool
    tries: int

    @classmethod
    def of(cls, one: OneGame) -> "Result | None":
        """The result of a game; ``None`` while it goes on."""
        if not one.finished:
            return None
        won = one.score >= one.game.max_score
        return cls(one.score, won, one.illegal, one.truncated, one.tries)


@dataclass(frozen=True)
class Replay:
    """A recorded game, finished or not.

    Attributes:
        task: the task's name. game: ``"syzygy"`` or ``"syncro"``. options: every setting of its
            configuration but the cards.
        seed, slot, episode: the deal (see ``OneGame.deal``).
        seats: who played, by seat, for the reader.
        decisions: in order. result: ``None`` while the game goes on.
        cards: of Syncro, the fingerprint of its cards.
        environment: name and version of the rules, such as ``"syzygy_v0"``.
        version: of the package that wrote it.
        source: where it comes from, for messages.
    """

    task: str
    game: str
    options: dict[str, Any]
    seed: int
    slot: int
    episode: int
    seats: tuple[str, ...]
    decisions: tuple[Decision, ...]
    result: Result | None
    cards: str | None
    environment: str
    version: str = __version__
    source: str = field(default="replay", compare=False)


class Recorder:
    """Keeps what is done in one game."""

    def __init__(self, game: Game, seats: Sequence[str], seed: int, slot: int = 0, episode: int = 0) -> None:
        """``seats``: who plays, by seat. ``seed``, ``slot``, ``episode``: the deal."""
        if len(seats) != game.config.n_players:
            raise ValueError(f"{len(seats)} seats: must be {game.config.n_players}, a name for each seat")
        self._set_up = {**set_up(game), "seed": int(seed), "slot": int(slot), "episode": int(episode)}
        self._seats = tuple(seats)
        self._n_actions: int = game.config.n_actions
        self.decisions: list[Decision] = []

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
        return self.finish(Result.of(one))

    def finish(self, result: Result | None) -> Replay:
        """What has been noted, with this result; ``None`` for a game that goes on."""
        return Replay(seats=self._seats, decisions=tuple(self.decisions), result=result, **self._set_up)


def set_up(game: Game) -> dict[str, Any]:
    """What a replay says of a game before it is dealt: ``task``, ``game``, ``options``, ``cards``,
    ``environment``."""
    config = game.config
    names = (each.name for each in fields(config) if each.name not in _NOT_OPTIONS)
    return {
        "task": task_name(config),
        "game": config.game,
        "options": {name: getattr(config, name) for name in names},
        "cards": fingerprint(config.card_set) if isinstance(config, SyncroConfig) else None,
        "environment": ENVIRONMENTS[config.game],
    }


def save_replay(path: str | PathLike[str], replay: Replay) -> None:
    """Write a replay, whole or not at all: what was at ``path`` before stays until then.

    Raises:
        OSError: the file cannot be written.
    """
    write_whole(path, replay_text(replay))


def replay_text(replay: Replay) -> str:
    """The content of a replay's file, a decision a line."""
    head = {"format": FORMAT, "version": VERSION, "kind": KIND}
    for name in ("task", "game", "options", "cards", "environment"):
        head[name] = getattr(replay, name)
    head["package"] = replay.version
    for name in ("seed", "slot", "episode", "seats"):
        head[name] = getattr(replay, name)
    head["result"] = None if replay.result is None else asdict(replay.result)
    lines = [f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items()]
    decisions = ",\n".join(f"  {json.dumps(_plain(decision))}" for decision in replay.decisions)
    return "{\n" + "".join(lines) + ' "decisions": [\n' + decisions + "\n ]\n}\n"


def _plain(decision: Decision) -> dict[str, Any]:
    plain: dict[str, Any] = {"seat": decision.seat, "action": decision.action}
    if decision.probabilities is not None:
        plain["probabilities"] = decision.probabilities
    if decision.value is not None:
        plain["value"] = decision.value
    return plain


def load_replay(path: str | PathLike[str]) -> Replay:
    """Read a replay; ``play_through`` checks that it fits the rules.

    Raises:
        ReplayError: there is no such file, it is damaged, or of another version; the message says what is
            wrong and what is allowed.
    """
    content = read_json(path, "a replay", ReplayError)
    return replay_of(content, str(path))


def replay_of(content: object, source: str) -> Replay:
    """The replay in the content of a file; ``source`` is named in messages.

    Raises:
        ReplayError: as ``load_replay``.
    """
    taken = open_fields(content, source)
    kind = taken.text("kind")
    if kind != KIND:
        hint = "; this file holds what one seat saw, which cannot be played again" if kind == "seat" else ""
        raise taken.fail("kind", kind, repr(KIND) + hint)
    game, environment = take_game(taken)
    seats = take_seats(taken)
    task = taken.text("task")
    options = taken.take("options", "an object", lambda it: isinstance(it, dict))
    replay = Replay(
        task=task,
        game=game,
        options=options,
        seed=taken.integer("seed", 0, MAX_SEED),
        slot=taken.integer("slot", 0, _MOST),
        episode=taken.integer("episode", 0, _MOST),
        seats=seats,
        decisions=tuple(
            _decision(Fields(f"{source}: decision {number}", each, ReplayError), len(seats))
            for number, each in enumerate(taken.items("decisions"), 1)
        ),
        result=_result(taken, source),
        cards=taken.optional("cards", "a fingerprint", lambda it: isinstance(it, str)),
        environment=environment,
        version=taken.text("package"),
        source=source,
    )
    taken.end()
    return replay


def _decision(taken: Fields, n_players: int) -> Decision:
    decision = Decision(
        seat=taken.integer("seat", 0, n_players - 1),
        action=taken.integer("action", 0, _MOST),
        probabilities=take_probabilities(taken),
        value=take_value(taken),
    )
    taken.end()
    return decision


def _result(taken: Fields, source: str) -> Result | None:
    value = taken.optional("result", "an object", lambda it: isinstance(it, dict))
    if value is None:
        return None
    inner = Fields(f"{source}: result", value, ReplayError)
    result = Result(
        score=inner.number("score"),
        won=inner.yes_or_no("won"),
        illegal=inner.yes_or_no("illegal"),
        truncated=inner.yes_or_no("truncated"),
        tries=inner.integer("tries", 1, _MOST),
    )
    inner.end()
    return result


def replayed_game(replay: Replay, cards: str | PathLike[str] | None = None) -> Game:
    """The game that a replay was recorded in.

    Args:
        replay: the replay.
        cards: of Syncro, the file or folder of the cards it was played with, if not the package's own.

    Raises:
        ReplayError: an option, the number of seats or the cards do not fit; the message says which.
    """
    given = {} if cards is None else {"cards": cards}
    try:
        game: Game = make_game(replay.game, **replay.options, **given)
    except (TypeError, ValueError) as error:
        raise ReplayError(f"{replay.source}: options: {error}") from None
    now = set_up(game)
    if replay.cards != now["cards"]:
        raise ReplayError(
            f"{replay.source}: played with the cards of fingerprint {replay.cards}, which must be given; "
            f"cards={cards!r} have {now['cards']}"
        )
    for name in ("task", "options"):
        if getattr(replay, name) != now[name]:
            raise ReplayError(f"{replay.source}: {name}={getattr(replay, name)!r}: must be {now[name]!r}")
    if len(replay.seats) != game.config.n_players:
        raise ReplayError(
            f"{replay.source}: seats={list(replay.seats)!r}: must be {game.config.n_players} names"
        )
    return game


def play_through(replay: Replay, game: Game | None = None) -> Iterator[tuple[OneGame, Decision | None]]:
    """Play a recorded game again, and check it.

    Args:
        replay: the replay.
        game: what ``replayed_game`` gives, if it is there already.

    Yields:
        The position before each decision, with that decision, and at last the position after all of them,
        with ``None``. It is the same ``OneGame`` every time, valid until the next step; play nothing in it
        before the last.

    Raises:
        ReplayError: the replay does not fit the rules; the message names the decision, or what of the result
            differs.
    """
    one = OneGame(game or replayed_game(replay), "compact")
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
    if decision.action < one.n_actions and one.is_legal(decision.action):
        return
    if decision.action > one.n_actions:
        raise ReplayError(f"{where}: action={decision.action}: must be from 0 to {one.n_actions - 1}")
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
