"""Which value of one resource is another's: ids and outputs of an offline run are unique, so they can be told again."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gpufleet.export import names
from gpufleet.plan.graph import UNKNOWN, Resource
from gpufleet.plan.values import is_list, is_mapping

_SHORTEST = 4
"""Characters; a shorter text is found everywhere by chance."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    urn: str
    expression: str
    attribute: str
    """Terraform's name of the innermost attribute: `arn`, `latest_version`."""
    value: Any
    echo: bool
    """Whether the resource only gives back what it was given, so that the value may as well be anybody's."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An expression and the resource that it asks."""

    urn: str
    expression: str


class References:
    """Finds references among the resources that are exported."""

    def __init__(self, resources: Iterable[Resource], addresses: Mapping[str, str]) -> None:
        """`addresses` has `aws_vpc.main` for each URN that can be referred to."""
        self._addresses = addresses
        self._resources = {resource.urn: resource for resource in resources if resource.urn in addresses}
        self._of_resource: dict[str, tuple[_Candidate, ...]] = {}
        self._patterns: dict[tuple[str, ...], tuple[re.Pattern[str] | None, dict[str, _Candidate]]] = {}

    def exact(self, value: Any, attribute: str, urns: tuple[str, ...]) -> Reference | None:
        """Return whose the whole value is, among `urns`.

        The attribute named most like the argument wins (`cluster_name` is a cluster's `name`, `vpc_id` a VPC's `id`).
        Numbers, and what a resource was itself given, count only where the names agree.
        """
        text = isinstance(value, str)
        if value == UNKNOWN or isinstance(value, bool) or (text and len(value) < _SHORTEST and not value.isdigit()):
            return None
        found = [
            (candidate.echo, not alike, candidate.attribute != "arn", candidate.attribute != "id", index, candidate)
            for index, candidate in enumerate(self._candidates(urns))
            if str(candidate.value) == str(value)
            and (
                (alike := _alike(attribute, candidate.attribute)) or (_telling(candidate.value) and not candidate.echo)
            )
        ]
        if not found:
            return None
        owner = min(found)[-1].urn  # whoever made the value, before whoever only repeats it; then its best name for it
        best = min(entry[1:] for entry in found if entry[-1].urn == owner)[-1]
        return Reference(owner, best.expression)

    def inside(self, text: str, urns: tuple[str, ...], literal: Callable[[str], str]) -> tuple[str, set[str]]:
        """Return the text with every reference in it written as one, and whom it asks.

        Args:
            text: such as a policy document.
            urns: whose values to look for.
            literal: escapes what is between.
        """
        pattern, by_value = self._pattern(urns)
        if pattern is None:
            return literal(text), set()
        parts: list[str] = []
        asked: set[str] = set()
        end = 0
        for match in pattern.finditer(text):
            candidate = by_value[match[0]]
            parts += (literal(text[end : match.start()]), f"${{{candidate.expression}}}")
            asked.add(candidate.urn)
            end = match.end()
        return "".join((*parts, literal(text[end:]))), asked

    def _candidates(self, urns: tuple[str, ...]) -> Iterator[_Candidate]:
        for urn in urns:
            if (resource := self._resources.get(urn)) is None:
                continue
            if (known := self._of_resource.get(urn)) is None:
                known = self._of_resource[urn] = tuple(_of(resource, self._addresses[urn]))
            yield from known

    def _pattern(self, urns: tuple[str, ...]) -> tuple[re.Pattern[str] | None, dict[str, _Candidate]]:
        if (known := self._patterns.get(urns)) is None:
            by_value: dict[str, _Candidate] = {}
            for candidate in self._candidates(urns):
                if _telling(candidate.value) and not candidate.echo:
                    before = by_value.get(candidate.value)
                    if before is None or (candidate.attribute == "arn" and before.attribute != "arn"):
                        by_value[candidate.value] = candidate
            longest_first = sorted(by_value, key=lambda value: (-len(value), value))
            whole = "|".join(map(re.escape, longest_first))
            # A name that goes on is another name: `train` is not in `train-logs`.
            pattern = re.compile(rf"(?<![\w-])(?:{whole})(?![\w-])") if whole else None
            known = self._patterns[urns] = (pattern, by_value)
        return known


def _alike(argument: str, attribute: str) -> bool:
    """`kms_key_arn` asks for an `arn`, `version` for a `latest_version`."""
    return argument == attribute or argument.endswith(f"_{attribute}") or attribute.endswith(f"_{argument}")


def _telling(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= _SHORTEST


def _of(resource: Resource, address: str) -> Iterator[_Candidate]:
    if resource.id:
        yield _Candidate(resource.urn, f"{address}.id", "id", resource.id, echo=False)
    type_name = address.partition(".")[0]
    for key, value in resource.outputs.items():
        if key in ("id", "region", "tags", "tagsAll"):
            continue
        echo = resource.inputs.get(key) == value
        for attribute, expression, leaf in _leaves(type_name, (key,), value, address):
            yield _Candidate(resource.urn, expression, attribute, leaf, echo)


def _leaves(type_name: str, path: tuple[str, ...], value: Any, owner: str) -> Iterator[tuple[str, str, Any]]:
    if value is None or value == UNKNOWN or isinstance(value, bool):
        return
    argument = names.argument(type_name, path, value)
    if argument.kind == names.MAP:
        return
    expression = f"{owner}.{argument.name}"
    flat = is_mapping(value) or argument.kind == names.ONE
    for index, item in enumerate(value if is_list(value) else (value,)):
        one = expression
        if is_list(value) or (flat and argument.kind != names.OBJECT):
            one = f"tolist({one})[{index}]" if names.is_set(type_name, path) else f"{one}[{index}]"
        if is_mapping(item):
            for key, below in item.items():
                yield from _leaves(type_name, (*path, key), below, one)
        elif not is_list(item) and item is not None and item != UNKNOWN and not isinstance(item, bool):
            yield argument.name, one, item
