"""Node objects: what a pool's design says, in Kubernetes' words."""

from typing import Any

import pytest

from gpufleet.facts.instances import UnknownInstanceType
from gpufleet.rehearsal.controlplane.nodes import NVIDIA_HUGEPAGES, Node, Taint, manifest


def node(**changes: Any) -> Node:
    defaults: dict[str, Any] = {
        "pool": "train",
        "name": "train-0",
        "instance_type": "p5.48xlarge",
        "region": "us-east-1",
        "zone": "us-east-1a",
        "kubernetes_version": "1.35",
    }
    return Node(**(defaults | changes))


def labels(**changes: Any) -> dict[str, str]:
    return manifest(node(**changes))["metadata"]["labels"]


def test_a_node_says_where_and_what_it_is() -> None:
    assert {
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": "train-0",
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": "p5.48xlarge",
        "topology.kubernetes.io/region": "us-east-1",
        "topology.kubernetes.io/zone": "us-east-1a",
        "gpufleet.io/pool": "train",
    }.items() <= labels().items()


def test_a_graviton_node_is_arm64() -> None:
    assert labels(instance_type="g5g.xlarge")["kubernetes.io/arch"] == "arm64"


@pytest.mark.parametrize(
    ("capacity_type", "word"), [("on-demand", "ON_DEMAND"), ("spot", "SPOT"), ("reserved", "CAPACITY_BLOCK")]
)
def test_a_node_group_marks_its_nodes_as_eks_does(capacity_type: str, word: str) -> None:
    found = labels(capacity_type=capacity_type)
    assert found["eks.amazonaws.com/nodegroup"] == "train"
    assert found["eks.amazonaws.com/capacityType"] == word
    assert not [key for key in found if "karpenter" in key]


def test_karpenter_marks_its_nodes_by_its_own_labels() -> None:
    found = labels(scaler="karpenter", capacity_type="spot", instance_type="g7e.12xlarge")
    assert {key: value for key, value in found.items() if "karpenter" in key} == {
        "karpenter.sh/nodepool": "train",
        "karpenter.sh/capacity-type": "spot",
        "karpenter.sh/registered": "true",
        "karpenter.sh/initialized": "true",
        "karpenter.k8s.aws/instance-family": "g7e",
        "karpenter.k8s.aws/instance-size": "12xlarge",
        "karpenter.k8s.aws/instance-category": "g",
        "karpenter.k8s.aws/instance-generation": "7",
        "karpenter.k8s.aws/instance-cpu": "48",
        "karpenter.k8s.aws/instance-memory": "524288",
        "karpenter.k8s.aws/instance-local-nvme": "3800",
        "karpenter.k8s.aws/instance-gpu-manufacturer": "nvidia",
        "karpenter.k8s.aws/instance-gpu-name": "rtx-pro-server-6000",
        "karpenter.k8s.aws/instance-gpu-count": "2",
        "karpenter.k8s.aws/instance-gpu-memory": "98304",
    }
    assert not [key for key in found if key.startswith("eks.amazonaws.com/")]


def test_karpenter_counts_whole_gpus_and_the_device_plugin_logical_ones() -> None:
    made = manifest(node(scaler="karpenter", instance_type="g6f.xlarge"))
    assert made["metadata"]["labels"]["karpenter.k8s.aws/instance-gpu-count"] == "0"
    assert made["status"]["allocatable"]["nvidia.com/gpu"] == "1"


def test_gpu_feature_discovery_describes_the_gpu() -> None:
    assert {key: value for key, value in labels().items() if key.startswith("nvidia.com/")} == {
        "nvidia.com/gpu.present": "true",
        "nvidia.com/gpu.count": "8",
        "nvidia.com/gpu.replicas": "1",
        "nvidia.com/gpu.machine": "p5.48xlarge",
        "nvidia.com/gpu.compute.major": "9",
        "nvidia.com/gpu.compute.minor": "0",
        "nvidia.com/gpu.family": "hopper",
        "nvidia.com/gpu.memory": "81920",
        "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
    }


def test_turns_and_parts_are_described_too() -> None:
    sliced = labels(labels={"nvidia.com/device-plugin.config": "time-slicing-4"})
    assert (sliced["nvidia.com/gpu.count"], sliced["nvidia.com/gpu.replicas"]) == ("8", "4")
    assert sliced["nvidia.com/gpu.product"] == "NVIDIA-H100-80GB-HBM3-SHARED"
    cut = labels(labels={"nvidia.com/mig.config": "all-1g.10gb"})
    assert (cut["nvidia.com/gpu.count"], cut["nvidia.com/mig.strategy"]) == ("56", "single")
    assert cut["nvidia.com/gpu.product"] == "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb"
    assert "nvidia.com/gpu.memory" not in cut


@pytest.mark.parametrize(
    ("name", "family"), [("g6.xlarge", "ada-lovelace"), ("p6-b300.48xlarge", "blackwell"), ("g4dn.xlarge", "turing")]
)
def test_the_gpus_family_is_spelt_as_gpu_feature_discovery_does(name: str, family: str) -> None:
    assert labels(instance_type=name)["nvidia.com/gpu.family"] == family


def test_a_gpu_whose_product_name_is_not_known_gets_no_such_label() -> None:
    assert "nvidia.com/gpu.product" not in labels(instance_type="g7e.12xlarge")


def test_a_node_without_gpu_has_no_gpu_labels() -> None:
    assert not [key for key in labels(instance_type="m7i.xlarge") if key.startswith("nvidia.com/")]


def test_labels_of_an_object_are_ones_that_kubernetes_takes() -> None:
    for value in labels(instance_type="g7e.12xlarge", scaler="karpenter").values():
        assert len(value) <= 63
        assert " " not in value


def test_the_pools_labels_and_taints_are_on_its_nodes() -> None:
    made = manifest(node(labels={"team": "vision"}, taints=(Taint(key="nvidia.com/gpu", effect="NoSchedule"),)))
    assert made["metadata"]["labels"]["team"] == "vision"
    assert made["spec"]["taints"] == [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]


def test_a_node_is_born_ready_with_all_it_offers() -> None:
    status = manifest(node(efa_interfaces=32, hugepages=NVIDIA_HUGEPAGES))["status"]
    assert [(one["type"], one["status"]) for one in status["conditions"]] == [("Ready", "True")]
    assert status["allocatable"]["vpc.amazonaws.com/efa"] == "32"
    assert status["allocatable"]["hugepages-2Mi"] == "10256Mi"


def test_an_unknown_type_is_refused_with_its_nearest() -> None:
    with pytest.raises(UnknownInstanceType, match=r"p5\.48xlarge"):
        manifest(node(instance_type="p5.48xlarg"))
