from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_vpc_s3_gateway_endpoint import RULE
from tests.policies.judging import later, messages
from tests.policies.networks import Network, network

FAULT = (
    "private: is a private route table without an S3 gateway endpoint; the VPC's endpoint must list it in "
    "routeTableIds."
)


def _endpoint(
    net: Network, service: Any = "com.amazonaws.us-east-1.s3", tables: Any = None, **more: Any
) -> aws.ec2.VpcEndpoint:
    return aws.ec2.VpcEndpoint("s3", vpc_id=net.vpc.id, service_name=service, route_table_ids=tables, **more)


def test_a_private_table_without_the_endpoint_is_reported_and_the_public_one_is_not(preview: bool) -> None:
    assert messages(RULE, network, preview=preview) == [FAULT]


def test_an_interface_endpoint_or_one_of_another_service_does_not_count(preview: bool) -> None:
    def interface() -> None:
        _endpoint(network(), vpc_endpoint_type="Interface")

    def dynamo() -> None:
        net = network()
        _endpoint(net, "com.amazonaws.us-east-1.dynamodb", [net.private_table.id])

    assert messages(RULE, interface, preview=preview) == [FAULT]
    assert messages(RULE, dynamo, preview=preview) == [FAULT]


def test_an_endpoint_that_lists_the_table_is_quiet(preview: bool) -> None:
    def build() -> None:
        net = network()
        _endpoint(net, tables=[net.private_table.id], vpc_endpoint_type="Gateway")

    assert messages(RULE, build, preview=preview) == []


def test_an_association_of_its_own_is_quiet(preview: bool) -> None:
    def build() -> None:
        net = network()
        aws.ec2.VpcEndpointRouteTableAssociation(
            "s3", vpc_endpoint_id=_endpoint(net).id, route_table_id=net.private_table.id
        )

    assert messages(RULE, build, preview=preview) == []


def test_a_table_without_subnets_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.RouteTable("unused", vpc_id=aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16").id)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_service_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        net = network()
        _endpoint(net, later("com.amazonaws.us-east-1.dynamodb"), [net.private_table.id])

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [FAULT]
