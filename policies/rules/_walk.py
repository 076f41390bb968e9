"""Everything that a nested value holds.

What a provider keeps for itself in a resource's state (`__inputs` and its kind) repeats the rest and is left out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ._reading import UNKNOWN, elements, entries


def mappings(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every mapping in a value, itself included, with its path; what is not known holds nothing."""
    if isinstance(value, Mapping):
        fields = _own(value)
        yield path, fields
        for key, item in fields.items():
            yield from mappings(item, f"{path}.{key}" if path else key)
    elif value is not UNKNOWN and value is not None and not isinstance(value, str | bool | int | float):
        for index, item in enumerate(elements(value)):
            yield from mappings(item, f"{path}[{index}]")


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in a value, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in _own(value).items():
            yield from texts(item, f"{path}.{key}" if path else key)
    elif value is not UNKNOWN and value is not None and not isinstance(value, bool | int | float):
        for index, item in enumerate(elements(value)):
            yield from texts(item, f"{path}[{index}]")


def _own(value: Any) -> dict[str, Any]:
    return {key: item for key, item in entries(value).items() if not key.startswith("__")}
