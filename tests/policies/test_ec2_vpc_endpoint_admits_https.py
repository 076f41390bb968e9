from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_vpc_endpoint_admits_https import RULE
from tests.policies.judging import later, messages

FAULT = (
    "endpoint: no ingress rule of its security groups lets in TCP 443; the nodes' group or the VPC's range must get in."
)


def _endpoint(*groups: Any, **more: Any) -> None:
    settings: dict[str, Any] = {"vpc_endpoint_type": "Interface", "security_group_ids": list(groups) or None, **more}
    aws.ec2.VpcEndpoint("endpoint", vpc_id="vpc-1", service_name="com.amazonaws.us-east-1.sts", **settings)


def _group(protocol: Any = "tcp", first: Any = 443, last: Any = 443) -> aws.ec2.SecurityGroup:
    group = aws.ec2.SecurityGroup("group")
    aws.vpc.SecurityGroupIngressRule(
        "rule",
        security_group_id=group.id,
        ip_protocol=protocol,
        from_port=first,
        to_port=last,
        cidr_ipv4="10.0.0.0/16",
    )
    return group


def test_a_group_without_a_rule_for_https_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: _endpoint(aws.ec2.SecurityGroup("group").id), preview=preview) == [FAULT]
    assert messages(RULE, lambda: _endpoint(_group(first=80, last=442).id), preview=preview) == [FAULT]
    assert messages(RULE, lambda: _endpoint(_group("udp").id), preview=preview) == [FAULT]


def test_a_group_that_lets_https_in_is_quiet_in_every_form(preview: bool) -> None:
    def inline() -> None:
        rule: Any = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["10.0.0.0/16"]}
        _endpoint(aws.ec2.SecurityGroup("group", ingress=[rule]).id)

    def older() -> None:
        group = aws.ec2.SecurityGroup("group")
        aws.ec2.SecurityGroupRule(
            "rule",
            type="ingress",
            security_group_id=group.id,
            protocol="tcp",
            from_port=1,
            to_port=1024,
            source_security_group_id="sg-2",
        )
        _endpoint(aws.ec2.SecurityGroup("empty").id, group.id)

    assert messages(RULE, lambda: _endpoint(_group().id), preview=preview) == []
    assert messages(RULE, inline, preview=preview) == []
    assert messages(RULE, older, preview=preview) == []


def test_groups_of_another_stack_and_gateways_are_quiet(preview: bool) -> None:
    def foreign() -> None:
        _endpoint(aws.ec2.SecurityGroup("group").id, "sg-0123456789abcdef0")

    assert messages(RULE, foreign, preview=preview) == []
    assert messages(RULE, _endpoint, preview=preview) == []
    assert messages(RULE, lambda: _endpoint(vpc_endpoint_type="Gateway"), preview=preview) == []


def test_unknown_ports_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        _endpoint(_group(first=later(80, "a"), last=later(80, "b")).id)

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [FAULT]
