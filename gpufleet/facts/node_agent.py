"""EKS's node monitoring agent: the pinned version and the oldest to use, from ``data/node_agent.json``."""

from typing import Any

from gpufleet.facts import _data

_FILE: dict[str, Any] = _data.read("node_agent")

ADDON: str = _FILE["addon"]
VERSION: str = _FILE["version"]["value"]
"""`v1.7.0-eksbuild.1`, as EKS numbers its add-ons."""
LEAST_VERSION: str = _FILE["least_version"]["value"]
LEAST_VERSION_WHY: str = _FILE["least_version"]["why"]


def version_key(version: str) -> tuple[int, ...]:
    """For comparison, EKS's own build left out: v1.6.4-eksbuild.2 is as new as v1.6.4."""
    return tuple(int(part) for part in version.removeprefix("v").partition("-")[0].split("."))
