"""The games are registered with Gymnasium and PettingZoo on import, once."""

import warnings

import gymnasium
import pettingzoo
import pytest

from unspoken.envs.faces.aec import GameAECEnv
from unspoken.envs.faces.parallel import GameParallelEnv
from unspoken.envs.registration import register_all


def test_gymnasium_knows_the_game_and_its_vector_form() -> None:
    spec = gymnasium.spec("Syzygy-v0")
    assert spec.entry_point == "unspoken.envs:make_single"
    assert spec.vector_entry_point == "unspoken.envs:make_gym_vec"


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
def test_pettingzoo_knows_the_game_in_both_forms() -> None:
    for name in ("unspoken/syzygy_v0", "unspoken/syzygy-v0"):
        env = pettingzoo.make("aec", name, n_players=3)
        assert isinstance(env, GameAECEnv)
        assert env.config.n_players == 3
        assert isinstance(pettingzoo.make("parallel", name), GameParallelEnv)


def test_registering_twice_changes_nothing_and_does_not_warn() -> None:
    before = dict(gymnasium.registry)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_all()
    assert dict(gymnasium.registry) == before


def test_an_older_pettingzoo_without_a_registry_is_tolerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    register_all()
