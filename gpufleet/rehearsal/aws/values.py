"""Pulumi's property values as plain Python values and back.

Whole numbers become int on the way in and float on the way out: the wire knows only doubles. An unknown of a preview
is the sentinel string `UNKNOWN` wherever it stands, because the SDK's unmarshalling leaves it so and its `Computed`
cannot be marshalled.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.runtime.rpc import UNKNOWN

__all__ = ["UNKNOWN", "holds_unknown", "plain", "plain_map", "wrap", "wrap_map"]


def plain(value: PropertyValue) -> Any:
    """Return the plain value; secrets lose their mark (the engine puts it back by property name)."""
    inner = value.value
    if isinstance(inner, float):
        return int(inner) if inner.is_integer() else inner
    if isinstance(inner, Mapping):
        return {key: plain(item) for key, item in inner.items()}
    if isinstance(inner, Sequence) and not isinstance(inner, str):
        return [plain(item) for item in inner]
    return inner


def plain_map(values: Mapping[str, PropertyValue]) -> dict[str, Any]:
    """Return the properties as plain values, without those that are null."""
    return {key: plain(value) for key, value in values.items() if value.value is not None}


def wrap(value: Any) -> PropertyValue:
    """Return the property value of a plain JSON-like value."""
    if isinstance(value, bool) or value is None:
        return PropertyValue(value)
    if isinstance(value, int):
        return PropertyValue(float(value))
    if isinstance(value, Mapping):
        return PropertyValue({str(key): wrap(item) for key, item in cast(Mapping[str, Any], value).items()})
    if isinstance(value, list | tuple):
        return PropertyValue([wrap(item) for item in cast(Sequence[Any], value)])
    return PropertyValue(value)


def wrap_map(values: Mapping[str, Any]) -> dict[str, PropertyValue]:
    """Return the properties of plain values, without those that are None."""
    return {key: wrap(value) for key, value in values.items() if value is not None}


def holds_unknown(value: Any) -> bool:
    """Say whether the sentinel stands anywhere in the value, also inside a longer string (an interpolated document)."""
    if isinstance(value, str):
        return UNKNOWN in value
    if isinstance(value, Mapping):
        return any(holds_unknown(item) for item in cast(Mapping[str, Any], value).values())
    if isinstance(value, list):
        return any(holds_unknown(item) for item in cast(list[Any], value))
    return False
