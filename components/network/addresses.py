"""The address budget: what nodes, pods, endpoints and the control plane take of each subnet, against what it has.

A node takes an address for its primary interface, one more for each EFA interface that is an ordinary one too (`efa`;
`efa-only` ones have none), and those that the network plugin holds for pods, used or not.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network

from gpufleet.facts import instances, interface_limits

from .cidrs import SubnetPlan

KEPT_BY_AWS = 5
"""The first four addresses of a subnet and the last.
https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html"""
CONTROL_PLANE_ADDRESSES = 16
"""What EKS recommends to leave free in each subnet of the control plane; an upgrade doubles its interfaces.
https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"""
PREFIX = 16
"""Addresses of the /28 that prefix delegation hands out, whole and aligned."""
PODS_PER_NODE = 30
"""What a GPU node is taken to carry where nobody says: a pod for each of 8 GPUs, and some twenty agents."""
EFA = ("none", "efa-only", "efa")
ADDRESSES, BLOCKS = "addresses", "whole /28 blocks"

_UNTOLD = interface_limits.InterfaceLimits(interfaces=15, addresses=50)
"""The most that EC2 gives any type, for one of which no source tells."""


@dataclass(frozen=True, kw_only=True)
class PodAddresses:
    """How the VPC CNI keeps addresses for pods; the defaults are its own.

    https://github.com/aws/amazon-vpc-cni-k8s/blob/master/docs/eni-and-ip-target.md and prefix-and-ip-target.md
    """

    prefixes: bool = False
    """ENABLE_PREFIX_DELEGATION: addresses come by the /28."""
    warm_interfaces: int = 1
    """WARM_ENI_TARGET: whole interfaces held beyond those in use; without prefixes."""
    warm_prefixes: int = 1
    """WARM_PREFIX_TARGET: whole prefixes held beyond those in use; with prefixes."""
    warm_addresses: int | None = None
    """WARM_IP_TARGET: addresses held beyond those in use; where given, it takes the place of the two above."""
    least_addresses: int = 0
    """MINIMUM_IP_TARGET, beside `warm_addresses`."""


@dataclass(frozen=True, kw_only=True)
class Demand:
    """Nodes that take addresses."""

    what: str
    """For messages: `pool train`."""
    zones: Sequence[str]
    """EC2 Auto Scaling spreads the nodes evenly over them."""
    nodes: int
    """At the ceiling, with what an update brings on top."""
    instance_types: Sequence[str]
    """The hungriest of them counts."""
    efa: str = "none"
    """`none`; `efa-only`, EFA interfaces without addresses; `efa`, ordinary ones."""
    pods_per_node: int = PODS_PER_NODE
    """0 counts the interfaces alone."""

    def __post_init__(self) -> None:
        if self.efa not in EFA:
            raise ValueError(f"efa: {self.efa!r} is not known; allowed are {', '.join(EFA)}")
        if not self.zones or not self.instance_types:
            raise ValueError(f"{self.what}: names no zone or no instance type")


@dataclass(frozen=True)
class Shortage:
    """A subnet that is too small."""

    tier: str
    """`private`, `pod` or `intra`."""
    zone: str
    cidr: str
    need: int
    available: int
    unit: str
    """`ADDRESSES`, or `BLOCKS`: enough addresses, and not enough of them in whole blocks."""
    parts: tuple[str, ...]
    """The summands of the need, written out."""

    def __str__(self) -> str:
        """The subnet, the need and what there is, with the sum, and what to do."""
        return (
            f"the {self.tier} subnet of {self.zone}, {self.cidr}, has {self.available} {self.unit} and needs "
            f"{self.need}: {' + '.join(self.parts)}; {_FIXES[self.tier]}"
        )


_FIXES = {
    "private": "give the network a larger cidr or its pods a pod_cidr, spread the nodes over more zones, lower the "
    "pools' ceilings, or make EFA interfaces efa-only",
    "pod": "give the network a larger pod_cidr, spread the nodes over more zones, or lower the pools' ceilings",
    "intra": "give the network a larger cidr, or fewer endpoints",
}


@dataclass(frozen=True)
class _Need:
    """Of one subnet: addresses one by one, and whole prefixes."""

    singles: int = 0
    prefixes: int = 0

    @property
    def addresses(self) -> int:
        return self.singles + PREFIX * self.prefixes

    def __add__(self, other: "_Need") -> "_Need":
        return _Need(self.singles + other.singles, self.prefixes + other.prefixes)

    def __mul__(self, times: int) -> "_Need":
        return _Need(self.singles * times, self.prefixes * times)


@dataclass(frozen=True)
class _Part:
    """One summand of a subnet's need: so many takers, and what each takes."""

    what: str
    count: int
    each: _Need

    def text(self, unit: str) -> str:
        each = self.each.addresses if unit == ADDRESSES else self.each.prefixes
        return f"{self.what} {each}" if self.count == 1 else f"{self.what} {self.count} x {each} = {self.count * each}"


_Wanted = dict[tuple[str, str], list[_Part]]


def check(
    plan: SubnetPlan, demands: Sequence[Demand], *, endpoints: int = 0, pods: PodAddresses | None = None
) -> list[Shortage]:
    """The subnets of the plan that cannot hold what is demanded of them, by tier and zone; none is well.

    Pods take addresses of their node's primary interface first, which lies in the private subnet; with a pod tier,
    every further interface lies there. What is left out: addresses that lie scattered and spoil /28 blocks.

    Args:
        plan: the network's subnets.
        demands: every pool, and the system nodes.
        endpoints: how many interface endpoints the network has; each takes an address in every intra subnet.
        pods: how the network plugin is set.

    Raises:
        ValueError: a demand names a zone that the plan does not have.
    """
    wanted: _Wanted = defaultdict(list)
    for zone in plan.intra:
        wanted["intra", zone].append(_Part("control plane", 1, _Need(CONTROL_PLANE_ADDRESSES)))
        if endpoints:
            wanted["intra", zone].append(_Part("endpoints", 1, _Need(endpoints)))
    for demand in demands:
        _add(wanted, demand, plan, pods or PodAddresses())
    tiers: Mapping[str, Mapping[str, str]] = {"private": plan.private, "pod": plan.pod, "intra": plan.intra}
    return [
        shortage
        for tier, blocks in tiers.items()
        for zone, cidr in blocks.items()
        if (shortage := _shortage(tier, zone, cidr, wanted[tier, zone])) is not None
    ]


def interface_addresses(instance_type: str, efa: str) -> int:
    """The addresses that a node takes for its interfaces alone: 32 for a p5.48xlarge whose EFA cards are all `efa`."""
    found = instances.find(instance_type)
    cards = found.efa_card_indices if found is not None and efa == "efa" else ()
    # The primary interface of card 0 is an EFA interface itself where that card can be one.
    return 1 + len([card for card in cards if card != 0])


def _add(wanted: _Wanted, demand: Demand, plan: SubnetPlan, pods: PodAddresses) -> None:
    if strange := sorted(set(demand.zones) - set(plan.private)):
        raise ValueError(f"{demand.what}: zones {', '.join(strange)} are none of {', '.join(plan.private)}")
    count = -(-demand.nodes // len(demand.zones))
    interfaces = _Need(max(interface_addresses(name, demand.efa) for name in demand.instance_types))
    held = [_for_pods(name, demand, pods) for name in demand.instance_types]
    if plan.pod:
        primary, further = (max(needs, key=lambda need: need.addresses) for needs in zip(*held, strict=True))
    else:
        primary, further = max((a + b for a, b in held), key=lambda need: need.addresses), _Need()
    for zone in demand.zones:
        for tier, each in (("private", interfaces + primary), ("pod", further)):
            if each.addresses:
                wanted[tier, zone].append(_Part(demand.what, count, each))


def _for_pods(instance_type: str, demand: Demand, pods: PodAddresses) -> tuple[_Need, _Need]:
    """What the network plugin holds for the pods of one node: on the primary interface, and on further ones."""
    if demand.pods_per_node == 0:
        return _Need(), _Need()
    limits = interface_limits.find(instance_type) or _UNTOLD
    each = limits.addresses - 1  # an interface's own address is for no pod
    warm = pods.warm_addresses
    held = None if warm is None else max(pods.least_addresses, demand.pods_per_node + warm)
    if pods.prefixes:
        count = -(-demand.pods_per_node // PREFIX) + pods.warm_prefixes if held is None else -(-held // PREFIX)
        first = min(count, each)
        return _Need(prefixes=first), _Need(singles=-(-(count - first) // each), prefixes=count - first)
    if held is None:
        used = -(-demand.pods_per_node // each) + pods.warm_interfaces
        most = limits.interfaces - _taken_by_efa(instance_type, demand.efa)
        return _Need(each), _Need(limits.addresses * (max(1, min(used, most)) - 1))
    first = min(held, each)
    return _Need(first), _Need(held - first + -(-(held - first) // each))


def _taken_by_efa(instance_type: str, efa: str) -> int:
    """An `efa-only` interface on card 0 stands beside the primary one, where the plugin would put a further one."""
    found = instances.find(instance_type)
    return int(efa == "efa-only" and found is not None and 0 in found.efa_card_indices)


def _shortage(tier: str, zone: str, cidr: str, wanted: Sequence[_Part]) -> Shortage | None:
    need = sum((part.each * part.count for part in wanted), start=_Need())
    size = IPv4Network(cidr).num_addresses
    usable = size - KEPT_BY_AWS
    if need.addresses > usable:
        parts = tuple(part.text(ADDRESSES) for part in wanted)
        return Shortage(tier, zone, cidr, need.addresses, usable, ADDRESSES, parts)
    # What AWS keeps lies in the first block and the last, so that neither can be handed out whole.
    blocks = max(0, size // PREFIX - 2)
    if need.prefixes > blocks:
        parts = tuple(part.text(BLOCKS) for part in wanted if part.each.prefixes)
        return Shortage(tier, zone, cidr, need.prefixes, blocks, BLOCKS, parts)
    return None
