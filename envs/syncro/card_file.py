"""Reading a ``CardSet`` from YAML, with errors that name the file, the line, the key and what was expected.

A file marks where its values come from. ``source: printed`` (the rulebook states it) or ``source: house``
(ours) in a mapping holds for everything in it, unless something further in says otherwise; a single value is
marked by writing it as ``{value: 5, source: printed}``. Every value must be marked one way or the other.
"""

from collections.abc import Iterator
from functools import cache
from importlib import resources
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from unspoken.envs.syncro.cards import CardSet, Source

_Place = tuple[str | int, ...]

_SOURCES: tuple[Source, ...] = ("printed", "house")

_EXPECTED = {
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "tuple_type": "must be a list",
    "dict_type": "must be a mapping, key: value",
}
"""What a value of the wrong kind should have been, in words of a card file."""


class CardFileError(ValueError):
    """A card file that cannot be used: the message names file, line and key and says what was expected."""


def load_cards(path: str | PathLike[str] | None = None) -> CardSet:
    """The cards and levels of a YAML file, or of all ``*.yaml`` files of a folder taken together.

    ``None``: the cards that come with the package.

    Raises:
        CardFileError: there is no such file, or something in it is not as it must be.
    """
    if path is None:
        return _house_cards()
    where = Path(fspath(path))
    files = sorted(where.glob("*.yaml")) if where.is_dir() else [where]
    if not files:
        raise CardFileError(f"{where}: must be a YAML file, or a folder with *.yaml files")
    reader = _Reader(str(where))
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except OSError as error:
            raise CardFileError(f"{file}: {error.strerror or error}") from None
        except UnicodeDecodeError as error:
            raise CardFileError(f"{file}: must be text in UTF-8 ({error.reason})") from None
        except ValueError as error:  # of the path itself
            raise CardFileError(f"{str(file)!r}: must be the path of a file or folder ({error})") from None
        reader.add(str(file), text)
    return reader.cards()


def house_files() -> dict[str, str]:
    """The card files that come with the package: names and texts, in order.

    Training runs lie in the same folder; they are the files that name a task.
    """
    folder = resources.files("unspoken.configs").joinpath("syncro")
    files = [file for file in folder.iterdir() if file.name.endswith(".yaml")]
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    return {name: text for name, text in sorted(texts.items()) if "\ntask:" not in "\n" + text}


@cache
def _house_cards() -> CardSet:
    folder = str(resources.files("unspoken.configs").joinpath("syncro"))
    reader = _Reader(folder)
    for name, text in house_files().items():
        reader.add(f"{folder}/{name}", text)
    return reader.cards()


class _Reader:
    """Collects the sections of card files, with the line and the source of everything in them."""

    def __init__(self, path: str) -> None:
        self.data: dict[Any, Any] = {}
        self.lines: dict[_Place, tuple[str, int]] = {(): (path, 1)}
        self.sources: dict[str, Source] = {}
        self.file = ""
        self.loader: Any = None
        self.seen: set[int] = set()  # the ids of the nodes met in this file

    def add(self, file: str, text: str) -> None:
        """Read one file."""
        self.file = file
        self.seen = set()
        try:
            self.loader = yaml.SafeLoader(text)
            node = self.loader.get_single_node()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = f", line {mark.line + 1}" if mark else ""
            raise CardFileError(f"{file}{line}: not YAML: {error.problem}") from None
        except yaml.YAMLError as error:
            raise CardFileError(f"{file}: not YAML: {' '.join(str(error).split())}") from None
        except RecursionError:
            raise CardFileError(f"{file}: lists in lists in lists: must not be nested so deeply") from None
        if not isinstance(node, yaml.MappingNode):
            raise CardFileError(f"{file}, line 1: must be a mapping with keys such as spells and levels")
        self.data.update(self._mapping(node, (), None))

    def cards(self) -> CardSet:
        """Everything read so far, as a card set."""
        try:
            cards = CardSet.model_validate(self.data)
        except ValidationError as error:
            found = sorted(self._describe(details) for details in error.errors())
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            raise CardFileError(found[0][1] + more) from None
        cards.sources.update(self.sources)
        return cards

    def _fail(self, place: _Place, message: str) -> None:
        raise CardFileError(self._located(place, message))

    def _located(self, place: _Place, message: str) -> str:
        file, line = self.lines[self._known(place)]
        return f"{file}, line {line}, {_written(place)}: {message}" if place else f"{file}: {message}"

    def _known(self, place: _Place) -> _Place:
        """The innermost part of ``place`` that stands in a file."""
        while place not in self.lines:
            place = place[:-1]
        return place

    def _describe(self, details: ErrorDetails) -> tuple[tuple[str, int], str]:
        context: dict[str, Any] = details.get("ctx", {})
        place: _Place = ()
        for step in (*details["loc"], *context.get("at", ())):
            # The schema also counts the name of an effect and "[key]" as steps; no file has them.
            if (*place, step) in self.lines:
                place = (*place, step)
        given = repr(details["input"])
        given = given if len(given) <= 60 else given[:57] + "..."
        kind = details["type"]
        if kind == "cards":
            message = details["msg"]
        elif kind == "union_tag_invalid":
            place, message = (*place, "do"), f"{context['tag']!r}: must be one of {context['expected_tags']}"
        elif kind == "union_tag_not_found":
            message = "the key 'do' is missing: it must name the effect"
        elif kind == "too_long":
            message = f"{context['actual_length']} entries: must be at most {context['max_length']}"
        else:
            message = (
                f"{given}: {_EXPECTED.get(kind) or details['msg'].replace('Input should be', 'must be')}"
            )
        return self.lines[self._known(place)], self._located(place, message)

    def _value(self, node: yaml.Node, place: _Place, source: Source | None) -> Any:
        self.lines.setdefault(place, (self.file, node.start_mark.line + 1))
        if id(node) in self.seen:
            self._fail(place, "an alias (*): must be written out")
        self.seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, place, source)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(child, (*place, index), source) for index, child in enumerate(node.value)]
        return self._scalar(node, place, source)

    def _scalar(self, node: yaml.Node, place: _Place, source: Source | None) -> Any:
        if source is None:
            self._fail(
                place, "no source: must be marked `source: printed` or `source: house`, here or further out"
            )
        self.sources[_written(place)] = cast(Source, source)
        return self._construct(node, place)

    def _construct(self, node: yaml.Node, place: _Place) -> Any:
        try:
            return self.loader.construct_object(node)
        except (yaml.YAMLError, ValueError):
            self._fail(place, f"{node.value!r}: must be a plain number, word or text")

    def _mapping(self, node: yaml.MappingNode, place: _Place, source: Source | None) -> Any:
        entries: dict[Any, yaml.Node] = {}
        for key, child in self._entries(node, place):
            if key in entries:
                self._fail((*place, key), "is there twice: must be written once")
            entries[key] = child
        if "source" in entries:
            marked = entries.pop("source")
            if not isinstance(marked, yaml.ScalarNode):
                self._fail((*place, "source"), "a list or mapping: must be printed or house")
            if marked.value not in _SOURCES:
                self._fail((*place, "source"), f"{marked.value!r:.60}: must be printed or house")
            source = cast(Source, marked.value)
            if list(entries) == ["value"]:
                return self._value(entries["value"], place, source)
        return {key: self._value(child, (*place, key), source) for key, child in entries.items()}

    def _entries(self, node: yaml.MappingNode, place: _Place) -> Iterator[tuple[Any, yaml.Node]]:
        for key_node, child in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.lines[(*place, "?")] = (self.file, key_node.start_mark.line + 1)
                self._fail((*place, "?"), "must be a plain key")
            key = self._construct(key_node, place)
            at = (*place, key)
            if not place and key in self.data:
                file, line = self.lines[at]
                self.lines[at] = (self.file, key_node.start_mark.line + 1)
                self._fail(at, f"is in {file}, line {line} already: must be written once")
            self.lines[at] = (self.file, key_node.start_mark.line + 1)
            yield key, child


def _written(place: _Place) -> str:
    """A place as a person writes it: ``fog[3].effects[0].count``."""
    text = ""
    for step in place:
        if isinstance(step, str):
            text += f".{step}" if text else step
        else:
            text += f"[{step}]"
    return text
