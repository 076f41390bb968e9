"""What is known of IAM actions: which of them accept no resource but a star."""

import json
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "data" / "star_only_actions.json"


def accepts_only_star(action: str) -> bool:
    """Tell whether an action, or every one that a pattern such as `pricing:Get*` covers, accepts only Resource `*`."""
    service, _, name = action.lower().partition(":")
    star_only, every = _services().get(service, (frozenset[str](), frozenset[str]()))
    if "*" in name or "?" in name:
        return name.endswith("*") and name[:-1] in every
    return name in star_only


@cache
def _services() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    services: dict[str, dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))["services"]
    return {
        service: (
            frozenset(name.lower() for name in entry["actions"]),
            frozenset(verb.lower() for verb in entry["every"]),
        )
        for service, entry in services.items()
    }
