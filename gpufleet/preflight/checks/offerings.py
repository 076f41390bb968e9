"""Instance types in the zones of each pool's subnets; of a region, half of the zones often lack a GPU type."""

from collections.abc import Iterator

from gpufleet.facts import instances
from gpufleet.preflight.asking import Aws
from gpufleet.preflight.pool import Pool
from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site

NAME = "offerings"
PERMISSIONS = ("ec2:DescribeInstanceTypeOfferings", "ec2:DescribeSubnets")

_AT_ONCE = 100
_REGIONS_NAMED = 6


def check(site: Site) -> Iterator[Result]:
    """For each pool: whether every type is offered in every zone; of Karpenter's, any type in any zone."""
    types = sorted({name for pool in site.pools for name in pool.types})
    if not types:
        return
    offered = zones_by_type(site.aws, types)
    if not offered and not _anything(site.aws):
        raise CouldNotAsk("AWS names no offering of any type, which cannot be")
    for pool in site.pools:
        if not pool.types:
            continue
        try:
            zones = site.zones_of(pool)
        except CouldNotAsk as error:
            yield error.result(f"pool {pool.name}: in which zones its subnets are")
            continue
        if zones:
            yield from (_everywhere if pool.each_type_everywhere else _anywhere)(site, pool, zones, offered)


def zones_by_type(aws: Aws, types: list[str]) -> dict[str, set[str]]:
    """The zones of the region that offer each of the types; a type that none offers is left out.

    Raises:
        CouldNotAsk: AWS does not tell.
    """
    found: dict[str, set[str]] = {}
    for start in range(0, len(types), _AT_ONCE):
        listed = aws.listed(
            "ec2:DescribeInstanceTypeOfferings",
            "ec2",
            "describe_instance_type_offerings",
            "InstanceTypeOfferings",
            LocationType="availability-zone",
            Filters=[{"Name": "instance-type", "Values": types[start : start + _AT_ONCE]}],
        )
        for one in listed:
            found.setdefault(one["InstanceType"], set()).add(one["Location"])
    return found


def _anything(aws: Aws) -> bool:
    """Whether the region is told to offer anything at all: an empty answer to all is no answer."""
    question = aws.client("ec2").describe_instance_type_offerings
    answer = aws.told(PERMISSIONS[0], lambda: question(LocationType="availability-zone", MaxResults=5))
    return bool(answer["InstanceTypeOfferings"])


def _everywhere(site: Site, pool: Pool, zones: tuple[str, ...], offered: dict[str, set[str]]) -> Iterator[Result]:
    lacking = {
        name: missing for name in pool.types if (missing := [z for z in zones if z not in offered.get(name, ())])
    }
    for name, missing in lacking.items():
        there = sorted(offered.get(name, ()))
        yield failed(
            f"pool {pool.name}: {name} is not offered in {', '.join(missing)}",
            f"give the pool subnets of {', '.join(there)} only, or leave {name} out" if there else _elsewhere(name),
            instance_type=name,
            zones=list(zones),
            offered_in=there,
        )
    if not lacking:
        yield passed(
            f"pool {pool.name}: {', '.join(pool.types)} {'is' if len(pool.types) == 1 else 'are'} offered in "
            f"{', '.join(zones)}",
            zones=list(zones),
        )


def _anywhere(site: Site, pool: Pool, zones: tuple[str, ...], offered: dict[str, set[str]]) -> Iterator[Result]:
    by_zone = {zone: [name for name in pool.types if zone in offered.get(name, ())] for zone in zones}
    had = [zone for zone, types in by_zone.items() if types]
    if not had:
        yield failed(
            f"pool {pool.name}: none of its {len(pool.types)} types is offered in {', '.join(zones)}",
            _elsewhere(pool.types[0]),
            offered={zone: len(types) for zone, types in by_zone.items()},
        )
        return
    empty = [zone for zone in zones if zone not in had]
    yield passed(
        f"pool {pool.name}: " + ", ".join(f"{len(by_zone[zone])} of {len(pool.types)} types in {zone}" for zone in had),
        f"nothing of it is offered in {', '.join(empty)}: Karpenter will pass over it" if empty else "",
        offered={zone: len(types) for zone, types in by_zone.items()},
    )


def _elsewhere(name: str) -> str:
    found = instances.find(name)
    regions = list(found.regions[:_REGIONS_NAMED]) if found else []
    where = f"; known to offer {name}: {', '.join(regions)}" if regions else ""
    return f"take another type or region, gpufleet preflight --suggest ranks them{where}"
