"""How long before instances go, and what can be written until then, from ``data/interruptions.json``."""

from dataclasses import dataclass
from typing import Any

from gpufleet.facts import _data

_FILE = _data.read("interruptions")

SPOT_NOTICE_SECONDS: int = _FILE["spot_notice_seconds"]["value"]
"""Between EC2's word that a spot instance goes and its end."""

SPOT_MARGIN_SECONDS: int = _FILE["spot_margin_seconds"]["value"]
"""Of the notice, what passes before a process can begin to write."""

EKS_SCALES_DOWN_MINUTES: int = _FILE["eks_scales_down_minutes"]["value"]
"""Before a capacity block's end, when EKS itself lets its node group go."""

DRAIN_MINUTES: int = _FILE["drain_minutes"]["value"]
"""What pods get to end, before instances are taken."""

FUTURE_DATED_FAMILIES: tuple[str, ...] = tuple(_FILE["future_dated"]["families"])
"""Families, by their letters, that EC2 reserves for a later day: P is not among them."""


@dataclass(frozen=True, slots=True)
class WriteRate:
    """How fast a checkpoint is taken to leave a node."""

    gb_per_second: float
    basis: str
    """How that came about, in words."""


def is_ultraserver(family: str) -> bool:
    """Whether instances of the family come as members of an UltraServer."""
    return family in _FILE["block_notice_minutes"]["ultraserver_families"]


def block_notice_minutes(family: str) -> int:
    """Minutes before a capacity block's end at which EC2 begins to end its instances."""
    row: dict[str, Any] = _FILE["block_notice_minutes"]
    return row["ultraserver" if is_ultraserver(family) else "value"]


def write_rate(path: str, network_gbps: float) -> WriteRate:
    """What one node is taken to write, a careful share of its network, in decimal GB/s.

    Args:
        path: `s3://...` or a mounted path.
        network_gbps: the node's peak in Gbit/s.
    """
    kind = "s3" if path.startswith("s3://") else "mounted"
    row: dict[str, Any] = _FILE["writes"][kind]
    share, most = row["network_share"], row["most_gb_per_second"]
    rate = min(share * network_gbps / 8, most)
    what = "S3" if kind == "s3" else "a mounted file system"
    capped = f", at most {most:g} GB/s" if rate == most else ""
    return WriteRate(rate, f"{share:.0%} of {network_gbps:g} Gbit/s to {what}{capped}")
