"""The labels of a node: Kubernetes', EKS', Karpenter's and GPU feature discovery's."""

import re

from gpufleet.facts.instances import InstanceType
from gpufleet.rehearsal.controlplane import capacity
from gpufleet.rehearsal.controlplane.sharing import UNSHARED, Sharing

ARCHITECTURES = {"x86_64": "amd64", "arm64": "arm64"}

EKS_CAPACITY = {"on-demand": "ON_DEMAND", "spot": "SPOT", "reserved": "CAPACITY_BLOCK"}
"""By Karpenter's word for the same."""


def well_known(name: str, type_: InstanceType, region: str, zone: str) -> dict[str, str]:
    """What kubelet and AWS's cloud provider set."""
    return {
        "kubernetes.io/arch": ARCHITECTURES[type_.cpu_arch],
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": type_.name,
        "topology.kubernetes.io/region": region,
        "topology.kubernetes.io/zone": zone,
    }


def eks(node_group: str, capacity_type: str) -> dict[str, str]:
    """What EKS sets on the nodes of a managed node group.

    Args:
        node_group: its name.
        capacity_type: a key of `EKS_CAPACITY`.
    """
    return {
        "eks.amazonaws.com/nodegroup": node_group,
        "eks.amazonaws.com/capacityType": EKS_CAPACITY[capacity_type],
    }


def karpenter(node_pool: str, capacity_type: str, type_: InstanceType) -> dict[str, str]:
    """What Karpenter sets on its nodes, as far as the catalogue tells.

    pkg/providers/instancetype/types.go of github.com/aws/karpenter-provider-aws, 2026-08-21.
    """
    prefix = "karpenter.k8s.aws/instance-"
    family, _, size = type_.name.partition(".")
    labels = {
        "karpenter.sh/nodepool": node_pool,
        "karpenter.sh/capacity-type": capacity_type,
        "karpenter.sh/registered": "true",
        "karpenter.sh/initialized": "true",
        f"{prefix}family": family,
        f"{prefix}size": size,
        f"{prefix}cpu": str(type_.vcpus),
        f"{prefix}memory": str(type_.memory_mib),
    }
    if parts := re.match(r"([a-z]+)(?:-[0-9]+tb)?([0-9]+)", family):
        labels[f"{prefix}category"], labels[f"{prefix}generation"] = parts.groups()
    if type_.nvme_gb:
        labels[f"{prefix}local-nvme"] = str(type_.nvme_gb)
    if type_.is_gpu:
        labels[f"{prefix}gpu-manufacturer"] = "nvidia"
        labels[f"{prefix}gpu-name"] = (type_.gpu_model or "").lower().replace(" ", "-")
        # EC2 counts whole GPUs, and Karpenter what EC2 counts.
        labels[f"{prefix}gpu-count"] = str(type_.gpu_count if (type_.gpu_partition_size or 1) == 1 else 0)
        labels[f"{prefix}gpu-memory"] = str(type_.gpu_memory_mib)
    return labels


def gpu_feature_discovery(type_: InstanceType, sharing: Sharing = UNSHARED) -> dict[str, str]:
    """What GPU feature discovery sets, as far as the catalogue tells; empty for a type without NVIDIA GPU.

    `gpu.memory` is EC2's figure; NVML's, which a real node carries, differs from it by a few in a thousand; of parts of
    GPUs it is left out. Driver and CUDA versions are the image's and are left out too. Parts and turns are counted and
    named as with MIG strategy `single` and without a resource of another name. docs/gpu-feature-discovery of
    github.com/NVIDIA/k8s-device-plugin.
    """
    if not type_.is_gpu:
        return {}
    labels = {
        "nvidia.com/gpu.present": "true",
        "nvidia.com/gpu.count": str(type_.gpu_count * sharing.parts),
        "nvidia.com/gpu.replicas": str(sharing.replicas),
        "nvidia.com/gpu.machine": type_.name,
    }
    if type_.compute_capability is not None:
        major, _, minor = type_.compute_capability.partition(".")
        labels |= {"nvidia.com/gpu.compute.major": major, "nvidia.com/gpu.compute.minor": minor}
    if type_.gpu_architecture is not None:
        # It knows one Blackwell, Ultra or not.
        family = type_.gpu_architecture.removesuffix(" Ultra").lower().replace(" ", "-")
        labels["nvidia.com/gpu.family"] = family
    if sharing.profile is not None:
        labels["nvidia.com/mig.strategy"] = "single"
    elif type_.gpu_memory_mib is not None:
        labels["nvidia.com/gpu.memory"] = str(type_.gpu_memory_mib)
    if product := capacity.product_of(type_):
        part = f"-MIG-{sharing.profile}" if sharing.profile else ""
        turns = "-SHARED" if sharing.replicas > 1 else ""
        labels["nvidia.com/gpu.product"] = f"{product}{part}{turns}"
    return labels
