"""A recorded game as one page for a browser, which needs nothing else: no network, no other file."""

import base64
import json
import zlib
from collections.abc import Sequence
from html import escape
from typing import Any

from unspoken.envs.engine.game import action_table
from unspoken.train import web
from unspoken.train.showing import Showing, Step, View, describe_result, likely_actions, view_name

_SCRIPTS = (*web.TABLE_SCRIPTS, "replay.js")
_STYLES = ("table.css", "replay.css")


def page(showing: Showing, views: Sequence[View]) -> str:
    """The page, in which a person steps through the game.

    Args:
        showing: the game.
        views: the views that the page holds, the first one shown first; it holds nothing of the others.
    """
    title = f"{showing.task}: a recorded game"
    parts = {
        "title": escape(title),
        "styles": "\n".join(map(web.read, _STYLES)),
        "data": _packed(_content(showing, views)),
        # In a script, this would end it.
        "scripts": "\n".join(map(web.read, _SCRIPTS)).replace("</script", "<\\/script"),
    }
    text = web.read("replay.html")
    for name, part in parts.items():
        text = text.replace("{{" + name + "}}", part)
    return text


def _packed(content: dict[str, Any]) -> str:
    data = json.dumps(content, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(data, 9)).decode()


def _content(showing: Showing, views: Sequence[View]) -> dict[str, Any]:
    """What ``replay.js`` is given."""
    game = showing.game
    return {
        "actions": action_table(game),
        "maxScore": game.max_score,
        "finished": showing.result is not None,
        "outcome": _outcome(showing, views),
        "views": [
            {
                "seat": view,
                "name": view_name(showing, view),
                "scenes": [game.renderer.describe(game, step.scenes[view]) for step in showing.steps],
            }
            for view in views
        ],
        "decisions": [_decision(showing, step, views) for step in showing.steps],
    }


def _outcome(showing: Showing, views: Sequence[View]) -> str:
    told = range(len(showing.agents)) if None in views else [seat for seat in views if seat is not None]
    agents = [view_name(showing, seat) for seat in told]
    return f"{describe_result(showing)} Played by {', '.join(agents)}."


def _decision(showing: Showing, step: Step, views: Sequence[View]) -> dict[str, Any] | None:
    """A decision and what was thought about it, if one of the views may know it."""
    decision = next((known for view in views if (known := step.decision_for(view)) is not None), None)
    if decision is None:
        return None
    return {
        "seat": decision.seat,
        "action": decision.action,
        "chances": likely_actions(decision),
        "value": decision.value,
    }
