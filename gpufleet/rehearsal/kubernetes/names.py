"""Automatic names, as the official provider gives them: the logical name, a hyphen and eight hex digits."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from gpufleet.rehearsal.kubernetes.paths import at

AUTONAMED = "pulumi.com/autonamed"
"""Annotation of objects whose name was made up here, and may be made up anew when they are replaced."""

_DIGITS = 8


def automatic(logical_name: str, seed: bytes) -> str:
    """Return a name for an object.

    The digits come from the engine's random seed, another for every replacement; without one, from the logical name.
    The name is not cut to length: what is too long is refused by the API server, as with the official provider.
    """
    return f"{logical_name}-{sha256(seed or logical_name.encode()).hexdigest()[:_DIGITS]}"


def field_manager(urn: str) -> str:
    """Return the name under which a resource owns the fields it applies: another for each resource of a program."""
    return f"pulumi-kubernetes-{sha256(urn.encode()).hexdigest()[:_DIGITS]}"


def is_automatic(metadata: Mapping[str, Any]) -> bool:
    """Say whether the object's name was made up here."""
    return at(metadata, "annotations", AUTONAMED) == "true"
