"""Read properties of which some are not known yet.

The SDK hands a rule proxies that raise as soon as an unknown is touched, and a rule that lets that happen is skipped
for the whole resource: one unknown would hide every certain violation beside it. So rules read through `read`, which
answers `UNKNOWN` for exactly the value that is not known, and compare through functions that treat it as neither right
nor wrong. A value of an odd type is never taken for a good one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pulumi_policy import proxy


class _Unknown:
    """The type of `UNKNOWN`."""

    def __repr__(self) -> str:
        return "(not known yet)"


UNKNOWN: Final = _Unknown()
"""Stands for a value that only the update can tell. It equals nothing but itself."""

_SENTINELS: Final = frozenset(
    {
        proxy.UNKNOWN_BOOLEAN_VALUE,
        proxy.UNKNOWN_NUMBER_VALUE,
        proxy.UNKNOWN_STRING_VALUE,
        proxy.UNKNOWN_ARRAY_VALUE,
        proxy.UNKNOWN_OBJECT_VALUE,
    }
)


def read(value: Any, *path: str) -> Any:
    """Return what lies at `path`: `None` where a key is absent or null, `UNKNOWN` where it or a parent is not known.

    A block that arrives as a list of one (older provider versions wrote them so) is looked into.
    """
    for key in path:
        if value is UNKNOWN:
            return UNKNOWN
        if _is_list(value):
            value = next(iter(elements(value)), None)
        if not isinstance(value, Mapping):
            return None
        try:
            value = value.get(key)  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType] -- JSON
        except proxy.UnknownValueError:
            return UNKNOWN
    return UNKNOWN if isinstance(value, str) and value in _SENTINELS else value  # pyright: ignore[reportUnknownVariableType] -- JSON


def elements(value: Any) -> list[Any]:
    """Return the items of a list, each `UNKNOWN` on its own; nothing for an absent one, a lone value as one item."""
    if value is None:
        return []
    if not _is_list(value):
        return [value]
    found: list[Any] = []
    for index in range(len(value)):
        try:
            found.append(read(value[index]))
        except proxy.UnknownValueError:
            found.append(UNKNOWN)
    return found


def entries(value: Any) -> dict[str, Any]:
    """Return a mapping as a plain dict, each value `UNKNOWN` on its own; nothing for what is not a mapping."""
    return {str(key): read(value, key) for key in value} if isinstance(value, Mapping) else {}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType] -- JSON


def differs(value: Any, wanted: bool | str, *, absent: bool | str) -> bool:
    """Tell whether a value certainly is not the wanted one; `absent` is what AWS takes where nothing is said."""
    return value is not UNKNOWN and _plain(absent if value is None else value) != wanted


def number(value: Any) -> float | None:
    """Return a number, also one written as text; `None` for anything else (test for `UNKNOWN` first)."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def shown(value: Any) -> str:
    """Return a value as a message shows it: whole numbers without a fraction, an absent one as `not set`."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _plain(value: Any) -> Any:
    """A flag that travelled as text (launch templates do that) is still a flag."""
    return {"true": True, "false": False}.get(value.lower(), value) if isinstance(value, str) else value
