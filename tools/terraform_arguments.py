"""Pair the arguments of a Terraform block with the properties of an SDK class; a part of generate_terraform_names.

Kinds and names of what is paired are compared with what gpufleet/export/names.py says by rule; the rest are exceptions.
"""

import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pulumi._types import is_output_type, output_type_types  # the SDK resolves outputs by it; no public name

from gpufleet.export import names as rules

_TEXT = ("string",)


@dataclass(frozen=True)
class Reading:
    """What of one resource the rules do not know."""

    exceptions: dict[str, str] = field(default_factory=lambda: {})
    """`vpcConfig.subnetIds` to `name kind columns...`, an empty name for the rule's own."""
    sets: set[str] = field(default_factory=lambda: set[str]())
    by_rule: set[str] = field(default_factory=lambda: set[str]())
    """Names of properties, wherever they stand, that the rules do know."""
    unpaired: list[str] = field(default_factory=lambda: [])
    """The class's own properties that the block has no argument for: renamed, or of a later provider."""


@dataclass(frozen=True)
class Node:
    """One argument or block."""

    name: str
    shape: str
    """`scalar`, `text`, `map`, `object`, `list` or `set`."""
    children: Mapping[str, Any] | None
    """The block below, None where nothing has names."""
    complete: bool = False
    """Whether each object has to carry all of its names: it is an attribute's type, not a block."""
    computed: bool = False


def names(block: Mapping[str, Any]) -> Iterator[str]:
    """Every argument and block of a block."""
    yield from block.get("attributes", {})
    yield from block.get("block_types", {})


def required_texts(block: Mapping[str, Any]) -> Iterator[str]:
    """The arguments of a block that must be given, and are text."""
    for name, attribute in block.get("attributes", {}).items():
        if attribute.get("required") and attribute.get("type") == "string":
            yield name


def read(block: Mapping[str, Any], properties: Mapping[str, Any], known: Mapping[str, str] | None = None) -> Reading:
    """Compare a resource's block with the properties of its class.

    Args:
        block: the block of the provider's schema.
        properties: wire names of the class to their types.
        known: properties whose names nothing but knowledge can pair.
    """
    found = Reading()
    _compare(block, properties, (), found, known or {})
    paired = {key for key, _ in _paired(block, properties, known or {})}
    found.unpaired.extend(sorted(properties.keys() - paired - {"id", "region", "urn"}))
    return found


def _compare(
    block: Mapping[str, Any],
    properties: Mapping[str, Any],
    path: tuple[str, ...],
    found: Reading,
    known: Mapping[str, str],
) -> None:
    for key, node in _paired(block, properties, known):
        here = (*path, key)
        element, listed = _unwrapped(properties[key])
        kind, columns = _kind(node, element, listed)
        sample: Any = _sample(element, listed)
        ruled = rules.rule(key, sample)
        if (ruled.name, ruled.kind) != (node.name, kind) or columns:
            shown = "" if ruled.name == node.name else node.name
            found.exceptions[".".join(here)] = " ".join((shown, kind, *columns)).rstrip()
        else:
            found.by_rule.add(key)
        if node.shape == "set" and node.computed and node.children is not None:
            found.sets.add(".".join(here))
        if node.children is not None and is_output_type(element):
            _compare(node.children, output_type_types(element), here, found, {})


def _paired(
    block: Mapping[str, Any], properties: Mapping[str, Any], known: Mapping[str, str]
) -> Iterator[tuple[str, Node]]:
    nodes = {node.name: node for node in _nodes(block)}
    by_canonical: dict[str, list[str]] = {}
    for name in nodes:
        by_canonical.setdefault(_canonical(name), []).append(name)
    for key in sorted(properties):
        snake = rules.snake(key)
        exact = [known.get(key, snake), rules.singular(snake)]
        chosen = next((name for name in exact if name in nodes), None)
        if chosen is None and len(alike := by_canonical.get(_canonical(key), [])) == 1:
            chosen = alike[0]
        if chosen is not None:
            yield key, nodes[chosen]


def _canonical(name: str) -> str:
    return rules.singular(rules.snake(name)).replace("_", "")


def _nodes(block: Mapping[str, Any]) -> Iterator[Node]:
    for name, attribute in block.get("attributes", {}).items():
        computed = bool(attribute.get("computed"))
        if (nested := attribute.get("nested_type")) is not None:
            yield Node(name, _nested_shape(nested["nesting_mode"]), nested, computed=computed)
        else:
            yield _of_type(name, attribute["type"], computed=computed)
    for name, entry in block.get("block_types", {}).items():
        yield Node(name, _nested_shape(entry["nesting_mode"]), entry["block"])


def _nested_shape(mode: str) -> str:
    return "object" if mode == "single" else mode


def _of_type(name: str, type_: Any, *, computed: bool) -> Node:
    if isinstance(type_, str):
        return Node(name, "text" if type_ == "string" else "scalar", None, computed=computed)
    shape: str = type_[0]
    below: Any = type_[1]
    if shape == "object":
        return Node(name, "object", _object_block(below), complete=True, computed=computed)
    if shape in ("list", "set") and not isinstance(below, str) and below[0] == "object":
        return Node(name, shape, _object_block(below[1]), complete=True, computed=computed)
    return Node(name, shape, None, computed=computed)


def _object_block(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"attributes": {name: {"type": type_, "computed": True} for name, type_ in fields.items()}}


def _kind(node: Node, element: Any, listed: bool) -> tuple[str, tuple[str, ...]]:
    if node.shape == "map":
        return rules.MAP, ()
    if node.shape == "object":
        return (rules.OBJECT if not listed else rules.PLAIN), ()
    if node.shape in ("list", "set"):
        if not listed and not is_output_type(element):
            return rules.ONE, ()
        if node.complete and node.children is not None:
            return rules.ROWS, tuple(sorted(node.children["attributes"]))
        return rules.PLAIN, ()
    if node.shape == "text" and (is_output_type(element) or typing.get_origin(element) is not None):
        return rules.JSON, ()
    return rules.PLAIN, ()


def _unwrapped(type_: Any) -> tuple[Any, bool]:
    """The element's type, and whether it is in a list."""
    listed = False
    while True:
        origin, arguments = typing.get_origin(type_), typing.get_args(type_)
        if origin is typing.Union:
            type_ = next(argument for argument in arguments if argument is not type(None))
        elif origin is not None and len(arguments) == 1:
            listed, type_ = True, arguments[0]
        else:
            return type_, listed


def _sample(element: Any, listed: bool) -> Any:
    """A value of the shape that the SDK takes, for the rules to look at."""
    mapping = is_output_type(element) or len(typing.get_args(element)) == 2
    one: Any = {} if mapping else ""
    return [one] if listed else one
