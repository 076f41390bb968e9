"""Addresses, networks, gateways, groups, rules: the plan and what others have against what is allowed."""

from typing import Any

import pulumi_aws as aws

from gpufleet.preflight import counts
from gpufleet.preflight.checks import limits
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED, Result
from tests.gpufleet.preflight import fleet
from tests.gpufleet.preflight.conftest import Ask
from tests.gpufleet.preflight.fleet import TAGS, Network
from tests.gpufleet.preflight.recorded import Recorded

EIPS, VPCS, NATS, RULES = "L-0263D0A3", "L-F678F1CE", "L-FE5A380F", "L-0EA8095F"


def with_gateways() -> None:
    network = Network()
    for letter in "abc":
        address = aws.ec2.Eip(f"nat-{letter}", domain="vpc", opts=network.opts)
        subnet = network.subnets[letter]
        aws.ec2.NatGateway(f"nat-{letter}", allocation_id=address.id, subnet_id=subnet.id, opts=network.opts)


def of(results: list[Result], code: str) -> Result:
    return next(one for one in results if one.evidence.get("quota_code") == code)


def test_a_plan_within_all_limits_passes(ask: Ask) -> None:
    results = ask(limits.check, with_gateways)
    assert {one.status for one in results} == {PASSED}
    assert of(results, EIPS).what == "EC2-VPC Elastic IPs: 3 of 100000"
    assert of(results, NATS).what == "NAT gateways per Availability Zone: 1 of 100000 in us-west-2c"


def test_addresses_of_others_count_and_the_stacks_own_do_not(ask: Ask, recorded: Recorded, session: Any) -> None:
    ec2 = session.client("ec2", region_name="us-west-2")
    own = ec2.allocate_address(Domain="vpc")["AllocationId"]
    ec2.create_tags(Resources=[own], Tags=[{"Key": key, "Value": value} for key, value in TAGS.items()])
    for _ in range(3):
        ec2.allocate_address(Domain="vpc")
    recorded.quota(EIPS, 5)
    result = of(ask(limits.check, with_gateways), EIPS)
    assert (result.status, result.what) == (
        FAILED,
        f"EC2-VPC Elastic IPs: the plan has 3 beside 3 of others, 5 are allowed ({EIPS})",
    )
    assert result.fix == (
        "aws service-quotas request-service-quota-increase --region us-west-2 --service-code ec2 --quota-code "
        f"{EIPS} --desired-value 6"
    )
    recorded.quota(EIPS, 6)
    assert of(ask(limits.check, with_gateways), EIPS).status == PASSED


def test_the_default_network_of_an_account_counts(ask: Ask, recorded: Recorded) -> None:
    recorded.quota(VPCS, 1)
    result = of(ask(limits.check, Network), VPCS)
    assert (result.status, result.evidence["planned"], result.evidence["used_by_others"]) == (FAILED, 1, 1)


def test_gateways_are_counted_by_zone(ask: Ask, recorded: Recorded, session: Any) -> None:
    ec2 = session.client("ec2", region_name="us-west-2")
    subnets = ec2.describe_subnets(Filters=[{"Name": "availability-zone", "Values": ["us-west-2b"]}])["Subnets"]
    address = ec2.allocate_address(Domain="vpc")["AllocationId"]
    ec2.create_nat_gateway(SubnetId=subnets[0]["SubnetId"], AllocationId=address)
    recorded.quota(NATS, 1)
    results = [one for one in ask(limits.check, with_gateways) if one.evidence.get("quota_code") == NATS]
    assert [(one.status, one.what) for one in results] == [
        (
            FAILED,
            "NAT gateways per Availability Zone: the plan has 1 in us-west-2b beside 1 of others, 1 are allowed "
            f"({NATS})",
        )
    ]


def test_rules_are_counted_by_group_and_direction(ask: Ask, recorded: Recorded) -> None:
    def entry() -> None:
        network = Network()
        group = aws.ec2.SecurityGroup("nodes", vpc_id=network.vpc.id, opts=network.opts)
        for port in range(3):
            aws.vpc.SecurityGroupIngressRule(
                f"in-{port}", security_group_id=group.id, ip_protocol="tcp", from_port=port, opts=network.opts
            )
        aws.vpc.SecurityGroupEgressRule("out", security_group_id=group.id, ip_protocol="-1", opts=network.opts)

    recorded.quota(RULES, 2)
    result = of(ask(limits.check, entry), RULES)
    assert result.status == FAILED
    assert "the plan has 3 in nodes in, 2 are allowed" in result.what


def test_moto_knows_the_limits_of_networks(recorded: Recorded, session: Any) -> None:
    recorded.answers.pop("GetServiceQuota")

    def entry() -> None:
        network = Network()
        for number in range(5):
            aws.ec2.Vpc(f"more-{number}", cidr_block="10.1.0.0/16", opts=network.opts)

    (site,) = fleet.sites(entry, session)
    (limit,) = [one for one in counts.LIMITS if one.key == "vpc"]
    (result,) = limits.of_limit(site, limit)
    assert (result.status, result.evidence["quota"], result.evidence["planned"]) == (FAILED, 5, 6)


def test_without_quotas_each_limit_is_told_with_what_is_usual(ask: Ask, recorded: Recorded) -> None:
    recorded.refuse("GetServiceQuota", "ListServiceQuotas")
    results = ask(limits.check, Network)
    assert {(one.status, one.permission) for one in results} == {(COULD_NOT_ASK, "servicequotas:GetServiceQuota")}
    assert results[0].what.startswith("VPCs per Region: whether L-F678F1CE allows the 1 of the plan (usual: 5)")


def test_without_the_others_the_plan_alone_is_held_against_the_limit(ask: Ask, recorded: Recorded) -> None:
    recorded.refuse("DescribeAddresses", code="UnauthorizedOperation")
    first, second, *_ = ask(limits.check, with_gateways)
    assert (first.status, first.permission) == (COULD_NOT_ASK, "ec2:DescribeAddresses")
    assert (second.status, second.what) == (PASSED, "EC2-VPC Elastic IPs: 3 of 100000")
