"""The difference between two objects, path by path."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, cast

from gpufleet.rehearsal.kubernetes.paths import Path

_MISSING = object()


class Change(Enum):
    """What happened at one path."""

    ADDED = "added"
    DELETED = "deleted"
    UPDATED = "updated"


def compare(before: Any, after: Any) -> dict[Path, Change]:
    """Return the topmost paths at which the two differ; lists are compared item by item."""
    return dict(_compare((), before, after))


def _compare(path: Path, before: Any, after: Any) -> Iterator[tuple[Path, Change]]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        old, new = cast(Mapping[str, Any], before), cast(Mapping[str, Any], after)
        for key in sorted(old.keys() | new.keys()):
            yield from _compare((*path, key), old.get(key, _MISSING), new.get(key, _MISSING))
    elif isinstance(before, list) and isinstance(after, list):
        olds, news = cast(list[Any], before), cast(list[Any], after)
        for index in range(max(len(olds), len(news))):
            old = olds[index] if index < len(olds) else _MISSING
            new = news[index] if index < len(news) else _MISSING
            yield from _compare((*path, index), old, new)
    elif before is _MISSING:
        yield path, Change.ADDED
    elif after is _MISSING:
        yield path, Change.DELETED
    elif before != after or isinstance(before, bool) != isinstance(after, bool):
        yield path, Change.UPDATED
