"""Reads the JSON files in ``data/``; their typed readers are the modules beside this one."""

import json
from pathlib import Path
from typing import Any

DIRECTORY = Path(__file__).with_name("data")


def read(name: str) -> dict[str, Any]:
    """The content of ``data/<name>.json``; the typed readers keep what they make of it, so nothing is cached here."""
    return json.loads((DIRECTORY / f"{name}.json").read_bytes())
