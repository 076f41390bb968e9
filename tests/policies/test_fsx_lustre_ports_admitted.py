from typing import Any

import pulumi
import pulumi_aws as aws

from policies.rules.fsx_lustre_ports_admitted import RULE
from tests.policies.judging import later, messages

BOTH = ((988, 988), (1018, 1023))


def _rules(group: aws.ec2.SecurityGroup, source: Any, name: str, ranges: Any = BOTH) -> None:
    for first, last in ranges:
        aws.vpc.SecurityGroupIngressRule(
            f"{name}-{first}" if isinstance(first, int) else name,
            security_group_id=group.id,
            ip_protocol="tcp",
            from_port=first,
            to_port=last,
            referenced_security_group_id=source,
        )


def _system(group: aws.ec2.SecurityGroup) -> None:
    aws.fsx.LustreFileSystem("lustre", subnet_ids="subnet-1", storage_capacity=1200, security_group_ids=[group.id])


def test_a_group_that_admits_one_of_the_two_ranges_is_reported_with_what_it_lacks(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("group")
        _rules(group, "sg-nodes", "nodes", [(988, 988), (1018, 1020)])
        _system(group)

    assert messages(RULE, build, preview=preview) == [
        "lustre: no ingress rule of its security groups lets in TCP 1021, 1022, 1023; clients need 988 and 1018-1023."
    ]


def test_a_group_that_does_not_admit_itself_is_reported(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("group")
        _rules(group, "sg-nodes", "nodes")
        _rules(group, group.id, "self", [(988, 988)])
        _system(group)

    assert messages(RULE, build, preview=preview) == [
        "lustre: its security groups do not let themselves in on TCP 1018, 1019, 1020, 1021, 1022, 1023; the file "
        "system's servers talk to each other on 988 and 1018-1023."
    ]


def test_separate_rules_inline_rules_and_a_range_are_quiet(preview: bool) -> None:
    def separate() -> None:
        group = aws.ec2.SecurityGroup("group")
        _rules(group, "sg-nodes", "nodes")
        _rules(group, group.id, "self")
        _system(group)

    def inline() -> None:
        ports: list[Any] = [{"protocol": "tcp", "from_port": a, "to_port": b, "self": True} for a, b in BOTH]
        _system(aws.ec2.SecurityGroup("group", ingress=ports))

    def by_range() -> None:
        rule: Any = {"protocol": "tcp", "from_port": 0, "to_port": 65535, "cidr_blocks": ["10.0.0.0/16"]}
        _system(aws.ec2.SecurityGroup("group", ingress=[rule]))

    for build in (separate, inline, by_range):
        assert messages(RULE, build, preview=preview) == []


def test_a_file_system_without_groups_or_with_unknown_ones_is_quiet() -> None:
    def build() -> None:
        aws.fsx.LustreFileSystem("default", subnet_ids="subnet-1", storage_capacity=1200)
        groups = [aws.ec2.SecurityGroup(name) for name in ("one", "two")]
        chosen = pulumi.Output.all(*(group.id for group in groups)).apply(lambda ids: ids[:1])
        aws.fsx.LustreFileSystem("lustre", subnet_ids="subnet-1", storage_capacity=1200, security_group_ids=chosen)

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1


def test_unknown_ports_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("group")
        _rules(group, group.id, "self", [(later(989), 1023)])
        _system(group)

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "lustre: no ingress rule of its security groups lets in TCP 988; clients need 988 and 1018-1023."
    ]
