"""What a component is given: its own Args, or the plain dict that Pulumi hands over for a program in another
language."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

Args = TypeVar("Args")


def typed(args: object, cls: type[Args]) -> Args:
    """`args` as a `cls`, so that its checks have run whichever way it came.

    A program in another language sends every number as a float (https://github.com/pulumi/pulumi, the Python component
    host); fields that are declared as whole numbers get them back.

    Raises:
        TypeError: a field is missing or not known.
    """
    if isinstance(args, cls):
        return args
    if not isinstance(args, Mapping):
        raise TypeError(f"expected {cls.__name__} or a mapping with its fields, got {type(args).__name__}")
    whole = {field.name for field in fields(cast(Any, cls)) if field.type in (int, "int", int | None)}
    given = cast(Mapping[str, Any], args)
    return cls(
        **{key: int(value) if key in whole and isinstance(value, float) else value for key, value in given.items()}
    )
