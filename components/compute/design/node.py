"""What the nodes are set to: labels, taints, disks, hugepages, and the kubelet where there is a reason."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpufleet.facts import interface_limits, node_images

from .fabric import Fabric
from .ledger import Ledger
from .machines import Machines
from .refusal import Refused
from .request import PoolRequest, Taint
from .shapes import Image

POOL_LABEL = "gpufleet.io/pool"
EFA_LABEL = "gpufleet.io/efa"
DEVICES_LABEL = "gpufleet.io/devices"
"""What on the node tells Kubernetes of its accelerators; the daemons that do so choose nodes by it."""
DEVICES_NVIDIA, DEVICES_NEURON, DEVICES_IMAGE = "nvidia", "neuron", "image"
"""A daemon of NVIDIA's, the one for Neuron, or the image itself."""
EFA_TAINT = "aws.amazon.com/efa"
"""The key that the EFA device plugin's chart names for tolerations. https://github.com/aws/eks-charts"""
LEAST_VOLUME_GIB, MOST_VOLUME_GIB = 200, 16384
"""Image of the node, a few CUDA images of 10 to 30 GiB each, and room to unpack them; the most that gp3 takes."""
_KUBELET_PODS, _KUBELET_PODS_LARGE, _LARGE_VCPUS = 110, 250, 30
"""What EKS bounds the pods of a node by. https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html"""
_HOST_NETWORK_PODS = 2
"""kube-proxy and the network plugin take no address."""
_RESERVED_LABELS = (POOL_LABEL, DEVICES_LABEL, EFA_LABEL, "gpufleet.io/sharing")


@dataclass(frozen=True, kw_only=True)
class Node:
    """How each node is set up."""

    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    volume_gib: int
    local_storage: str | None
    hugepages_2mib: int
    hugepages_from: str | None
    kubelet: Mapping[str, int | str]


def decide(
    request: PoolRequest,
    machines: Machines,
    fabric: Fabric,
    image: Image,
    sharing_labels: Mapping[str, str],
    ledger: Ledger,
) -> Node:
    """The node's settings.

    Raises:
        Refused: `volume-size`, `label-taken`.
    """
    if not LEAST_VOLUME_GIB <= request.volume_gib <= MOST_VOLUME_GIB:
        nearest = LEAST_VOLUME_GIB if request.volume_gib < LEAST_VOLUME_GIB else MOST_VOLUME_GIB
        raise Refused(
            "volume-size",
            "GPU images take 10 to 30 GiB each, and as much again while they are unpacked",
            path="volume_gib",
            value=request.volume_gib,
            allowed=f"{LEAST_VOLUME_GIB} to {MOST_VOLUME_GIB}",
            nearest=f"volume_gib: {nearest}",
            change={"volume_gib": nearest},
        )
    labels = _labels(request, machines, fabric, image, sharing_labels, ledger)
    taints = _taints(request, machines, fabric, ledger)
    ledger.decide("root volume", f"{request.volume_gib} GiB, encrypted", "images and their unpacking")
    nvme = min(type_.nvme_gb for type_ in machines.types)
    ledger.decide(
        "local disks",
        "RAID0" if nvme else "none",
        f"every type has NVMe, {nvme} GB at least: images, logs and emptyDir volumes go there; it ends with the node"
        if nvme
        else "not every type has NVMe, and the nodes of a pool are alike",
    )
    pages, source = _hugepages(machines, fabric, image, ledger)
    return Node(
        labels=labels,
        taints=taints,
        volume_gib=request.volume_gib,
        local_storage="RAID0" if nvme else None,
        hugepages_2mib=pages,
        hugepages_from=source,
        kubelet=_kubelet(request, machines, fabric, ledger),
    )


def _labels(
    request: PoolRequest,
    machines: Machines,
    fabric: Fabric,
    image: Image,
    sharing: Mapping[str, str],
    ledger: Ledger,
) -> Mapping[str, str]:
    own = {POOL_LABEL: request.name, DEVICES_LABEL: _devices(machines, image), **sharing}
    if fabric.efa:
        own[EFA_LABEL] = "true"
    if taken := sorted({*own, *_RESERVED_LABELS} & set(request.labels)):
        raise Refused(
            "label-taken",
            "what the design labels nodes with is what pods find them by",
            path="labels",
            value=taken,
            allowed="any other label",
            nearest=f"the same without {', '.join(taken)}",
            change={"labels": {key: value for key, value in request.labels.items() if key not in taken}},
        )
    labels = dict(sorted({**request.labels, **own}.items()))
    ledger.decide(
        "labels", ", ".join(f"{key}={value}" for key, value in labels.items()), "pods choose the pool by them"
    )
    return labels


def _devices(machines: Machines, image: Image) -> str:
    if machines.accelerator == "neuron":
        return DEVICES_NEURON
    return DEVICES_IMAGE if image.family == "bottlerocket" else DEVICES_NVIDIA


def _taints(request: PoolRequest, machines: Machines, fabric: Fabric, ledger: Ledger) -> tuple[Taint, ...]:
    taints = [Taint(key=machines.resource, value="present", effect="NoSchedule")]
    why = "keeps everything off that asks for no accelerator"
    if fabric.efa:
        taints.append(Taint(key=EFA_TAINT, value="present", effect="NoSchedule"))
        why += ", and off EFA nodes what asks for no EFA: a job whose pods lie in two pools does not talk over it"
    found = tuple(dict.fromkeys((*taints, *request.taints)))
    ledger.decide("taints", ", ".join(f"{taint.key}={taint.value}:{taint.effect}" for taint in found), why)
    return found


def _hugepages(machines: Machines, fabric: Fabric, image: Image, ledger: Ledger) -> tuple[int, str | None]:
    by_image = node_images.families()[image.family].hugepages_2mib.get(machines.accelerator, 0)
    if image.ami_id is not None:
        ledger.decide("hugepages", "not counted on", "nobody knows what an own image sets aside")
        return 0, None
    if by_image:
        ledger.decide("hugepages", f"{by_image} of 2 MiB", "the image sets them aside on every node")
        return by_image, "image"
    pages = max(node_images.families()["al2023"].hugepages_2mib.values())
    if not fabric.efa or machines.accelerator != "nvidia":
        ledger.decide("hugepages", "none", "nothing here uses them")
        return 0, None
    ledger.decide("hugepages", f"{pages} of 2 MiB", "EFA uses them, and this image sets none aside by itself")
    return pages, "user data"


def _kubelet(request: PoolRequest, machines: Machines, fabric: Fabric, ledger: Ledger) -> Mapping[str, int | str]:
    """The pods of a node, where an EFA interface on card 0 takes a place that EKS's own table counts for pods."""
    if request.prefix_delegation or not any(i.card == 0 and i.kind == "efa-only" for i in fabric.interfaces):
        return {}
    bounds: list[int] = []
    for type_ in machines.types:
        limits = interface_limits.find(type_.name)
        if limits is not None:
            bound = max(1, limits.interfaces - 1) * (limits.addresses - 1) + _HOST_NETWORK_PODS
            cap = _KUBELET_PODS_LARGE if (type_.vcpus or 0) > _LARGE_VCPUS else _KUBELET_PODS
            if bound < cap:
                bounds.append(bound)
    if not bounds:
        return {}
    pods = min(bounds)
    ledger.decide(
        "pods per node",
        str(pods),
        "card 0 takes two interfaces, and the second is EFA's: with more pods some would wait for an address for ever",
    )
    return {"maxPods": pods}
