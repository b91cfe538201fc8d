"""What the pages say can be read: the contrast of every text, in both colour schemes."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.browser import chromium, needs_browser
from tests.test_scene import seen
from tests.test_web_table import GAMES, positions
from unspoken.envs.engine.game import action_table
from unspoken.envs.faces.aec import GameAECEnv
from unspoken.train import web

pytestmark = [pytest.mark.slow, needs_browser]

FAINT = """() => {
    const over = ([red, green, blue, alpha], back) =>
        [red, green, blue].map((one, index) => one * alpha + back[index] * (1 - alpha));
    const light = (rgb) => rgb.map((one) => one / 255)
        .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
        .reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    /* What may lie behind an element: the colours from the page up, each stop of a gradient for itself. */
    function behind(element) {
        const chain = [];
        for (let one = element; one; one = one.parentElement) chain.unshift(getComputedStyle(one));
        const dark = matchMedia("(prefers-color-scheme: dark)").matches;
        return chain.reduce((colours, style) => {
            const stops = style.backgroundImage.match(/rgba?\\([^)]*\\)/g) || [style.backgroundColor];
            return stops.flatMap((stop) => colours.map((colour) => over(rgba(stop), colour)));
        }, [dark ? [18, 18, 18] : [255, 255, 255]]);
    }
    const found = new Map();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim()) continue;
        if (element.closest("svg, script, template, .hidden-text")) continue;
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        const style = getComputedStyle(element);
        let opacity = 1;
        for (let one = element; one; one = one.parentElement)
            opacity *= Number(getComputedStyle(one).opacity);
        const [r, g, b, a] = rgba(style.color);
        const ratio = Math.min(...behind(element).map((back) => {
            const front = over([r, g, b, a * opacity], back);
            const [low, high] = [light(front), light(back)].sort((one, two) => one - two);
            return (high + 0.05) / (low + 0.05);
        }));
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (large ? 3 : 4.5)) {
            const where = `${element.tagName}.${element.className} in ${element.parentElement.className}`;
            found.set(where, `${texts.currentNode.data.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
        }
    }
    return [...found];
}"""


@pytest.fixture(scope="module", params=["light", "dark"])
def page(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The page of a person at the table, without a server."""
    text = re.sub(
        r'<link rel="stylesheet" href="/static/([^"]+)">',
        lambda found: f"<style>{web.read(found[1])}</style>",
        web.read("play.html"),
    )
    text = re.sub(r'<script src="/static/(?:play|connection)\.js"></script>', "", text)
    text = re.sub(
        r'<script src="/static/([^"]+)"></script>',
        lambda found: f"<script>{web.read(found[1])}</script>",
        text,
    )
    text = re.sub(r"<link rel=\"icon\"[^>]*>", "", text)
    with chromium() as browser:
        page = browser.new_page(
            viewport={"width": 1000, "height": 1000}, color_scheme=request.param, reduced_motion="reduce"
        )
        page.set_content(text)
        yield page


def shown(page: Any, env: GameAECEnv) -> Iterator[list[Any]]:
    game = env._one.game
    script = """([scene, legal, actions]) => {
        document.getElementById("game").hidden = false;
        const container = document.getElementById("table");
        Unspoken.table(container, { actions, live: true, game: scene.game }).show(scene, legal, () => {});
    }"""
    for position in positions(env):
        one = position._one
        legal = np.flatnonzero(one.mask(one.seat)).tolist()
        page.evaluate(script, [seen(position, one.seat), legal, action_table(game)])
        yield page.evaluate(FAINT)


@pytest.mark.parametrize(
    "name", ["base with emotions", "trial", "first chapter", "rewards and fog", "last level"]
)
def test_every_text_of_a_table_stands_out(page: Any, name: str) -> None:
    faint = {tuple(each) for found in shown(page, GAMES[name]) for each in found}
    assert faint == set()


@pytest.mark.parametrize(
    "welcome",
    [
        {"game": "syzygy", "n_players": 4, "config": {"variant": "trial", "emotions": 2, "memory": "none"}},
        {"game": "syncro", "n_players": 5, "config": {"levels": ["I-a", "I-d", "II-c", "II-e"]}},
    ],
)
def test_every_text_of_the_page_stands_out(page: Any, welcome: dict[str, Any]) -> None:
    script = """(welcome) => {
        document.getElementById("rules-text").replaceChildren(Unspoken.rules(welcome));
        for (const one of document.querySelectorAll("[hidden]")) one.hidden = false;
        for (const one of document.querySelectorAll("details")) one.open = true;
        document.getElementById("turn").textContent = "It is your turn.";
        document.getElementById("hint").textContent = "Choose a card.";
        document.getElementById("notice").textContent = "That was too fast.";
        document.getElementById("log").replaceChildren(
            Unspoken.html("li", {}, "You pass",
                Unspoken.html("ul", {}, Unspoken.html("li", {}, "A new round"))));
    }"""
    page.evaluate(script, welcome)
    for state in ("connecting", "open", "lost", "replaced"):
        page.evaluate("(state) => { document.getElementById('connection').className = state; }", state)
        assert page.evaluate(FAINT) == []
