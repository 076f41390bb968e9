"""The price file: what was asked of AWS, in the shape that `gpufleet.facts.prices` reads."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gpufleet.errors import UsageError
from gpufleet.facts import prices

TERMS = "Linux, shared tenancy, on-demand and spot; no discount, no tax"


def read(path: Path) -> dict[str, Any]:
    """The file that is there already, so that the regions that were not asked for stay; an empty one where none is.

    Raises:
        UsageError: something else lies there.
    """
    if not path.exists():
        return {}
    try:
        prices.check(path)
    except prices.UnreadablePrices as error:
        raise UsageError(f"--output {path}: holds something else, which is not written over\n{error}") from error
    return json.loads(path.read_bytes())


def merged(before: Mapping[str, Any], hours: Iterable[Any], spot: Iterable[Any]) -> dict[str, Any]:
    """The document with the groups (one a region) in place of older ones of their regions; `as_of` is the oldest."""
    all_hours = _replaced(before.get("instance_hours", ()), hours)
    return {
        "schema": 1,
        "currency": "USD",
        "terms": TERMS,
        "as_of": min(group["date"] for group in all_hours),
        "instance_hours": all_hours,
        "spot_hours": _replaced(before.get("spot_hours", ()), spot),
        "services": list(before.get("services", ())),
    }


def _replaced(before: Iterable[Any], after: Iterable[Any]) -> list[Any]:
    by_region = {group["region"]: group for group in (*before, *after)}
    return [by_region[region] for region in sorted(by_region)]


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Write the file in one step: a reader finds the old one or the new one.

    Raises:
        UsageError: it cannot be written there.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"--output {path}: cannot be written: {error.strerror or error}") from error
