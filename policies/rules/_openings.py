"""What a security group lets in or out, in each of the provider's three ways to say it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ._reading import UNKNOWN, elements, number, read, shown

GROUP = "aws:ec2/securityGroup:SecurityGroup"
DEFAULT_GROUP = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"
RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
INGRESS_RULE = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
EGRESS_RULE = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"

Direction = Literal["ingress", "egress"]

CARRIERS: dict[Direction, tuple[str, ...]] = {
    "ingress": (GROUP, DEFAULT_GROUP, RULE, INGRESS_RULE),
    "egress": (GROUP, DEFAULT_GROUP, RULE, EGRESS_RULE),
}
"""Types that may hold openings of a direction."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One inline rule, or one rule that is a resource of its own."""

    what: str
    """Where it is said: `inline ingress` or `ingress rule`."""
    rule: Any
    """Its properties."""
    protocol: Any

    @property
    def cidrs(self) -> Iterator[Any]:
        """Ranges that it names; one that names a group or a prefix list names none."""
        for key in ("cidrBlocks", "ipv6CidrBlocks", "cidrIpv4", "cidrIpv6"):
            yield from elements(read(self.rule, key))

    @property
    def first(self) -> Any:
        """The first port."""
        return read(self.rule, "fromPort")

    @property
    def last(self) -> Any:
        """The last port."""
        return read(self.rule, "toPort")

    @property
    def every_protocol(self) -> bool:
        """Whether it is for every protocol, and so for every port."""
        return str(self.protocol) in ("-1", "-1.0", "all")

    def may_cover(self, port: int) -> bool:
        """Tell whether it lets the TCP port through, as far as it is known."""
        if self.protocol is UNKNOWN or self.every_protocol:
            return True
        if str(self.protocol).lower() not in ("tcp", "6", "6.0"):
            return False
        if UNKNOWN in (self.first, self.last):
            return True
        first, last = number(self.first), number(self.last)
        return first is not None and last is not None and first <= port <= last

    @property
    def ports(self) -> str:
        """Protocol and ports, for a message."""
        if self.every_protocol:
            return "every port and protocol"
        if self.first is None:
            return f"every port of {shown(self.protocol)}"
        return f"{shown(self.protocol)} port {shown(self.first)}" + (
            "" if self.first == self.last else f" to {shown(self.last)}"
        )


def openings(type_: str, props: Any, direction: Direction) -> Iterator[Opening]:
    """Yield what a group or a rule of the given type opens in the given direction."""
    if type_ in (GROUP, DEFAULT_GROUP):
        for rule in elements(read(props, direction)):
            yield Opening(f"inline {direction}", rule, read(rule, "protocol"))
    elif type_ == RULE:
        kind = read(props, "type")
        if kind is not UNKNOWN and (kind == "egress") == (direction == "egress"):
            yield Opening(f"{direction} rule", props, read(props, "protocol"))
    elif type_ in CARRIERS[direction]:
        yield Opening(f"{direction} rule", props, read(props, "ipProtocol"))
