"""List prices, from ``data/prices.json``: on-demand hours of instance types and the services around a cluster.

No discount, no tax, no data transfer. A figure of another region stands in where the region's own is not known, and
says so (`Price.assumed`); where no figure is known at all the answer is `None`, never zero.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True)
class Price:
    """What one unit costs."""

    usd: float
    unit: str
    """`hour`, `month`, `gib-month`; for gp3 above its baseline also `iops-month` and `mibps-month`."""
    region: str
    """The region the figure is from."""
    date: str
    """Day on which the figure held, ISO 8601."""
    source: str
    assumed: bool
    """Whether the figure is another region's, standing in for the one that was asked for."""


_FILE = _data.read("prices")

AS_OF: str = _FILE["as_of"]
"""Date of the accelerator prices, on which every plan's total hangs; each `Price` has its own."""

HOURS_PER_MONTH: int = _FILE["hours_per_month"]["value"]
"""AWS's own convention for a month."""

SPOT_FLOOR_RATIO: float = _FILE["spot_floor_ratio"]["value"]
"""Spot is not expected below this share of the on-demand price; it is not above the whole of it by default."""


def instance_hour(name: str, region: str) -> Price | None:
    """On-demand hour of an instance type (Linux, shared tenancy), or `None` when no list price is known."""
    return _in_region(_instances().get(name, {}), region)


def service(key: str, region: str) -> Price | None:
    """Price of a service by key (`nat-gateway`, `eks-cluster`, ...), or `None` for a key that is not known."""
    return _in_region(_services().get(key, {}), region)


def service_keys() -> tuple[str, ...]:
    """The keys that `service` knows, in the order of the file."""
    return tuple(_services())


def _in_region(by_region: Mapping[str, Price], region: str) -> Price | None:
    price = by_region.get(region)
    if price is not None:
        return price
    stand_in = by_region.get(_FILE["stand_in_region"])
    return None if stand_in is None else replace(stand_in, assumed=True)


@cache
def _instances() -> Mapping[str, Mapping[str, Price]]:
    found: dict[str, dict[str, Price]] = {}
    groups: list[dict[str, Any]] = _FILE["instance_hours"]
    for group in groups:
        region, date, source = group["region"], group["date"], group["source"]
        for name, usd in group["usd"].items():
            found.setdefault(name, {})[region] = Price(usd, "hour", region, date, source, assumed=False)
    return MappingProxyType(found)


@cache
def _services() -> Mapping[str, Mapping[str, Price]]:
    found: dict[str, dict[str, Price]] = {}
    rows: list[dict[str, Any]] = _FILE["services"]
    for row in rows:
        price = Price(row["usd"], row["unit"], row["region"], row["date"], row["source"], assumed=False)
        found.setdefault(row["key"], {})[row["region"]] = price
    return MappingProxyType(found)
