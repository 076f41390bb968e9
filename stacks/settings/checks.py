"""The checks of the settings that need facts: plain values in, a mistake out."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from components.compute.design.shapes import Design
from components.network import addresses as address_budget
from components.network import cidrs, endpoint_services
from components.storage import locality as data_locality
from gpufleet.facts import instances, prices
from stacks.settings import designs
from stacks.settings.mistakes import mistake

if TYPE_CHECKING:
    from stacks.settings import Pool, Region

ALWAYS_THERE = "s3"
"""The service whose gateway endpoint every network has."""

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


def accepted(check: Callable[[], object], value: Any, allowed: str, path: str = "") -> None:
    """What a component refuses of its arguments, `field: what is wrong`, is a mistake of the field at hand."""
    try:
        check()
    except ValueError as error:
        raise mistake(path, value, allowed, str(error).split(": ", 1)[1]) from None


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


def pools(given: "Sequence[Pool]", zones: tuple[str, ...]) -> None:
    """Pools differ by name and keep to the network's zones."""
    differ([pool.name for pool in given], "pool of the region", "pools.")
    for index, pool in enumerate(given):
        if strange := sorted(set(pool.where(zones)) - set(zones)):
            path = "reservation.zone" if pool.reservation else "zones"
            fix = "keep to the network's zones, or give the network that zone"
            raise mistake(f"pools.{index}.{path}", strange, ", ".join(zones), fix)
    _reservations(given)


def _reservations(given: "Sequence[Pool]") -> None:
    """Pools that share a reservation agree about it, and together fit into it."""
    taken: defaultdict[str, list[Pool]] = defaultdict(list)
    for index, pool in enumerate(given):
        held = pool.reservation
        if held is None or held.id is None:
            continue
        for other in taken[held.id]:
            if other.reservation != held or other.instance_types != pool.instance_types:
                fix = f"write the same as pool {other.name}, as EC2 shows it: one type, zone, count and window"
                raise mistake(f"pools.{index}.reservation.id", held.id, "one description of a reservation", fix)
        together = pool.nodes.max + sum(other.nodes.max for other in taken[held.id])
        if held.count is not None and together > held.count:
            rest = together - pool.nodes.max
            sharers = ", ".join(other.name for other in taken[held.id])
            if sharers:
                left = f"1 to {held.count - rest}" if rest < held.count else "no further pool"
                allowed = f"{left}: {sharers} may have {rest} of the {held.count} in {held.id}"
                fix = "lower the ceilings of the pools that share the reservation, or make them one pool"
                raise mistake(f"pools.{index}.nodes.max", pool.nodes.max, allowed, fix)
        taken[held.id].append(pool)


def endpoints(name: str, region: "Region", decided: Mapping[str, Design]) -> None:
    """The endpoints asked for exist, and in a closed network nothing that is needed is left out."""
    egress, asked, path = region.network.egress, region.network.endpoints, f"regions.{name}.network.endpoints"
    wanted = designs.features(region, decided)
    if unknown := endpoint_services.unknown(asked or ()):
        [(service, instead), *_] = unknown.items()
        raise mistake(path, service, "short names of AWS services with a VPC endpoint", instead)
    if missing := endpoint_services.missing(egress, asked, wanted):
        without = f" and leave {ALWAYS_THERE} out" if ALWAYS_THERE in (asked or ()) else ""
        fix = f"add {', '.join(missing)}{without}, or write endpoints: auto"
        needed = ", ".join(endpoint_services.needed(wanted))
        raise mistake(path, list(asked or ()), f"with egress none at least {needed}", fix)
    if ALWAYS_THERE in (asked or ()):
        fix = "leave it out: its gateway endpoint is in every network, and free"
        raise mistake(path, ALWAYS_THERE, "services that have no gateway of their own", fix)
    if egress != "none":
        return
    if beyond := endpoint_services.beyond(wanted):
        [(service, why), *_] = beyond.items()
        path = f"regions.{name}.network.egress"
        raise mistake(path, egress, "an egress with NAT for what is asked for", f"{service}: {why}")
    cached = designs.cached(region)
    if "isolated-karpenter" in wanted and designs.CHARTS_REGISTRY not in cached:
        fix = f"add {designs.CHARTS_REGISTRY} to image_cache.registries, or set scaler: node-group for every pool"
        allowed = f"a cache of {designs.CHARTS_REGISTRY}, which holds Karpenter's image"
        raise mistake(f"regions.{name}.image_cache.registries", list(cached), allowed, fix)


def addresses(name: str, region: "Region") -> None:
    """Every subnet holds the nodes, pods and endpoints that may come to it."""
    network = region.network
    plan = cidrs.plan(network.cidr, network.zones, network.pod_cidr)
    demands = [
        address_budget.Demand(
            what=f"pool {pool.name}",
            zones=pool.where(network.zones),
            nodes=pool.nodes.max + UPDATE_SURGE,
            instance_types=pool.instance_types,
            # EFA interfaces of ours have no addresses.
            efa="efa-only",
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
        if kind == "S3 Express bucket" and (express := region.storage.express):
            _zone_id(f"regions.{name}.storage.express.zone_id", name, express.zone_id)
        stores.append(data_locality.Store(name=part, kind=kind, region=name, zone=zone))
    for index, pool in enumerate(region.pools):
        if pool.use != "training":
            continue
        where = data_locality.Pool(name=pool.name, region=name, zones=pool.where(region.network.zones))
        if faults := data_locality.faults(where, stores):
            zones = list(where.zones)
            allowed = f"the zone of the data that training reads: {', '.join(store.zone or '' for store in stores)}"
            raise mistake(f"regions.{name}.pools.{index}.zones", zones, allowed, "; ".join(faults))
    readers = {zone for pool in region.pools for zone in pool.where(region.network.zones)}
    for store in stores:
        if readers and store.zone not in readers:
            allowed = f"a zone in which a pool has nodes: {', '.join(sorted(readers))}"
            fix = "move it to the pools, or a pool to it: across zones it is slow, and every gigabyte is charged"
            raise mistake(f"regions.{name}.storage.{store.name}.zone", store.zone, allowed, fix)


def _zone_id(path: str, region: str, given: str) -> None:
    """A zone's id begins with its region, in short: `use1` of us-east-1, `apse4` of ap-southeast-4."""
    area, *words, number = region.split("-")
    directions = {"gov": "g", "northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw"}
    short = area + "".join(directions.get(word, word[0]) for word in words) + number
    if not given.startswith(f"{short}-az"):
        fix = "aws ec2 describe-availability-zones tells the id that the zone has in this account"
        raise mistake(path, given, f"the id of a zone in {region}: {short}-az1", fix)


def copies(name: str, regions: "Mapping[str, Region]") -> None:
    """A bucket is copied to other regions of the environment that have one for the same purpose."""
    for purpose, bucket in regions[name].storage.buckets.items():
        able = [other for other, region in regions.items() if other != name and purpose in region.storage.buckets]
        if strange := [other for other in bucket.replicate_to if other not in able]:
            path = f"regions.{name}.storage.buckets.{purpose}.replicate_to"
            allowed = ", ".join(able) or "none: no other region of the environment has such a bucket"
            itself = "leave it out: a copy beside the bucket is no safer"
            fix = itself if strange == [name] else f"add the bucket {purpose} to that region, or leave it out"
            raise mistake(path, strange, allowed, fix)


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
        if name in types[:index]:
            raise mistake(str(index), name, "each type once", "drop the repeated type")
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
