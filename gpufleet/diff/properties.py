"""The inputs of a change, path by path, as a person reads them."""

import json
from collections.abc import Iterator
from typing import Any

from gpufleet.diff.changes import REPLACE, UPDATE, UPDATE_OR_REPLACE, Fate
from gpufleet.plan.graph import UNKNOWN
from gpufleet.plan.values import is_list, is_mapping, opened

_LENGTH = 200
"""Characters shown of a value; documents of policies are longer than anybody reads in a table."""
LATER = "(known after the update)"
"""Shown of an input that is made from something that is yet to come."""
_SECRET = "(secret)"  # noqa: S105 -- stands in for one
_NOTHING = object()


def properties(fate: Fate) -> list[dict[str, Any]]:
    """`path`, `before`, `after` and `replaces` of each input that changes; empty for what is created or deleted."""
    if fate.action not in (UPDATE, REPLACE, UPDATE_OR_REPLACE) or fate.old is None:
        return []
    found: list[dict[str, Any]] = []
    for name in fate.verdict.properties:
        top = name.replace("[", ".").split(".")[0]
        replaces = name in fate.verdict.replaces
        secret = any(path.split(".")[0].split("[")[0] == top for path in fate.node.secrets)
        if top not in fate.old.inputs and top not in fate.inputs:
            # The provider's own: tagsAll, a name it makes up.
            found.append({"path": name, "before": None, "after": None, "replaces": replaces})
            continue
        for path, before, after in _paths(top, fate.old.inputs.get(top, _NOTHING), fate.inputs.get(top, _NOTHING)):
            if path == name or not _nested(name) or path.startswith(name):
                shown = (_SECRET, _SECRET) if secret else (_shown(before), _shown(after))
                found.append({"path": path, "before": shown[0], "after": shown[1], "replaces": replaces})
    return found


def _nested(name: str) -> bool:
    return "." in name or "[" in name


def _paths(path: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """The topmost paths at which the two differ."""
    before, after = opened(before), opened(after)
    if is_mapping(before) and is_mapping(after):
        for key in sorted(before.keys() | after.keys()):
            step = f"{path}.{key}" if str(key).isidentifier() else f'{path}["{key}"]'
            yield from _paths(step, before.get(key, _NOTHING), after.get(key, _NOTHING))
    elif is_list(before) and is_list(after) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _paths(f"{path}[{index}]", one, other)
    elif before != after or type(before) is not type(after):
        yield path, before, after


def _shown(value: Any) -> str | None:
    if value is _NOTHING:
        return None
    if value == UNKNOWN:
        return LATER
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    text = text.replace(UNKNOWN, LATER)
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}..."
