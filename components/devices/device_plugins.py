"""The device plugins of a cluster, as its pools need them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi

from ..arguments import typed
from ..ordering import after
from ..releases import pinned
from . import efa, neuron, nvidia, provision
from .images import Registries, to_push
from .provision import NEURON, OPERATOR, PLUGIN

NAMESPACE = "kube-system"
TIMEOUT_SECONDS = 900
"""Feature discovery and the operator pull images first; plugins wait for nodes that are there."""


@dataclass(frozen=True, kw_only=True)
class DevicePluginsArgs:
    """What `DevicePlugins` is made from."""

    cluster_name: pulumi.Input[str]
    """Take it from what stands before it: the system nodes, and the cluster's DNS."""
    region: str
    designs: Sequence[Mapping[str, Any]]
    """Of every pool of the cluster: the output `design` of `GpuPool` and `KarpenterPool`, or `as_document(design)`."""
    closed: bool = False
    """Whether the network has no way out."""
    image_registry: pulumi.Input[str] | None = None
    """Where the cluster finds public images instead of their own registries, `HOST/PREFIX` of a `PullThroughCache`."""
    nvidia_registry: pulumi.Input[str] | None = None
    """`HOST/PREFIX` below which copies of NVIDIA's images were pushed by their whole names,
    `nvcr.io/nvidia/k8s-device-plugin`: ECR fetches nothing from nvcr.io."""
    efa_repository: pulumi.Input[str] | None = None
    """Where the EFA plugin's image is instead of the region's registry of EKS, without tag."""

    def __post_init__(self) -> None:
        found = provision.pools(self.designs)
        efa.check([pool for pool in found if pool.efa])
        used = set(provision.providers(found).values()) & {PLUGIN, OPERATOR}
        if self.closed and self.nvidia_registry is None and (images := to_push(sorted(used))):
            raise ValueError(
                f"nvidia_registry: None, and the network has no way out to nvcr.io; push {', '.join(images)} to an "
                "ImageRegistry under their whole names and pass HOST/PREFIX of it"
            )


class DevicePlugins(pulumi.ComponentResource):
    """What tells Kubernetes of the GPUs, Neuron devices and EFA interfaces of a cluster's nodes.

    Creates, where a pool needs it: NVIDIA's device plugin with its feature discovery, or, where a pool cuts its GPUs,
    NVIDIA's operator without driver and toolkit; the EFA plugin; the Neuron plugin. Each runs on the nodes that need
    it and on no other, whatever taints these have. Exactly one thing provides the accelerators of a node. Another pool
    of a kind that is there changes none of it. The first pool that cuts its GPUs swaps plugin for operator on all nodes
    with NVIDIA GPUs: pods keep what they hold meanwhile, and none gets a GPU anew. Deliberately not: drivers (the
    images have them), metrics, node repair (see `NodeHealth`). Needs a provider for the cluster's Kubernetes API.
    """

    cluster_name: pulumi.Output[str]
    """The cluster's name again: whoever takes it from here waits for the plugins."""
    providers: pulumi.Output[dict[str, str]]
    """What provides accelerators, by the label `gpufleet.io/devices` of the nodes: `nvidia-device-plugin` or
    `gpu-operator` for `nvidia`, `neuron-helm-chart` for `neuron`, `image` for `image`."""

    def __init__(self, name: str, args: DevicePluginsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:DevicePlugins", name, None, opts)
        args = typed(args, DevicePluginsArgs)
        # A release takes nothing from what it has to wait for, so that its namespace carries the order.
        namespace = pulumi.Output.from_input(args.cluster_name).apply(lambda _: NAMESPACE)
        child = pulumi.ResourceOptions(parent=self)

        made = [
            pinned(f"{name}-{chart}", chart, namespace, values, child, timeout_seconds=TIMEOUT_SECONDS)
            for chart, values in releases(args).items()
        ]

        self.cluster_name = after(args.cluster_name, *made)
        self.providers = pulumi.Output.from_input(provision.providers(provision.pools(args.designs)))
        self.register_outputs({"clusterName": self.cluster_name, "providers": self.providers})


def releases(args: DevicePluginsArgs) -> dict[str, dict[str, Any]]:
    """The charts that the pools need, with their values, which hang on the kinds of pools and not on how many."""
    found = provision.pools(args.designs)
    used = set(provision.providers(found).values())
    registries = Registries(cache=args.image_registry, pushed=args.nvidia_registry)
    made: dict[str, dict[str, Any]] = {}
    if PLUGIN in used:
        made[PLUGIN] = nvidia.plugin(registries)
    if OPERATOR in used:
        made[OPERATOR] = nvidia.operator(registries)
    if NEURON in used:
        made[NEURON] = neuron.values(registries)
    if any(pool.efa for pool in found):
        made[efa.CHART] = efa.values(args.region, args.efa_repository)
    return made
