"""Quotas of instances, in vCPUs: the plan at its ceiling against what the account may run."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from gpufleet.facts.quotas import Quota
from gpufleet.preflight import in_use, quota_values, sizes
from gpufleet.preflight.pool import CAPACITY_BLOCK, ON_DEMAND, Pool
from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site
from gpufleet.pricing import wire

NAME = "quotas"
PERMISSIONS = (
    quota_values.GET,
    quota_values.DEFAULT,
    quota_values.LIST,
    quota_values.HISTORY,
    "ec2:DescribeInstances",
    "ec2:DescribeCapacityReservations",
    "ec2:DescribeInstanceTypes",
)
RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"


@dataclass(kw_only=True)
class Demand:
    """What the plan asks of one quota."""

    type: str
    """One of the types that count."""
    vcpus: int = 0
    parts: list[str] = field(default_factory=lambda: [])
    unbounded: list[str] = field(default_factory=lambda: [])
    """Pools without a ceiling."""


def check(site: Site) -> Iterator[Result]:
    """For each quota: what the plan comes to, and what others use, against its value."""
    types = {name for pool in site.pools for name in pool.types} | {name for name, _ in _reserved(site)}
    known = sizes.vcpus_of(site.aws, types)
    if unknown := sorted(types - known.keys()):
        yield failed(
            f"EC2 in {site.region} knows no {', '.join(unknown)}, so the plan cannot be counted",
            "correct the instance types of the pools",
        )
    for pool in site.pools:
        if not pool.types:
            nowhere = CouldNotAsk("the plan names none: a launch template of others, or no type that is known")
            yield nowhere.result(f"of which types pool {pool.name} is")
    demands = demand(site, known)
    if not demands:
        return
    used: dict[Quota, int] | None = None
    try:
        used = in_use.by_others(site)
    except CouldNotAsk as error:
        yield error.result("what runs in the account already, beside this stack")
    for quota, wanted in sorted(demands.items(), key=lambda item: item[0].name):
        yield from _judge(site, quota, wanted, used)


def demand(site: Site, known: dict[str, int]) -> dict[Quota, Demand]:
    """What the plan comes to by quota: pools at their ceilings, and reservations, used or not.

    Capacity blocks count nowhere. A pool that stays within a reservation is counted as the reservation is: once where
    the plan makes it, not at all where it is there already, since it is then among what is used.
    """
    found: dict[Quota, Demand] = {}
    for pool in site.pools:
        if _within_reservation(pool):
            continue
        for purchase in pool.purchases:
            if purchase == CAPACITY_BLOCK:
                continue
            for quota, types in sizes.by_quota(pool.types, purchase).items():
                of_quota = found.setdefault(quota, Demand(type=types[0]))
                most = sizes.at_most(pool, types, known)
                if most is None:
                    of_quota.unbounded.append(pool.name)
                    continue
                of_quota.vcpus += most
                bound = f"{pool.maximum} x {sizes.largest(types, known)}" if pool.maximum is not None else "its limit"
                of_quota.parts.append(f"pool {pool.name}: {bound}")
    for name, count in _reserved(site):
        for quota, types in sizes.by_quota([name], ON_DEMAND).items():
            of_quota = found.setdefault(quota, Demand(type=types[0]))
            of_quota.vcpus += count * known.get(name, 0)
            of_quota.parts.append(f"reservation: {count} x {name}")
    return found


def _within_reservation(pool: Pool) -> bool:
    held = pool.reservation
    return held is not None and (held.only or bool(held.ids or held.group) and pool.each_type_everywhere)


def _reserved(site: Site) -> Iterator[tuple[str, int]]:
    for resource in site.place.of(RESERVATION):
        yield wire.text(resource.inputs, "instanceType"), int(wire.number(resource.inputs, "instanceCount", default=0))


def _judge(site: Site, quota: Quota, wanted: Demand, used: dict[Quota, int] | None) -> Iterator[Result]:
    of_what = f"{quota.name}: the plan comes to {wanted.vcpus} vCPUs ({'; '.join(wanted.parts)})"
    for name in wanted.unbounded:
        yield failed(
            f"{quota.name}: pool {name} has no ceiling, so any quota can be too small for it",
            "set spec.limits.cpu of the NodePool",
        )
    if not wanted.parts:
        return
    try:
        value = quota_values.of(site.aws, quota, wanted.type)
    except CouldNotAsk as error:
        usual = f" (a new account has {quota.default})" if quota.default is not None else ""
        yield error.result(f"{of_what}; what the quota {quota.code or ''} is{usual}".replace("  ", " "))
        return
    others = (used or {}).get(quota, 0)
    beside = f", of which others use {others}" if others else ""
    evidence = {
        "quota_code": value.code,
        "quota": value.value,
        "is_default": value.default,
        "planned_vcpus": wanted.vcpus,
        "used_by_others": others if used is not None else None,
    }
    told = f"{of_what}; the quota {value.code} is {value.value:g}{beside}"
    if value.value >= wanted.vcpus + others:
        yield passed(told, **evidence)
    else:
        fix = quota_values.increase(site.aws, quota.service, value.code, wanted.vcpus + others)
        yield failed(told, fix, **evidence)
