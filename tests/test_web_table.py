"""The table of the pages: it offers exactly the legal actions, and tells no more than its scene."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.browser import chromium, needs_browser
from tests.face_games import draw_legal
from tests.test_scene import seen
from unspoken.envs import syncro_v0, syzygy_v0
from unspoken.envs.engine.game import Game, action_table
from unspoken.envs.faces.aec import GameAECEnv
from unspoken.train import web
from unspoken.train.server.match import Match

pytestmark = [pytest.mark.slow, needs_browser]

OFFERED = """([scene, legal, actions]) => {
    const container = document.getElementById("table");
    const table = Unspoken.table(container, { actions, live: true, game: scene.game });
    const found = [];
    function follow(path) {
        let played = null;
        table.show(scene, legal, (action) => { played = action; });
        let open = [];
        for (let step = 0; step <= path.length; step += 1) {
            const kinds = [".can, .control", ".target, .control.armed", ".choices .control"][step];
            open = [...container.querySelectorAll(kinds)].filter((one) => !one.hasAttribute("aria-disabled"));
            if (step === path.length) break;
            // What is in the hand already is not taken up again.
            if (step > 0 || !open[path[step]].classList.contains("chosen")) open[path[step]].click();
            if (played !== null) { found.push(played); return; }
        }
        open.forEach((_, index) => follow([...path, index]));
    }
    if (legal.length) follow([]);
    return found;
}"""


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1000, "height": 1000}, reduced_motion="reduce")
        names = (*web.TABLE_SCRIPTS, "events.js", "hints.js")
        scripts = "".join(f"<script>{web.read(name)}</script>" for name in names)
        page.set_content(
            f"<!doctype html><style>{web.read('table.css')}</style><div id='table'></div>{scripts}"
        )
        yield page


GAMES = {
    "base with emotions": syzygy_v0.env(n_players=3, emotions=3),
    "trial": syzygy_v0.env(n_players=6, variant="trial"),
    "twelve planets": syzygy_v0.env(n_players=2, n_planets=12),
    "first level": syncro_v0.env("I-a", n_players=5),
    "first chapter": syncro_v0.env("chapter-1", n_players=2),
    "dragons": syncro_v0.env("I-c", n_players=3),
    "rewards and fog": syncro_v0.env("II-b", n_players=4),
    "last level": syncro_v0.env("II-e", n_players=3),
}


def positions(env: GameAECEnv) -> Iterator[GameAECEnv]:
    """Every third position of a game in which Rewards are played as soon as they can be, and all choices of
    targets."""
    random = np.random.default_rng(4)
    names = [entry["name"] for entry in action_table(env._one.game)]
    env.reset(seed=2)
    for decision in range(60):
        mask = env._one.mask(env._one.seat)
        kinds = {names[action].partition(" ")[0] for action in np.flatnonzero(mask)}
        if decision % 3 == 0 or kinds & {"TARGET", "KEEP", "DISCARD", "STOP"}:
            yield env
        if env._one.finished:
            break
        rewarded = "PLAY REWARD" in names and mask[names.index("PLAY REWARD")]
        env.step(names.index("PLAY REWARD") if rewarded else draw_legal(random, mask))


@pytest.mark.parametrize("name", GAMES)
def test_the_table_offers_each_legal_action_once_and_no_other(page: Any, name: str) -> None:
    env = GAMES[name]
    one = env._one
    actions = action_table(one.game)
    for position in positions(env):
        legal = np.flatnonzero(one.mask(one.seat)).tolist()
        offered = page.evaluate(OFFERED, [seen(position, one.seat), legal, actions])
        assert sorted(offered) == legal


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_of_a_table_has_nothing_to_press(page: Any, name: str) -> None:
    script = """(scene) => {
        const container = document.getElementById("table");
        Unspoken.table(container).show(scene);
        return container.querySelectorAll("button, [data-item]").length;
    }"""
    for position in positions(GAMES[name]):
        for everything in (False, True):
            assert page.evaluate(script, seen(position, 0, everything)) == 0


TOLD = """([scenes, decisions, actions]) => {
    const container = document.getElementById("table");
    const names = scenes[0].seats.map((_, seat) => (seat ? `Player ${seat + 1}` : "You"));
    const table = Unspoken.table(container, { actions, names, game: scenes[0].game });
    const name = (seat) => names[seat];
    return decisions.map(([seat, action, spells], index) => [
        table.tells(action, seat, scenes[index]),
        table.tells(action, seat, null),
        table.tells(null, seat, null),
        ...Unspoken.events(scenes[index], scenes[index + 1], { name, place: (slot) => slot + 1, spells }),
    ]);
}"""


def play_match(game: Game, seed: int, most: int = 150) -> tuple[list[Any], list[Any]]:
    """A game of random moves, few of them passes: the scenes of seat 0, and ``[seat, action, spells turned
    up]`` of each decision."""
    match = Match(game, ["person", *["random"] * (game.config.n_players - 1)], seed, 0)
    random = np.random.default_rng(seed)
    match.begin()
    scenes, decisions = [match.scene(0)], []
    while not match.one.finished and len(decisions) < most:
        legal = match.legal()
        active = [action for action in legal if game.actions[action].kind not in ("PASS", "STOP")]
        action = int(random.choice(active if active and random.random() < 0.7 else legal))
        seat = match.one.seat
        match.play(action)
        decisions.append([seat, action, match.log(0)[-1]["spells"]])
        scenes.append(match.scene(0))
    return scenes, decisions


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_told_in_sentences(page: Any, name: str) -> None:
    game = GAMES[name]._one.game
    scenes, decisions = play_match(game, 6)
    told = [text for each in page.evaluate(TOLD, [scenes, decisions, action_table(game)]) for text in each]
    assert len(told) >= 3 * len(decisions)
    assert [text for text in told if not text or "undefined" in text or "null" in text or "NaN" in text] == []
    assert [text for text in told if text.startswith("You ") and text.split()[1].endswith("ses")] == []


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("first chapter", {"hit", "drawn", "another"}),
        ("dragons", {"hit", "debt"}),
        ("rewards and fog", {"hit", "drawn", "seen", "rewards_played", "changed"}),
        ("last level", {"hit", "drawn", "debt", "seen", "rewards_played", "changed"}),
    ],
)
def test_what_happened_is_told_and_nothing_else(page: Any, name: str, wanted: set[str]) -> None:
    game = GAMES[name]._one.game
    kinds: set[str] = set()
    for seed in range(6):
        scenes, decisions = play_match(game, seed)
        told = page.evaluate(TOLD, [scenes, decisions, action_table(game)])
        steps = zip(scenes, scenes[1:], decisions, told, strict=False)
        for before, after, (seat, action, spells), (_, _, _, *events) in steps:
            text = " ".join(events)
            if before["level"] != after["level"] or before["tries"] != after["tries"]:
                assert f"Level {before['level']} is " in text or before["decision"] == "keep"
                kinds.add("another")
                continue
            for slot, whose, value in spells:
                owner = "your" if whose == 0 else f"Player {whose + 1}'s"
                assert f"{before['slots'][slot]['name']}, place {slot + 1}, is hit by " in text
                assert f"{owner} {value}" in text
                kinds.add("hit")
            gone = [
                slot["name"]
                for slot, now in zip(before["slots"], after["slots"], strict=True)
                if (slot["state"], now["state"]) == ("up", "gone")
            ]
            assert text.count(" is defeated.") == len(gone)
            # Spells that wait for a Dragon's debt stay neither here nor there.
            foe = after["foe"] if after["decision"] == "discard" else None
            if foe is not None:
                assert f"place {foe + 1}, (strength" not in text
                kinds.add("debt")
            hand = before["seats"][0]["hand"]
            if seat == 0 and game.actions[action].kind in ("ATTACK", "DISCARD"):
                hand = [value for index, value in enumerate(hand) if index != game.actions[action].hand]
            now = after["seats"][0]["hand"]
            if now != hand:
                drawn = now[: len(hand)] == hand
                line = f"You draw {', '.join(map(str, now[len(hand) :]))}." if drawn else "Your hand is now "
                assert line in text
                kinds.add("drawn" if drawn else "changed")
            else:
                assert "You draw" not in text
                assert "Your hand" not in text
            if after["fog"]:
                for pile in ("seen", "rewards_played"):
                    for card, _, copies in after["fog"][pile]:
                        old = {each: many for each, _, many in before["fog"][pile]}
                        if copies > old.get(card, 0) and card != before["fog"]["card"]:
                            assert f"{card}: " in text
                            kinds.add(pile)
    assert kinds >= wanted


@pytest.mark.parametrize("name", ["first level", "first chapter", "rewards and fog", "last level"])
def test_a_hint_says_what_is_allowed(page: Any, name: str) -> None:
    game = GAMES[name]._one.game
    actions = action_table(game)
    script = """(rows) => rows.map(([scene, legal, actions]) =>
        Unspoken.hint({ scene, legal, your_turn: true }, (seat) => `Wizard ${seat + 1}`, actions))"""
    rows, told = [], []
    for seed in range(2):
        match = Match(game, ["person"] * game.config.n_players, seed, 0)
        random = np.random.default_rng(seed)
        match.begin()
        while not match.one.finished and len(rows) < 150 * (seed + 1):
            legal = match.legal()
            rows.append([match.scene(match.one.seat), legal, actions])
            kind = random.choice(sorted({game.actions[action].kind for action in legal}))
            match.play(int(random.choice([each for each in legal if game.actions[each].kind == kind])))
    told = page.evaluate(script, rows)
    for (scene, legal, _), text in zip(rows, told, strict=True):
        assert text
        assert "undefined" not in text
        if scene["decision"] != "turn":
            continue
        kinds = {game.actions[action].kind for action in legal}
        assert ("You must attack" in text) == ("PASS" not in kinds)
        assert ("You can only pass" in text) == ("ATTACK" not in kinds)
        assert ("Or pass" in text) == ({"PASS", "ATTACK"} <= kinds)
        assert ("play your Reward" in text) == ("PLAY REWARD" in kinds)
    assert any("You must attack" in text for text in told)


def test_text_of_a_scene_is_never_read_as_html(page: Any) -> None:
    env = GAMES["rewards and fog"]
    env.reset(seed=0)
    scene = seen(env, env._one.seat)
    harmful = "<img src=x onerror=alert(1)>"
    scene["level_name"] = harmful
    for slot in scene["slots"]:
        slot.update(name=harmful, text=harmful)
    scene["seats"][0].update(has_reward=True, reward=harmful, reward_text=harmful)
    script = """(scene) => {
        const container = document.getElementById("table");
        Unspoken.table(container, { names: scene.names }).show(scene);
        return [container.querySelectorAll("img").length, container.textContent.includes("<img")];
    }"""
    assert page.evaluate(script, {**scene, "names": [harmful] * 4}) == [0, True]


@pytest.mark.parametrize("level", ["I-a", "II-a", "II-e"])
def test_no_word_on_a_monster_is_cut_off_or_covers_another(page: Any, level: str) -> None:
    script = """(scene) => {
        const container = document.getElementById("table");
        Unspoken.table(container).show(scene);
        const box = (element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            return range.getBoundingClientRect();
        };
        const faults = [];
        for (const slot of container.querySelectorAll(".slot-up")) {
            const [card, name] = [slot.getBoundingClientRect(), box(slot.querySelector(".slot-name"))];
            if (name.left < card.left || name.right > card.right) faults.push(slot.textContent);
            const [number, strength] = [slot.querySelector(".slot-number"), slot.querySelector(".strength")];
            if (!strength) continue;
            const [one, other] = [box(number), box(strength)];
            const beside = one.left >= other.right || one.right <= other.left;
            if (!beside && one.top < other.bottom - 0.3 * other.height) faults.push(slot.textContent);
        }
        return faults;
    }"""
    env = syncro_v0.env(level, n_players=3)
    env.reset(seed=2)
    assert page.evaluate(script, seen(env, 0, True)) == []


def test_only_who_is_to_play_is_offered_a_card_to_look_at(page: Any) -> None:
    script = """(scene) => {
        const container = document.getElementById("table");
        Unspoken.table(container, { live: true, you: scene.observer }).show(scene, []);
        return container.querySelectorAll(".glass-place").length;
    }"""
    env = syzygy_v0.env(n_players=3)
    env.reset(seed=2)
    assert [page.evaluate(script, seen(env, seat)) for seat in range(3)] == [1, 0, 0]
