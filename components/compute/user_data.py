"""User data: what a node's image is told on top of what EKS or Karpenter tells it."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpufleet.facts import instances, mig_profiles

from .design.shapes import Design

_BOUNDARY = "==GPUFLEET=="
_WRITTEN_BY_PODS = ("/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods")


@dataclass(frozen=True, kw_only=True)
class ClusterFacts:
    """What a node must know to join where neither EKS nor Karpenter tells it: one whose image is chosen by id."""

    name: str
    endpoint: str
    certificate_authority: str
    """Base64 PEM."""
    service_cidr: str


@dataclass(frozen=True, kw_only=True)
class NodeSettings:
    """What the nodes of a pool are to do differently from their image's own defaults."""

    local_storage: bool = False
    """Whether the NVMe disks become one RAID 0 that holds what kubelet and containerd write: images, logs and emptyDir
    volumes. It is emptied whenever the instance stops."""
    kubelet: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Fields of a KubeletConfiguration."""
    hugepages: int = 0
    """Pages of 2 MiB to set aside, where the image does not do so by itself."""
    time_slicing: int | None = None
    """Pods that take turns on each GPU, where the image has the device plugin: Bottlerocket. Elsewhere the plugin's
    daemon reads it from the node's label."""
    mig: Mapping[str, str] = field(default_factory=dict[str, str])
    """Likewise, the profile that GPUs are cut into, by the GPU's name: `{"h100.80gb": "1g.10gb"}`."""
    cluster: ClusterFacts | None = None
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """For nodes that register by themselves: those that `cluster` is given for."""
    taints: Sequence[Mapping[str, str]] = ()
    """Likewise: `key`, `value`, `effect` in Kubernetes' words."""


def node_config(settings: NodeSettings) -> str | None:
    """For AL2023: a MIME document with one NodeConfig part, or None where there is nothing to say.

    https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/
    """
    spec: dict[str, Any] = {}
    if settings.cluster is not None:
        spec["cluster"] = {
            "name": settings.cluster.name,
            "apiServerEndpoint": settings.cluster.endpoint,
            "certificateAuthority": settings.cluster.certificate_authority,
            "cidr": settings.cluster.service_cidr,
        }
    kubelet: dict[str, Any] = {}
    if settings.kubelet:
        kubelet["config"] = dict(settings.kubelet)
    if settings.cluster is not None and settings.labels:
        joined = ",".join(f"{key}={value}" for key, value in sorted(settings.labels.items()))
        kubelet["flags"] = [f"--node-labels={joined}"]
    if settings.cluster is not None and settings.taints:
        kubelet.setdefault("config", {})["registerWithTaints"] = [dict(taint) for taint in settings.taints]
    if kubelet:
        spec["kubelet"] = kubelet
    if settings.local_storage:
        spec["instance"] = {"localStorage": {"strategy": "RAID0"}}
    if not spec:
        return None
    config = {"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec}
    lines = [
        "MIME-Version: 1.0",
        f'Content-Type: multipart/mixed; boundary="{_BOUNDARY}"',
        "",
        f"--{_BOUNDARY}",
        "Content-Type: application/node.eks.aws",
        "",
        json.dumps(config, indent=2),
        "",
        f"--{_BOUNDARY}--",
        "",
    ]
    return "\n".join(lines)


def bottlerocket(settings: NodeSettings) -> str | None:
    """For Bottlerocket: its settings as TOML, or None where there is nothing to say.

    https://bottlerocket.dev/en/os/latest/api/settings/
    """
    tables: list[tuple[str, Mapping[str, Any]]] = []
    kubernetes = {_kebab(key): value for key, value in settings.kubelet.items()}
    if settings.cluster is not None:
        kubernetes |= {
            "cluster-name": settings.cluster.name,
            "api-server": settings.cluster.endpoint,
            "cluster-certificate": settings.cluster.certificate_authority,
        }
    if kubernetes:
        tables.append(("settings.kubernetes", kubernetes))
    if settings.cluster is not None and settings.labels:
        tables.append(("settings.kubernetes.node-labels", dict(sorted(settings.labels.items()))))
    if settings.cluster is not None and settings.taints:
        taints = {taint["key"]: [f"{taint.get('value', '')}:{taint['effect']}"] for taint in settings.taints}
        tables.append(("settings.kubernetes.node-taints", taints))
    if settings.hugepages:
        tables.append(("settings.kernel.sysctl", {"vm.nr_hugepages": str(settings.hugepages)}))
    tables += _sharing(settings)
    if settings.local_storage:
        storage = {
            "commands": [
                ["apiclient", "ephemeral-storage", "init"],
                ["apiclient", "ephemeral-storage", "bind", "--dirs", *_WRITTEN_BY_PODS],
            ],
            "essential": True,
            "mode": "always",
        }
        tables.append(("settings.bootstrap-commands.k8s-ephemeral-storage", storage))
    return "\n".join(_table(name, values) for name, values in tables) or None


def _sharing(settings: NodeSettings) -> list[tuple[str, Mapping[str, Any]]]:
    """https://bottlerocket.dev/en/os/latest/api/settings/kubelet-device-plugins/"""
    plugin = "settings.kubelet-device-plugins.nvidia"
    if settings.mig:
        return [(plugin, {"device-partitioning-strategy": "mig"}), (f"{plugin}.mig.profile", settings.mig)]
    if settings.time_slicing is None:
        return []
    # Under the plain name, nvidia.com/gpu: a pod need not know whether it has a GPU to itself.
    slices = {"replicas": settings.time_slicing, "rename-by-default": False}
    return [(plugin, {"device-sharing-strategy": "time-slicing"}), (f"{plugin}.time-slicing", slices)]


def _table(name: str, values: Mapping[str, Any]) -> str:
    # JSON's strings, numbers, lists and booleans are TOML's.
    lines = [f"{_key(key)} = {json.dumps(value)}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, ""])


def _key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() else json.dumps(key)


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


WRITERS: Mapping[str, Callable[[NodeSettings], str | None]] = {"al2023": node_config, "bottlerocket": bottlerocket}
"""By the family of the image."""


def of(design: Design, cluster: ClusterFacts | None = None) -> NodeSettings:
    """What a design wants the nodes of a managed group told."""
    sharing = design.request.sharing
    return NodeSettings(
        local_storage=design.local_storage is not None,
        kubelet=design.kubelet,
        hugepages=design.hugepages_2mib if design.hugepages_from == "user data" else 0,
        time_slicing=sharing.replicas if sharing.kind == "time-slicing" else None,
        mig=_mig(design, sharing.profile) if sharing.kind == "mig" and sharing.profile else {},
        cluster=cluster,
        labels=design.labels,
        taints=[{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in design.taints],
    )


def _mig(design: Design, profile: str) -> dict[str, str]:
    """The profile by Bottlerocket's name of each GPU of the pool's types."""
    types = [instances.get(name) for name in design.instance_types]
    names = [mig_profiles.bottlerocket_model(type_.gpu_model, type_.gpu_memory_mib, profile) for type_ in types]
    return dict.fromkeys(sorted({name for name in names if name is not None}), profile)
