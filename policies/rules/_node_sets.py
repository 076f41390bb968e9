"""Nodes that are alike, whoever makes them: managed node groups of EKS, and NodePools of Karpenter.

EKS's groups are made by a launch template, Karpenter's by an EC2NodeClass; both spell the same things differently.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pulumi_policy import PolicyResource

from gpufleet.facts.instances import InstanceType

from ._karpenter import CAPACITY, RESOURCES, ZONE, ElasticPool, node_pools, quantity
from ._openings import DEFAULT_GROUP, GROUP
from ._pools import Pool, pools
from ._reading import UNKNOWN, elements, entries, number, read
from ._regions import zones_of
from ._routes import SUBNETS
from ._stack import Links, Stack

EFA: Final = ("efa", "efa-only")
_PURCHASES: Final = {"ON_DEMAND": "on-demand", "SPOT": "spot", "CAPACITY_BLOCK": "capacity-block"}
_ROOT: Final = ("/dev/xvda", "/dev/sda1", "/dev/xvdb")


@dataclass(frozen=True, slots=True)
class Interface:
    """One network interface of a node; a number is `None` where nothing is said, which EC2 reads as 0."""

    card: Any
    device: Any
    kind: Any
    path: str

    @property
    def is_efa(self) -> bool:
        """Whether it certainly carries EFA."""
        return self.kind in EFA


@dataclass(frozen=True, slots=True)
class NodeSet:
    """A node group or a NodePool."""

    resource: PolicyResource
    type_names: tuple[str, ...]
    types: tuple[InstanceType, ...]
    purchases: tuple[str, ...]
    """Some of `on-demand`, `spot`, `capacity-block`, `reserved`; none where it is not known."""
    minimum: Any
    """Nodes that are always there; 0 for a NodePool."""
    labels: dict[str, Any]
    taints: tuple[Any, ...]
    zones: set[str] | None
    """Where it certainly lies; `None` where that is not certain."""
    maker: PolicyResource | None
    """The launch template or the node class, where it is of this stack and certain."""
    interfaces: tuple[Interface, ...]
    interfaces_key: str
    """Property of the maker that says them."""
    placement_group: Any
    """What names it: `None` without one."""
    reservations: Any
    """What names the reservation: `None` without one."""
    volume_gib: float | None
    """Of the volume that holds images; `None` where nothing certain is said."""
    groups: Links
    """Security groups that every interface of EFA has, as far as they are of this stack."""

    @property
    def is_gpu(self) -> bool:
        """Whether it certainly may launch an NVIDIA GPU."""
        return any(type_.is_gpu for type_ in self.types)

    @property
    def is_accelerated(self) -> bool:
        """Whether it certainly may launch an accelerator of any maker."""
        return any(type_.accelerator in RESOURCES for type_ in self.types)

    @property
    def efa_interfaces(self) -> list[Interface]:
        """Interfaces that certainly carry EFA."""
        return [one for one in self.interfaces if one.is_efa]


def node_sets(stack: Stack) -> Iterator[NodeSet]:
    """Yield the node groups and NodePools of the stack."""
    yield from (_of_group(stack, pool) for pool in pools(stack))
    yield from (_of_pool(stack, pool) for pool in node_pools(stack))


def _of_group(stack: Stack, pool: Pool) -> NodeSet:
    props = pool.resource.props
    certain = pool.template.certain
    template = certain[0] if len(certain) == 1 and not pool.template.possible else None
    shape = template.props if template else None
    capacity = read(props, "capacityType")
    purchase = "on-demand" if capacity is None else _PURCHASES.get(str(capacity))
    interfaces = elements(read(shape, "networkInterfaces"))
    named = [
        g for one in interfaces if read(one, "interfaceType") in EFA for g in elements(read(one, "securityGroups"))
    ]
    top = elements(read(shape, "vpcSecurityGroupIds"))
    return NodeSet(
        resource=pool.resource,
        type_names=pool.type_names,
        types=pool.types,
        purchases=(purchase,) if purchase else (),
        minimum=pool.minimum,
        labels=entries(read(props, "labels")),
        taints=tuple(elements(read(props, "taints"))),
        zones=zones_of(stack, pool.resource, "subnetIds"),
        maker=template,
        interfaces=_interfaces(interfaces, "networkInterfaces"),
        interfaces_key="networkInterfaces",
        placement_group=_either(read(shape, "placement"), "groupName", "groupId"),
        reservations=_either(
            read(shape, "capacityReservationSpecification", "capacityReservationTarget"),
            "capacityReservationId",
            "capacityReservationResourceGroupArn",
        ),
        volume_gib=_volume(elements(read(shape, "blockDeviceMappings")), number),
        groups=_groups(stack, template, "networkInterfaces" if interfaces else "vpcSecurityGroupIds", named or top),
    )


def _of_pool(stack: Stack, pool: ElasticPool) -> NodeSet:
    spec = read(pool.node_class.props, "spec") if pool.node_class else None
    groups = [read(term, "id") for term in elements(read(spec, "securityGroupSelectorTerms"))]
    reserved = elements(read(spec, "capacityReservationSelectorTerms"))
    return NodeSet(
        resource=pool.resource,
        type_names=pool.type_names,
        types=pool.types,
        purchases=pool.values(CAPACITY) or (),
        minimum=0,
        labels=pool.labels,
        taints=tuple(elements(read(pool.node, "taints"))),
        zones=_zones(stack, pool, spec),
        maker=pool.node_class,
        interfaces=_interfaces(elements(read(spec, "networkInterfaces")), "spec.networkInterfaces"),
        interfaces_key="spec.networkInterfaces",
        placement_group=_either(read(spec, "placementGroupSelector"), "name", "id"),
        reservations=reserved or None,
        volume_gib=_volume(elements(read(spec, "blockDeviceMappings")), quantity),
        groups=_groups(stack, pool.node_class, "spec", groups),
    )


def _zones(stack: Stack, pool: ElasticPool, spec: Any) -> set[str] | None:
    """Those that it requires, else those of the subnets that its class names one by one."""
    if (required := pool.values(ZONE)) is not None:
        return set(required)
    ids = [read(term, "id") for term in elements(read(spec, "subnetSelectorTerms"))]
    if pool.node_class is None or not ids or not all(isinstance(one, str) for one in ids):
        return None
    links = stack.links(pool.node_class, "spec", ids, *SUBNETS)
    zones = [read(subnet.props, "availabilityZone") for subnet in links.certain]
    known = len(zones) == len(ids) and all(isinstance(zone, str) for zone in zones)
    return set(zones) if known else None


def _groups(stack: Stack, maker: PolicyResource | None, key: str, ids: list[Any]) -> Links:
    return stack.links(maker, key, ids, GROUP, DEFAULT_GROUP) if maker else Links((), (), 0)


def _interfaces(found: list[Any], key: str) -> tuple[Interface, ...]:
    return tuple(
        Interface(
            read(one, "networkCardIndex"), read(one, "deviceIndex"), read(one, "interfaceType"), f"{key}[{index}]"
        )
        for index, one in enumerate(found)
    )


def _either(block: Any, *keys: str) -> Any:
    return next((found for key in keys if (found := read(block, key)) is not None), None)


def _volume(mappings: list[Any], size: Any) -> float | None:
    """Of the volume that is marked as root, else of the largest of the devices that images boot from."""
    marked = [one for one in mappings if read(one, "rootVolume") is True]
    devices = marked or [one for one in mappings if read(one, "deviceName") in _ROOT]
    said = [read(one, "ebs", "volumeSize") for one in devices]
    if UNKNOWN in said:
        return None
    sizes = [found for value in said if value is not None and (found := size(value)) is not None]
    return max(sizes, default=None)
