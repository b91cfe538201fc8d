"""A moment of Syzygy as plain data, of the table's seats and positions: what pictures are drawn from.

It is made of one view of the game and holds what the observer may know, and nothing else.
"""

from typing import Any

from unspoken.envs.engine.drawing import ENDINGS, Scene
from unspoken.envs.engine.game import Game
from unspoken.envs.syzygy.config import CHIPS


def describe(game: Game, scene: Scene) -> dict[str, Any]:
    """The scene, ready for JSON.

    Returns:
        ``game``, ``variant``, ``n_players``, ``emotions``; ``observer``, the seat that sees this, or
        ``None`` with all cards turned up; ``to_act``, a seat, or ``None`` at the end; ``turn``, from 0, of
        ``n_turns``; ``phase``, ``"source"``, ``"destination"`` or ``"over"``; ``looked_at``, the position
        of the card that is being looked at, or ``None``; ``result``, ``"won"``, ``"lost"``, ``"illegal"``
        or ``None``; ``title``, ``status``, ``last_text``, three lines about these; ``last``, ``None`` or
        the last action's ``seat``, ``action`` and ``text``.

        ``cards``, by position: ``planet``, ``None`` if the observer does not know it; ``blackhole``,
        whether this card is it; ``origin``, where it lay at the start; ``chips``, by seat, the number of
        that player's chip on the card, or 0.

        ``seats``: of each the ``turns`` it has begun, in order: ``chip``, ``passed``, ``source`` and
        ``destination`` (positions at that time, or ``None``), ``emotion`` (from 0, or ``None``).
    """
    config = game.config
    n_players: int = config.n_players
    features = {name: values.tolist() for name, values in game.layout.decode(scene.features).items()}
    observer = features["seat"][0]
    relative = [(seat - observer) % n_players for seat in range(n_players)]
    turn = features["turn"][0]
    over = scene.result is not None or turn >= config.n_turns
    to_act = None if over else turn % n_players
    looked_at = None if over or features["confirmed"][0] == 0 else features["confirmed"][0] - 1
    blackhole = config.n_positions // 2 if config.has_blackhole else -1
    last = None
    if scene.last_action is not None:
        seat, action = scene.last_action
        text = "has chosen" if action is None else game.action_name(action)
        last = {"seat": seat, "action": action, "text": text}
    who = "all cards turned up" if scene.everything else f"as player_{observer} sees it"
    return {
        "game": config.game,
        "variant": config.variant,
        "n_players": n_players,
        "emotions": config.emotions,
        "observer": None if scene.everything else observer,
        "to_act": to_act,
        "turn": turn,
        "n_turns": config.n_turns,
        "phase": "over" if over else "source" if looked_at is None else "destination",
        "looked_at": looked_at,
        "result": scene.result,
        "title": f"Syzygy {config.variant}, {n_players} players: {who}",
        "status": _status(turn, config.n_turns, to_act, looked_at, scene.result),
        "last_text": f"Last: player_{last['seat']} {last['text']}" if last else "Last: -",
        "last": last,
        "cards": [
            {
                "planet": features["value"][position] or None,
                "blackhole": features["origin"][position] == blackhole,
                "origin": features["origin"][position],
                "chips": [features[f"chip_{k}"][position] for k in relative],
            }
            for position in range(config.n_positions)
        ],
        "seats": [{"turns": _turns(features, k)} for k in relative],
    }


def _turns(features: dict[str, list[int]], k: int) -> list[dict[str, Any]]:
    """What the player ``k`` seats on from the observer has done, a round each."""
    turns = []
    for chip in range(CHIPS):
        source = features[f"source_{k}"][chip]
        if source == 0:
            continue
        destination = features[f"destination_{k}"][chip]
        emotion = features[f"emotion_{k}"][chip] if f"emotion_{k}" in features else 0
        turns.append(
            {
                "chip": chip + 1,
                "passed": source == 1,
                "source": source - 2 if source > 1 else None,
                "destination": destination - 1 if destination else None,
                "emotion": emotion - 1 if emotion else None,
            }
        )
    return turns


def _status(turn: int, n_turns: int, to_act: int | None, looked_at: int | None, result: str | None) -> str:
    if result is not None:
        return f"Turn {turn} of {n_turns} is over. {ENDINGS[result]}"
    doing = "chooses a card or passes"
    if looked_at is not None:
        doing = f"looks at card {looked_at} and chooses where it goes"
    return f"Turn {turn + 1} of {n_turns}. player_{to_act} {doing}."
