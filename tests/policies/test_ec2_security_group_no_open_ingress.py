from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.ec2_security_group_no_open_ingress import RULE
from tests.policies.judging import later, messages

MUST = (
    "the source must be a private range, a public one no wider than /8 (IPv6 /16), a prefix list or a security group."
)


def test_inline_ingress_from_anywhere_is_reported_once_for_each_range(preview: bool) -> None:
    def build() -> None:
        aws.ec2.SecurityGroup(
            "group",
            vpc_id=later("vpc-1"),
            ingress=[
                aws.ec2.SecurityGroupIngressArgs(
                    protocol="tcp", from_port=22, to_port=22, cidr_blocks=["0.0.0.0/0"], ipv6_cidr_blocks=["::/0"]
                )
            ],
        )

    assert messages(RULE, build, preview=preview) == [
        f"group: inline ingress of tcp port 22 is open to 0.0.0.0/0; {MUST}",
        f"group: inline ingress of tcp port 22 is open to ::/0; {MUST}",
    ]


def test_the_older_rule_resource_is_read_for_ingress_and_not_for_egress(preview: bool) -> None:
    def build() -> None:
        for kind in ("ingress", "egress"):
            aws.ec2.SecurityGroupRule(
                kind,
                type=kind,
                security_group_id=later("sg-1", kind),
                protocol="tcp",
                from_port=0,
                to_port=65535,
                cidr_blocks=["0.0.0.0/0"],
            )

    assert messages(RULE, build, preview=preview) == [
        f"ingress: ingress rule of tcp port 0 to 65535 is open to 0.0.0.0/0; {MUST}"
    ]


@pytest.mark.parametrize(("key", "cidr"), [("cidr_ipv4", "0.0.0.0/0"), ("cidr_ipv6", "::/0")])
def test_the_newer_rule_resource_is_read_in_both_families(key: str, cidr: str, preview: bool) -> None:
    source: dict[str, Any] = {key: cidr}

    def build() -> None:
        aws.vpc.SecurityGroupIngressRule("rule", security_group_id="sg-1", ip_protocol="-1", **source)

    assert messages(RULE, build, preview=preview) == [
        f"rule: ingress rule of every port and protocol is open to {cidr}; {MUST}"
    ]


def test_both_halves_of_the_internet_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.SecurityGroup(
            "group",
            ingress=[
                aws.ec2.SecurityGroupIngressArgs(
                    protocol="-1", from_port=0, to_port=0, cidr_blocks=["0.0.0.0/1", "128.0.0.0/1"]
                )
            ],
        )

    assert messages(RULE, build, preview=preview) == [
        f"group: inline ingress of every port and protocol is open to 0.0.0.0/1; {MUST}",
        f"group: inline ingress of every port and protocol is open to 128.0.0.0/1; {MUST}",
    ]


def test_a_self_reference_does_not_excuse_an_open_range_beside_it(preview: bool) -> None:
    def build() -> None:
        aws.ec2.SecurityGroup(
            "group",
            ingress=[
                aws.ec2.SecurityGroupIngressArgs(
                    self=True, protocol="tcp", from_port=22, to_port=22, cidr_blocks=["0.0.0.0/0"]
                )
            ],
        )

    assert messages(RULE, build, preview=preview) == [
        f"group: inline ingress of tcp port 22 is open to 0.0.0.0/0; {MUST}"
    ]


def test_what_is_no_cidr_is_not_taken_for_a_narrow_one(preview: bool) -> None:
    def build() -> None:
        aws.vpc.SecurityGroupIngressRule("rule", security_group_id="sg-1", ip_protocol="tcp", cidr_ipv4="anywhere")

    assert messages(RULE, build, preview=preview) == [
        f"rule: ingress rule of every port of tcp is open to anywhere; {MUST}"
    ]


def test_private_ranges_groups_prefix_lists_and_self_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.SecurityGroup("empty", ingress=[])
        aws.ec2.SecurityGroup(
            "inline",
            ingress=[
                aws.ec2.SecurityGroupIngressArgs(
                    protocol="tcp", from_port=443, to_port=443, cidr_blocks=["10.0.0.0/8", "203.0.113.0/24"]
                ),
                aws.ec2.SecurityGroupIngressArgs(protocol="-1", from_port=0, to_port=0, self=True),
                aws.ec2.SecurityGroupIngressArgs(
                    protocol="tcp", from_port=443, to_port=443, ipv6_cidr_blocks=["fc00::/7"]
                ),
            ],
        )
        rule: dict[str, Any] = {"security_group_id": "sg-1", "ip_protocol": "-1"}
        aws.vpc.SecurityGroupIngressRule("group", referenced_security_group_id="sg-2", **rule)
        aws.vpc.SecurityGroupIngressRule("unknown", referenced_security_group_id=later("sg-2"), **rule)
        aws.vpc.SecurityGroupIngressRule("list", prefix_list_id="pl-1", **rule)
        aws.vpc.SecurityGroupEgressRule("out", cidr_ipv4="0.0.0.0/0", **rule)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_range_is_quiet_and_hides_no_known_one_beside_it() -> None:
    def build() -> None:
        aws.ec2.SecurityGroup(
            "group",
            ingress=[
                aws.ec2.SecurityGroupIngressArgs(
                    protocol="tcp", from_port=22, to_port=22, cidr_blocks=[later("0.0.0.0/1"), "0.0.0.0/0"]
                )
            ],
        )

    first, second = (
        f"group: inline ingress of tcp port 22 is open to {cidr}; {MUST}" for cidr in ("0.0.0.0/0", "0.0.0.0/1")
    )
    assert messages(RULE, build, preview=True) == [first]
    assert messages(RULE, build) == [first, second]
