"""The resources by component, each with the few of its settings that tell it apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpufleet.plan.values import is_list, is_mapping
from gpufleet.pricing.index import is_component
from gpufleet.report.estate import Entry, Estate, in_words, kind, text

ALONE = "on their own"
_TELLING = 5
_LONGEST = 60
_UNTELLING = frozenset({"description", "name", "policy", "tags", "tagsAll", "userData", "assumeRolePolicy", "region"})
"""Said elsewhere on the page, or not worth a line."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One resource."""

    name: str
    kind: str
    type: str
    told: str
    protected: bool


@dataclass(frozen=True, kw_only=True)
class Component:
    """An outermost component and everything in it; the last one holds what stands alone."""

    name: str
    kind: str
    region: str
    items: tuple[Item, ...]


def components(estate: Estate) -> list[Component]:
    """Every component with resources in it, by name; what stands alone comes last."""
    members: dict[str, list[Entry]] = {}
    kinds: dict[str, str] = {}
    for entry in estate.resources:
        name = estate.component(entry)
        if is_component(entry):
            if entry["name"] == name:
                kinds.setdefault(name, kind(entry["type"]))
        else:
            members.setdefault(name, []).append(entry)
    return [
        Component(
            name=name or ALONE,
            kind=kinds.get(name, ""),
            region=", ".join(sorted({region for entry in members[name] if (region := estate.region(entry))})),
            items=tuple(sorted((_item(entry, estate) for entry in members[name]), key=lambda i: (i.kind, i.name))),
        )
        for name in sorted(members, key=lambda name: (not name, name))
    ]


def _item(entry: Entry, estate: Estate) -> Item:
    return Item(
        name=entry["name"],
        kind=kind(entry["type"]),
        type=entry["type"],
        told="; ".join(_told(entry["inputs"], estate))[: _TELLING * _LONGEST],
        protected=bool(entry["protect"]),
    )


def _told(inputs: Mapping[str, Any], estate: Estate) -> list[str]:
    said = [f"{path} {value}" for path, value in _plain(inputs, "", estate) if len(value) <= _LONGEST]
    return said[:_TELLING]


def _plain(value: Mapping[str, Any], above: str, estate: Estate, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Settings with a short value, by name; ids and ARNs of the plan's own resources by their names."""
    for key, item in value.items():
        if key in _UNTELLING:
            continue
        path = f"{above} {in_words(key)}".strip()
        if is_mapping(item):
            if depth < 1:
                yield from _plain(item, path, estate, depth + 1)
        elif is_list(item):
            if item and not any(is_mapping(one) or is_list(one) for one in item):
                yield path, _list(item, estate)
        elif item is not None and item != "":
            yield path, estate.name(item) if isinstance(item, str) else text(item)


def _list(items: Sequence[Any], estate: Estate) -> str:
    return ", ".join(estate.name(item) if isinstance(item, str) else text(item) for item in items)
