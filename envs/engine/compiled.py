"""Keeping numba's cache of compiled functions on disk honest.

Numba compiles a function again when its own file has changed, but not when a function that it calls has, in
another file. A change of the rules would go unseen by the compiled loops over the games. So what was compiled
before the newest source file of the engine was written is forgotten.
"""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import config


def forget_stale_code(sources: Sequence[Path], modules: Sequence[ModuleType]) -> None:
    """Delete cached machine code of ``modules`` that is older than the newest source in the folders."""
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    newest = max(file.stat().st_mtime for folder in sources for file in folder.glob("*.py"))
    for module in modules:
        for function in vars(module).values():
            stats: Any = getattr(function, "stats", None)
            folder = getattr(stats, "cache_path", None)
            if folder is None:
                continue
            for index in Path(folder).glob(f"{module.__name__.rpartition('.')[2]}.{function.__name__}-*.nbi"):
                try:
                    if index.stat().st_mtime < newest:
                        index.unlink()
                except OSError:
                    # Another process was faster, or the folder is read-only: then nothing there can be stale
                    # for long.
                    continue
