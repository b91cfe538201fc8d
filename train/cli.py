"""The command line: ``unspoken COMMAND ...``.

Each command lives in a module with ``add_arguments(parser)`` and ``run(arguments)``, imported when the
command is used: what needs no torch runs without it.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from unspoken.envs import __version__
from unspoken.train.text import plain

COMMANDS = {
    "tasks": ("unspoken.train.tasks", "list the tasks and what is known about them"),
    "levels": ("unspoken.train.levels_command", "draw the levels of Syncro"),
    "train": ("unspoken.train.run", "train a team with PPO"),
    "sweep": ("unspoken.train.sweep", "train several seeds, here or on Ray"),
    "improve": ("unspoken.train.improve", "improve a trained team by search over all deals"),
    "evaluate": ("unspoken.train.evaluate", "count how often a team wins"),
    "crossplay": ("unspoken.train.crossplay", "let runs and bots play with each other"),
    "play": ("unspoken.train.play", "play in the terminal"),
    "replay": ("unspoken.train.replay", "look at a recorded game"),
    "bench": ("unspoken.train.bench", "measure the speed of everything on this machine"),
    "serve": ("unspoken.train.serve", "play with bots in the browser"),
    "demo": ("unspoken.train.demo", "train a small team, evaluate it and watch a game"),
}
"""Name, module and one line of help of each command."""

USAGE_ERROR = 2
INTERRUPTED = 130


_AsWritten = argparse.RawDescriptionHelpFormatter


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors take one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(USAGE_ERROR)


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``unspoken`` with ``argv`` (default: the process's own), and return its exit code.

    0: done. 2: the request was wrong, with one line on standard error that says what is allowed. 130:
    interrupted. ``unspoken --traceback COMMAND ...`` shows where in the code an error comes from.
    """
    parser = _Parser(
        "unspoken",
        description="Silent card games as environments for cooperative reinforcement learning.",
        epilog="commands:\n" + "\n".join(f"  {name:<12}{help_}" for name, (_, help_) in COMMANDS.items()),
        formatter_class=_AsWritten,
    )
    parser.add_argument("--version", action="version", version=f"unspoken {__version__}")
    parser.add_argument("--traceback", action="store_true", help="on an error, show the whole traceback")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="see below, and COMMAND --help")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    given = sys.argv[1:] if argv is None else argv
    if not given:
        parser.print_help(sys.stderr)
        return USAGE_ERROR
    try:
        arguments = parser.parse_args(given)
        return _run(arguments.command, arguments.arguments, arguments.traceback)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0


def _run(command: str, argv: Sequence[str], traceback: bool) -> int:
    name = f"unspoken {command}"
    try:
        module = import_module(COMMANDS[command][0])
        parser = _Parser(
            name, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.add_arguments(parser)
        arguments, left = parser.parse_known_args(argv)
        if left:  # key=value behind an option, or a mistake; this call alone would say less of a missing one
            arguments = parser.parse_intermixed_args(argv)
        module.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of a pipe (head, less) has seen enough; keep the interpreter's last flush quiet too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except ModuleNotFoundError as error:
        if traceback or (error.name or "").startswith("unspoken"):
            raise
        print(f"{name}: needs {error.name}: pip install 'unspoken[train]'", file=sys.stderr)
        return USAGE_ERROR
    except (ValueError, TypeError, ArithmeticError, ImportError, OSError) as error:
        if traceback:
            raise
        print(f"{name}: {plain(' '.join(str(error).split()))}", file=sys.stderr)
        return USAGE_ERROR
    return 0


if __name__ == "__main__":
    sys.exit(main())
