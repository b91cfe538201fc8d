"""Syncro in words, for people (see ``unspoken.agents.words.Words``): what there is to decide, and the end.

What the others did is told by ``unspoken.agents.syncro.story``.
"""

from typing import Any

from unspoken.agents.moves import spans
from unspoken.agents.syncro.story import card_at, chose, consequences, did, spells_turned_up, target
from unspoken.agents.words import Choice, Sight

__all__ = ["chose", "consequences", "did", "spells_turned_up"]

RULES = """\
Together you destroy all monsters of the horde. All win or all lose, and
nobody may say anything: the others see your thumbs, and which spell of your
hand you put where, but not what it is. A hand keeps its order, and new spells
come to its right end.

A round is four decisions, beginning with the leader: of three wizards the
leader decides first and last, of two each twice in turn. Five wizards decide
once each. ATTACK puts a spell face down on a monster that nothing lies over,
PASS does nothing. If nobody has attacked before the last decision, that one
must. Two or three wizards never play on a monster whose top spell is their
own; of five, the last must pass if nobody else has. After the last decision
the spells are turned up: at least the strength of the monster destroys it.
With less, the lowest spell is discarded, and the others stay and count in the
next round too, which the next wizard clockwise leads.
  - A Mushroom destroyed with too much gives as many spells as it was too much.
    They are dealt one by one from the leader on, past full hands.
  - A Golem that is not destroyed swallows the lowest spell, grows by it, and
    the others on it are lost.
  - A Dragon wants its exact strength. Any difference is paid with spells from
    your hands, worth at least that, or all is lost. Each is asked once, from
    the leader on.
  - A boss is like a Dragon. The last one is like a Golem too, and cannot be
    attacked while a Cerberus is in play.
When spells have been dealt or drawn everybody shows a thumb for its hand:
good, average or bad. Thumbs are seen when all have chosen. On II-c the sums of
the hands are said instead. The level is lost when no one has a spell left
after a round and a monster still stands.

In chapter II there are Fog cards, which act when nothing lies over them any
more; lieutenants, monsters with a power that is told when they are turned up;
and Rewards: each wizard holds one at most, which only it sees, and plays it
before its attack or pass, which it does not replace."""

PICTURE = """\
First come the deck, the discards and what is in force. Then the places of the
horde by their numbers, each row over the one above it; a number in [ ] has
nothing over it. Then what lies there: the card with its strength, or only its
back; and in [ ] the spells on it: how many lie face up, with their sum, how
many face down, with the sum of those you know, whose is on top, and what a
Golem has absorbed. Last come the wizards: > is to act, L leads; hands with ?
for what you do not know, what was said of them, and their plays."""

_QUESTIONS = {
    "estimate": "Show a thumb for your hand. All thumbs are seen when everybody has chosen.",
    "keep": "The level is won. Keep your whole hand for the next one, or discard all of it?",
}
_NOW = {
    "turn": "now you attack or pass",
    "estimate": "now you show a thumb: good, average or bad",
    "discard": "now you discard for a Dragon, or stop",
    "target": "now you choose a target",
    "keep": "now you keep or discard your hand",
}
_WHEN = {
    "ATTACK": "turn",
    "PASS": "turn",
    "PLAY REWARD": "turn",
    "ESTIMATE": "estimate",
    "DISCARD": "discard",
    "STOP": "discard",
    "TARGET": "target",
    "KEEP": "keep",
    "DISCARD ALL": "keep",
}
_MEANINGS = {
    "PASS": "play nothing in this decision",
    "STOP": "discard nothing more",
    "KEEP": "take your hand into the next level",
    "DISCARD ALL": "drop your hand, and draw a new one",
}
_THUMBS = {1: "thumb up", 2: "thumb level", 3: "thumb down"}


def question(sight: Sight, legal: list[int]) -> str:
    """What there is to decide, with the spells of the hand by their places."""
    scene = sight.scene
    decision = scene["decision"]
    kinds = {sight.game.actions[action].kind for action in legal}
    if decision == "turn":
        text = f"Decision {scene['position'] + 1} of the round."
        if "ATTACK" not in kinds:
            text += " You can only pass" if "PLAY REWARD" not in kinds else " You cannot attack"
            text += f": {_why_pass(sight)}."
        elif "PASS" not in kinds:
            text += f" You must attack: {_why_attack(sight)}."
        own = scene["seats"][scene["to_act"]]
        if own["reward"] and "PLAY REWARD" not in kinds:
            text += f"\nYour Reward, which cannot be played now: {own['reward']}. {own['reward_text']}"
    elif decision == "discard":
        text = (
            f"{card_at(scene, scene['foe'])} is owed {scene['owed']}. If it is not paid, the level is lost."
        )
        if pays_last(scene):
            text += " Nobody is asked after you."
    elif decision == "target":
        text = f"Choose for {scene['fog']['card']}: {scene['fog']['card_text']}"
    else:
        text = _QUESTIONS[decision]
    if kinds & {"ATTACK", "DISCARD"}:
        hand = scene["seats"][scene["to_act"]]["hand"]
        text += "\nYour spells: " + ", ".join(f"{slot} is a {value}" for slot, value in enumerate(hand)) + "."
    return text


def pays_last(scene: dict[str, Any]) -> bool:
    """Whether nobody pays after the wizard to act: each with spells is asked once, from the leader on."""
    players: int = scene["n_players"]
    place = (scene["to_act"] - scene["leader"]) % players
    later = [(scene["leader"] + other) % players for other in range(place + 1, players)]
    return not any(scene["seats"][seat]["hand"] for seat in later)


def _why_pass(sight: Sight) -> str:
    scene = sight.scene
    if not scene["seats"][scene["to_act"]]["hand"]:
        return "you have no spells"
    if scene["n_players"] == 5 and scene["position"] == 4:
        return "nobody has passed in this round"
    return "your own spell lies on top of every monster that could be attacked"


def _why_attack(sight: Sight) -> str:
    rules = sight.scene["fog"]["rules"] if sight.scene["fog"] else []
    if "pass" in rules:
        return "a curse forbids to pass"
    if "leader_attacks" in rules and sight.scene["position"] == 0:
        return "a curse wants it of the leader"
    return "nobody has attacked in this round"


def choices(sight: Sight, legal: list[int]) -> list[Choice]:
    """Attacks and discards in one line for each monster, the others in a line of their own."""
    actions = sight.game.actions
    attacks: dict[int, list[int]] = {}
    discards: list[int] = []
    others = []
    for action in legal:
        meaning = actions[action]
        if meaning.kind == "ATTACK":
            attacks.setdefault(meaning.slot, []).append(action)
        elif meaning.kind == "DISCARD":
            discards.append(action)
        else:
            others.append(Choice((action,), sight.game.action_name(action), _meaning(sight, meaning)))
    found = []
    for slot, group in sorted(attacks.items()):
        hands = spans(actions[action].hand for action in group)
        found.append(
            Choice(tuple(group), f"ATTACK {slot} with {hands}", f"a spell on {card_at(sight.scene, slot)}")
        )
    if discards:
        hands = spans(actions[action].hand for action in discards)
        found.append(Choice(tuple(discards), f"DISCARD {hands}", "pay with that spell"))
    return found + others


def _meaning(sight: Sight, action: Any) -> str:
    """What an action does that is a line of its own."""
    scene = sight.scene
    if action.kind == "ESTIMATE":
        return _THUMBS[action.estimate]
    if action.kind == "PLAY REWARD":
        own = scene["seats"][scene["to_act"]]
        return f"{own['reward']}: {own['reward_text']} Then you still attack or pass."
    if action.kind == "TARGET":
        return target(scene, action.slot)
    return _MEANINGS[action.kind]


def refusal(sight: Sight, action: int) -> str:
    """Why an action is not legal."""
    scene = sight.scene
    meaning = sight.game.actions[action]
    if _WHEN[meaning.kind] != scene["decision"]:
        return _NOW[scene["decision"]]
    own = scene["seats"][scene["to_act"]]
    if meaning.hand >= len(own["hand"]):
        return f"you have no spell {meaning.hand}"
    if meaning.kind == "ATTACK":
        return _why_not_attack(sight, meaning.hand, meaning.slot)
    if meaning.kind == "PASS":
        return f"you must attack: {_why_attack(sight)}"
    if meaning.kind == "PLAY REWARD":
        if not own["has_reward"]:
            return "you have no Reward"
        forbidden = "reward" in scene["fog"]["rules"]
        return "a curse forbids it" if forbidden else "what it needs is not there"
    return "this card cannot have that target"


def _why_not_attack(sight: Sight, hand: int, number: int) -> str:
    scene = sight.scene
    slots = scene["slots"]
    if number >= len(slots) or slots[number]["state"] in ("none", "gone"):
        return f"there is no card in slot {number}"
    slot = slots[number]
    if not slot["accessible"]:
        return f"another card lies over slot {number}"
    if slot["state"] == "down":
        return "it lies face down"
    if slot["kind"] == "boss" and any(each["kind"] == "cerberus" for each in slots if each["state"] == "up"):
        return "the boss cannot be attacked before both Cerberus are gone"
    if scene["n_players"] <= 3 and slot["top_by"] == scene["to_act"]:
        return "your own spell lies on top of it"
    size = len(scene["seats"][scene["to_act"]]["hand"])
    rules = scene["fog"]["rules"] if scene["fog"] else []
    if "end_cards" in rules and 0 < hand < size - 1:
        return "a curse allows only the leftmost and the rightmost spell"
    return "you must pass: nobody has passed in this round"


def together(sight: Sight) -> bool:
    """Thumbs, and keeping a hand."""
    return sight.scene["decision"] in ("estimate", "keep")


def all_chose(before: Sight, after: Sight) -> bool:
    """Whether the last thumb has been shown, or the last hand kept: they choose from the leader clockwise."""
    old, new = before.scene, after.scene
    if new["decision"] != old["decision"]:
        return True
    places = [(scene["to_act"] - scene["leader"]) % scene["n_players"] for scene in (old, new)]
    return bool(places[1] <= places[0])


def ending(turned_up: Sight) -> str:
    """Won or lost, why, and what was left of the horde."""
    scene = turned_up.scene
    if scene["result"] == "won":
        return "The last monster is gone: you have all won."
    left = [
        card_at(scene, number)
        for number, slot in enumerate(scene["slots"])
        if slot["state"] in ("down", "up") and slot["back"] != "fog"
    ]
    return f"You have all lost{_why_lost(scene)}. Left of the horde: {', '.join(left)}."


def _why_lost(scene: dict[str, Any]) -> str:
    if scene["owed"]:
        return f": {card_at(scene, scene['foe'])} was still owed {scene['owed']}"
    return "" if any(seat["hand"] for seat in scene["seats"]) else ": nobody has a spell left"
