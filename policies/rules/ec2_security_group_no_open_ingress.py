"""A port open to the whole internet is found and tried within minutes."""

from collections.abc import Iterator
from typing import Any

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._cidrs import WIDEST, is_open
from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, elements, read, shown

_GROUPS = ("aws:ec2/securityGroup:SecurityGroup", "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup")


def _check_inline(args: ResourceValidationArgs, report: Report) -> None:
    for rule in elements(read(args.props, "ingress")):
        _report_open(rule, "protocol", "inline ingress", report)


def _check_rule(args: ResourceValidationArgs, report: Report) -> None:
    kind = read(args.props, "type")
    if kind is not UNKNOWN and kind != "egress":
        _report_open(args.props, "protocol", "ingress rule", report)


def _check_ingress_rule(args: ResourceValidationArgs, report: Report) -> None:
    _report_open(args.props, "ipProtocol", "ingress rule", report)


def _report_open(rule: Any, protocol_key: str, what: str, report: Report) -> None:
    # Only what the rule names as a source counts: a rule that refers to a group or a prefix list names no range.
    for cidr in filter(is_open, _sources(rule)):
        report(
            f"{what} of {_ports(rule, protocol_key)} is open to {cidr}; the source must be a private range, a "
            f"public one no wider than /{WIDEST[4]} (IPv6 /{WIDEST[6]}), a prefix list or a security group."
        )


def _sources(rule: Any) -> Iterator[Any]:
    for key in ("cidrBlocks", "ipv6CidrBlocks", "cidrIpv4", "cidrIpv6"):
        yield from elements(read(rule, key))


def _ports(rule: Any, protocol_key: str) -> str:
    protocol, first, last = (read(rule, key) for key in (protocol_key, "fromPort", "toPort"))
    if str(protocol) in ("-1", "-1.0", "all") or first is None:
        return (
            "every port and protocol" if str(protocol) in ("-1", "-1.0", "all") else f"every port of {shown(protocol)}"
        )
    return f"{shown(protocol)} port {shown(first)}" + ("" if first == last else f" to {shown(last)}")


RULE = ResourceValidationPolicy(
    name="ec2-security-group-no-open-ingress",
    description="A port that is open to the internet is found and tried within minutes.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.18"),
    tags=["network"],
    remediation_steps="Name the security group, prefix list or private range that must get in, and no other source; "
    "people come in through Session Manager or a VPN.",
    url="https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html",
    validate=[
        for_type(_check_inline, *_GROUPS),
        for_type(_check_rule, "aws:ec2/securityGroupRule:SecurityGroupRule"),
        for_type(_check_ingress_rule, "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"),
    ],
)
