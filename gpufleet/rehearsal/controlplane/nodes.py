"""The nodes that a pool would bring, as plain Node objects: no machine and no kubelet, but real to the scheduler."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from gpufleet.facts import instances
from gpufleet.rehearsal.controlplane import capacity, labels, sharing
from gpufleet.rehearsal.controlplane.client import Client, Object

POOL_LABEL: Final = "gpufleet.io/pool"
"""On every node here, so that a report can name the pool."""

NVIDIA_HUGEPAGES: Final = 5128
"""Pages of 2 MiB that EKS's AL2023 image for NVIDIA GPUs sets aside for EFA."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taint:
    """A taint in Kubernetes' own words."""

    key: str
    effect: str
    """`NoSchedule`, `PreferNoSchedule` or `NoExecute`."""
    value: str = ""


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node of a pool, as the pool is designed."""

    pool: str
    """The node group or NodePool."""
    name: str
    """A DNS name; in the scheduler's reports it stands for the node."""
    instance_type: str
    region: str
    zone: str
    kubernetes_version: str
    """As `1.35`."""
    scaler: str = "node-group"
    """Who brings it: `node-group` or `karpenter`."""
    capacity_type: str = "on-demand"
    """`on-demand`, `spot`, or `reserved` for a capacity block."""
    volume_gib: int = 80
    local_storage: bool = False
    """Whether the NVMe disks hold what pods write."""
    efa_interfaces: int = 0
    """That the launch template attaches."""
    hugepages: int = 0
    """Pages of 2 MiB that the image sets aside; `NVIDIA_HUGEPAGES` is what EKS's image for GPUs does."""
    max_pods: int | None = None
    """None: as many as the type has addresses for."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """The pool's own."""
    taints: tuple[Taint, ...] = ()


def manifest(node: Node) -> Object:
    """Write the Node object, its status included.

    Raises:
        UnknownInstanceType: the catalogue lacks the type.
        CapacityUnknown: no source tells how large the type is.
    """
    type_ = instances.get(node.instance_type)
    shared = sharing.of(node.labels, type_)
    offered = capacity.of(
        type_,
        capacity.Offer(
            volume_gib=node.volume_gib,
            local_storage=node.local_storage,
            efa_interfaces=node.efa_interfaces,
            hugepages=node.hugepages,
            max_pods=node.max_pods,
            sharing=shared,
        ),
    )
    set_by_scaler = (
        labels.karpenter(node.pool, node.capacity_type, type_)
        if node.scaler == "karpenter"
        else labels.eks(node.pool, node.capacity_type)
    )
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": node.name,
            "labels": {
                POOL_LABEL: node.pool,
                **labels.well_known(node.name, type_, node.region, node.zone),
                **set_by_scaler,
                **labels.gpu_feature_discovery(type_, shared),
                **node.labels,
            },
        },
        "spec": {
            "providerID": f"aws:///{node.zone}/rehearsal-{node.name}",
            "taints": [_taint(taint) for taint in node.taints],
        },
        "status": {
            "capacity": dict(offered.capacity),
            "allocatable": dict(offered.allocatable),
            "conditions": [_ready()],
            "nodeInfo": _node_info(node.kubernetes_version, labels.ARCHITECTURES[type_.cpu_arch]),
        },
    }


def register(client: Client, nodes: Iterable[Node]) -> None:
    """Give the cluster these nodes; each takes the place of one that has its name."""
    for node in nodes:
        made = manifest(node)
        client.delete(made)
        client.create(made)


def _taint(taint: Taint) -> dict[str, str]:
    made = {"key": taint.key, "effect": taint.effect}
    return {**made, "value": taint.value} if taint.value else made


def _ready() -> dict[str, str]:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "type": "Ready",
        "status": "True",
        "reason": "Rehearsal",
        "message": "there is no machine behind this node",
        "lastHeartbeatTime": now,
        "lastTransitionTime": now,
    }


def _node_info(version: str, architecture: str) -> dict[str, str]:
    return {
        "architecture": architecture,
        "operatingSystem": "linux",
        "kubeletVersion": f"v{version}.0-eks-rehearsal",
        "osImage": "",
        "kernelVersion": "",
        "containerRuntimeVersion": "",
        "kubeProxyVersion": "",
        "bootID": "",
        "machineID": "",
        "systemUUID": "",
    }
