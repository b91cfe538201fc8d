"""Draw the pictures of the documents: python docs/make_pictures.py."""

from pathlib import Path

import numpy as np
from PIL import Image

from unspoken.agents import load_agent
from unspoken.envs import syncro_v0, syzygy_v0
from unspoken.envs.faces.aec import GameAECEnv

IMAGES = Path(__file__).parent / "images"


def draw(env: GameAECEnv, bot: str, seed: int, decisions: int, file: str) -> None:
    """A game of a team of one bot after some decisions, as the seat to act sees it."""
    env.reset(seed=seed)
    team = load_agent(bot)
    team.reset(env.game, 1, seed=0)
    for _ in range(decisions):
        seen = env.observe(env.agent_selection)
        seat = np.array([env.possible_agents.index(env.agent_selection)], np.int8)
        actions, _ = team.act(seen["observation"][None], seen["action_mask"][None], seat, None)
        env.step(int(actions[0]))
    env.render_view = env.agent_selection
    IMAGES.mkdir(exist_ok=True)
    Image.fromarray(np.asarray(env.render(), np.uint8)).save(IMAGES / file, optimize=True)


def main() -> None:
    """Both games, some way in."""
    looks = {"render_mode": "rgb_array", "observation": "compact"}
    draw(syzygy_v0.env(**looks), "syzygy/convention", seed=5, decisions=19, file="syzygy.png")
    draw(syncro_v0.env("II-b", **looks), "syncro/solo", seed=4, decisions=22, file="syncro.png")


if __name__ == "__main__":
    main()
