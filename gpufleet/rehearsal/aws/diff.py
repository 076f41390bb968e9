"""The difference between the inputs a resource was made with and those the program asks for now."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

from gpufleet.rehearsal.aws.table import AwsType, Input, Properties
from gpufleet.rehearsal.kubernetes.paths import copied, parsed

INPUT_NAMES = "__inputs"
"""Key of the state that names the inputs which were set, so that what AWS added is not taken for something the program
dropped."""


class Change(Enum):
    """What happened to one input."""

    ADDED = "added"
    DELETED = "deleted"
    UPDATED = "updated"


@dataclass(frozen=True)
class Difference:
    """The changed inputs, and those among them that AWS cannot change in place."""

    changes: Mapping[str, Change]
    replaces: tuple[str, ...]


def old_inputs(entry: AwsType, state: Properties) -> dict[str, Any]:
    """Return the inputs the state was made from, without what AWS has added inside them."""
    names = cast(Sequence[str], state.get(INPUT_NAMES) or [name for name in entry.all_inputs if name in state])
    return without_nested(entry, {name: state[name] for name in names if name in state})


def without_nested(entry: AwsType, properties: Properties) -> dict[str, Any]:
    """Return the properties without what AWS has added inside inputs."""
    declared = dict(properties)
    for path in entry.nested_outputs:
        name, _, inner = path.partition(".")
        if name in declared:
            declared[name] = {key: value for key, value in declared[name].items() if key != inner}
    return declared


def compare(entry: AwsType, old: Properties, new: Properties, ignored: Sequence[str] = ()) -> Difference:
    """Compare two sets of inputs.

    Args:
        entry: of the type.
        old: what the resource was made with.
        new: what the program asks for now.
        ignored: its ignoreChanges; as in the engine, the old value stays at these paths and at no other.
    """
    for path in ignored:
        new = copied(old, new, parsed(path))
    changes: dict[str, Change] = {}
    for name in sorted(old.keys() | new.keys()):
        kind = entry.all_inputs.get(name, Input())
        if name.startswith("__"):
            continue
        before, after = normal(old.get(name), kind), normal(new.get(name), kind)
        if before != after:
            changes[name] = Change.ADDED if name not in old else Change.DELETED if name not in new else Change.UPDATED
    replaces = tuple(name for name in changes if name in entry.all_inputs and entry.all_inputs[name].replaces)
    return Difference(changes, replaces)


def normal(value: Any, kind: Input) -> Any:
    """Return the value in a form in which equal meaning is equal: documents parsed, sets ordered, empty things gone."""
    if kind.document and isinstance(value, str):
        return _document(value)
    if kind.unordered and isinstance(value, list):
        value = sorted(cast(list[Any], value), key=lambda item: json.dumps(item, sort_keys=True))
    # Terraform's schemas do not tell an empty list or map from none at all.
    return None if value in ([], {}) else value


def _document(text: str) -> Any:
    try:
        parsed = json.loads(text)
    except ValueError:
        return text
    return _canonical(parsed)


def _canonical(value: Any) -> Any:
    """IAM reads a list of one like its only item, and the lists of a policy as sets."""
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        items = sorted(
            (_canonical(item) for item in cast(list[Any], value)), key=lambda item: json.dumps(item, sort_keys=True)
        )
        return items[0] if len(items) == 1 else items
    return value
