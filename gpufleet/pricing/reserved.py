"""Pools that run inside a capacity reservation of the same plan: their instances are on its bill already."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from gpufleet.pricing import wire
from gpufleet.pricing.index import Index, Resource, field

_RESERVATION: Final = "aws:ec2/capacityReservation:CapacityReservation"
_TARGET: Final = "capacityReservationSpecification.capacityReservationTarget.capacityReservationId"
_CEILINGS: Final = {
    "aws:autoscaling/group:Group": "maxSize",
    "aws:eks/nodeGroup:NodeGroup": "scalingConfig.maxSize",
}


class Reserved:
    """How many of a pool's instances are in which reservation; one place is given once, in the order of the URNs."""

    def __init__(self, resources: Sequence[Resource], index: Index) -> None:
        self._places: dict[str, tuple[Decimal, str]] = {}
        self._elsewhere: dict[str, str] = {}
        open_places = {
            field(found, "id"): (wire.value(found.get("inputs"), "instanceCount"), found)
            for found in resources
            if field(found, "type") == _RESERVATION
        }
        left = {key: Decimal(count) for key, (count, _) in open_places.items() if isinstance(count, int | float)}
        for urn, wanted, types, target in sorted(_pools(resources, index)):
            if target not in left:
                self._elsewhere[urn] = target
                continue
            reservation = open_places[target][1]
            of_type = wire.value(reservation.get("inputs"), "instanceType")
            # A pool of several types may start one that the reservation does not hold: not to be counted as inside.
            if types == (of_type,):
                taken = min(left[target], wanted)
                left[target] -= taken
                self._places[urn] = (taken, field(reservation, "name"))

    def elsewhere(self, resource: Resource) -> str:
        """Id of the reservation that the pool runs in and that is not in this plan; empty where there is none."""
        return self._elsewhere.get(field(resource, "urn"), "")

    def of(self, resource: Resource) -> tuple[Decimal, str]:
        """How many of the pool's instances run inside, and the reservation's name; (0, "") for any other."""
        return self._places.get(field(resource, "urn"), (Decimal(), ""))


def _pools(resources: Sequence[Resource], index: Index) -> Iterator[tuple[str, Decimal, tuple[Any, ...], str]]:
    for resource in resources:
        path = _CEILINGS.get(field(resource, "type"))
        if path is None:
            continue
        inputs: Mapping[str, Any] | None = resource.get("inputs")
        try:
            wanted = wire.number(inputs, path)
            template = (index.launch_template(wire.value(inputs, "launchTemplate")) or {}).get("inputs")
            types = tuple(wire.items(inputs, "instanceTypes")) or (wire.text(template, "instanceType"),)
            target = wire.text(template, _TARGET)
        except wire.Unreadable:
            continue
        # What is bought as a capacity block names its block in the same place, and is paid in another way.
        block = wire.value(inputs, "capacityType") == "CAPACITY_BLOCK"
        if target and not block and all(isinstance(name, str) for name in types):
            yield field(resource, "urn"), wanted, types, target
