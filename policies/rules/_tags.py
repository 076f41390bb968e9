"""Tags that say whose a resource is, which budget pays it and when it may go."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pulumi_policy import PolicyConfigSchema

from ._reading import UNKNOWN, entries

REQUIRED: Final = ["owner", "cost-center", "expires"]

SCHEMA: Final = PolicyConfigSchema(
    {
        "required": {
            "type": "array",
            "items": {"type": "string"},
            "default": REQUIRED,
            "description": "tag keys, exactly",
        }
    }
)


def missing(config: Mapping[str, Any], sources: Iterable[Any]) -> list[str]:
    """Return the required keys that certainly are in none of the tag maps, or empty; none while a map is unknown."""
    found: dict[str, Any] = {}
    for tags in sources:
        if tags is UNKNOWN:
            return []
        found.update(entries(tags))
    return [key for key in config.get("required", REQUIRED) if found.get(key) in (None, "")]
