"""Price rules for what runs instances: node groups, Auto Scaling groups, single instances, capacity reservations."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from gpufleet.facts import prices
from gpufleet.pricing import pools, volumes, wire
from gpufleet.pricing.charge import Charge, Count, Gap, fixed
from gpufleet.pricing.fleet import Fleet, charges
from gpufleet.pricing.index import Context, Index, Resource, field

_ONE: Final = Decimal(1)
_ALWAYS_ONE: Final = Count.always(_ONE)
_NODE_GROUP_TYPE: Final = "t3.medium"
"""What EKS takes for a managed node group that names no type (EKS CreateNodegroup, `instanceTypes`)."""
_PURCHASES: Final = {"ON_DEMAND": "on-demand", "SPOT": "spot", "CAPACITY_BLOCK": "capacity-block"}
_MARKETS: Final = {"": "on-demand", "spot": "spot", "capacity-block": "capacity-block"}


def node_group(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """EKS managed node group: from `minSize` of its cheapest type to `maxSize` of its dearest."""
    inputs = resource.get("inputs")
    capacity = wire.text(inputs, "capacityType", "ON_DEMAND")
    if wire.text(inputs, "amiType").startswith("WINDOWS"):
        yield Gap("Windows nodes: the known prices are those of Linux")
        return
    if capacity not in _PURCHASES:
        yield Gap(f"capacityType {capacity!r} is none of {', '.join(_PURCHASES)}")
        return
    count = _count(resource, "scalingConfig.minSize", "scalingConfig.maxSize", context)
    to_pay, note = _outside(resource, count, context)
    purchase = "reservation" if context.reserved.elsewhere(resource) else _PURCHASES[capacity]
    types = wire.items(inputs, "instanceTypes")
    if types:  # Before the launch template is looked for: without it the instances can still be priced.
        fleet = Fleet(types=types, count=to_pay, purchase=purchase, note=note)
        yield from charges(fleet, context.region, context.assumptions.spot)
    template = _template(inputs, "launchTemplate", context.index)
    if not types:
        types = _template_types(template, default=_NODE_GROUP_TYPE)
        fleet = Fleet(types=types, count=to_pay, purchase=purchase, note=note)
        yield from charges(fleet, context.region, context.assumptions.spot)
    if template is None:
        disk = wire.number(inputs, "diskSize", default=volumes.NODE_GROUP_DISK_GIB)
        yield from volumes.gp3("root volume", disk, count, context.region)
    else:
        yield from volumes.of_mappings(template, count, context.region)


def scaling_group(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """Auto Scaling group, with a launch template of its own or within a mixed instances policy."""
    inputs = resource.get("inputs")
    count = _count(resource, "minSize", "maxSize", context)
    to_pay, note = _outside(resource, count, context)
    mixed = wire.value(inputs, "mixedInstancesPolicy")
    path = "launchTemplate" if mixed is None else "mixedInstancesPolicy.launchTemplate.launchTemplateSpecification"
    template = _template(inputs, path, context.index)
    if template is None:
        yield Gap("it has no launch template; launch configurations are not read")
        return
    overrides = wire.items(mixed, "launchTemplate.overrides")
    if any(wire.value(override, "weightedCapacity") is not None for override in overrides):
        yield Gap("weightedCapacity makes the number of instances depend on the types that are found")
        return
    types = [wire.text(override, "instanceType") for override in overrides] or _template_types(template)
    purchase, base, share = _market(template), Decimal(), Decimal()
    if mixed is not None:
        purchase, base, share = _distribution(mixed, count.maximum)
    fleet = Fleet(types=types, count=to_pay, purchase=purchase, on_demand_base=base, on_demand_share=share, note=note)
    yield from charges(fleet, context.region, context.assumptions.spot)
    yield from volumes.of_mappings(template, count, context.region)


def instance(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """One EC2 instance, all the time, with its volumes and its public address."""
    inputs = resource.get("inputs")
    yield from _single(inputs, _market(inputs), context)


def spot_request(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """One spot instance, for as long as its request stands."""
    yield from _single(resource.get("inputs"), "spot", context)


def reservation(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """On-Demand Capacity Reservation: billed in full from the first second, used or not."""
    inputs = resource.get("inputs")
    platform = wire.text(inputs, "instancePlatform", "Linux/UNIX")
    if platform != "Linux/UNIX" or _tenancy(inputs) != "default":
        yield Gap(f"platform {platform!r}, tenancy {_tenancy(inputs)!r}: the known prices are of shared Linux")
        return
    count = wire.number(inputs, "instanceCount")
    note = "billed used or not; an instance that runs in it without naming it is counted twice"
    types = [wire.text(inputs, "instanceType")]
    fleet = Fleet(types=types, count=Count.always(count), purchase="reservation", note=note)
    yield from charges(fleet, context.region, context.assumptions.spot)


def _single(inputs: object, purchase: str, context: Context) -> Iterator[Charge | Gap]:
    if _tenancy(inputs) != "default":
        yield Gap(f"tenancy {_tenancy(inputs)!r}: the known prices are those of shared tenancy")
        return
    name = wire.text(inputs, "instanceType")
    if name:  # As with a node group: the instance first, since its template may be out of sight.
        fleet = Fleet(types=[name], count=_ALWAYS_ONE, purchase=purchase)
        yield from charges(fleet, context.region, context.assumptions.spot)
    template = _template(inputs, "launchTemplate", context.index)
    if not name:
        fleet = Fleet(types=_template_types(template), count=_ALWAYS_ONE, purchase=purchase)
        yield from charges(fleet, context.region, context.assumptions.spot)
    yield from volumes.of_instance(inputs, template, context.region)
    address = prices.service("public-ipv4", context.region)
    if wire.is_true(inputs, "associatePublicIpAddress") and address is not None:
        yield fixed("public IPv4 address", _ONE, address)


def _count(resource: Resource, minimum_path: str, maximum_path: str, context: Context) -> Count:
    inputs = resource.get("inputs")
    minimum, maximum = wire.number(inputs, minimum_path), wire.number(inputs, maximum_path)
    if minimum > maximum:
        raise wire.Unreadable(f"{minimum_path} {minimum} is above {maximum_path} {maximum}")
    busy = context.assumptions.busy(field(resource, "name"), pools.name(resource), pools.use(resource))
    return Count.between(minimum, maximum, busy.value)


def _outside(resource: Resource, count: Count, context: Context) -> tuple[Count, str]:
    """Those of a pool's nodes that are not on the bill of a reservation in this plan; and what is to be said of it."""
    to_pay, note = _unreserved(resource, count, context)
    template = context.index.launch_template(wire.value(resource.get("inputs"), "launchTemplate")) or {}
    tenancy = wire.value(template.get("inputs"), "placement.tenancy")
    shared = tenancy in (None, "default")
    said = "" if shared else f"tenancy {tenancy}: dearer than this price of shared tenancy, and 2 USD an hour more"
    return to_pay, "; ".join(filter(None, [note, said]))


def _unreserved(resource: Resource, count: Count, context: Context) -> tuple[Count, str]:
    inside, reservation_name = context.reserved.of(resource)
    if elsewhere := context.reserved.elsewhere(resource):
        return count, f"they run in the reservation {elsewhere}, which is billed used or not and is not in this plan"
    note = f"{inside} of them run in the reservation {reservation_name} and are billed there" if inside else ""
    return count.less(inside), note


def _template(inputs: object, path: str, index: Index) -> Any:
    """The inputs of the launch template that lies at `path`; `None` when nothing is named there."""
    reference = wire.value(inputs, path)
    if reference is None:
        return None
    template = index.launch_template(reference)
    if template is None:
        raise wire.Unreadable(f"{path} names a launch template that is not in this plan")
    return template.get("inputs")


def _template_types(template: object, default: str = "") -> Sequence[str]:
    """The type a launch template names; without any template EKS takes its `default`."""
    if wire.value(template, "instanceRequirements") is not None:
        raise wire.Unreadable("instanceRequirements leaves the choice of types to AWS")
    name = wire.text(template, "instanceType", default if template is None else "")
    return [name] if name else []


def _market(inputs: object) -> str:
    market = wire.text(inputs, "instanceMarketOptions.marketType")
    if market not in _MARKETS:
        raise wire.Unreadable(f"instanceMarketOptions.marketType {market!r} is not known")
    return _MARKETS[market]


def _tenancy(inputs: object) -> str:
    return wire.text(inputs, "tenancy", "default")


def _distribution(mixed: object, maximum: Decimal) -> tuple[str, Decimal, Decimal]:
    """How a mixed instances policy buys: how many first on demand, and which share of the rest."""
    base = wire.number(mixed, "instancesDistribution.onDemandBaseCapacity", default=0)
    percent = wire.number(mixed, "instancesDistribution.onDemandPercentageAboveBaseCapacity", default=100)
    purchase = "on-demand" if percent >= 100 or base >= maximum else "spot"
    return purchase, base, min(percent, Decimal(100)) / 100
