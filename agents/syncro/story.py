"""What happens in a game of Syncro, in sentences, as one of the wizards sees it.

Spells are told when they have been turned up for everybody, never before.
"""

from typing import Any

from unspoken.agents.words import Sight, sentence, verb, who
from unspoken.envs.syncro.tables import fog_kinds, reward_kinds
from unspoken.envs.syncro.wording import effects_text

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def card_at(scene: dict[str, Any], number: int) -> str:
    """A card of the horde: ``Clay Golem 5 in slot 8``."""
    slot = scene["slots"][number]
    name = slot["name"] or f"the face-down {slot['back']} card"
    strength = f" {slot['strength']}" if slot["strength"] else ""
    return f"{name}{strength} in slot {number}"


def target(scene: dict[str, Any], number: int) -> str:
    """Who or what a TARGET is: a wizard, so many seats clockwise, or a card of the horde."""
    if scene["targets"] == "wizards":
        return f"player_{(scene['to_act'] + number) % scene['n_players']}"
    return card_at(scene, number)


def did(before: Sight, after: Sight, turned_up: Sight, seat: int, action: int) -> str:
    """For example ``player_1 puts its third spell on Clay Golem 5 in slot 8``."""
    meaning = before.game.actions[action]
    scene = before.scene
    subject = sentence(who(seat, before))
    own = "your" if seat == scene["observer"] else "its"
    if meaning.kind == "ATTACK":
        slot = scene["slots"][meaning.slot]
        put = verb(seat, before, "put")
        spell = f"{own} {_ORDINALS[meaning.hand]} spell"
        return f"{subject} {put} {spell} on {slot['name']} {slot['strength']} in slot {meaning.slot}."
    if meaning.kind == "PASS":
        return f"{subject} {verb(seat, before, 'pass', 'passes')}."
    if meaning.kind == "PLAY REWARD":
        return f"{subject} {verb(seat, before, 'play')} {own} Reward{_reward_played(before, after, seat)}"
    if meaning.kind == "DISCARD":
        value = turned_up.scene["seats"][seat]["hand"][meaning.hand]
        return f"{subject} {verb(seat, before, 'discard')} a {value} for the Dragon."
    if meaning.kind == "STOP":
        return f"{subject} {verb(seat, before, 'stop')} discarding."
    return f"{subject} {verb(seat, before, 'choose')} {target(scene, meaning.slot)}."


def _reward_played(before: Sight, after: Sight, seat: int) -> str:
    """``: Lantern, "A face-down monster of your choice is turned up."``"""
    rewards = reward_kinds(before.game.config.card_set)
    grown = after.features["reward_discards"] - before.features["reward_discards"]
    found = [card for card, more in zip(rewards, grown, strict=True) if more > 0]
    if not found:
        applied = after.scene["fog"]["card"]
        found = [card for card in rewards if card.name == applied]
    if not found:
        return "."
    actor = "you" if seat == before.scene["observer"] else f"player_{seat}"
    return f': {found[0].name}, "{effects_text(found[0], actor)}"'


def chose(sight: Sight, choices: dict[int, int]) -> list[str]:
    """All thumbs, or who keeps its hand."""
    actions = sight.game.actions
    said = []
    for seat, action in sorted(choices.items()):
        meaning = actions[action]
        text = {"KEEP": "kept", "DISCARD ALL": "discarded"}.get(meaning.kind)
        said.append(f"{who(seat, sight)} {text or ('good', 'average', 'bad')[meaning.estimate - 1]}")
    head = "Thumbs" if sight.scene["decision"] == "estimate" else "Hands"
    return [f"{head}: {', '.join(said)}."]


def consequences(before: Sight, after: Sight, turned_up: Sight) -> list[str]:
    """What was turned up, destroyed, drawn; a new round, try or level."""
    old, new = before.scene, after.scene
    slots = sorted(
        range(len(old["slots"])), key=lambda slot: (-old["slots"][slot]["row"], old["slots"][slot]["left"])
    )
    another, won = _another(old, new), _won(old, new)
    if another or won:
        # The table has been cleared. A level is won only when all spells on it have been turned up.
        hits = [_hit(slot, before, after, turned_up) for slot in slots if won]
        lines = [f"{hit} and destroyed." for hit in hits if hit]
        if old["decision"] != "keep":
            lines.append(f"Level {old['level']} is {'won' if won else 'lost'}.")
        if another:
            lines.append(f"Level {new['level']} ({new['level_name']}), try {new['tries']}, begins.")
    else:
        lines = [line for slot in slots for line in _resolved(slot, before, after, turned_up)]
        lines += [line for slot in slots for line in _turned_up(slot, old, new)]
        lines += _fog(before, after) + _hands(before, after)
        if old["leader"] != new["leader"]:
            leader = new["leader"]
            lines.append(f"A new round: {who(leader, after)} {verb(leader, after, 'lead')}.")
    return [sentence(line) for line in lines]


def spells_turned_up(before: Sight, after: Sight, turned_up: Sight) -> list[tuple[int, int, int]]:
    """The spells that all have seen since ``before``: ``(slot, seat, value)``, seats as they played."""
    old, new = before.scene, after.scene
    won = _won(old, new)
    if _another(old, new) and not won:
        return []
    found = []
    for number, slot in enumerate(new["slots"] if not won else old["slots"]):
        if won or slot["state"] == "gone" or not slot["spells_down"]:
            found += [(number, seat, value) for seat, value in _spells(number, before, after, turned_up)]
    return found


def _another(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether another level has begun, or the same one anew."""
    return (old["level"], old["tries"]) != (new["level"], new["tries"])


def _won(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether a level has been won, and another follows."""
    return bool(new["decision"] == "keep" != old["decision"] or old["level"] != new["level"])


def _spells(number: int, before: Sight, after: Sight, turned_up: Sight) -> list[tuple[int, int]]:
    """Of the spells that lay face down on a monster, or were put there last: whose, and what they are."""
    spells = []
    if before.scene["slots"][number]["spells_down"]:
        for seat, each in enumerate(turned_up.scene["seats"]):
            spells += [(seat, play["value"]) for play in each["plays"] if play["slot"] == number]
    last = after.scene["last"]
    meaning = None if last["action"] is None else before.game.actions[last["action"]]
    if meaning is not None and meaning.kind == "ATTACK" and meaning.slot == number:
        hand = turned_up.scene["seats"][last["seat"]]["hand"]
        spells.append((last["seat"], hand[meaning.hand]))
    return spells


def _hit(number: int, before: Sight, after: Sight, turned_up: Sight) -> str:
    """The spells that lay face down on a monster, or were put there last: all have seen them since."""
    spells = _spells(number, before, after, turned_up)
    if not spells:
        return ""
    parts = [f"{_whose(seat, before)} {value}" for seat, value in spells]
    left = before.scene["slots"][number]["sum_up"]
    if left:
        parts.append(f"{left} left from before")
    if len(parts) > 1:
        parts.append(f"{sum(value for _, value in spells) + left} in all")
    return f"{card_at(before.scene, number)} is hit by {', '.join(parts)}"


def _whose(seat: int, sight: Sight) -> str:
    return "your" if seat == sight.scene["observer"] else f"player_{seat}'s"


def _resolved(number: int, before: Sight, after: Sight, turned_up: Sight) -> list[str]:
    """How a monster was resolved, if it was."""
    old, new = before.scene["slots"][number], after.scene["slots"][number]
    if old["back"] == "fog" or old["state"] != "up":
        return []
    gone = new["state"] == "gone"
    hit = _hit(number, before, after, turned_up) if gone or not new["spells_down"] else ""
    card = card_at(before.scene, number)
    asks = after.scene["decision"] == "discard" and after.scene["foe"] == number
    if gone:
        return [f"{hit} and destroyed." if hit else f"{card} is destroyed."]
    if asks and before.scene["foe"] != number:
        return [f"{hit or card + ' is resolved'}. It wants {after.scene['owed']} more from your hands."]
    if new["absorbed"] > old["absorbed"]:
        swallowed = f"It swallows a {new['absorbed'] - old['absorbed']}: strength {new['strength']} now."
        return [f"{hit}. {swallowed}" if hit else f"{card}: {swallowed}"]
    if hit:
        stay = f"{new['spells_up']} of its spells stay, {new['sum_up']} in all" if new["spells_up"] else ""
        return [f"{hit}. It stands{'; ' + stay if stay else ''}."]
    if new["spells_up"] < old["spells_up"]:
        return [f"{card} stands, and loses the lowest spell on it."]
    return []


def _turned_up(number: int, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    was, now = old["slots"][number]["state"], new["slots"][number]["state"]
    if was == "down" and now == "up":
        slot = new["slots"][number]
        power = f" {slot['text']}" if slot["kind"] in ("lieutenant", "boss", "cerberus") else ""
        return [f"Turned up: {card_at(new, number)}.{power}"]
    if was == "down" and now == "gone" and old["slots"][number]["back"] == "fog":
        return [f"The Fog card in slot {number} is turned up."]
    return []


def _fog(before: Sight, after: Sight) -> list[str]:
    """Fog cards that have been turned up, with what they do; some wait for a choice before they are done."""
    if before.scene["fog"] is None:
        return []
    cards = fog_kinds(before.game.config.card_set)
    grown = after.features["fog_seen"] - before.features["fog_seen"]
    waited, waits = before.scene["fog"]["card"], after.scene["fog"]["card"]
    seen = [
        card
        for card, more in zip(cards, grown, strict=True)
        if (more > 0 and card.name != waited) or waited != waits == card.name
    ]
    return [f'Fog: {card.name}, "{effects_text(card)}"' for card in seen]


def _hands(before: Sight, after: Sight) -> list[str]:
    """How many spells were drawn or lost, Rewards drawn, sums said."""
    last = after.scene["last"]
    meaning = None if last["action"] is None else before.game.actions[last["action"]]
    changes, rewards, sums = [], [], []
    for seat, (old, new) in enumerate(zip(before.scene["seats"], after.scene["seats"], strict=True)):
        change = len(new["hand"]) - len(old["hand"])
        if meaning is not None and seat == last["seat"] and meaning.kind in ("ATTACK", "DISCARD"):
            change += 1
        name = who(seat, after)
        if change:
            changes.append(f"{name} {change:+d}")
        if new["has_reward"] and not old["has_reward"]:
            rewards.append(name)
        if new["said_sum"] and new["said_sum"] != old["said_sum"]:
            sums.append(f"{name} {new['said_sum']}")
    lines = [f"Spells: {', '.join(changes)}."] if changes else []
    lines += [f"A Reward for {', '.join(rewards)}."] if rewards else []
    return [*lines, f"Sums of the hands: {', '.join(sums)}."] if sums else lines
