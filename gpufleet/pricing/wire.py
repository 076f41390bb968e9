"""Reads numbers, texts and lists out of a resource's inputs in wire form, or says why it cannot.

Inputs may be anything: unknown until the update, secret, of a type the provider would refuse. Whatever does not read
as what a price needs raises `Unreadable`, whose text becomes the reason in the list of what is not priced.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import isfinite
from typing import Any, Final, cast

from gpufleet.pricing.charge import Gap

UNKNOWN: Final = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The engine's placeholder for a value that is known only after the update (sdk/go/common/resource/plugin/rpc.go)."""

_SIGNATURE: Final = "4dabf18193072939515e22adb298388d"
"""Key that marks a wrapped value, such as a secret, in wire form (sdk/go/common/resource/sig)."""


class Unreadable(Exception):
    """A value a price depends on is missing, unknown or not of the type it should be."""

    @property
    def gap(self) -> Gap:
        """The same, as an entry of what is not priced."""
        return Gap(str(self))


def value(inputs: object, path: str) -> Any:
    """What lies at a dotted path, secrets unwrapped; `None` when any step is missing. A list gives its first item."""
    found = _unwrap(inputs)
    for key in path.split("."):
        if isinstance(found, list):
            items = cast("list[object]", found)
            found = _unwrap(items[0]) if items else None
        if not isinstance(found, Mapping):
            return UNKNOWN if found == UNKNOWN else None
        found = _unwrap(cast("Mapping[str, object]", found).get(key))
    return found


def number(inputs: object, path: str, default: int | None = None) -> Decimal:
    """A number that is finite and not negative; `default` stands in for a missing one."""
    found = value(inputs, path)
    if found is None:
        if default is None:
            raise Unreadable(f"{path} is not set")
        return Decimal(default)
    if isinstance(found, bool) or not isinstance(found, int | float) or not isfinite(found) or found < 0:
        raise Unreadable(f"{path} is {_shown(found)}, not a number of zero or more")
    # By way of the text, so that 0.1 is a tenth and not the binary float nearest to it; wire form knows only floats,
    # so 3.0 is three.
    return Decimal(int(found)) if found == int(found) else Decimal(str(found))


def text(inputs: object, path: str, default: str = "") -> str:
    """A text; `default` stands in for a missing one."""
    found = value(inputs, path)
    if found is None:
        return default
    if not isinstance(found, str) or found == UNKNOWN:
        raise Unreadable(f"{path} is {_shown(found)}, not a text")
    return found


def items(inputs: object, path: str) -> Sequence[Any]:
    """A list with its secrets unwrapped; empty when missing. Items themselves may be anything."""
    found = value(inputs, path)
    if found is None:
        return ()
    if not isinstance(found, list):
        raise Unreadable(f"{path} is {_shown(found)}, not a list")
    return [_unwrap(item) for item in cast("list[object]", found)]


def is_true(inputs: object, path: str) -> bool:
    """Whether a flag is set: `true`, or the text "true" that some AWS inputs take."""
    return value(inputs, path) in (True, "true")


def _unwrap(found: object) -> object:
    while isinstance(found, Mapping):
        block = cast("Mapping[str, object]", found)
        if _SIGNATURE not in block:
            return block
        found = block.get("value", UNKNOWN)
    return found


def _shown(found: object) -> str:
    return "known only after the update" if found == UNKNOWN else repr(found)[:80]
