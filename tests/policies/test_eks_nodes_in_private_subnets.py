from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from policies.rules.eks_nodes_in_private_subnets import RULE
from tests.policies.judging import messages
from tests.policies.networks import network

FAULT = "leads to public, which has a route to an internet gateway; it must lead to private subnets only."


def _nodes(subnet_ids: Any) -> None:
    aws.eks.NodeGroup(
        "nodes",
        cluster_name="c",
        node_role_arn="r",
        subnet_ids=subnet_ids,
        scaling_config=aws.eks.NodeGroupScalingConfigArgs(min_size=0, max_size=1, desired_size=0),
    )


@pytest.mark.parametrize("inline", [False, True])
def test_nodes_in_a_public_subnet_are_reported_for_either_form_of_route(inline: bool, preview: bool) -> None:
    found = messages(RULE, lambda: _nodes([network(inline_routes=inline).public.id]), preview=preview)
    assert found == [f"nodes: subnetIds {FAULT}"]


def test_one_public_subnet_beside_a_private_one_is_reported(preview: bool) -> None:
    def build() -> None:
        net = network()
        _nodes([net.private.id, net.public.id])

    assert messages(RULE, build, preview=preview) == [f"nodes: subnetIds {FAULT}"]


def test_every_kind_of_resource_that_places_machines_is_reported(preview: bool) -> None:
    def build() -> None:
        subnet = network().public.id
        aws.eks.Cluster("cluster", role_arn="r", vpc_config=aws.eks.ClusterVpcConfigArgs(subnet_ids=[subnet]))
        aws.autoscaling.Group("group", min_size=0, max_size=1, vpc_zone_identifiers=[subnet])
        aws.ec2.Instance("instance", ami="ami-1", instance_type="m7i.large", subnet_id=subnet)
        aws.ec2.LaunchTemplate(
            "template", network_interfaces=[aws.ec2.LaunchTemplateNetworkInterfaceArgs(subnet_id=subnet)]
        )

    assert messages(RULE, build, preview=preview) == [
        f"group: vpcZoneIdentifiers {FAULT}",
        f"instance: subnetId {FAULT}",
        f"template: networkInterfaces {FAULT}",
        f"cluster: vpcConfig {FAULT}",
    ]


def test_a_subnet_without_an_association_uses_the_main_table_of_its_vpc(preview: bool) -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16")
        gateway = aws.ec2.InternetGateway("gateway", vpc_id=vpc.id)
        aws.ec2.DefaultRouteTable(
            "main",
            default_route_table_id=vpc.default_route_table_id,
            routes=[aws.ec2.DefaultRouteTableRouteArgs(cidr_block="0.0.0.0/0", gateway_id=gateway.id)],
        )
        _nodes([aws.ec2.Subnet("public", vpc_id=vpc.id, cidr_block="10.0.0.0/24").id])

    assert messages(RULE, build, preview=preview) == [f"nodes: subnetIds {FAULT}"]


def test_nodes_in_private_subnets_behind_nat_are_quiet(preview: bool) -> None:
    def build() -> None:
        net = network()
        nat = aws.ec2.NatGateway("nat", subnet_id=net.public.id)
        aws.ec2.Route(
            "nat", route_table_id=net.private_table.id, destination_cidr_block="0.0.0.0/0", nat_gateway_id=nat.id
        )
        _nodes([net.private.id])

    assert messages(RULE, build, preview=preview) == []


def test_subnets_of_another_stack_are_quiet(preview: bool) -> None:
    def build() -> None:
        network()
        _nodes(["subnet-0123456789abcdef0"])

    assert messages(RULE, build, preview=preview) == []


def test_a_choice_that_is_unknown_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        net = network()
        _nodes(pulumi.Output.all(net.private.id, net.public.id).apply(lambda ids: [ids[1]]))

    assert messages(RULE, build, preview=True) == []


def test_an_unknown_choice_among_public_subnets_only_is_certain(preview: bool) -> None:
    def build() -> None:
        _nodes(pulumi.Output.all(network().public.id).apply(lambda ids: list(ids)))

    assert messages(RULE, build, preview=preview) == [f"nodes: subnetIds {FAULT}"]
