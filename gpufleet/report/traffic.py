"""Who may talk to whom: the rules of every security group in words, as lines of one table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gpufleet.report.estate import Entry, Estate, as_list, mapping, number, text, texts

_GROUP = "aws:ec2/securityGroup:SecurityGroup"
_WORLD = frozenset({"0.0.0.0/0", "::/0"})
_PORTS = {22: "SSH", 53: "DNS", 80: "HTTP", 443: "HTTPS", 988: "Lustre", 2049: "NFS", 10250: "kubelet"}
"""https://www.iana.org/assignments/service-names-port-numbers and, for Lustre, the FSx user guide."""


@dataclass(frozen=True, kw_only=True, order=True)
class Rule:
    """One rule: in or out, with whom, by what, and why."""

    inward: bool
    peer: str
    traffic: str
    why: str
    open_to_world: bool
    """Whether anyone on the internet may come in by it."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """A security group and its rules, those that let in first."""

    name: str
    network: str
    description: str
    rules: tuple[Rule, ...]


def groups(estate: Estate) -> list[Group]:
    """Every security group, by network and name."""
    found: list[Group] = []
    for type_ in (_GROUP, "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"):
        for group in estate.of(type_):
            rules = sorted(_rules(estate, group), key=lambda rule: (not rule.inward, rule))
            found.append(
                Group(
                    name=group["name"],
                    network=estate.name(group["inputs"].get("vpcId")),
                    description=text(group["inputs"].get("description")) or "the network's default group",
                    rules=tuple(rules),
                )
            )
    return sorted(found, key=lambda group: (group.network, group.name))


def _rules(estate: Estate, group: Entry) -> Iterator[Rule]:
    mine = group["id"]
    for type_, inward in (
        ("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", True),
        ("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", False),
    ):
        for rule in estate.of(type_):
            if rule["inputs"].get("securityGroupId") == mine:
                yield from _read(estate, rule["inputs"], mine, inward=inward)
    for rule in estate.of("aws:ec2/securityGroupRule:SecurityGroupRule"):
        if rule["inputs"].get("securityGroupId") == mine:
            yield from _read(estate, rule["inputs"], mine, inward=rule["inputs"].get("type") == "ingress")
    for key, inward in (("ingress", True), ("egress", False)):
        for inline in map(mapping, as_list(group["inputs"].get(key))):
            yield from _read(estate, inline, mine, inward=inward)


def _read(estate: Estate, inputs: Mapping[str, Any], mine: object, *, inward: bool) -> Iterator[Rule]:
    for peer, world in _peers(estate, inputs, mine):
        yield Rule(
            inward=inward,
            peer=peer,
            traffic=_traffic(inputs),
            why=text(inputs.get("description")),
            open_to_world=world and inward,
        )


def _peers(estate: Estate, inputs: Mapping[str, Any], mine: object) -> Iterator[tuple[str, bool]]:
    """Each other side in words, and whether it is the whole internet."""
    ranges = [
        address
        for key in ("cidrIpv4", "cidrIpv6", "cidrBlocks", "ipv6CidrBlocks")
        for address in texts(inputs.get(key))
    ]
    for address in ranges:
        yield _range(estate, address), address in _WORLD
    named = [
        reference
        for key in ("referencedSecurityGroupId", "securityGroups", "sourceSecurityGroupId")
        for reference in texts(inputs.get(key))
    ]
    for reference in named:
        yield ("members of this group" if reference == mine else f"group {estate.name(reference)}"), False
    if inputs.get("self") is True:
        yield "members of this group", False
    for key in ("prefixListId", "prefixListIds"):
        yield from ((f"prefix list {estate.name(prefix)}", False) for prefix in texts(inputs.get(key)))


def _range(estate: Estate, address: str) -> str:
    if address in _WORLD:
        return "anywhere"
    for vpc in estate.of("aws:ec2/vpc:Vpc"):
        if vpc["inputs"].get("cidrBlock") == address:
            return f"network {vpc['name']} ({address})"
    return address


def _traffic(inputs: Mapping[str, Any]) -> str:
    protocol = text(inputs.get("ipProtocol") or inputs.get("protocol")).lower()
    if protocol in ("-1", "all"):
        return "all traffic"
    first, last = inputs.get("fromPort"), inputs.get("toPort")
    if first is None:
        return protocol
    if protocol.startswith("icmp"):
        return f"{protocol} type {number(first)}" if number(first) >= 0 else protocol
    if first == last:
        port = number(first)
        return f"{_PORTS[port]} ({protocol} {port})" if port in _PORTS else f"{protocol} {port}"
    return f"{protocol} {number(first)}-{number(last)}"
