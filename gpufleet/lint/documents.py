"""Manifests as they are written: every document of a file, and the line of everything in it."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from gpufleet.errors import UsageError
from gpufleet.plan.values import is_list, is_mapping

Location = tuple[str | int, ...]
"""Keys and indices from a document's root: `("spec", "containers", 0)`."""

STDIN = "-"


@dataclass(frozen=True, kw_only=True)
class Document:
    """One object of a file; what a List holds are objects of their own."""

    source: str
    """The file, `-` for standard input."""
    value: Mapping[str, Any]
    lines: Mapping[Location, int]
    root: Location = ()
    """Where the object lies in its YAML document."""

    @property
    def kind(self) -> str:
        """`Job`, empty where it does not say."""
        return str(self.value.get("kind") or "")

    @property
    def name(self) -> str:
        """By its metadata; `?` where it has none."""
        metadata = self.value.get("metadata")
        if not is_mapping(metadata):
            return "?"
        return str(metadata.get("name") or metadata.get("generateName") or "?")

    def line(self, location: Location) -> int:
        """The line of what lies there, or of the nearest thing around it; the first is 1."""
        whole = (*self.root, *location)
        while whole not in self.lines and whole:
            whole = whole[:-1]
        return self.lines.get(whole, 1)


def read(source: str) -> list[Document]:
    """The objects of a file, or of standard input for `-`.

    Raises:
        UsageError: it cannot be read, is no YAML, or holds something else than objects.
    """
    try:
        text = sys.stdin.read() if source == STDIN else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise UsageError(
            f"{source}: cannot be read: {why}\n  fix: name a file with manifests, or - for stdin"
        ) from None
    return parse(source, text)


def parse(source: str, text: str) -> list[Document]:
    """The objects of a text; `source` is what messages call it.

    Raises:
        UsageError: it is no YAML, or holds something else than objects.
    """
    try:
        return list(_documents(source, text))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{source}:{mark.line + 1}" if mark is not None else source
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        fix = "a Helm chart has to be rendered first: helm template ... | gpufleet lint -"
        raise UsageError(f"{where}: this is no YAML: {problem}\n  fix: {fix}") from None


def shown(location: Sequence[str | int]) -> str:
    """`spec.template.spec.containers[0]`."""
    text = ""
    for part in location:
        plain = isinstance(part, str) and part.replace("-", "").replace("_", "").isalnum()
        text += (
            (f".{part}" if text else str(part)) if plain else f"[{part!r}]" if isinstance(part, str) else f"[{part}]"
        )
    return text


def _documents(source: str, text: str) -> Iterator[Document]:
    loader = yaml.SafeLoader(text)
    while loader.check_node():
        node = loader.get_node()
        if node is None:
            continue
        lines = dict(_lines(loader, node, (), ()))
        value = _constructed(loader, node)
        if value is None:
            continue
        if not is_mapping(value):
            raise UsageError(
                f"{source}:{node.start_mark.line + 1}: {type(value).__name__} is no Kubernetes object\n"
                "  allowed: mappings with apiVersion, kind, metadata\n  fix: take it out of the file"
            )
        yield from _objects(Document(source=source, value=value, lines=lines))


def _constructed(loader: yaml.SafeLoader, node: yaml.Node) -> object:
    construct = cast(Callable[[yaml.Node], object], getattr(loader, "construct_document"))  # noqa: B009 -- untyped there
    return construct(node)


def _objects(document: Document) -> Iterator[Document]:
    items = document.value.get("items")
    if not (document.kind.endswith("List") and is_list(items)):
        yield document
        return
    for index, item in enumerate(items):
        if is_mapping(item):
            yield Document(source=document.source, value=item, lines=document.lines, root=("items", index))


def _lines(
    loader: yaml.SafeLoader, node: yaml.Node, location: Location, above: tuple[int, ...]
) -> Iterator[tuple[Location, int]]:
    """The line of each key and item; an alias is shown where it is used, and one that holds itself only once."""
    yield location, node.start_mark.line + 1
    if id(node) in above:
        return
    within = (*above, id(node))
    if isinstance(node, yaml.MappingNode):
        loader.flatten_mapping(node)
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                here = (*location, str(key.value))
                yield from _lines(loader, value, here, within)
                yield here, key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _lines(loader, item, (*location, index), within)
