"""JSON values: narrowed to what they are, so that the type checker follows; and documents within them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard


def is_mapping(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether it is a JSON object (or a read-only view of one)."""
    return isinstance(value, Mapping)


def is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    """Whether it is a JSON array; text is none."""
    return isinstance(value, list | tuple)


def opened(value: Any) -> Any:
    """What a JSON document that travels as text says, so that it is looked into; anything else as it is."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
