"""What can be done to one value to make it weaker. Each operator gives none, one or several changed values.

The tables name operators as text: `flip`, `remove`, `empty`, `open`, `document` (`document:resource` for the policy of
a resource, which is about nothing else), `times:100`, `=VALUE` (JSON, or plain text where it is none), `add:VALUE`,
`with:KEY=VALUE`, which puts a field into a block, and `beside:KEY=VALUE`, which puts another in place of the value.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from tools.mutation import documents
from tools.mutation.values import ABSENT, Place, is_list, is_mapping

Change = tuple[str, Place, Any]
"""What was done, where below the value's parent, and what stands there now."""

_QUANTITY: Final = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z%]*)")


def changes(operator: str, place: Place, value: Any) -> Iterator[tuple[str, tuple[tuple[Place, Any], ...]]]:
    """Yield (label, edits) of each way in which the operator applies to the value at the place."""
    name, _, argument = operator.partition(":")
    if operator.startswith("="):
        new = plain(operator[1:])
        if new != value:
            yield operator, ((place, new),)
    elif name == "beside":
        key, _, text = argument.partition("=")
        yield operator, ((place, ABSENT), ((*place[:-1], key), plain(text)))
    elif name == "with":
        key, _, text = argument.partition("=")
        yield operator, ((place, {**value, key: plain(text)}),)
    elif name == "add":
        yield operator, ((place, [*(value or ()), plain(argument)]),)
    elif name == "document":
        found = documents.weaker(value, of_resource=argument == "resource")
        yield from ((label, ((place, new),)) for label, new in found)
    else:
        new = _ONE[name](value, argument)
        if new is not value:
            yield operator, ((place, new),)


def known(operator: str) -> bool:
    """Whether there is such an operator."""
    return operator.startswith("=") or operator.partition(":")[0] in (*_ONE, "add", "beside", "document", "with")


def plain(text: str) -> Any:
    """Read JSON; what is none stands for itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _flip(value: Any, _: str) -> Any:
    if isinstance(value, bool):
        return not value
    return {"true": "false", "false": "true"}.get(value, value)


def _remove(_: Any, __: str) -> Any:
    return ABSENT


def _empty(value: Any, _: str) -> Any:
    return ([] if is_list(value) else {} if is_mapping(value) else "") if value else value


def _open(value: Any, _: str) -> Any:
    return "::/0" if ":" in str(value) else "0.0.0.0/0" if value != "0.0.0.0/0" else value


def _times(value: Any, by: str) -> Any:
    """Numbers stay numbers, and text with or without a unit stays text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return type(value)(value * float(by))
    found = _QUANTITY.fullmatch(str(value))
    return value if found is None else f"{float(found[1]) * float(by):g}{found[2]}"


_ONE: Final[dict[str, Callable[[Any, str], Any]]] = {
    "empty": _empty,
    "flip": _flip,
    "open": _open,
    "remove": _remove,
    "times": _times,
}
