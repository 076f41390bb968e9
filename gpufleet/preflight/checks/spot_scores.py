"""Spot placement scores: how likely AWS holds a spot pool to be filled, from 1 to 10. Advice, never a promise."""

from collections.abc import Iterator

from gpufleet.preflight.asking import Aws
from gpufleet.preflight.pool import SPOT, Pool
from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site

NAME = "spot"
PERMISSIONS = ("ec2:GetSpotPlacementScores", "ec2:DescribeAvailabilityZones")

ENOUGH_TYPES = 3
"""Fewer, or variants of one type, always score low:
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-placement-score.html"""
LOW = 3
"""AWS names no border; at 3 of 10 and below three out of four requests are not to be counted on."""
_MOST_TYPES = 100
REGIONS_AT_ONCE = 10


def check(site: Site) -> Iterator[Result]:
    """For each spot pool at its ceiling: the best score in its zones."""
    for pool in site.pools:
        if SPOT in pool.purchases and pool.types and wanted(pool):
            try:
                yield _judge(site, pool, by_zone(site.aws, pool, [site.region]))
            except CouldNotAsk as error:
                yield error.result(f"pool {pool.name}: how likely spot is to be had")


def wanted(pool: Pool) -> int:
    """Instances to ask about."""
    return pool.maximum if pool.maximum is not None else 1


def by_zone(aws: Aws, pool: Pool, regions: list[str]) -> dict[tuple[str, str], int]:
    """Scores by region and zone id; only the ten best are told.

    Raises:
        CouldNotAsk: AWS does not tell.
    """
    listed = aws.listed(
        PERMISSIONS[0],
        "ec2",
        "get_spot_placement_scores",
        "SpotPlacementScores",
        InstanceTypes=list(pool.types[:_MOST_TYPES]),
        TargetCapacity=wanted(pool),
        TargetCapacityUnitType="units",
        SingleAvailabilityZone=True,
        RegionNames=regions,
    )
    return {(one["Region"], one["AvailabilityZoneId"]): int(one["Score"]) for one in listed}


def zone_names(aws: Aws) -> dict[str, str]:
    """Zone ids, by which scores go, to the account's own names of them.

    Raises:
        CouldNotAsk: AWS does not tell.
    """
    found = aws.told(PERMISSIONS[1], aws.client("ec2").describe_availability_zones)["AvailabilityZones"]
    return {one["ZoneId"]: one["ZoneName"] for one in found}


def _judge(site: Site, pool: Pool, scores: dict[tuple[str, str], int]) -> Result:
    names = zone_names(site.aws)
    zones = site.zones_of(pool)
    own = {
        names.get(zone_id, zone_id): score
        for (_, zone_id), score in scores.items()
        if not zones or names.get(zone_id) in zones
    }
    if not own:
        raise CouldNotAsk(f"AWS tells no score of {', '.join(zones) or site.region}")
    best = max(own.values())
    said = ", ".join(f"{zone} {score}" for zone, score in sorted(own.items()))
    told = f"pool {pool.name}: {wanted(pool)} spot instances at once score {best} of 10 ({said})"
    few = len(pool.types) < ENOUGH_TYPES
    evidence = {"scores": own, "types": list(pool.types), "target": wanted(pool), "few_types": few}
    if best > LOW:
        return passed(told, **evidence)
    if few:
        advice = f"the pool names {len(pool.types)} of the {ENOUGH_TYPES} types below which AWS always scores low: the "
        return passed(told, f"{advice}score says little; a pool of more types is filled more easily", **evidence)
    return failed(
        told,
        "let the pool take more types or zones, fewer instances at once, or on-demand; "
        f"gpufleet preflight --suggest --pool {pool.name} ranks regions",
        **evidence,
    )
