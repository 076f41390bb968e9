"""What a capacity reservation and a pool owe each other, without asking anybody."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from gpufleet.preflight.pool import CAPACITY_BLOCK, ON_DEMAND, Pool

_BEFORE: Final = frozenset({"assessing", "delayed", "payment-pending", "pending", "scheduled"})
"""States that come before `active`."""

Fault = tuple[str, str]
"""What is wrong, and how to mend it."""


def faults(pool: Pool, zones: Sequence[str], held: Mapping[str, Any], now: datetime) -> Iterator[Fault]:
    """What keeps the pool's instances out of the reservation.

    Args:
        pool: that names the reservation.
        zones: of the pool.
        held: the reservation in the shape of EC2's DescribeCapacityReservations.
        now: decides about its window.
    """
    yield from _state(pool, held, now)
    yield from _type(pool, held["InstanceType"])
    zone = held.get("AvailabilityZone")
    if zone and zones and (outside := [one for one in zones if one != zone]):
        if zone not in zones:
            yield f"is in {zone}, the pool in {', '.join(outside)}", f"give the pool the subnet of {zone}"
        elif pool.each_type_everywhere:
            fix = f"give the pool the subnet of {zone} alone: instances elsewhere find no reservation"
            yield f"is in {zone}, the pool also in {', '.join(outside)}", fix
    tenancy = held.get("Tenancy", "default")
    if tenancy != pool.tenancy:
        yield f"is of tenancy {tenancy}, the pool of {pool.tenancy}", f"set placement.tenancy to {tenancy}"
    platform = held.get("InstancePlatform", pool.platform)
    if platform != pool.platform:
        yield f"is for {platform}, the pool's image for {pool.platform}", f"reserve {pool.platform}"
    yield from _market(pool, held)


def _type(pool: Pool, type_: str) -> Iterator[Fault]:
    others = ", ".join(name for name in pool.types if name != type_)
    if pool.types and type_ not in pool.types:
        yield f"is of {type_}, the pool of {others}", f"let the pool be of {type_}"
    elif others and pool.each_type_everywhere:
        yield f"is of {type_}, the pool also of {others}", f"let the pool be of {type_} alone"


def _state(pool: Pool, held: Mapping[str, Any], now: datetime) -> Iterator[Fault]:
    state, end = held["State"], held.get("EndDate")
    if end is not None and end.astimezone(UTC) <= now:
        yield f"ended on {_day(end)}", "reserve anew, and name that reservation"
    elif state in _BEFORE:
        if pool.minimum:
            begins = held.get("StartDate")
            when = f" until {_day(begins)}" if begins else ""
            yield (
                f"is {state}{when}, and the pool starts with {pool.minimum}",
                "let the pool start with 0 and raise it once the reservation is active",
            )
    elif state != "active":
        yield f"is {state}", "reserve anew, and name that reservation"


def _market(pool: Pool, held: Mapping[str, Any]) -> Iterator[Fault]:
    is_block = held.get("ReservationType", "default") == CAPACITY_BLOCK
    if not pool.each_type_everywhere:
        return  # Karpenter sees itself what kind a reservation is.
    if is_block and CAPACITY_BLOCK not in pool.purchases:
        yield (
            f"is a capacity block, the pool buys {' or '.join(pool.purchases)}",
            "set marketType capacity-block in the launch template and capacityType CAPACITY_BLOCK of the node group",
        )
    if not is_block and ON_DEMAND not in pool.purchases:
        yield f"is an on-demand reservation, the pool buys {' or '.join(pool.purchases)}", "buy on-demand"


def shortage(pool: Pool, held: Sequence[Mapping[str, Any]]) -> Fault | None:
    """Whether all reservations of the pool together hold fewer instances than its ceiling."""
    total = sum(int(one["TotalInstanceCount"]) for one in held)
    if pool.maximum is None or pool.maximum <= total or not pool.each_type_everywhere:
        return None
    return (
        f"holds {total}, the pool grows to {pool.maximum}: what is above finds no capacity",
        f"reserve {pool.maximum - total} more, or let the pool grow to {total} only",
    )


def _day(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
