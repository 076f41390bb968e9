from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_vpc_endpoint_private_dns import RULE
from tests.policies.judging import later, messages


def _endpoint(service: Any = "com.amazonaws.us-east-1.sts", vpc_id: Any = "vpc-1", **more: Any) -> None:
    settings: dict[str, Any] = {"vpc_endpoint_type": "Interface", **more}
    aws.ec2.VpcEndpoint("endpoint", vpc_id=vpc_id, service_name=service, **settings)


def test_an_interface_endpoint_without_private_dns_is_reported(preview: bool) -> None:
    assert messages(RULE, _endpoint, preview=preview) == [
        "endpoint: privateDnsEnabled is not set (AWS default false); it must be true."
    ]
    assert messages(
        RULE, lambda: _endpoint("cn.com.amazonaws.cn-north-1.ecr.api", private_dns_enabled=False), preview=preview
    ) == ["endpoint: privateDnsEnabled is false (AWS default false); it must be true."]


def test_a_gateway_endpoint_with_private_dns_is_reported(preview: bool) -> None:
    def build() -> None:
        _endpoint("com.amazonaws.us-east-1.s3", vpc_endpoint_type="Gateway", private_dns_enabled=True)

    assert messages(RULE, build, preview=preview) == [
        "endpoint: privateDnsEnabled is true on a Gateway endpoint, which EC2 refuses; it must be left out."
    ]


def test_a_vpc_that_gives_no_dns_names_is_reported_once(preview: bool) -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16", enable_dns_support=False)
        for service in ("ec2", "sts"):
            aws.ec2.VpcEndpoint(
                service,
                vpc_id=vpc.id,
                service_name=f"com.amazonaws.us-east-1.{service}",
                vpc_endpoint_type="Interface",
                private_dns_enabled=True,
            )

    assert messages(RULE, build, preview=preview) == [
        "vpc: enableDnsHostnames is not set, so endpoint ec2 gets no private DNS; it must be true.",
        "vpc: enableDnsSupport is false, so endpoint ec2 gets no private DNS; it must be true.",
    ]


def test_good_endpoints_gateways_partners_and_a_second_s3_endpoint_are_quiet(preview: bool) -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
        interface: dict[str, Any] = {"vpc_id": vpc.id, "vpc_endpoint_type": "Interface"}
        aws.ec2.VpcEndpoint("sts", service_name="com.amazonaws.us-east-1.sts", private_dns_enabled=True, **interface)
        aws.ec2.VpcEndpoint("partner", service_name="com.amazonaws.vpce.us-east-1.vpce-svc-1", **interface)
        aws.ec2.VpcEndpoint("s3-interface", service_name="com.amazonaws.us-east-1.s3", **interface)
        aws.ec2.VpcEndpoint("s3", vpc_id=vpc.id, service_name="com.amazonaws.us-east-1.s3")

    assert messages(RULE, build, preview=preview) == []


def test_unknown_flags_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        _endpoint(private_dns_enabled=later(False))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
