"""Registers the games with Gymnasium and PettingZoo, which happens when ``unspoken.envs`` is imported."""

import gymnasium
import pettingzoo  # type: ignore[import-untyped]

GYMNASIUM_IDS = {"Syzygy-v0": "syzygy", "Syncro-v0": "syncro"}
"""Each Gymnasium id with its game, for ``gymnasium.make`` and ``gymnasium.make_vec``."""

PETTINGZOO_IDS = {
    "unspoken/syzygy_v0": "unspoken.envs.syzygy_v0",
    "unspoken/syncro_v0": "unspoken.envs.syncro_v0",
}
"""Each PettingZoo id with its module, for ``pettingzoo.make`` (from PettingZoo 1.27 on)."""


def register_all() -> None:
    """Register every game where it is not registered yet."""
    for identifier, game in GYMNASIUM_IDS.items():
        if identifier not in gymnasium.registry:
            gymnasium.register(
                identifier,
                entry_point="unspoken.envs:make_single",
                vector_entry_point="unspoken.envs:make_gym_vec",
                kwargs={"task": game},
            )
    if not hasattr(pettingzoo, "register"):
        return
    for identifier, module in PETTINGZOO_IDS.items():
        if identifier.replace("_v", "-v") not in pettingzoo.aec_registry:
            pettingzoo.register("aec", identifier, entry_point=f"{module}:env")
            pettingzoo.register("parallel", identifier, entry_point=f"{module}:parallel_env")
