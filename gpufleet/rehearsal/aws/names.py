"""Automatic names, as the real provider gives them: a logical name and seven hex digits."""

from hashlib import sha256
from typing import Any

from gpufleet.rehearsal.aws.table import AutoName

_DIGITS = 7


def automatic(rule: AutoName, urn: str, seed: bytes, prefix: Any = None) -> str:
    """Return the name for a resource.

    The digits come from the engine's random seed (the same for the preview and the update of one resource, another for
    its replacement); without a seed, from the URN.
    """
    digits = sha256(seed or urn.encode()).hexdigest()[:_DIGITS]
    stem = str(prefix) if prefix else rule.stem + urn.rsplit("::", 1)[-1] + rule.separator
    stem = stem.lower() if rule.lower else stem
    return stem[: rule.limit - _DIGITS] + digits
