"""What the programs share that make a file for one task: ``TASK OUT [key=value ...]``."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from unspoken.train.cli import INTERRUPTED, USAGE_ERROR

Settings = TypeVar("Settings")


def run_program(
    name: str,
    help_texts: Sequence[str | None],
    parse: Callable[[Sequence[str]], Settings],
    work: Callable[[str, Path, Settings], object],
    arguments: Sequence[str] | None,
) -> int:
    """Read ``arguments`` (default: the command line), do ``work(TASK, OUT, settings)``, answer errors.

    Returns:
        The exit codes of ``unspoken``.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "--help" in given or "-h" in given:
        for text in help_texts:
            print(text)
        return 0
    names = [word for word in given if "=" not in word]
    try:
        if len(names) != 2 or any(word.startswith("-") for word in names):
            words = " ".join(names) or "nothing"
            raise ValueError(f"given {words}: must be TASK and OUT, then key=value; see --help")
        work(names[0], Path(names[1]), parse([word for word in given if "=" in word]))
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (ValueError, TypeError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return USAGE_ERROR
    return 0


def check_is_new(out: Path) -> None:
    """Raises ValueError if there is something at ``out`` already."""
    if out.is_dir():
        raise ValueError(f"{out}: is a folder, must be a file to write")
    if out.exists() or out.is_symlink():
        raise ValueError(f"{out}: exists already, must be a new file")
