"""The address plan of a private network: which block each subnet gets, and why it never moves.

A VPC of /16 to /20 is divided once, for ever, whatever zones are in use (shown for 10.20.0.0/16):

    first half      8 private subnets, 1/16 of the VPC each     10.20.0.0/20   .. 10.20.112.0/20
    fifth eighth    8 public subnets, 1/64 each                 10.20.128.0/22 .. 10.20.156.0/22
    sixth eighth    8 intra subnets, 1/64 each                  10.20.160.0/22 .. 10.20.188.0/22
    last quarter    kept free                                   10.20.192.0/18

Private subnets are the large ones, because nodes and pods take their addresses there. Public ones hold nothing but NAT
gateways; intra ones hold the interfaces of the control plane and of the VPC endpoints.

Pods may have addresses of their own, from a second block out of 100.64.0.0/10 that is nobody else's concern: it is not
routed beyond the VPC, so every VPC can use the same one. Of it each zone gets an eighth (shown for 100.64.0.0/16):

    all of it       8 pod subnets, 1/8 each                     100.64.0.0/19  .. 100.64.224.0/19

A zone's slot comes from its letter (`us-east-1c` is slot 2), never from its position in a list, so that adding,
dropping or reordering zones moves no subnet.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network

LARGEST_PREFIX, SMALLEST_PREFIX = 16, 20
"""EC2 allows a VPC of at most /16; below /20 a private subnet would hold fewer than 256 addresses."""

POD_RANGE = "100.64.0.0/10"
"""Shared address space (RFC 6598): private like 10.0.0.0/8, and seldom in use anywhere else.
https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html"""
LARGEST_POD_PREFIX, SMALLEST_POD_PREFIX = 16, 18
"""EC2 allows a block of at most /16; below /18 a pod subnet would hold fewer than 2048 addresses."""

_SLOTS = "abcdefgh"
_ZONE = re.compile(r"(?P<region>[a-z]{2,4}(?:-[a-z]+){1,2}-\d+)(?P<letter>[a-z])")
"""An availability zone. A Local Zone (`us-east-1-bos-1a`) or Wavelength Zone does not have this form."""


@dataclass(frozen=True)
class SubnetPlan:
    """One CIDR block of each kind for each zone, keyed by the zone's name."""

    private: Mapping[str, str]
    public: Mapping[str, str]
    intra: Mapping[str, str]
    pod: Mapping[str, str] = field(default_factory=dict[str, str])
    """Empty where pods share the private subnets."""


def plan(cidr: str, zones: Sequence[str], pod_cidr: str | None = None) -> SubnetPlan:
    """The blocks of `zones` inside the VPC `cidr`, and inside `pod_cidr`; keys are in sorted order of the zones.

    Raises:
        ValueError: the CIDR is not a private-range network of /16 to /20, the pod CIDR not one of /16 to /18 inside
            100.64.0.0/10 or it overlaps the other, or a zone is unusable or given twice.
    """
    vpc = _vpc(cidr)
    pod = list(_pods(pod_cidr, vpc).subnets(prefixlen_diff=3)) if pod_cidr is not None else []
    slots = {zone: _slot(zone) for zone in sorted(zones)}
    if len(slots) != len(zones):
        twice = sorted({zone for zone in zones if list(zones).count(zone) > 1})
        raise ValueError(f"zones: {', '.join(twice)} given more than once; name each zone once")
    eighths = list(vpc.subnets(prefixlen_diff=3))
    private = list(vpc.subnets(prefixlen_diff=4))[:8]
    public, intra = (list(eighths[n].subnets(prefixlen_diff=3)) for n in (4, 5))
    return SubnetPlan(
        private={zone: str(private[slot]) for zone, slot in slots.items()},
        public={zone: str(public[slot]) for zone, slot in slots.items()},
        intra={zone: str(intra[slot]) for zone, slot in slots.items()},
        pod={zone: str(pod[slot]) for zone, slot in slots.items()} if pod else {},
    )


def region_of(zone: str) -> str:
    """The region of an availability zone.

    Raises:
        ValueError: the name is not one of an availability zone.
    """
    match = _ZONE.fullmatch(zone)
    if match is None or match["letter"] not in _SLOTS:
        raise ValueError(
            f"zones: {zone!r} is not an availability zone; allowed are names like us-east-1a, a to h "
            "(Local Zones and Wavelength Zones cannot hold the cluster); name the zones themselves, not their number"
        )
    return match["region"]


def _slot(zone: str) -> int:
    region_of(zone)
    return _SLOTS.index(zone[-1])


def _pods(pod_cidr: str, vpc: IPv4Network) -> IPv4Network:
    pods = _parsed("pod_cidr", pod_cidr, "100.64.0.0/16")
    if not LARGEST_POD_PREFIX <= pods.prefixlen <= SMALLEST_POD_PREFIX or not pods.subnet_of(IPv4Network(POD_RANGE)):
        raise ValueError(
            f"pod_cidr: {pod_cidr} cannot be the block of pods; allowed is /{LARGEST_POD_PREFIX} to "
            f"/{SMALLEST_POD_PREFIX} inside {POD_RANGE}, such as 100.64.0.0/16"
        )
    if pods.overlaps(vpc):
        raise ValueError(f"pod_cidr: {pod_cidr} overlaps the VPC's own block {vpc}; allowed is a block beside it")
    return pods


def _parsed(name: str, cidr: str, example: str) -> IPv4Network:
    try:
        return IPv4Network(cidr)
    except ValueError as error:
        raise ValueError(f"{name}: {cidr!r} is not an IPv4 network ({error}); write one like {example}") from None


def _vpc(cidr: str) -> IPv4Network:
    vpc = _parsed("cidr", cidr, "10.20.0.0/16")
    if not LARGEST_PREFIX <= vpc.prefixlen <= SMALLEST_PREFIX:
        raise ValueError(
            f"cidr: {cidr} is a /{vpc.prefixlen}; allowed is /{LARGEST_PREFIX} to /{SMALLEST_PREFIX}; "
            f"GPU nodes and their pods take many addresses, so prefer {vpc.network_address}/{LARGEST_PREFIX}"
        )
    if vpc.is_global:
        raise ValueError(f"cidr: {cidr} is public address space; allowed is a private range such as 10.20.0.0/16")
    return vpc
