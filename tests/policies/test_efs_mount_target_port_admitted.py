from typing import Any

import pulumi_aws as aws

from policies.rules.efs_mount_target_port_admitted import RULE
from tests.policies.judging import later, messages

FAULT = "target: no ingress rule of its security groups lets in TCP 2049; clients need it."


def _target(port: Any, groups: Any = None) -> None:
    group = aws.ec2.SecurityGroup("group")
    aws.vpc.SecurityGroupIngressRule(
        "nfs",
        security_group_id=group.id,
        ip_protocol="tcp",
        from_port=port,
        to_port=port,
        referenced_security_group_id="sg-nodes",
    )
    aws.efs.MountTarget("target", file_system_id="fs-1", subnet_id="subnet-1", security_groups=groups or [group.id])


def test_a_mount_target_that_admits_no_nfs_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: _target(988), preview=preview) == [FAULT]


def test_one_that_does_and_one_with_groups_of_another_stack_are_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: _target(2049), preview=preview) == []
    assert messages(RULE, lambda: _target(988, ["sg-1"]), preview=preview) == []


def test_an_unknown_port_is_quiet_until_it_is_known() -> None:
    assert messages(RULE, lambda: _target(later(988)), preview=True) == []
    assert messages(RULE, lambda: _target(later(988))) == [FAULT]
