"""Look up a value by its path: `a.b`, `rules[].x` for each item of a list, `regions.*.x` for each entry."""

import re
from collections.abc import Iterator
from typing import Any

from gpufleet.plan.values import is_list, is_mapping, opened

Step = str
Found = tuple[tuple[Step, ...], Any]
"""The keys that were taken (an item by its name, else its index), and what lies there: None for nothing."""


def find(value: Any, path: str) -> Iterator[Found]:
    """Yield what lies at the path; a missing end is None, but for a missing entry of a `*` or `[]` there is none.

    A dot that belongs to a key is written `\\.`. Text that is JSON is looked into, as providers' inputs are.
    """
    steps = [step.replace("\\.", ".") for step in re.split(r"(?<!\\)\.", path)]
    yield from _walk(value, steps, ())


def _walk(value: Any, steps: list[str], taken: tuple[Step, ...]) -> Iterator[Found]:
    if not steps:
        yield taken, value
        return
    step, rest = steps[0], steps[1:]
    value = opened(value)
    if step == ANY_ENTRY:
        for key, item in _entries(value):
            yield from _walk(item, rest, (*taken, key))
    elif step.endswith(EACH):
        name = step.removesuffix(EACH)
        items = value.get(name) if is_mapping(value) else None
        for index, item in enumerate(items if is_list(items) else [] if items is None else [items]):
            yield from _walk(item, rest, (*taken, f"{name}[{index}]"))
    else:
        if is_list(value) and len(value) == 1:
            value = value[0]  # a block that older versions of a provider write as a list of one
        yield from _walk(value.get(step) if is_mapping(value) else None, rest, (*taken, step))


ANY_ENTRY = "*"
EACH = "[]"


def _entries(value: Any) -> Iterator[tuple[Step, Any]]:
    if is_mapping(value):
        yield from value.items()
    elif is_list(value):
        for index, item in enumerate(value):
            name = item.get("name") if is_mapping(item) else None
            yield (name if isinstance(name, str) else str(index)), item
