"""Machine code on disk is never older than the rules it was compiled from."""

import os
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from unspoken.agents import load_agent
from unspoken.agents.syncro import view
from unspoken.envs import make_game
from unspoken.envs.engine.compiled import forget_stale_code


def module_with_cached_code(cache: Path) -> ModuleType:
    module = ModuleType("package.kernels")
    module.step_games = SimpleNamespace(  # type: ignore[attr-defined]
        __name__="step_games", stats=SimpleNamespace(cache_path=str(cache))
    )
    return module


@pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is cached without the compiler"
)
@pytest.mark.parametrize(("compiled_at", "kept"), [(100, False), (300, True)])
def test_code_compiled_before_the_newest_source_is_deleted(
    tmp_path: Path, compiled_at: int, kept: bool
) -> None:
    sources, cache = tmp_path / "sources", tmp_path / "cache"
    sources.mkdir()
    cache.mkdir()
    for name, written_at in [("rules.py", 200), ("state.py", 50)]:
        (sources / name).touch()
        os.utime(sources / name, (written_at, written_at))
    index = cache / "kernels.step_games-12.py311.nbi"
    other = cache / "kernels.step_games_of_another_name-3.py311.nbi"
    for file in (index, other):
        file.touch()
        os.utime(file, (compiled_at, compiled_at))
    forget_stale_code([sources], [module_with_cached_code(cache)])
    assert index.exists() == kept
    assert other.exists()


def test_also_that_of_an_agent_that_is_loaded_later(monkeypatch: pytest.MonkeyPatch) -> None:
    view._forget_stale_code.cache_clear()
    looked_at: list[set[str]] = []
    monkeypatch.setattr(
        view,
        "forget_stale_code",
        lambda sources, modules: looked_at.append({module.__name__.rpartition(".")[2] for module in modules}),
    )
    for name in ("solo", "estimate", "solo"):
        load_agent(f"syncro/{name}").reset(make_game("syncro-Ia-3p"), 1, 0)
    assert len(looked_at) == 2
    assert "solo" in looked_at[0]
    assert {"solo", "estimate"} <= looked_at[1]
    view._forget_stale_code.cache_clear()
