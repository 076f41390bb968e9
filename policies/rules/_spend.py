"""What the stack can cost an hour with everything at its ceiling, from list prices."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pulumi_policy import PolicyResource

from gpufleet.facts import instances, prices

from ._karpenter import node_pools
from ._pools import TEMPLATE, pools
from ._reading import UNKNOWN, differs, elements, number, read
from ._regions import region_of
from ._stack import Stack

_HOME = "us-east-1"
"""Where a resource is priced that says nothing of its region; prices of others are told apart by the facts."""

_LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"
_FLAT = {"aws:ec2/natGateway:NatGateway": "nat-gateway", "aws:eks/cluster:Cluster": "eks-cluster"}


@dataclass(frozen=True, slots=True)
class Line:
    """What one resource can cost an hour."""

    resource: PolicyResource
    what: str
    usd: float


def lines(stack: Stack) -> Iterator[Line]:
    """Yield a line for each resource whose quantity is known; a count that is not known yet adds nothing."""
    for pool in pools(stack):
        yield from _machines(pool.resource, pool.type_names, pool.maximum)
    for elastic in node_pools(stack):
        yield from _machines(elastic.resource, elastic.type_names, elastic.most_nodes)
    for group in stack.of("aws:autoscaling/group:Group"):
        yield from _machines(group, _group_types(stack, group), read(group.props, "maxSize"))
    for machine in stack.of("aws:ec2/instance:Instance", "aws:ec2/spotInstanceRequest:SpotInstanceRequest"):
        yield from _machines(machine, _names(read(machine.props, "instanceType")), 1)
    for reservation in stack.of("aws:ec2/capacityReservation:CapacityReservation"):
        yield from _machines(
            reservation, _names(read(reservation.props, "instanceType")), read(reservation.props, "instanceCount")
        )
    for type_, key in _FLAT.items():
        for resource in stack.of(type_):
            yield from _service(resource, key, 1)
    for system in stack.of(_LUSTRE):
        yield from _stored(system)
    for endpoint in stack.of("aws:ec2/vpcEndpoint:VpcEndpoint"):
        if not differs(read(endpoint.props, "vpcEndpointType"), "Interface", absent="Gateway"):
            yield from _service(endpoint, "interface-endpoint", len(elements(read(endpoint.props, "subnetIds"))))


def floors(stack: Stack) -> Iterator[Line]:
    """Yield a line for each node group's floor at its cheapest type, and for what runs by the hour in any case."""
    for pool in pools(stack):
        count = None if pool.minimum is UNKNOWN else number(pool.minimum)
        region = region_of(pool.resource) or _HOME
        known = [(price.usd, name) for name in pool.type_names if (price := prices.instance_hour(name, region))]
        if count and known:
            usd, name = min(known)
            share = prices.SPOT_FLOOR_RATIO if read(pool.resource.props, "capacityType") == "SPOT" else 1
            yield Line(pool.resource, f"{count:g} x {name}", count * usd * share)
    for system in stack.of(_LUSTRE):
        yield from _stored(system)
    for type_, key in _FLAT.items():
        for resource in stack.of(type_):
            yield from _service(resource, key, 1)


def _stored(system: PolicyResource) -> Iterator[Line]:
    """A file system is billed by what it can hold, full or not."""
    capacity, throughput = read(system.props, "storageCapacity"), read(system.props, "perUnitStorageThroughput")
    gib = None if capacity is UNKNOWN else number(capacity)
    tier = None if throughput is UNKNOWN else number(throughput)
    price = prices.service(f"fsx-lustre-persistent2-{tier:g}", region_of(system) or _HOME) if tier else None
    if gib and price is not None:
        yield Line(system, f"{gib:g} GiB of Lustre", gib * price.usd / prices.HOURS_PER_MONTH)


def _machines(resource: PolicyResource, names: tuple[str, ...], count: Any) -> Iterator[Line]:
    """The dearest of the types counts; one without a price as the dearest of its kind, so that a ceiling holds."""
    quantity = None if count is UNKNOWN else number(count)
    if not quantity or not names:
        return
    region = region_of(resource) or _HOME
    usd, name = max((cost for name in names if (cost := _hour(name, region)) is not None), default=(0.0, names[0]))
    yield Line(resource, f"{quantity:g} x {name}", quantity * usd)


def _hour(name: str, region: str) -> tuple[float, str] | None:
    """USD an hour and how to tell of it; None for a type that the catalogue does not know."""
    price, type_ = prices.instance_hour(name, region), instances.find(name)
    if price is not None:
        return price.usd, name
    if type_ is None or not type_.is_gpu and type_.accelerator is None:
        return None
    stand_in, usd = _dearest(type_.gpu_model, region)
    return usd, f"{name} (no list price is known; counted as {stand_in})"


def _dearest(model: str | None, region: str) -> tuple[str, float]:
    """The dearest type with such accelerators, else of all: what a node of an unknown price may cost."""
    known = [
        (price.usd, one.gpu_model, name)
        for name in instances.names()
        if (one := instances.get(name)).accelerator and (price := prices.instance_hour(name, region))
    ]
    usd, _, name = max([entry for entry in known if entry[1] == model] or known)
    return name, usd


def _service(resource: PolicyResource, key: str, quantity: int) -> Iterator[Line]:
    price = prices.service(key, region_of(resource) or _HOME)
    if price is not None and quantity:
        yield Line(resource, f"{quantity} x {key}", quantity * price.usd)


def _group_types(stack: Stack, group: PolicyResource) -> tuple[str, ...]:
    mixed = read(group.props, "mixedInstancesPolicy", "launchTemplate")
    overrides = [read(override, "instanceType") for override in elements(read(mixed, "overrides"))]
    if named := _names(*overrides):
        return named
    key = "launchTemplate" if mixed is None else "mixedInstancesPolicy"
    block = read(group.props, "launchTemplate") if mixed is None else read(mixed, "launchTemplateSpecification")
    reference = (
        read(block, "id") or read(block, "launchTemplateId") or read(block, "name") or read(block, "launchTemplateName")
    )
    templates = stack.links(group, key, reference, TEMPLATE).certain
    return _names(*(read(template.props, "instanceType") for template in templates))


def _names(*values: Any) -> tuple[str, ...]:
    return tuple(value for value in values if isinstance(value, str))
