"""The state of a resource: the object as the API server has it, and what the program applied."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pulumi.provider.experimental.property_value import PropertyValue

from gpufleet.rehearsal.aws.values import UNKNOWN, holds_unknown, plain_map, wrap
from gpufleet.rehearsal.kubernetes.objects import Object

INPUTS = "__inputs"
"""Key of the state with the inputs that were applied, as in the official provider's."""

MANAGER = "__fieldManager"
"""Key of the state with the name under which the fields were applied, as in the official provider's."""

Properties = Mapping[str, PropertyValue]

# Another at every write, or none of the program's business.
_OF_THE_SERVER = ("creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid")
# Base64 of one in the other: a mark on the inputs' would miss the server's.
_SECRET_PARTS = ("data", "stringData")


def body(inputs: Properties | Mapping[str, Any]) -> dict[str, Any]:
    """Return the object that inputs describe, without the provider's own keys."""
    values = {
        name: value
        for name, value in inputs.items()
        if not name.startswith("__") and getattr(value, "value", value) is not None
    }
    marked = {name: value for name, value in values.items() if isinstance(value, PropertyValue)}
    return {**values, **plain_map(marked)}


def comparable(live: Object) -> dict[str, Any]:
    """Return the object without what the server counts and without its status."""
    metadata = {key: value for key, value in live["metadata"].items() if key not in _OF_THE_SERVER}
    return {key: value for key, value in live.items() if key != "status"} | {"metadata": metadata}


def made(live: Object, inputs: Properties, manager: str) -> dict[str, PropertyValue]:
    """Return the state of an object that is there; what is secret in the inputs is secret in it."""
    metadata = {key: value for key, value in live["metadata"].items() if key != "managedFields"}
    return _marked({**live, "metadata": metadata}, inputs, manager)


def foreseen(
    dry: Object | None, inputs: Properties, manager: str, old: Object | None = None
) -> dict[str, PropertyValue]:
    """Return the state that a preview shows: what the server would add is unknown where it is not there already.

    Args:
        dry: the object as a dry run of the server has it, None where there can be none.
        inputs: the program's, with unknowns.
        manager: who owns the fields.
        old: the state before, None for a creation.
    """
    given = body(inputs)
    shown = given if dry is None else cast(dict[str, Any], _merged(given, dry, old or {}))
    metadata: Any = shown.get("metadata")
    if isinstance(metadata, dict):
        stays: Mapping[str, Any] = (old or {}).get("metadata") or {}
        made_up = {"uid": stays.get("uid", UNKNOWN), "creationTimestamp": stays.get("creationTimestamp", UNKNOWN)}
        moving = {"generation": UNKNOWN, "resourceVersion": UNKNOWN}
        known = {key: value for key, value in cast(dict[str, Any], metadata).items() if key != "managedFields"}
        shown = {**shown, "metadata": {**known, **made_up, **moving}}
    if dry is not None and "status" in dry:
        shown = {**shown, "status": UNKNOWN}
    return _marked(shown, inputs, manager)


def _merged(given: Any, dry: Any, old: Any) -> Any:
    """Return what was given, completed by what the server would add: as it is now where it stays so, else unknown."""
    if isinstance(given, Mapping) and isinstance(dry, Mapping):
        mine, its = cast(Mapping[str, Any], given), cast(Mapping[str, Any], dry)
        before = cast(Mapping[str, Any], old if isinstance(old, Mapping) else {})
        added = {key: value if before.get(key) == value else UNKNOWN for key, value in its.items() if key not in mine}
        return {key: _merged(value, its.get(key), before.get(key)) for key, value in mine.items()} | added
    if isinstance(given, list) and isinstance(dry, list):
        items, its_items = cast(list[Any], given), cast(list[Any], dry)
        olds = cast(list[Any], old) if isinstance(old, list) else []
        if len(items) == len(its_items):
            befores = olds if len(olds) == len(items) else [None] * len(items)
            return [_merged(*each) for each in zip(items, its_items, befores, strict=True)]
    return cast(Any, given)


def _marked(values: Object, inputs: Properties, manager: str) -> dict[str, PropertyValue]:
    state = {key: marked(value, inputs.get(key)) for key, value in values.items() if value is not None}
    if values.get("kind") == "Secret" and values.get("apiVersion") == "v1":
        for part in _SECRET_PARTS:
            if part in state:
                state[part] = PropertyValue(state[part].value, is_secret=True)
    applied = {key: value for key, value in inputs.items() if not key.startswith("__")}
    return {**state, INPUTS: PropertyValue(applied), MANAGER: PropertyValue(manager)}


def marked(value: Any, like: PropertyValue | None) -> PropertyValue:
    """Return the plain value with the marks of another of its shape: secret is what is secret there."""
    if like is None or not holds_secret(like):
        return wrap(value)
    inner = like.value
    if not like.is_secret and isinstance(value, Mapping) and isinstance(inner, Mapping):
        items = cast(Mapping[str, Any], value).items()
        return PropertyValue({str(key): marked(item, inner.get(key)) for key, item in items})
    if not like.is_secret and isinstance(value, list) and isinstance(inner, Sequence) and not isinstance(inner, str):
        elements = cast(list[Any], value)
        if len(elements) == len(inner):
            pairs = zip(elements, inner, strict=True)
            return PropertyValue([marked(item, mark) for item, mark in pairs])
    return PropertyValue(wrap(value).value, is_secret=True)


def holds_secret(value: PropertyValue) -> bool:
    """Say whether the value or anything in it is marked as secret."""
    inner = value.value
    if value.is_secret:
        return True
    if isinstance(inner, Mapping):
        return any(holds_secret(item) for item in inner.values())
    if isinstance(inner, Sequence) and not isinstance(inner, str):
        return any(holds_secret(item) for item in inner)
    return False


def pruned(live: Any, shape: Any) -> Any:
    """Return what the live object has where the shape has something: the inputs as they would have to be now."""
    if isinstance(live, Mapping) and isinstance(shape, Mapping):
        there = cast(Mapping[str, Any], live)
        return {key: pruned(there[key], value) for key, value in cast(Mapping[str, Any], shape).items() if key in there}
    if isinstance(live, list) and isinstance(shape, list) and len(cast(list[Any], live)) == len(cast(list[Any], shape)):
        return [pruned(*pair) for pair in zip(cast(list[Any], live), cast(list[Any], shape), strict=True)]
    return cast(Any, live)


def unknown_parts(inputs: Mapping[str, Any]) -> list[str]:
    """Return the names of the inputs that hold an unknown."""
    return sorted(name for name, value in inputs.items() if holds_unknown(value))
