"""From planned Karpenter NodePools to nodes."""

from typing import Any

import pytest

from gpufleet.plan.graph import Resource
from gpufleet.rehearsal.controlplane import requirements
from gpufleet.rehearsal.controlplane.node_pools import nodes_of
from gpufleet.rehearsal.controlplane.nodes import Node, Taint
from gpufleet.rehearsal.controlplane.pools import MOST_NODES

REGION = "us-east-1"


def resource(type_: str, name: str, inputs: dict[str, Any], id_: str | None = None, provider: str = "") -> Resource:
    return Resource(
        urn=f"urn:pulumi:s::p::{type_}::{name}",
        type=type_,
        name=name,
        parent=None,
        provider=provider,
        custom=True,
        protect=False,
        dependencies=(),
        property_dependencies={},
        inputs=inputs,
        id=id_,
        outputs={},
    )


def needs(key: str, *values: str, operator: str = "In") -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


TYPES = needs("node.kubernetes.io/instance-type", "g6.xlarge", "g6.2xlarge")
ZONES = needs("topology.kubernetes.io/zone", "us-east-1a", "us-east-1b")


def brought(
    *asked: dict[str, Any],
    limits: dict[str, Any] | None = None,
    node_class: dict[str, Any] | None = None,
    spec: dict[str, Any] | None = None,
    template: dict[str, Any] | None = None,
) -> list[Node]:
    """The nodes of one NodePool with these requirements."""
    inner = {"nodeClassRef": {"name": "gpu"}, "requirements": list(asked), **(spec or {})}
    pool = {"limits": limits or {}, "template": {"spec": inner, **(template or {})}}
    subnet = {"availabilityZone": "us-east-1c", "tags": {"tier": "private"}}
    return nodes_of(
        [
            resource("aws:eks/cluster:Cluster", "cluster", {"version": "1.36"}),
            resource("aws:ec2/subnet:Subnet", "private", subnet, "subnet-one"),
            resource("aws:ec2/subnet:Subnet", "public", {"availabilityZone": "us-east-1d", "tags": {}}, "subnet-two"),
            resource(
                "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
                "class",
                {"metadata": {"name": "gpu"}, "spec": node_class or {}},
            ),
            resource("kubernetes:karpenter.sh/v1:NodePool", "pool", {"metadata": {"name": "train"}, "spec": pool}),
        ]
    )


def test_types_and_zones_take_turns_until_the_limit_of_gpus() -> None:
    found = brought(TYPES, ZONES, limits={"nvidia.com/gpu": 3})
    assert [(node.name, node.instance_type, node.zone) for node in found] == [
        ("train-0", "g6.xlarge", "us-east-1a"),
        ("train-1", "g6.2xlarge", "us-east-1b"),
        ("train-2", "g6.xlarge", "us-east-1a"),
    ]
    assert {(node.pool, node.scaler, node.region, node.kubernetes_version) for node in found} == {
        ("train", "karpenter", "us-east-1", "1.36")
    }


def test_a_type_that_no_longer_fits_the_limit_makes_room_for_a_smaller_one() -> None:
    big_first = needs("node.kubernetes.io/instance-type", "g6.xlarge", "g6.12xlarge")
    found = brought(big_first, ZONES, limits={"nvidia.com/gpu": "6"})
    assert [node.instance_type for node in found] == ["g6.xlarge", "g6.12xlarge", "g6.xlarge"]


def test_a_limit_of_zero_brings_none() -> None:
    assert brought(TYPES, ZONES, limits={"nvidia.com/gpu": 0}) == []


def test_pools_of_another_cluster_are_left_out() -> None:
    def pool(provider: str) -> Resource:
        spec = {"limits": {"nodes": 1}, "template": {"spec": {"requirements": [TYPES, ZONES]}}}
        inputs = {"metadata": {"name": provider}, "spec": spec}
        return resource("kubernetes:karpenter.sh/v1:NodePool", provider, inputs, provider=f"{provider}::id")

    both = [pool("east"), pool("west")]
    assert [node.pool for node in nodes_of(both, {"west"})] == ["west"]
    assert [node.pool for node in nodes_of(both)] == ["east", "west"]


def test_without_limits_a_pool_brings_a_few() -> None:
    assert len(brought(TYPES, ZONES)) == MOST_NODES


def test_zones_come_from_the_subnets_of_the_class_where_the_pool_names_none() -> None:
    by_tag = brought(TYPES, limits={"nodes": 1}, node_class={"subnetSelectorTerms": [{"tags": {"tier": "private"}}]})
    by_id = brought(TYPES, limits={"nodes": 1}, node_class={"subnetSelectorTerms": [{"id": "subnet-two"}]})
    assert ([node.zone for node in by_tag], [node.zone for node in by_id]) == (["us-east-1c"], ["us-east-1d"])


def test_a_pool_whose_subnets_are_not_planned_brings_none() -> None:
    assert brought(TYPES, node_class={"subnetSelectorTerms": [{"id": "subnet-elsewhere"}]}) == []


def test_the_first_capacity_type_in_karpenters_order_is_taken() -> None:
    capacity = needs("karpenter.sh/capacity-type", "on-demand", "spot")
    assert brought(TYPES, ZONES, capacity, limits={"nodes": 1})[0].capacity_type == "spot"
    assert brought(TYPES, ZONES, limits={"nodes": 1})[0].capacity_type == "on-demand"


def test_the_class_gives_volume_disks_and_pods() -> None:
    mappings = [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "300Gi"}}]
    node_class = {"blockDeviceMappings": mappings, "instanceStorePolicy": "RAID0", "kubelet": {"maxPods": 50}}
    (node,) = brought(TYPES, ZONES, limits={"nodes": 1}, node_class=node_class)
    assert (node.volume_gib, node.local_storage, node.max_pods, node.hugepages) == (300, True, 50, 0)


def test_efa_is_what_the_class_attaches_or_what_the_type_takes() -> None:
    train = needs("node.kubernetes.io/instance-type", "p5.48xlarge")
    (whole,) = brought(train, ZONES, limits={"nodes": 1})
    interfaces = [{"interfaceType": "interface"}, {"interfaceType": "efa-only"}]
    (some,) = brought(train, ZONES, limits={"nodes": 1}, node_class={"networkInterfaces": interfaces})
    assert (whole.efa_interfaces, some.efa_interfaces) == (32, 1)


def test_labels_and_taints_come_from_the_template_and_from_single_values() -> None:
    (node,) = brought(
        TYPES,
        ZONES,
        needs("example.com/team", "vision"),
        needs("example.com/many", "a", "b"),
        limits={"nodes": 1},
        spec={"taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]},
        template={"metadata": {"labels": {"gpufleet.io/use": "training"}}},
    )
    assert node.labels == {"example.com/team": "vision", "gpufleet.io/use": "training"}
    assert node.taints == (Taint(key="nvidia.com/gpu", effect="NoSchedule"),)


def test_a_family_and_a_size_of_gpu_choose_the_types() -> None:
    asked = [
        needs("karpenter.k8s.aws/instance-family", "g6", "g6e"),
        needs("karpenter.k8s.aws/instance-gpu-count", "3", operator="Gt"),
        needs("karpenter.k8s.aws/instance-gpu-name", "l40s"),
    ]
    found = [type_.name for type_ in requirements.types_for(asked, REGION)]
    assert found == ["g6e.12xlarge", "g6e.24xlarge", "g6e.48xlarge"]


def test_a_requirement_that_the_catalogue_cannot_judge_excludes_nothing() -> None:
    asked = [TYPES, needs("karpenter.k8s.aws/instance-network-bandwidth", "1000", operator="Gt")]
    assert len(requirements.types_for(asked, REGION)) == 2


def test_a_type_that_the_region_does_not_offer_is_not_chosen() -> None:
    asked = [needs("node.kubernetes.io/instance-type", "p5.48xlarge", "g4dn.xlarge")]
    assert [type_.name for type_ in requirements.types_for(asked, "eu-west-3")] == ["g4dn.xlarge"]


@pytest.mark.parametrize(
    ("operator", "values", "value", "met"),
    [
        ("In", ["a"], "a", True),
        ("In", ["a"], None, False),
        ("NotIn", ["a"], None, True),
        ("NotIn", ["a"], "a", False),
        ("Exists", [], "a", True),
        ("Exists", [], None, False),
        ("DoesNotExist", [], None, True),
        ("DoesNotExist", [], "a", False),
        ("Gt", ["7"], "8", True),
        ("Gt", ["8"], "8", False),
        ("Gte", ["8"], "8", True),
        ("Lt", ["8"], "7", True),
        ("Lte", ["8"], "8", True),
        ("Lte", ["8"], None, False),
    ],
)
def test_operators_mean_what_karpenter_means(operator: str, values: list[str], value: str | None, met: bool) -> None:
    assert requirements.holds({"key": "k", "operator": operator, "values": values}, value) is met


def test_an_operator_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="'Contains' of k is not one of Karpenter's: In, NotIn"):
        requirements.holds({"key": "k", "operator": "Contains", "values": []}, "a")
