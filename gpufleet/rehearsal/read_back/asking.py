"""What a reader is given, and what it says: one declared resource, and facts about what AWS answers for it."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast


@dataclass(frozen=True)
class Declared:
    """One resource of the engine's state, and a way to ask the AWS API in memory in its region."""

    urn: str
    type: str
    id: str
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    account_id: str
    client: Callable[[str], Any]
    """boto3's service name to a client in the resource's region."""


@dataclass(frozen=True)
class Fact:
    """One property: what the program declared and what AWS answered."""

    check: str
    declared: Any
    found: Any

    @property
    def ok(self) -> bool:
        """Whether the two are the same."""
        return self.declared == self.found


Reader: TypeAlias = Callable[[Declared], Iterator[Fact]]
"""Asks AWS about one resource. botocore's ClientError means that AWS has no such thing."""


def inner(value: Mapping[str, Any], *path: str, default: Any = None) -> Any:
    """Follow keys through nested objects; a list on the way stands for its first item."""
    here: Any = value
    for key in path:
        if isinstance(here, list):
            here = cast("list[Any]", here)[0] if here else None
        if not isinstance(here, Mapping) or key not in here:
            return default
        here = cast("Mapping[str, Any]", here)[key]
    return here


def fields(value: Any) -> Mapping[str, Any]:
    """An object, or an empty one where there is none."""
    return value or {}


def items(value: Any) -> list[Any]:
    """A list, or an empty one where there is none."""
    return list(value or [])


def document(value: Any) -> Any:
    """A JSON document as data, whatever the order of its keys; botocore has some of them parsed already."""
    return json.loads(value) if isinstance(value, str) else value


def ordered(value: Any) -> list[Any]:
    """A list that AWS keeps as a set, as it can be compared."""
    return sorted(value or [], key=str)


def facts(declared: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Fact]:
    """Pair what was declared with what was found, name by name."""
    for name, value in declared.items():
        yield Fact(name, value, found.get(name))
