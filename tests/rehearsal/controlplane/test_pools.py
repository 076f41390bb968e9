"""From planned node groups to nodes."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pulumi
import pulumi_aws as aws

from components import GpuPool
from gpufleet.rehearsal.controlplane.nodes import NVIDIA_HUGEPAGES, Node, Taint
from gpufleet.rehearsal.controlplane.pools import MOST_NODES, nodes_of
from tests.components import builds
from tests.harness import record

ZONES = ("us-east-1a", "us-east-1b")


def in_network(build: Callable[[dict[str, pulumi.Output[str]]], object]) -> Callable[[], object]:
    """Build something in two subnets, given by their zones."""

    def entry() -> object:
        subnets = {
            zone: aws.ec2.Subnet(zone, vpc_id="vpc-one", cidr_block=f"10.0.{number}.0/24", availability_zone=zone)
            for number, zone in enumerate(ZONES)
        }
        return build({zone: subnet.id for zone, subnet in subnets.items()})

    return entry


def gpu_pool(**changes: Any) -> list[Node]:
    return nodes_of(record(in_network(lambda ids: builds.pool(subnet_ids=ids, **changes)())).resources)["demo"]


def group(template: dict[str, Any], **changes: Any) -> list[Node]:
    """A node group that nobody's component made."""

    def build(subnet_ids: dict[str, pulumi.Output[str]]) -> object:
        made = aws.ec2.LaunchTemplate("template", **template)
        defaults: dict[str, Any] = {
            "cluster_name": "demo",
            "node_role_arn": "arn:aws:iam::111122223333:role/node",
            "subnet_ids": [subnet_ids[ZONES[0]]],
            "launch_template": {"id": made.id, "version": "1"},
            "scaling_config": {"desired_size": 0, "min_size": 0, "max_size": 1},
            "ami_type": "AL2023_x86_64_NVIDIA",
        }
        return aws.eks.NodeGroup("group", **(defaults | changes))

    return nodes_of(record(in_network(build)).resources)["demo"]


def test_a_pool_brings_nodes_up_to_its_ceiling_with_types_and_zones_in_turn() -> None:
    found = gpu_pool(instance_types=["g6.xlarge", "g6.2xlarge", "g6.4xlarge"], max_nodes=4)
    assert [(node.name, node.instance_type, node.zone) for node in found] == [
        ("train-0", "g6.xlarge", "us-east-1a"),
        ("train-1", "g6.2xlarge", "us-east-1b"),
        ("train-2", "g6.4xlarge", "us-east-1a"),
        ("train-3", "g6.xlarge", "us-east-1b"),
    ]


def test_a_node_is_what_its_pools_component_promises() -> None:
    (node, *_) = gpu_pool(purchase="spot", volume_gib=300)
    assert (node.pool, node.region, node.kubernetes_version) == ("train", "us-east-1", "1.35")
    assert (node.scaler, node.capacity_type, node.volume_gib) == ("node-group", "spot", 300)
    assert node.local_storage
    assert node.labels["gpufleet.io/pool"] == "train"
    assert node.taints == (Taint(key="nvidia.com/gpu", value="present", effect="NoSchedule"),)


def test_a_pool_without_efa_interfaces_has_neither_efa_nor_pages() -> None:
    (node, *_) = gpu_pool(instance_types=["p5.48xlarge"])
    assert (node.efa_interfaces, node.hugepages) == (0, 0)


def test_efa_interfaces_are_those_that_the_launch_template_attaches() -> None:
    interfaces: list[dict[str, Any]] = [
        {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"},
        {"networkCardIndex": 0, "deviceIndex": 1, "interfaceType": "efa-only"},
        {"networkCardIndex": 1, "deviceIndex": 0, "interfaceType": "efa"},
    ]
    (node,) = group({"network_interfaces": interfaces}, instance_types=["p5.48xlarge"])
    assert (node.efa_interfaces, node.hugepages) == (2, NVIDIA_HUGEPAGES)


def test_the_user_data_tells_of_disks_and_of_the_most_pods() -> None:
    config = {"spec": {"instance": {"localStorage": {"strategy": "RAID10"}}, "kubelet": {"config": {"maxPods": 30}}}}
    data = f"MIME-Version: 1.0\nContent-Type: application/node.eks.aws\n\n{json.dumps(config)}\n"
    encoded = base64.b64encode(data.encode()).decode()
    (node,) = group({"user_data": encoded}, instance_types=["p5.48xlarge"])
    assert (node.local_storage, node.max_pods) == (True, 30)


def test_user_data_that_is_a_script_tells_nothing() -> None:
    encoded = base64.b64encode(b"#!/bin/sh\necho RAID0").decode()
    (node,) = group({"user_data": encoded}, instance_types=["p5.48xlarge"])
    assert (node.local_storage, node.max_pods) == (False, None)


def test_a_capacity_block_names_its_type_in_the_launch_template() -> None:
    (node,) = group({"instance_type": "p5.48xlarge"}, capacity_type="CAPACITY_BLOCK")
    assert (node.instance_type, node.capacity_type) == ("p5.48xlarge", "reserved")


def test_a_group_without_labels_is_named_after_itself_and_has_eks_disk() -> None:
    (node,) = group({}, instance_types=["g6.xlarge"])
    assert (node.pool, node.name, node.volume_gib) == ("group", "group-0", 20)


def test_a_pool_that_may_grow_to_hundreds_brings_a_few() -> None:
    assert len(gpu_pool(max_nodes=400)) == MOST_NODES


def test_a_group_in_subnets_that_the_plan_does_not_hold_brings_none() -> None:
    assert nodes_of(record(builds.pool()).resources) == {"demo": []}


def test_each_cluster_has_its_own_nodes_and_a_pool_of_several_groups_counts_on() -> None:
    def build(subnet_ids: dict[str, pulumi.Output[str]]) -> None:
        for name, cluster in (("one-a", "one"), ("one-b", "one"), ("two", "two")):
            GpuPool(name, builds.pool_args(subnet_ids=subnet_ids, max_nodes=2, cluster_name=cluster))

    found = nodes_of(record(in_network(build)).resources)
    assert {cluster: [node.name for node in nodes] for cluster, nodes in found.items()} == {
        "one": ["train-0", "train-1", "train-2", "train-3"],
        "two": ["train-0", "train-1"],
    }
