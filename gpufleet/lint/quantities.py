"""Kubernetes' quantities: `8`, `500m`, `16Gi`."""

import re
from fractions import Fraction
from typing import Any

_SUFFIXES = {
    "": Fraction(1),
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "k": Fraction(1000),
    **{suffix: Fraction(1000**power) for power, suffix in enumerate("MGTPE", start=2)},
    **{f"{suffix}i": Fraction(1024**power) for power, suffix in enumerate("KMGTPE", start=1)},
}
_QUANTITY = re.compile(r"([+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)([a-zA-Z]*)")


def parse(value: Any) -> Fraction | None:
    """The quantity as a number; None for what is none, which the API refuses by itself.

    https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
    """
    if isinstance(value, bool) or value is None:
        return None
    found = _QUANTITY.fullmatch(str(value).strip())
    if found is None or found[2] not in _SUFFIXES:
        return None
    return Fraction(found[1]) * _SUFFIXES[found[2]]


def count(value: Any) -> int:
    """Of a resource that is counted in whole pieces; 0 where it is not there or none."""
    found = parse(value)
    return 0 if found is None else int(found)
