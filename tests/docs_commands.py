"""Shell commands of the documents, carried out in this process with a cut budget, or at least understood.

A command that nothing here knows is an error, so no line of a document is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shlex
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from tests.docs_blocks import ROOT
from unspoken.envs import make_game, task_names
from unspoken.train import cli, learn_values, rllib_ppo, sb3_ppo
from unspoken.train.config import load_config
from unspoken.train.levels_command import copy_cards

GAMES = "4"
TRAINING = {
    "total_steps": "1",
    "num_envs": "8",
    "rollout_steps": "4",
    "epochs": "1",
    "minibatches": "1",
    "hidden": "[8]",
    "threads": "1",
    "evaluate_games": GAMES,
}
SB3 = {"timesteps": "32", "num_envs": "2", "n_steps": "8", "batch_size": "16", "n_epochs": "1", "width": "8"}
SB3 |= {"eval_games": GAMES, "threads": "1"}
PARSED = {"bench", "serve"}
"""Commands of ``unspoken`` whose arguments are only parsed: they take long, or do not end by themselves."""
ELSEWHERE = ("device=cuda", "--ray")
"""Arguments of commands that need more than one machine has; the rest of the command is still parsed."""


def run_line(line: str, cut: bool = True) -> None:
    """Carry out one line of a shell block in the working directory.

    Args:
        line: the line, without its line break. cut: with a small budget; otherwise as it stands.

    Raises:
        AssertionError: it fails, or names something that there is not.
    """
    for command in re.split(r"\s&&\s", line):
        words = shlex.split(command, comments=True)
        if not words:
            continue
        program = words[0].removeprefix(".venv/bin/").removeprefix(".venv-ray/bin/")
        assert program in PROGRAMS, f"{command}: the test does not know {program!r}"
        try:
            PROGRAMS[program](words[1:], cut)
        except (AssertionError, KeyError, ValueError, TypeError) as error:
            raise AssertionError(f"{command}: {error}") from error


def _unspoken(words: Sequence[str], cut: bool) -> None:
    command, given = words[0], list(words[1:])
    if command.startswith("-"):
        assert cli.main([command]) == 0
        return
    parser = parser_of(command)
    elsewhere = any(word.startswith(ELSEWHERE) for word in given)
    if cut and not elsewhere and command not in PARSED:
        _provide(command, given)
        given = CUTS.get(command, lambda words: words)(given)
        assert cli.main([command, *given]) == 0
        return
    arguments = parser.parse_intermixed_args(given)
    if not cut:
        assert cli.main([command, *given]) == 0
    elif command == "train":
        load_config(arguments.name, arguments.settings)
    elif "task" in vars(arguments):
        make_game(arguments.task)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are failures."""

    def error(self, message: str) -> NoReturn:
        raise AssertionError(message)


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of ``unspoken COMMAND``."""
    assert command in cli.COMMANDS, f"there is no command {command!r}"
    parser = _Parser()
    import_module(cli.COMMANDS[command][0]).add_arguments(parser)
    return parser


def _provide(command: str, words: list[str]) -> None:
    """Make the runs and cards that a command takes for granted and no line before it has made."""
    tasks = [word for word in words if word in task_names()]
    for position, word in enumerate(words):
        after_folder = position > 0 and words[position - 1] == "--folder"
        runs = [] if after_folder or word.startswith("folder=") else re.findall(r"runs/[\w.-]+", word)
        for run in filter(lambda run: not Path(run).exists(), runs):
            task = "syzygy-base4-2p" if command == "improve" or not tasks else tasks[0]
            assert cli.main(["train", task, *_pairs(TRAINING), "--folder", run]) == 0
        for cards in re.findall(r"(?:cards=|^)(my-cards)$", word):
            if not Path(cards).exists() and "--copy" not in words:
                copy_cards(cards)


def _pairs(settings: dict[str, str]) -> list[str]:
    return [f"{key}={value}" for key, value in settings.items()]


def _cut_settings(words: list[str], budget: dict[str, str]) -> list[str]:
    """The command with its settings replaced by those of the budget, behind the last of them or the name."""
    kept = [word for word in words if word.partition("=")[0] not in budget]
    last = max([0, *(place for place, word in enumerate(kept) if re.match(r"[\w.]+=", word))])
    return [*kept[: last + 1], *_pairs(budget), *kept[last + 1 :]]


def _with_option(words: list[str], option: str, value: str) -> list[str]:
    if option not in words:
        return [*words, option, value]
    place = words.index(option)
    return [*words[: place + 1], value, *words[place + 2 :]]


def _cut_train(words: list[str]) -> list[str]:
    return words if Path(words[0]).is_dir() else _cut_settings(words, TRAINING)


def _cut_demo(words: list[str]) -> list[str]:
    settings = [*_pairs(TRAINING), "evaluate_every=1"]
    return _with_option([*settings, *words], "--games", GAMES)


def _cut_sweep(words: list[str]) -> list[str]:
    words = _with_option(_with_option(words, "--seeds", "0-1"), "--games", GAMES)
    return _cut_settings(words, TRAINING)


def _cut_games(words: list[str]) -> list[str]:
    return _with_option(words, "--games", GAMES)


def _cut_improve(words: list[str]) -> list[str]:
    return _with_option(words, "--shakes", "1")


CUTS: dict[str, Callable[[list[str]], list[str]]] = {
    "train": _cut_train,
    "demo": _cut_demo,
    "sweep": _cut_sweep,
    "evaluate": _cut_games,
    "crossplay": _cut_games,
    "improve": _cut_improve,
}
"""How the budget of each command is cut; the others run as they stand."""


def _python(words: Sequence[str], cut: bool) -> None:
    if words[0] != "-m":
        assert (ROOT / words[0]).is_file(), f"there is no file {words[0]}"
        return
    module, given = words[1], list(words[2:])
    if module == "unspoken.train.sb3_ppo":
        assert sb3_ppo.main(_cut_settings(given, SB3)) == 0
    elif module == "unspoken.train.rllib_ppo":
        make_game(given[0])
        rllib_ppo.Settings.parse(given[1:])
    elif module == "unspoken.train.learn_values":
        make_game(given[0])
        learn_values.Settings.parse(given[2:])
    elif module == "pytest":
        _pytest(given, cut)
    elif module == "pip":
        _pip(given, cut)
    else:
        assert module == "venv" or importlib.util.find_spec(module), f"there is no module {module}"


def _torchrun(words: Sequence[str], cut: bool) -> None:
    assert words[list(words).index("-m") + 1] == "unspoken.train.cli"
    command, *given = words[list(words).index("unspoken.train.cli") + 1 :]
    arguments = parser_of(command).parse_intermixed_args(given)
    load_config(arguments.name, arguments.settings)


def _pip(words: Sequence[str], cut: bool) -> None:
    assert words[0] == "install", f"pip {words[0]}"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extras in re.findall(r"^(?:\.|unspoken)\[(.+)\]$", "\n".join(words), re.MULTILINE):
        for extra in extras.split(","):
            assert re.search(rf"^{extra} = \[", project, re.MULTILINE), f"there is no extra {extra!r}"
    for file in re.findall(r"\bconstraints\S*", " ".join(words)):
        assert (ROOT / file).is_file(), f"there is no file {file}"


def _make(words: Sequence[str], cut: bool) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for word in words:
        assert word in targets or re.match(r"[A-Z]+=", word), f"there is no target {word!r}"


def _pytest(words: Sequence[str], cut: bool) -> None:
    for word in words:
        file = word.partition("::")[0]
        assert word.startswith("-") or (ROOT / file).exists(), f"there is no file {file}"


def _script(words: Sequence[str], cut: bool) -> None:
    assert (ROOT / ".ci" / "run").is_file()


def _not_ours(words: Sequence[str], cut: bool) -> None:
    """A program of others, which a reader may or may not have."""


PROGRAMS: dict[str, Callable[[Sequence[str], bool], None]] = {
    "unspoken": _unspoken,
    "python": _python,
    "python3": _python,
    "torchrun": _torchrun,
    "pip": _pip,
    "make": _make,
    "pytest": _pytest,
    ".ci/run": _script,
    ".": _not_ours,
    "git": _not_ours,
    "ray": _not_ours,
    "tensorboard": _not_ours,
}
"""Every program that a document may name, with what is done about it."""


def check_inline(text: str) -> None:
    """A command in the middle of a sentence: what it names is there, and so are the options of ``unspoken``.

    Raises:
        AssertionError: it is not.
    """
    program, *words = text.split()
    if program == "make":
        _make([word.strip('"') for word in words if word.partition("=")[0] != "ARGS"][:1], cut=True)
    elif program == "python" and words[0] == "-m":
        assert importlib.util.find_spec(words[1]), f"{text}: there is no module {words[1]}"
    elif program == "python":
        assert (ROOT / words[0]).is_file(), f"{text}: there is no file {words[0]}"
    elif program == "unspoken" and re.fullmatch(r"[a-z]+", words[0]):
        parser = parser_of(words[0])
        options = {option for action in parser._actions for option in action.option_strings}
        for word in words[1:]:
            option = word.strip("[]").partition("=")[0]
            assert not option.startswith("--") or option in options, f"{text}: there is no option {option}"
