import json
from typing import Any

import pytest

from components.network.endpoint_services import CLOSED_NETWORK
from tests.components import builds
from tests.harness import Recorded, record

SUBNET, TABLE = "aws:ec2/subnet:Subnet", "aws:ec2/routeTable:RouteTable"
ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"


def policy(recorded: Recorded, endpoint: str) -> list[dict[str, Any]]:
    return json.loads(recorded.one(ENDPOINT, endpoint).inputs["policy"])["Statement"]


@pytest.mark.parametrize("egress", ["nat-per-zone", "single-nat", "none"])
def test_the_s3_gateway_endpoint_is_on_every_private_and_intra_table_and_no_other(egress: str) -> None:
    recorded = record(builds.network(egress=egress, endpoints=CLOSED_NETWORK if egress == "none" else ()))

    tables = {table.id: table.name for table in recorded.all(TABLE)}
    s3 = recorded.one(ENDPOINT, "net-s3").inputs
    assert {tables[id_] for id_ in s3["routeTableIds"]} == {
        "net-private-us-east-1a",
        "net-private-us-east-1b",
        "net-private-us-east-1c",
        "net-intra",
    }
    assert (s3["vpcEndpointType"], s3["serviceName"]) == ("Gateway", "com.amazonaws.us-east-1.s3")
    assert "privateDnsEnabled" not in s3


@pytest.mark.parametrize("egress", ["nat-per-zone", "none"])
def test_s3_is_for_the_accounts_principals_on_the_accounts_buckets_with_nat_and_without(egress: str) -> None:
    own, *_ = policy(record(builds.network(egress=egress, endpoints=CLOSED_NETWORK)), "net-s3")

    assert own["Action"] == ["*"]
    assert own["Condition"] == {
        "StringEquals": {"aws:PrincipalAccount": builds.ACCOUNT, "aws:ResourceAccount": builds.ACCOUNT}
    }


def test_of_others_buckets_only_those_with_image_layers_and_packages_are_read() -> None:
    _, aws_owned, registries = policy(record(builds.network()), "net-s3")

    assert (aws_owned["Action"], registries["Action"]) == (["s3:GetObject"], ["s3:GetObject"])
    assert aws_owned["Resource"] == [
        "arn:aws:s3:::prod-us-east-1-starport-layer-bucket/*",
        "arn:aws:s3:::al2023-repos-us-east-1-de612dc2/*",
    ]
    assert registries["Resource"] == [
        "arn:aws:s3:::prod-registry-k8s-io-us-east-1/*",
        "arn:aws:s3:::quayio-production-s3/*",
    ]


def test_where_registries_are_out_of_reach_only_amazons_own_buckets_are_read() -> None:
    _, layers = policy(record(builds.network(egress="none", endpoints=CLOSED_NETWORK)), "net-s3")

    assert layers["Sid"] == "ReadLayersAndPackagesOfAws"


def test_further_buckets_of_others_are_read_by_name_and_never_written() -> None:
    *_, named = policy(record(builds.network(s3_readable_buckets=["fast-ai-*", "commoncrawl"])), "net-s3")

    assert named["Action"] == ["s3:GetObject", "s3:ListBucket"]
    assert named["Resource"] == [
        "arn:aws:s3:::commoncrawl",
        "arn:aws:s3:::fast-ai-*",
        "arn:aws:s3:::commoncrawl/*",
        "arn:aws:s3:::fast-ai-*/*",
    ]


def test_reading_from_any_bucket_is_a_loosening_that_has_to_be_asked_for() -> None:
    *_, anywhere = policy(record(builds.network(s3_readable_buckets=["*"])), "net-s3")

    assert (anywhere["Sid"], anywhere["Resource"]) == ("ReadAnyBucket", ["*"])
    assert anywhere["Action"] == ["s3:GetObject", "s3:ListBucket"]


def test_storage_with_a_gateway_of_its_own_gets_it_on_the_same_tables() -> None:
    recorded = record(builds.network(endpoints=["s3express", "sts"]))

    express, s3 = (recorded.one(ENDPOINT, f"net-{service}").inputs for service in ("s3express", "s3"))
    assert (express["vpcEndpointType"], express["serviceName"]) == ("Gateway", "com.amazonaws.us-east-1.s3express")
    assert express["routeTableIds"] == s3["routeTableIds"]
    assert "subnetIds" not in express
    (own,) = policy(recorded, "net-s3express")
    assert own["Condition"]["StringEquals"]["aws:ResourceAccount"] == builds.ACCOUNT
    (component,) = recorded.all("gpufleet:index:PrivateNetwork")
    assert sorted(component.outputs["gatewayPrefixListIds"]) == ["s3", "s3express"]


def test_pods_reach_the_endpoints_from_their_own_block() -> None:
    recorded = record(builds.network(pod_cidr="100.64.0.0/16", egress="none", endpoints=CLOSED_NETWORK))

    rules = recorded.all("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule")
    assert {rule.inputs["cidrIpv4"] for rule in rules} == {"10.20.0.0/16", "100.64.0.0/16"}
    assert {rule.inputs["securityGroupId"] for rule in rules} == {
        recorded.one("aws:ec2/securityGroup:SecurityGroup", "net-endpoints").id
    }


def test_a_closed_network_without_the_endpoints_nodes_need_is_refused_naming_each() -> None:
    with pytest.raises(ValueError, match="nodes cannot join without ec2, ecr.api, eks, eks-auth, logs, sts; add them"):
        builds.network_args(egress="none", endpoints=["ecr.dkr"])


def test_interface_endpoints_are_named_privately_stand_in_every_zone_and_admit_https_from_the_vpc_only() -> None:
    recorded = record(builds.network(egress="none", endpoints=CLOSED_NETWORK))

    group = recorded.one("aws:ec2/securityGroup:SecurityGroup", "net-endpoints")
    intra = sorted(str(s.id) for s in recorded.all(SUBNET) if "intra" in s.name)
    interfaces = [e for e in recorded.all(ENDPOINT) if e.inputs["vpcEndpointType"] == "Interface"]
    assert {e.name: e.inputs["serviceName"] for e in interfaces} == {
        f"net-{service}": f"com.amazonaws.us-east-1.{service}" for service in CLOSED_NETWORK
    }
    for endpoint in interfaces:
        assert endpoint.inputs["privateDnsEnabled"] is True
        assert sorted(endpoint.inputs["subnetIds"]) == intra
        assert endpoint.inputs["securityGroupIds"] == [group.id]
        (own,) = policy(recorded, endpoint.name)
        assert own["Condition"] == {"StringEquals": {"aws:PrincipalAccount": builds.ACCOUNT}}
    rule = recorded.one("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule").inputs
    assert rule == {
        "securityGroupId": group.id,
        "ipProtocol": "tcp",
        "fromPort": 443,
        "toPort": 443,
        "cidrIpv4": "10.20.0.0/16",
        "description": "HTTPS from the VPC",
    }
    assert recorded.all("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule") == []
