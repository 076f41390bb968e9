"""AWS regions with their partition and DNS suffix, from ``data/regions.json``."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True)
class Region:
    """One AWS region."""

    name: str
    partition: str
    """Second field of every ARN: `aws`, `aws-cn`, `aws-us-gov`, ..."""
    dns_suffix: str
    """`amazonaws.com` in most partitions."""


def find(name: str) -> Region | None:
    """The region of that exact name, or `None`. Zones (`us-east-1a`) and Local Zones are not regions."""
    return _regions().get(name)


def names() -> tuple[str, ...]:
    """Every region of every partition, sorted."""
    return tuple(_regions())


@cache
def _regions() -> Mapping[str, Region]:
    partitions: list[dict[str, Any]] = _data.read("regions")["partitions"]
    found = [Region(name, p["partition"], p["dns_suffix"]) for p in partitions for name in p["regions"]]
    return MappingProxyType({region.name: region for region in sorted(found, key=lambda region: region.name)})
