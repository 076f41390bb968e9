"""Single figures of storage and failure, from ``data/figures.json``: each with its unit, source and date."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure."""

    key: str
    value: float
    unit: str
    assumed: bool
    """Whether no source states it so: the text then says why it is that one."""
    date: str
    source: str


def get(key: str) -> Figure:
    """The figure of that key.

    Raises:
        KeyError: there is none.
    """
    return _figures()[key]


def keys() -> tuple[str, ...]:
    """The keys that `get` knows, in the order of the file."""
    return tuple(_figures())


@cache
def _figures() -> Mapping[str, Figure]:
    rows: list[dict[str, Any]] = _data.read("figures")["figures"]
    return MappingProxyType({row["key"]: Figure(**row) for row in rows})
