"""Draw the pictures of the documents: python docs/make_pictures.py."""

from pathlib import Path

import numpy as np
from matplotlib import image

from unspoken.agents import load_agent
from unspoken.envs import syzygy_v0

IMAGES = Path(__file__).parent / "images"
DECISIONS = 19


def main() -> None:
    """A game of the convention team after some turns, as one seat sees it."""
    env = syzygy_v0.env(render_mode="rgb_array", observation="compact")
    env.reset(seed=5)
    team = load_agent("syzygy/convention")
    team.reset(env.game, 1, seed=0)
    for _ in range(DECISIONS):
        seen = env.observe(env.agent_selection)
        seat = np.array([env.possible_agents.index(env.agent_selection)], np.int8)
        actions, _ = team.act(seen["observation"][None], seen["action_mask"][None], seat, None)
        env.step(int(actions[0]))
    env.render_view = env.agent_selection
    IMAGES.mkdir(exist_ok=True)
    image.imsave(IMAGES / "syzygy.png", env.render())


if __name__ == "__main__":
    main()
