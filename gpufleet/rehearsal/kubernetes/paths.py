"""Property paths in Pulumi's spelling: `spec.containers[0].image`, `metadata.labels["app.kubernetes.io/name"]`."""

import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any, cast

Path = tuple[str | int, ...]

_PLAIN = re.compile(r"[A-Za-z_$][\w$-]*\Z")
_STEP = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|\.?([^.\[\]]+)')


def spelled(path: Path) -> str:
    """Return the path as the engine and the user read it."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN.match(step):
            text += f".{step}" if text else step
        else:
            escaped = step.replace("\\", "\\\\").replace('"', '\\"')
            text += f'["{escaped}"]'
    return text


def parsed(text: str) -> Path:
    """Return the steps of a path; `[*]` becomes the step `*`, which stands for every item."""
    steps: list[str | int] = []
    for quoted, index, name in _STEP.findall(text):
        if index:
            steps.append(int(index) if index.isdigit() else index)
        else:
            steps.append(re.sub(r"\\(.)", r"\1", quoted) if quoted else name)
    return tuple(steps)


def at(value: Any, *steps: str) -> Any:
    """Return what lies at the steps in nested mappings, None where nothing does."""
    for step in steps:
        value = cast(Mapping[str, Any], value).get(step) if isinstance(value, Mapping) else None
    return value


def within(path: Path, prefix: Path) -> bool:
    """Say whether the path is the prefix or lies below it."""
    return len(path) >= len(prefix) and all(b in ("*", a) for a, b in zip(path, prefix, strict=False))


def copied(source: Any, target: Any, path: Path) -> Any:
    """Return the target with what the source has at the path: its value, or nothing where it has none.

    Neither argument is changed. Items of lists that only one of them has are left as they are in the target.
    """
    if not path:
        return source
    step, rest = path[0], path[1:]
    if isinstance(target, list):
        return _copied_items(source, cast(list[Any], target), step, rest)
    if not isinstance(target, Mapping):
        return target
    changed: MutableMapping[str, Any] = dict(cast(Mapping[str, Any], target))
    from_source = cast(Mapping[str, Any], source if isinstance(source, Mapping) else {})
    for key in list(changed.keys() | from_source.keys()) if step == "*" else [str(step)]:
        if rest and key in changed:
            changed[key] = copied(from_source.get(key), changed[key], rest)
        elif not rest and key in from_source:
            changed[key] = from_source[key]
        elif not rest:
            changed.pop(key, None)
    return changed


def _copied_items(source: Any, target: Sequence[Any], step: str | int, rest: Path) -> list[Any]:
    items = list(target)
    from_source: Sequence[Any] = cast(list[Any], source) if isinstance(source, list) else ()
    for index in range(len(items)):
        if step in ("*", index) and index < len(from_source):
            items[index] = copied(from_source[index], items[index], rest)
    return items
