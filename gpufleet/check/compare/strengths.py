"""The tables of what is stronger: inputs of resources, and gpufleet's own settings (`data/`), each with its reason."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from gpufleet.check.compare.orders import NAMES, Order

ANY = "*"
"""A type token that stands for all."""


@dataclass(frozen=True, kw_only=True)
class Strength:
    """An input (`vpcConfig.endpointPublicAccess`, `rules[].x`; `@protect` is the resource's option) and its order."""

    type: str
    """Empty for a setting."""
    path: str
    order: Order
    absent: Any
    """What is taken where nothing is said."""
    absent_by_key: bool
    """Whether that depends on the key above: the purpose of a bucket."""
    when: Mapping[str, tuple[Any, ...]] = field(default_factory=lambda: {})
    """Further inputs and the values (None: absent, `set`: any) for which alone this one means something."""
    paired: bool
    """Whether it is compared with its like alone: what is right depends on what the resource is for."""
    optional: bool
    """Whether a setting means nothing where what it belongs to is not there."""
    severity: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Companion:
    """A resource that each of another type should have beside it, since v7 splits them; `by` names the reference."""

    companion: str
    of: str
    by: str
    severity: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A type whose mere presence (`there`) or absence (`absent`) is `better`."""

    kind: str
    better: str
    severity: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Spread:
    """How many distinct values an input has among the resources of a type, for each one of another type."""

    type: str
    distinct: str
    per: str
    severity: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Strengths:
    """What the two tables hold."""

    properties: Mapping[str, tuple[Strength, ...]]
    """By type."""
    companions: tuple[Companion, ...]
    kinds: tuple[Kind, ...]
    spreads: tuple[Spread, ...]
    settings: tuple[Strength, ...]


@functools.cache
def load() -> Strengths:
    """Read the tables.

    Raises:
        ValueError: an entry names an order that there is not.
    """
    table, settings = _read("resources.json"), _read("settings.json")
    by_type: dict[str, list[Strength]] = {}
    for entry in table["properties"]:
        by_type.setdefault(entry["type"], []).append(_strength(entry))
    return Strengths(
        properties={type_: tuple(found) for type_, found in by_type.items()},
        companions=tuple(Companion(**entry) for entry in table["companions"]),
        kinds=tuple(Kind(**entry) for entry in table["kinds"]),
        spreads=tuple(Spread(**entry) for entry in table["spreads"]),
        settings=tuple(_strength(entry) for entry in settings["settings"]),
    )


def _read(name: str) -> Any:
    return json.loads(resources.files(__name__.rpartition(".")[0]).joinpath("data", name).read_text(encoding="utf-8"))


def _strength(entry: Mapping[str, Any]) -> Strength:
    if entry["order"] not in NAMES:
        raise ValueError(f"{entry['path']}: order {entry['order']!r} is none of {', '.join(sorted(NAMES))}")
    return Strength(
        type=entry.get("type", ""),
        path=entry["path"],
        order=Order(
            name=entry["order"],
            ranks=tuple(entry.get("ranks", ())),
            ending=entry.get("ending", False),
            zero=entry.get("zero", ""),
        ),
        absent=entry.get("absent"),
        absent_by_key=entry.get("absent_by_key", False),
        when={path: tuple(values) for path, values in entry.get("when", {}).items()},
        paired=entry.get("paired", False) or entry.get("type") == ANY,
        optional=entry.get("optional", False),
        severity=entry["severity"],
        why=entry["why"],
    )
