from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_security_group_rules_not_mixed import RULE
from tests.policies.judging import later, messages

HTTPS: Any = {"protocol": "tcp", "from_port": 443, "to_port": 443, "cidr_blocks": ["10.0.0.0/16"]}
MUST = "they undo each other, so every rule must be a resource of its own."


def _ingress(group: aws.ec2.SecurityGroup, name: str = "metrics", port: int = 9400) -> None:
    aws.vpc.SecurityGroupIngressRule(
        name, security_group_id=group.id, ip_protocol="tcp", from_port=port, to_port=port, cidr_ipv4="10.0.0.0/16"
    )


def test_an_inline_rule_with_separate_ones_beside_it_is_reported_at_the_group(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("nodes", ingress=[HTTPS])
        for port in (9100, 9101, 9102, 9103):
            _ingress(group, f"metrics-{port}", port)

    assert messages(RULE, build, preview=preview) == [
        f"nodes: has 1 inline ingress rule, and metrics-9100, metrics-9101, metrics-9102 and 1 more beside it; {MUST}"
    ]


def test_the_older_rule_resource_counts_in_its_own_direction(preview: bool) -> None:
    def build() -> None:
        http: Any = {**HTTPS, "from_port": 80, "to_port": 80}
        group = aws.ec2.SecurityGroup("nodes", egress=[HTTPS, http])
        for kind in ("ingress", "egress"):
            aws.ec2.SecurityGroupRule(
                kind,
                type=kind,
                security_group_id=group.id,
                protocol="udp",
                from_port=53,
                to_port=53,
                cidr_blocks=["10.0.0.0/16"],
            )

    assert messages(RULE, build, preview=preview) == [f"nodes: has 2 inline egress rules, and egress beside it; {MUST}"]


def test_a_separate_rule_for_a_default_group_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.vpc.SecurityGroupEgressRule(
            "out",
            security_group_id=aws.ec2.DefaultSecurityGroup("default", vpc_id="vpc-1").id,
            ip_protocol="-1",
            cidr_ipv4="10.0.0.0/16",
        )

    assert messages(RULE, build, preview=preview) == [
        f"default: is a default group, which keeps no egress rule but its inline ones, and out beside it; {MUST}"
    ]


def test_one_form_alone_and_another_groups_rules_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.SecurityGroup("inline", ingress=[HTTPS])
        _ingress(aws.ec2.SecurityGroup("apart"))
        aws.vpc.SecurityGroupIngressRule("foreign", security_group_id="sg-1", ip_protocol="-1", cidr_ipv4="10.0.0.0/8")

    assert messages(RULE, build, preview=preview) == []


def test_a_list_that_a_refresh_read_back_is_no_inline_rule(preview: bool) -> None:
    def build() -> None:
        _ingress(aws.ec2.SecurityGroup("nodes", ingress=[HTTPS]), "https", 443)

    assert messages(RULE, build, preview=preview) == []


def test_inline_rules_that_are_unknown_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        _ingress(aws.ec2.SecurityGroup("nodes", ingress=later([HTTPS])))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [f"nodes: has 1 inline ingress rule, and metrics beside it; {MUST}"]
