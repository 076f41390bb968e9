import json
from typing import Any

import pulumi_aws as aws
import pytest

from components import PrivateNetwork
from components.network.endpoint_services import CLOSED_NETWORK
from tests.components import builds
from tests.harness import Recorded, record

VPC, SUBNET, ROUTE = "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet", "aws:ec2/route:Route"
TABLE, ENDPOINT, NAT = (
    "aws:ec2/routeTable:RouteTable",
    "aws:ec2/vpcEndpoint:VpcEndpoint",
    "aws:ec2/natGateway:NatGateway",
)
GATEWAY = "aws:ec2/internetGateway:InternetGateway"
ASSOCIATION = "aws:ec2/routeTableAssociation:RouteTableAssociation"


def subnets(recorded: Recorded) -> dict[str, tuple[str, str]]:
    return {s.name: (s.inputs["availabilityZone"], s.inputs["cidrBlock"]) for s in recorded.all(SUBNET)}


def ways_out(recorded: Recorded) -> dict[str, str]:
    """Private default routes: route name -> name of the NAT gateway."""
    nats = {nat.id: nat.name for nat in recorded.all(NAT)}
    routes = [route for route in recorded.all(ROUTE) if "natGatewayId" in route.inputs]
    return {route.name: nats[route.inputs["natGatewayId"]] for route in routes}


def test_each_zone_has_a_private_an_intra_and_a_public_subnet_named_for_it() -> None:
    assert subnets(record(builds.network(zones=["us-east-1b", "us-east-1a"]))) == {
        "net-private-us-east-1a": ("us-east-1a", "10.20.0.0/20"),
        "net-private-us-east-1b": ("us-east-1b", "10.20.16.0/20"),
        "net-public-us-east-1a": ("us-east-1a", "10.20.128.0/22"),
        "net-public-us-east-1b": ("us-east-1b", "10.20.132.0/22"),
        "net-intra-us-east-1a": ("us-east-1a", "10.20.160.0/22"),
        "net-intra-us-east-1b": ("us-east-1b", "10.20.164.0/22"),
    }


def test_naming_zones_in_another_order_or_adding_one_changes_no_subnet() -> None:
    two = subnets(record(builds.network(zones=["us-east-1a", "us-east-1c"])))
    three = subnets(record(builds.network(zones=["us-east-1c", "us-east-1b", "us-east-1a"])))

    assert two.items() <= three.items()


def test_no_subnet_gives_out_public_addresses_and_only_private_ones_take_load_balancers() -> None:
    recorded = record(builds.network())

    assert {subnet.inputs["mapPublicIpOnLaunch"] for subnet in recorded.all(SUBNET)} == {False}
    tagged = {s.name for s in recorded.all(SUBNET) if "kubernetes.io/role/internal-elb" in s.inputs["tags"]}
    assert tagged == {"net-private-us-east-1a", "net-private-us-east-1b", "net-private-us-east-1c"}


def test_the_vpc_resolves_names_and_its_default_group_is_emptied() -> None:
    recorded = record(builds.network())

    assert recorded.one(VPC).inputs == {
        "cidrBlock": "10.20.0.0/16",
        "enableDnsSupport": True,
        "enableDnsHostnames": True,
        "tags": {"Name": "net"},
    }
    closed = recorded.one("aws:ec2/defaultSecurityGroup:DefaultSecurityGroup").inputs
    assert closed == {"vpcId": recorded.one(VPC).id, "tags": {"Name": "net-closed"}}


def test_with_nat_per_zone_each_zone_goes_out_by_its_own() -> None:
    recorded = record(builds.network())

    assert ways_out(recorded) == {
        "net-private-us-east-1a": "net-nat-us-east-1a",
        "net-private-us-east-1b": "net-nat-us-east-1b",
        "net-private-us-east-1c": "net-nat-us-east-1c",
    }
    places = {s.id: s.name for s in recorded.all(SUBNET)}
    assert places[recorded.one(NAT, "net-nat-us-east-1b").inputs["subnetId"]] == "net-public-us-east-1b"


def test_a_single_nat_stands_in_the_first_zone_and_keeps_its_name_when_others_join_it() -> None:
    recorded = record(builds.network(egress="single-nat", zones=["us-east-1c", "us-east-1a"]))

    assert ways_out(recorded) == {
        "net-private-us-east-1a": "net-nat-us-east-1a",
        "net-private-us-east-1c": "net-nat-us-east-1a",
    }
    assert [s.name for s in recorded.all(SUBNET) if "public" in s.name] == ["net-public-us-east-1a"]


def test_without_egress_there_is_no_gateway_no_public_subnet_and_no_default_route() -> None:
    recorded = record(builds.network(egress="none", endpoints=CLOSED_NETWORK))

    for type_ in (GATEWAY, NAT, "aws:ec2/eip:Eip", ROUTE):
        assert recorded.all(type_) == []
    assert not any("public" in name for name in subnets(recorded))


def test_intra_subnets_have_no_way_out() -> None:
    recorded = record(builds.network())

    intra = recorded.one(TABLE, "net-intra")
    assert [route.name for route in recorded.all(ROUTE) if route.inputs["routeTableId"] == intra.id] == []
    joined = {a.name for a in recorded.all(ASSOCIATION) if a.inputs["routeTableId"] == intra.id}
    assert joined == {"net-intra-us-east-1a", "net-intra-us-east-1b", "net-intra-us-east-1c"}


def test_all_traffic_is_logged_under_the_key_by_a_role_that_only_this_accounts_flow_logs_take_on() -> None:
    recorded = record(builds.network(flow_log_retention_days=30))

    group = recorded.one("aws:cloudwatch/logGroup:LogGroup")
    role = recorded.one("aws:iam/role:Role")
    assert group.inputs == {"kmsKeyId": builds.KEY, "retentionInDays": 30}
    assert recorded.one("aws:ec2/flowLog:FlowLog").inputs == {
        "vpcId": recorded.one(VPC).id,
        "trafficType": "ALL",
        "logDestinationType": "cloud-watch-logs",
        "logDestination": group.outputs["arn"],
        "iamRoleArn": role.outputs["arn"],
        "tags": {"Name": "net-flow-log"},
    }
    (trusted,) = json.loads(role.inputs["assumeRolePolicy"])["Statement"]
    assert trusted["Principal"] == {"Service": "vpc-flow-logs.amazonaws.com"}
    assert trusted["Condition"] == {
        "StringEquals": {"aws:SourceAccount": builds.ACCOUNT},
        "ArnLike": {"aws:SourceArn": f"arn:aws:ec2:us-east-1:{builds.ACCOUNT}:vpc-flow-log/*"},
    }
    (writes,) = json.loads(recorded.one("aws:iam/rolePolicy:RolePolicy").inputs["policy"])["Statement"]
    assert writes["Resource"] == [f"{group.outputs['arn']}:*"]


def test_whoever_takes_a_subnet_waits_for_its_way_out_and_for_the_endpoints() -> None:
    def build() -> None:
        network = PrivateNetwork("net", builds.network_args(endpoints=["ecr.api"]))
        aws.ec2.Instance("user", subnet_id=network.private_subnet_ids.apply(lambda ids: ids["us-east-1a"]))

    recorded = record(build)

    waits_for = recorded.one("aws:ec2/instance:Instance").dependencies
    assert recorded.one(ROUTE, "net-private-us-east-1a").urn in waits_for
    assert recorded.one(ENDPOINT, "net-ecr.api").urn in waits_for
    assert (
        recorded.one("aws:ec2/instance:Instance").inputs["subnetId"]
        == recorded.one(SUBNET, "net-private-us-east-1a").id
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"egress": "nat"}, "egress: 'nat' is not known; allowed are nat-per-zone, single-nat, none"),
        ({"region": "us-east-9"}, "region: 'us-east-9' is not an AWS region"),
        ({"zones": ["us-east-1a", "us-west-2b"]}, "zones: us-west-2b not in us-east-1; name zones of that region"),
        ({"zones": ["us-east-1a"]}, r"zones: \['us-east-1a'\] is too few"),
        ({"cidr": "10.20.0.0/22"}, "cidr: 10.20.0.0/22 is a /22; allowed is /16 to /20"),
        ({"endpoints": ["s3"]}, "endpoints: s3 is reached by the gateway endpoint"),
        ({"endpoints": ["ecr.dkt"]}, r"endpoints: no VPC has one for 'ecr.dkt' \(did you mean ecr.dkr\?\)"),
        ({"pod_cidr": "10.21.0.0/16"}, "pod_cidr: 10.21.0.0/16 cannot be the block of pods"),
        ({"s3_readable_buckets": ["s3://x"]}, "s3_readable_buckets: 's3://x' not a bucket's name; allowed are names"),
    ],
)
def test_a_mistake_is_answered_with_the_value_what_is_allowed_and_the_fix(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        builds.network_args(**changes)


def test_a_permissions_boundary_reaches_the_flow_logs_role() -> None:
    boundary = f"arn:aws:iam::{builds.ACCOUNT}:policy/boundary"

    recorded = record(builds.network(permissions_boundary_arn=boundary))

    assert recorded.one("aws:iam/role:Role").inputs["permissionsBoundary"] == boundary
