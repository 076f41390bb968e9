"""Capacity reservations and capacity blocks that pools are to run in: there, in time, and fitting."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from gpufleet.plan.graph import UNKNOWN, Resource
from gpufleet.preflight import contracts
from gpufleet.preflight.pool import CAPACITY_BLOCK, Pool, Reservation
from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site
from gpufleet.pricing import wire

NAME = "reservations"
PERMISSIONS = ("ec2:DescribeCapacityReservations", "resource-groups:ListGroupResources", "ec2:DescribeSubnets")

_PLANNED = (
    "aws:ec2/capacityReservation:CapacityReservation",
    "aws:ec2/capacityBlockReservation:CapacityBlockReservation",
)
_ABSENT = ("InvalidCapacityReservationId.NotFound", "InvalidCapacityReservationId.Malformed")


def check(site: Site) -> Iterator[Result]:
    """For each pool that names a reservation, or that can run in none but one."""
    for pool in site.pools:
        held = pool.reservation
        if held is None:
            if CAPACITY_BLOCK in pool.purchases:
                yield failed(
                    f"pool {pool.name}: buys from a capacity block and names none",
                    "name it in the launch template: capacityReservationSpecification.capacityReservationTarget",
                )
            continue
        try:
            yield from _pool(site, pool, held)
        except CouldNotAsk as error:
            yield error.result(f"pool {pool.name}: whether its reservation is there and fits")


def _pool(site: Site, pool: Pool, held: Reservation) -> Iterator[Result]:
    found = {id_: _planned(site, id_) or _by_id(site, id_) for id_ in [*held.ids, *_of_group(site, held)]}
    for tags in held.tags:
        found |= _by_tags(site, tags)
    if not found and held.only:
        found = _open(site, pool)
    missing = [id_ for id_, one in found.items() if one is None]
    for id_ in missing:
        yield failed(
            f"pool {pool.name}: there is no reservation {id_} in {site.region}",
            "correct the id; what there is: "
            f"aws ec2 describe-capacity-reservations --region {site.region} --filters Name=state,Values=active",
        )
    there = {id_: one for id_, one in found.items() if one is not None}
    if not found:
        yield failed(
            f"pool {pool.name}: no reservation in {site.region} is what it selects",
            f"reserve {', '.join(pool.types) or 'capacity'}, or correct what the pool selects by",
        )
    if there:
        yield from _hold(site, pool, there)


def _hold(site: Site, pool: Pool, there: Mapping[str, Mapping[str, Any]]) -> Iterator[Result]:
    zones, now = site.zones_of(pool), datetime.now(UTC)
    sound = True
    for id_, one in there.items():
        for what, fix in contracts.faults(pool, zones, one, now):
            sound = False
            yield failed(f"pool {pool.name}: reservation {id_} {what}", fix, **_evidence(one))
    names = ", ".join(there)
    if (short := contracts.shortage(pool, list(there.values()))) is not None:
        yield failed(f"pool {pool.name}: reservation {names} {short[0]}", short[1])
    elif sound:
        one = next(iter(there.values()))
        ends = one.get("EndDate")
        until = f" until {ends.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if ends else ""
        yield passed(
            f"pool {pool.name}: {names}: {one['TotalInstanceCount']} {one['InstanceType']} in "
            f"{one.get('AvailabilityZone')}, {one['State']}{until}",
            "the instances end with it: drain the pool before, or extend it" if ends else "",
            **_evidence(one),
        )


def _planned(site: Site, id_: str) -> Mapping[str, Any] | None:
    """A reservation that the plan itself makes, as EC2 would describe it."""
    for type_ in _PLANNED:
        resource = site.place.find(type_, id_)
        if resource is not None:
            return _as_described(resource)
    return None


def _as_described(resource: Resource) -> Mapping[str, Any]:
    inputs = resource.inputs
    ends = inputs.get("endDate")
    known = isinstance(ends, str) and ends != UNKNOWN
    return {
        "State": "active",
        "InstanceType": wire.text(inputs, "instanceType"),
        "AvailabilityZone": wire.text(inputs, "availabilityZone"),
        "TotalInstanceCount": int(wire.number(inputs, "instanceCount", default=0)),
        "Tenancy": wire.text(inputs, "tenancy", "default"),
        "InstancePlatform": wire.text(inputs, "instancePlatform", "Linux/UNIX"),
        "EndDate": datetime.fromisoformat(str(ends)) if known else None,
    }


def _by_id(site: Site, id_: str) -> Mapping[str, Any] | None:
    client = site.aws.client("ec2")
    question = client.describe_capacity_reservations
    answer = site.aws.ask(PERMISSIONS[0], lambda: question(CapacityReservationIds=[id_]), *_ABSENT)
    return next(iter(answer["CapacityReservations"]), None) if answer else None


def _of_group(site: Site, held: Reservation) -> list[str]:
    if held.group is None:
        return []
    listed = site.aws.listed(PERMISSIONS[1], "resource-groups", "list_group_resources", "Resources", Group=held.group)
    arns = [str(one["Identifier"]["ResourceArn"]) for one in listed]
    return [arn.rpartition("/")[2] for arn in arns if ":capacity-reservation/" in arn]


def _by_tags(site: Site, tags: Mapping[str, str]) -> dict[str, Mapping[str, Any] | None]:
    filters = [
        {"Name": "tag-key", "Values": [key]} if value == "*" else {"Name": f"tag:{key}", "Values": [value]}
        for key, value in tags.items()
    ]
    return _listed(site, filters)


def _open(site: Site, pool: Pool) -> dict[str, Mapping[str, Any] | None]:
    """Any that the pool's instances would find by themselves."""
    found = _listed(site, [{"Name": "instance-type", "Values": list(pool.types)}])
    return {id_: one for id_, one in found.items() if one and one.get("InstanceMatchCriteria", "open") == "open"}


def _listed(site: Site, filters: list[dict[str, Any]]) -> dict[str, Mapping[str, Any] | None]:
    listed = site.aws.listed(
        PERMISSIONS[0],
        "ec2",
        "describe_capacity_reservations",
        "CapacityReservations",
        Filters=[*filters, {"Name": "state", "Values": ["active", "scheduled", "pending"]}],
    )
    return {one["CapacityReservationId"]: one for one in listed}


def _evidence(one: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("State", "InstanceType", "AvailabilityZone", "TotalInstanceCount", "AvailableInstanceCount", "Tenancy")
    moments = {key: one[key].isoformat() for key in ("StartDate", "EndDate") if one.get(key)}
    return {key: one[key] for key in kept if key in one} | moments
