"""The checks of the settings that need facts: plain values in, a mistake out."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from components.network import addresses as address_budget
from components.network import cidrs, endpoint_services
from components.storage import locality as data_locality
from gpufleet.facts import instances, prices
from stacks.settings.mistakes import mistake

if TYPE_CHECKING:
    from stacks.settings import Pool, Region

UPDATE_SURGE = 1
"""Nodes that a rolling update brings on top of a group's ceiling (`max_unavailable` of its update configuration)."""

_RETENTION_DAYS = (
    1,
    3,
    5,
    7,
    14,
    30,
    60,
    90,
    120,
    150,
    180,
    365,
    400,
    545,
    731,
    1096,
    1827,
    2192,
    2557,
    2922,
    3288,
    3653,
)
"""What CloudWatch Logs' PutRetentionPolicy accepts."""


def network(region: str, cidr: str, zones: Sequence[str], pod_cidr: str | None) -> None:
    """The zones are the region's, each once, and the block has room for their subnets."""
    path = f"regions.{region}.network"
    for index, zone in enumerate(zones):
        if not re.fullmatch(rf"{re.escape(region)}[a-h]", zone):
            raise mistake(
                f"{path}.zones.{index}", zone, f"zones of {region}, such as {region}a", "name a zone of this region"
            )
    if len(set(zones)) != len(zones):
        raise mistake(f"{path}.zones", list(zones), "each zone once", "drop the repeated zone")
    try:
        cidrs.plan(cidr, zones)
    except ValueError as error:
        allowed = f"a private IPv4 block of /{cidrs.LARGEST_PREFIX} to /{cidrs.SMALLEST_PREFIX}, such as 10.20.0.0/16"
        raise mistake(f"{path}.cidr", cidr, allowed, str(error).removeprefix("cidr: ")) from None
    try:
        cidrs.plan(cidr, zones, pod_cidr)
    except ValueError as error:
        allowed = "a block of /16 to /18 inside 100.64.0.0/10"
        raise mistake(f"{path}.pod_cidr", pod_cidr, allowed, str(error).removeprefix("pod_cidr: ")) from None


def differ(names: Sequence[str], what: str, path: str = "") -> None:
    """No name is given twice; `what` bears it, and `path` leads to the list of them."""
    for index, name in enumerate(names):
        if name in names[:index]:
            raise mistake(f"{path}{index}.name", name, f"a name that no other {what} has", "rename one of them")


def pools(given: "Sequence[Pool]", zones: Sequence[str]) -> None:
    """Pools differ by name and keep to the network's zones."""
    differ([pool.name for pool in given], "pool of the region", "pools.")
    for index, pool in enumerate(given):
        if strange := sorted(set(pool.zones or ()) - set(zones)):
            raise mistake(f"pools.{index}.zones", strange, ", ".join(zones), "keep to the network's zones")


def endpoints(egress: str, asked: Sequence[str] | None, features: Sequence[str]) -> None:
    """The endpoints asked for exist, and in a closed network none that is needed is left out."""
    path, needed = "network.endpoints", ", ".join(endpoint_services.needed(features))
    if unknown := endpoint_services.unknown(asked or ()):
        [(name, instead), *_] = unknown.items()
        raise mistake(path, name, "short names of AWS services with a VPC endpoint", instead)
    if missing := endpoint_services.missing(egress, asked, features):
        fix = f"add {', '.join(missing)}, or write endpoints: auto"
        raise mistake(path, list(asked or ()), f"with egress none at least {needed}", fix)
    if egress == "none" and (beyond := endpoint_services.beyond(features)):
        [(name, why), *_] = beyond.items()
        raise mistake("network.egress", egress, "an egress with NAT for what is asked for", f"{name}: {why}")


def addresses(name: str, region: "Region") -> None:
    """Every subnet holds the nodes, pods and endpoints that may come to it."""
    network = region.network
    plan = cidrs.plan(network.cidr, network.zones, network.pod_cidr)
    demands = [
        address_budget.Demand(
            what=f"pool {pool.name}",
            zones=pool.zones or network.zones,
            nodes=pool.nodes.max + UPDATE_SURGE,
            instance_types=pool.instance_types,
        )
        for pool in region.pools
    ]
    system = region.cluster.system
    demands.append(
        address_budget.Demand(
            what="system nodes",
            zones=network.zones,
            nodes=system.nodes.max + UPDATE_SURGE,
            instance_types=system.instance_types,
        )
    )
    if short := address_budget.check(
        plan, demands, endpoints=len(network.endpoints or endpoint_services.CLOSED_NETWORK)
    ):
        path = f"regions.{name}.network.{'pod_cidr' if short[0].tier == 'pod' else 'cidr'}"
        value = network.pod_cidr if short[0].tier == "pod" else network.cidr
        raise mistake(path, value, "a block in which every subnet holds what may come to it", str(short[0]))


def locality(name: str, region: "Region") -> None:
    """What lies in one zone lies in the zone of the pools that read it."""
    stores: list[data_locality.Store] = []
    for kind, zone in (
        ("Lustre cache", region.storage.lustre.zone if region.storage.lustre else None),
        ("S3 Express bucket", region.storage.express.zone if region.storage.express else None),
    ):
        if zone is None:
            continue
        part = "lustre" if kind == "Lustre cache" else "express"
        if zone not in region.network.zones:
            allowed = ", ".join(region.network.zones)
            raise mistake(f"regions.{name}.storage.{part}.zone", zone, allowed, "keep to the network's zones")
        stores.append(data_locality.Store(name=part, kind=kind, region=name, zone=zone))
    for index, pool in enumerate(region.pools):
        if pool.use != "training":
            continue
        where = data_locality.Pool(name=pool.name, region=name, zones=pool.zones or region.network.zones)
        if faults := data_locality.faults(where, stores):
            zones = list(where.zones)
            allowed = f"the zone of the data that training reads: {', '.join(store.zone or '' for store in stores)}"
            raise mistake(f"regions.{name}.pools.{index}.zones", zones, allowed, "; ".join(faults))


def copies(name: str, regions: "Mapping[str, Region]") -> None:
    """A bucket is copied to other regions of the environment that have one for the same purpose."""
    for purpose, bucket in regions[name].storage.buckets.items():
        able = [other for other, region in regions.items() if other != name and purpose in region.storage.buckets]
        if strange := [other for other in bucket.replicate_to if other not in able]:
            path = f"regions.{name}.storage.buckets.{purpose}.replicate_to"
            allowed = ", ".join(able) or "none: no other region of the environment has such a bucket"
            raise mistake(path, strange, allowed, f"add the bucket {purpose} to that region, or leave it out")


def affordable(limits: Mapping[str, float], region: str, pool: str, types: Sequence[str]) -> None:
    """Each limit of the budget pays at least one hour of one node of the pool's cheapest type."""
    known = [(price.usd, name) for name in types if (price := prices.instance_hour(name, region))]
    if not known:
        return  # the plan lists it as unpriced
    hour, name = min(known)
    for key, limit in limits.items():
        if limit < hour:
            least = f"at least {hour:g} USD, one hour of one {name} node of pool {pool}"
            raise mistake(f"budget.{key}", limit, least, f"raise {key}, or give the pool a smaller type")


def known_types(types: tuple[str, ...]) -> tuple[str, ...]:
    """Every type is in the catalogue."""
    for index, name in enumerate(types):
        try:
            instances.get(name)
        except instances.UnknownInstanceType as error:
            near = (
                f"did you mean {', '.join(error.nearest)}?"
                if error.nearest
                else "look at gpufleet/facts/data/instances.json"
            )
            raise mistake(str(index), name, "EC2 instance types of the catalogue", near) from None
    return types


def retention_days(days: int) -> int:
    """CloudWatch keeps logs for one of its own periods."""
    if days not in _RETENTION_DAYS:
        nearest = min(_RETENTION_DAYS, key=lambda period: abs(period - days))
        raise mistake("", days, ", ".join(map(str, _RETENTION_DAYS)), f"write {nearest}")
    return days
