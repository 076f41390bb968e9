from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_default_security_group_closed import RULE
from tests.policies.judging import later, messages

UNADOPTED = (
    "has no DefaultSecurityGroup, so the default group keeps AWS's open rules; it must be adopted without rules."
)


def test_a_vpc_whose_default_group_is_not_adopted_is_reported(preview: bool) -> None:
    def build() -> None:
        adopted = aws.ec2.Vpc("adopted", cidr_block="10.0.0.0/16")
        aws.ec2.Vpc("forgotten", cidr_block="10.1.0.0/16")
        aws.ec2.DefaultSecurityGroup("default", vpc_id=adopted.id)

    assert messages(RULE, build, preview=preview) == [f"forgotten: {UNADOPTED}"]


def test_a_default_group_with_rules_is_reported(preview: bool) -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16")
        rule: dict[str, Any] = {"protocol": "-1", "from_port": 0, "to_port": 0}
        aws.ec2.DefaultSecurityGroup(
            "default",
            vpc_id=vpc.id,
            ingress=[aws.ec2.DefaultSecurityGroupIngressArgs(self=True, **rule)],
            egress=[aws.ec2.DefaultSecurityGroupEgressArgs(cidr_blocks=["0.0.0.0/0"], **rule)],
        )

    assert messages(RULE, build, preview=preview) == [
        "default: has 1 egress rule; the default group must have none.",
        "default: has 1 ingress rule; the default group must have none.",
    ]


def test_an_adopted_group_without_rules_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.DefaultSecurityGroup("default", vpc_id=aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16").id)

    assert messages(RULE, build, preview=preview) == []


def test_unknown_rules_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16")
        rules = later([{"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}])
        aws.ec2.DefaultSecurityGroup("default", vpc_id=vpc.id, ingress=rules)

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == ["default: has 1 ingress rule; the default group must have none."]
