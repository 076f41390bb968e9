"""The numbers that readings are compared with, from ``data/thresholds.json``, and the XIDs, from ``data/xid.json``."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).with_name("data")


@dataclass(frozen=True, slots=True)
class Xid:
    """What an XID means and what to do about it."""

    code: str
    name: str
    meaning: str
    severity: str
    next: tuple[str, ...]


@cache
def _thresholds() -> Mapping[str, Mapping[str, Any]]:
    return json.loads((_DATA / "thresholds.json").read_bytes())["thresholds"]


def value(name: str) -> float:
    """One threshold, in the unit that the file gives it."""
    return float(_thresholds()[name]["value"])


@cache
def _xids() -> Mapping[str, Any]:
    return json.loads((_DATA / "xid.json").read_bytes())


def xid(code: str) -> Xid:
    """What is known of an XID; of one that is not in the table, that it is not."""
    table = _xids()
    entry = table["xids"].get(code)
    if entry is None:
        return Xid(code, "not in the table", table["unknown"]["meaning"], "major", tuple(table["unknown"]["next"]))
    action = table["actions"][entry["action"]]
    return Xid(code, entry["name"], entry["meaning"], action["severity"], tuple(action["next"]))
