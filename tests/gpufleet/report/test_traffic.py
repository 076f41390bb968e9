"""Network rules in words."""

from typing import TypedDict

import pulumi
import pulumi_aws as aws

from gpufleet.report import traffic
from gpufleet.report.traffic import Rule
from tests.gpufleet.report.world import estate_of


class Https(TypedDict):
    ip_protocol: str
    from_port: int
    to_port: int
    security_group_id: pulumi.Output[str]


def rule(inward: bool, peer: str, what: str, why: str = "", *, world: bool = False) -> Rule:
    return Rule(inward=inward, peer=peer, traffic=what, why=why, open_to_world=world)


def test_a_group_reads_in_first_then_out():
    def build():
        vpc = aws.ec2.Vpc("net", cidr_block="10.0.0.0/16")
        nodes = aws.ec2.SecurityGroup("nodes", vpc_id=vpc.id, description="Nodes")
        other = aws.ec2.SecurityGroup("other", vpc_id=vpc.id, description="Other")
        inward, outward = aws.vpc.SecurityGroupIngressRule, aws.vpc.SecurityGroupEgressRule
        inward(
            "self",
            security_group_id=nodes.id,
            ip_protocol="-1",
            referenced_security_group_id=nodes.id,
            description="among",
        )
        https: Https = {"ip_protocol": "tcp", "from_port": 443, "to_port": 443, "security_group_id": nodes.id}
        inward("other", **https, referenced_security_group_id=other.id)
        inward("vpc", **https, cidr_ipv4="10.0.0.0/16")
        outward("out", security_group_id=nodes.id, ip_protocol="udp", from_port=1, to_port=9, cidr_ipv4="0.0.0.0/0")

    nodes = next(group for group in traffic.groups(estate_of(build)) if group.name == "nodes")
    assert (nodes.network, nodes.description) == ("net", "Nodes")
    assert nodes.rules == (
        rule(True, "group other", "HTTPS (tcp 443)"),
        rule(True, "members of this group", "all traffic", "among"),
        rule(True, "network net (10.0.0.0/16)", "HTTPS (tcp 443)"),
        rule(False, "anywhere", "udp 1-9"),
    )


def test_rules_inside_the_group_and_of_the_old_kind_count_too():
    def build():
        group = aws.ec2.SecurityGroup(
            "g",
            ingress=[
                {
                    "protocol": "icmp",
                    "from_port": -1,
                    "to_port": -1,
                    "cidr_blocks": ["0.0.0.0/0"],
                    "description": "ping",
                }
            ],
            egress=[{"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}],
        )
        aws.ec2.SecurityGroupRule(
            "ssh",
            security_group_id=group.id,
            type="ingress",
            protocol="tcp",
            from_port=22,
            to_port=22,
            ipv6_cidr_blocks=["::/0"],
            prefix_list_ids=["pl-1"],
        )

    (group,) = traffic.groups(estate_of(build))
    assert group.rules == (
        rule(True, "anywhere", "SSH (tcp 22)", world=True),
        rule(True, "anywhere", "icmp", "ping", world=True),
        rule(True, "prefix list pl-1", "SSH (tcp 22)"),
        rule(False, "members of this group", "all traffic"),
    )


def test_traffic_out_to_anywhere_is_not_called_open():
    def build():
        group = aws.ec2.SecurityGroup("g")
        aws.vpc.SecurityGroupEgressRule("o", security_group_id=group.id, ip_protocol="-1", cidr_ipv4="0.0.0.0/0")

    (group,) = traffic.groups(estate_of(build))
    assert [one.open_to_world for one in group.rules] == [False]


def test_the_default_group_is_listed_with_its_network():
    def build():
        aws.ec2.DefaultSecurityGroup("closed", vpc_id=aws.ec2.Vpc("net", cidr_block="10.0.0.0/16").id)

    (group,) = traffic.groups(estate_of(build))
    assert (group.network, group.name, group.rules) == ("net", "closed", ())
