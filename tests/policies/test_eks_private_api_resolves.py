import pulumi_aws as aws

from policies.rules.eks_private_api_resolves import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import later, messages


def test_a_vpc_without_dns_names_is_reported_once(preview: bool) -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16", enable_dns_support=False)
        subnets = [aws.ec2.Subnet(name, vpc_id=vpc.id) for name in ("a", "b")]
        cluster(vpc_config={"subnet_ids": [subnet.id for subnet in subnets], "endpoint_private_access": True})

    assert messages(RULE, build, preview=preview) == [
        "vpc: enableDnsHostnames is not set, and cluster cluster has a private API; it must be true.",
        "vpc: enableDnsSupport is false, and cluster cluster has a private API; it must be true.",
    ]


def test_a_vpc_with_both_and_a_public_api_are_quiet(preview: bool) -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16", enable_dns_support=True, enable_dns_hostnames=True)
        cluster(vpc_config={"subnet_ids": [aws.ec2.Subnet("a", vpc_id=vpc.id).id], "endpoint_private_access": True})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_flag_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16", enable_dns_hostnames=later(False))
        cluster(vpc_config={"subnet_ids": [aws.ec2.Subnet("a", vpc_id=vpc.id).id], "endpoint_private_access": True})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "vpc: enableDnsHostnames is false, and cluster cluster has a private API; it must be true.",
    ]
