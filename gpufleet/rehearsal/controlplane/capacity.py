"""What a node of an instance type offers to pods, once EKS's image has kept its share."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from gpufleet.facts import interface_limits
from gpufleet.facts.instances import InstanceType
from gpufleet.rehearsal.controlplane.sharing import UNSHARED, Sharing

HUGEPAGE_MIB: Final = 2

# nodeadm/internal/kubelet/config.go of github.com/awslabs/amazon-eks-ami, 2026-07-23 (also eni_max_pods.go).
UNTOLD_PODS: Final = 110
PODS_ON_HOST_NETWORK: Final = 2
MEMORY_RESERVED_MIB: Final = 255
MEMORY_RESERVED_PER_POD_MIB: Final = 11
MEMORY_EVICTION_MIB: Final = 100
CPU_RESERVED: Final = ((1000, 0.06), (2000, 0.01), (4000, 0.005), (math.inf, 0.0025))
"""Up to so many millicores, this share of those beyond the step before."""
STORAGE_RESERVED_BYTES: Final = 2**30
STORAGE_EVICTION: Final = 0.10

# pkg/providers/instancetype/types.go and pkg/operator/options of github.com/aws/karpenter-provider-aws, 2026-08-21.
VM_OVERHEAD: Final = 0.075
"""Share of the instance's memory that the hypervisor and the kernel keep, where no node has told yet. Most keep less,
so what fits by this figure fits."""
GRAVITON_RESERVED_MIB: Final = 64

DEVICES: Final = {
    "nvidia": "nvidia.com/gpu",
    "amd": "amd.com/gpu",
    "neuron": "aws.amazon.com/neuron",
    "habana": "habana.ai/gaudi",
}
"""By the accelerator's maker: the resource that its device plugin offers."""
NEURON_CORE: Final = "aws.amazon.com/neuroncore"
NEURON_CORES: Final = {"Inferentia": 4, "Inferentia2": 2, "Trainium": 2}
"""On each device, for pods that ask for less than one. Trainium2 is not among them: how many its cores count as depends
on a setting of the runtime. https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/"""
EFA: Final = "vpc.amazonaws.com/efa"
HUGEPAGES: Final = f"hugepages-{HUGEPAGE_MIB}Mi"


class CapacityUnknown(ValueError):
    """No source tells how large the type is; the message names it."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What a pool's design adds to the instance type."""

    volume_gib: int
    """Root volume."""
    local_storage: bool
    """Whether the instance's NVMe disks hold what pods write, in the root volume's place."""
    efa_interfaces: int
    """EFA interfaces that the launch template attaches; a type that could take them offers none by itself."""
    hugepages: int
    """Pages of 2 MiB that the image sets aside."""
    max_pods: int | None
    """As the pool tells kubelet; None leaves it to the image, which counts addresses."""
    sharing: Sharing = UNSHARED
    """Of the GPUs."""


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """A Node's `status.capacity` and `status.allocatable`."""

    capacity: Mapping[str, str]
    allocatable: Mapping[str, str]


def of(type_: InstanceType, offer: Offer) -> Capacity:
    """Compute what a node offers.

    Raises:
        CapacityUnknown: no source tells the type's vCPUs or memory.
    """
    if type_.vcpus is None or type_.memory_mib is None:
        raise CapacityUnknown(f"{type_.name}: no source tells its vCPUs and memory, so no node of it can be rehearsed")
    pods = pods_of(type_.name) if offer.max_pods is None else offer.max_pods
    millicores = type_.vcpus * 1000
    memory_mib = _memory_mib(type_.memory_mib, type_.cpu_arch)
    pages_mib = offer.hugepages * HUGEPAGE_MIB
    storage = type_.nvme_gb * 10**9 if offer.local_storage else offer.volume_gib * 2**30
    same = {"pods": str(pods), HUGEPAGES: f"{pages_mib}Mi", **_devices(type_, offer)}
    reserved_mib = MEMORY_RESERVED_MIB + MEMORY_RESERVED_PER_POD_MIB * pods + MEMORY_EVICTION_MIB
    storage_left = storage - STORAGE_RESERVED_BYTES - math.ceil(storage * STORAGE_EVICTION)
    return Capacity(
        capacity={
            "cpu": f"{millicores}m",
            "memory": f"{memory_mib}Mi",
            "ephemeral-storage": str(storage),
            **same,
        },
        allocatable={
            "cpu": f"{millicores - reserved_millicores(millicores)}m",
            # Pages that were set aside cannot be given to anything else.
            "memory": f"{max(memory_mib - reserved_mib - pages_mib, 0)}Mi",
            "ephemeral-storage": str(max(storage_left, 0)),
            **same,
        },
    )


def pods_of(name: str) -> int:
    """How many pods a node of a type takes: one for each address of the default network card's interfaces."""
    limits = interface_limits.find(name)
    if limits is None:
        return UNTOLD_PODS
    return limits.interfaces * (limits.addresses - 1) + PODS_ON_HOST_NETWORK


def reserved_millicores(millicores: int) -> int:
    """What kubelet and the container runtime get of the CPU."""
    reserved, start = 0, 0
    for end, share in CPU_RESERVED:
        if millicores > start:
            reserved += int((min(millicores, end) - start) * share)
        start = int(min(end, millicores))
    return reserved


def product_of(type_: InstanceType) -> str | None:
    """NVML's name of the type's GPU as a label's value, None where it is not known."""
    for entry in _products():
        if (entry["model"], entry["memory_mib"]) == (type_.gpu_model, type_.gpu_memory_mib):
            return str(entry["product"])
    return None


def _memory_mib(memory_mib: int, architecture: str) -> int:
    usable = memory_mib - (GRAVITON_RESERVED_MIB if architecture == "arm64" else 0)
    return usable - math.ceil(usable * VM_OVERHEAD)


def _devices(type_: InstanceType, offer: Offer) -> dict[str, str]:
    devices: dict[str, str] = {}
    resource = DEVICES.get(type_.accelerator or "")
    if resource is not None and type_.gpu_count:
        devices[resource] = str(type_.gpu_count * offer.sharing.per_gpu)
    if cores := NEURON_CORES.get(type_.gpu_model or ""):
        devices[NEURON_CORE] = str(type_.gpu_count * cores)
    if offer.efa_interfaces:
        devices[EFA] = str(offer.efa_interfaces)
    return devices


@cache
def _products() -> list[dict[str, Any]]:
    content: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "gpu_products.json").read_bytes())
    return content["products"]
