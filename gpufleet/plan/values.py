"""Narrow a JSON value to what it is, so that the type checker follows."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard


def is_mapping(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether it is a JSON object (or a read-only view of one)."""
    return isinstance(value, Mapping)


def is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    """Whether it is a JSON array; text is none."""
    return isinstance(value, list | tuple)
