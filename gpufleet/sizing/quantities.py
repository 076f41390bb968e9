"""Units: memory in GiB and MiB (powers of 2) as GPUs report it; papers, networks and disks count in GB (10^9)."""

import re

from gpufleet.errors import UsageError

MIB = 2**20
GIB = 2**30
GB = 10**9

_SCALES = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


def count(text: str, option: str) -> int:
    """A count as people write it: `70B`, `1.5T`, `8030261248`, `8.03e9`.

    Raises:
        UsageError: it is none, or not above 0; `option` names it in the message.
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?(?:[eE][0-9]{1,2})?)\s*([KMBTkmbt]?)", text.strip())
    value = float(found[1]) * _SCALES[found[2].upper()] if found else 0.0
    if not 1 <= value <= 1e18:
        raise UsageError(
            f"{option} {text}: not a count\n"
            "  allowed: a number above 0, with K, M, B (10^9) or T (10^12) after it if wanted\n"
            f"  fix: write {option} 70B"
        )
    return round(value)


def written(value: float) -> str:
    """A count in few characters: `70.6B`, `131K`."""
    for letter in ("T", "B", "M", "K"):
        if value >= _SCALES[letter]:
            return f"{value / _SCALES[letter]:.3g}{letter}"
    return f"{value:.3g}"
