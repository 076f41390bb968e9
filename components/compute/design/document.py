"""A design as plain values: what the component registers as its output and what `gpufleet explain` reads."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, cast

from .shapes import Design

SCHEMA = 1


def as_document(design: Design) -> dict[str, Any]:
    """JSON's own types only, names in camel case, times in ISO 8601.

    The request is left out but for the names by which a reader finds the pool: what was asked for is in the settings.
    What a pod on a whole node asks for is spelled out under `pod.requests` and `pod.limits`.
    """
    found = {_camel(f.name): _plain(getattr(design, f.name)) for f in fields(design) if f.name != "request"}
    found["pod"] = {
        **found["pod"],
        "requests": _plain(design.pod.requests),
        "limits": _plain(design.pod.limits),
    }
    request = design.request
    return {
        "schema": SCHEMA,
        "pool": request.name,
        "region": request.region,
        "purchase": request.purchase,
        "use": request.use,
        "minNodes": request.min_nodes,
        "maxNodes": request.max_nodes,
        **found,
    }


def _plain(value: object) -> Any:
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {_camel(f.name): _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        # Labels, limits and variables: their keys are names, not ours to spell.
        return {str(key): _plain(item) for key, item in cast(Mapping[object, object], value).items()}
    if isinstance(value, Sequence):
        return [_plain(item) for item in cast(Sequence[object], value)]
    raise TypeError(f"{type(value).__name__} has no place in a document")


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
