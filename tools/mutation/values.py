"""Inputs as trees: walk them, and change one place."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

Step = str | int
Place = tuple[Step, ...]


class _Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "removed"


ABSENT: Final = _Absent()
"""In place of a value: the key or item goes."""


def places(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield every place below a value with what stands there, containers before what they hold."""
    if place:
        yield place, value
    if is_mapping(value):
        for key, item in value.items():
            yield from places(item, (*place, key))
    elif is_list(value):
        for index, item in enumerate(value):
            yield from places(item, (*place, index))


def pattern(place: Place) -> str:
    """Return a place as the tables write it: `rules[].status`, the same for every item of a list."""
    text = ""
    for step in place:
        text += "[]" if isinstance(step, int) else f".{step}" if text else step
    return text


def shown(place: Place) -> str:
    """Return a place as a person writes it: `rules[0].status`."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def changed(value: Any, place: Place, new: Any) -> Any:
    """Return a copy of the value with `new` at the place; what is beside the way to it is shared."""
    if not place:
        return new
    step, rest = place[0], place[1:]
    if is_mapping(value):
        kept = {key: item for key, item in value.items() if key != step}
        inner = changed(value.get(step), rest, new) if rest or new is not ABSENT else ABSENT
        return kept if inner is ABSENT else {**kept, step: inner}
    items = list(cast("Sequence[Any]", value))
    inner = changed(items[cast("int", step)], rest, new)
    return [
        item if index != step else inner for index, item in enumerate(items) if index != step or inner is not ABSENT
    ]


def is_mapping(value: Any) -> bool:
    """Whether it has keys."""
    return isinstance(value, Mapping)


def is_list(value: Any) -> bool:
    """Whether it has items."""
    return isinstance(value, Sequence) and not isinstance(value, str)
