"""Karpenter's controller inside the cluster."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as k8s

from gpufleet.facts import charts

from ..arguments import typed
from ..compute import node_group
from ..ordering import after
from ..releases import pinned
from ..storage import upstream_registries
from .karpenter_access import NAMESPACE

CHART, DEFINITIONS = "karpenter", "karpenter-crd"
"""The definitions come by a chart of their own: Helm installs those in a chart's `crds` folder once and never updates
them. https://karpenter.sh/docs/upgrading/upgrade-guide/#crd-upgrades"""

TIMEOUT_SECONDS = 600
CPU, MEMORY = "1", "1Gi"
"""https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/#4-install-karpenter"""


@dataclass(frozen=True, kw_only=True)
class KarpenterArgs:
    """What a `Karpenter` is made from."""

    cluster_name: pulumi.Input[str]
    """Take it from what stands before it: the system nodes that the controller runs on, and the cluster's DNS."""
    queue_name: pulumi.Input[str]
    """`KarpenterAccess.queue_name`."""
    service_account: pulumi.Input[str]
    """`KarpenterAccess.controller_service_account`."""
    isolated: bool = False
    """Whether the network has no way out: prices are then those the controller was built with."""
    image_registry: pulumi.Input[str] | None = None
    """Where the cluster finds public images instead of their own registries, `HOST/PREFIX` of a `PullThroughCache`;
    left out, they come from public.ecr.aws."""
    system_pool: str = "system"
    """Pool on whose nodes the controller runs. Never one of its own: it would have to start the node it waits for."""
    replicas: int = 2
    """One leads, the others stand by. Each takes a node of its own, so not more than the system pool keeps."""
    log_level: str = "info"
    """`debug`, `info` or `error`."""

    def __post_init__(self) -> None:
        if self.replicas < 1:
            raise ValueError(f"replicas: {self.replicas} must be 1 or more")
        if self.log_level not in ("debug", "info", "error"):
            raise ValueError(f"log_level: {self.log_level!r} is not known; allowed are debug, info, error")


class Karpenter(pulumi.ComponentResource):
    """Karpenter in the version that is pinned, by its two charts.

    Pools take the cluster's name from here, so that they come after the controller and go before it: a controller that
    goes first leaves its nodes running, with nobody to end them. Deliberately not: pools, AWS resources (see
    `KarpenterAccess`). Needs a provider for the cluster's Kubernetes API.
    """

    cluster_name: pulumi.Output[str]
    """The cluster's name again: whoever takes it from here waits for a controller that runs."""

    def __init__(self, name: str, args: KarpenterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:Karpenter", name, None, opts)
        args = typed(args, KarpenterArgs)
        child = pulumi.ResourceOptions(parent=self)

        definitions = _release(f"{name}-crd", DEFINITIONS, {}, child)
        controller = _release(
            name,
            CHART,
            values(args),
            pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[definitions])),
        )

        self.cluster_name = after(args.cluster_name, definitions, controller)
        self.register_outputs({"clusterName": self.cluster_name})


def values(args: KarpenterArgs) -> dict[str, Any]:
    """The chart's values, only those that differ from its own or that others rely on."""
    return {
        "replicas": args.replicas,
        "logLevel": args.log_level,
        "serviceAccount": {"create": True, "name": args.service_account},
        "nodeSelector": {"kubernetes.io/os": "linux", node_group.POOL_LABEL: args.system_pool},
        "controller": {
            "resources": {"requests": {"cpu": CPU, "memory": MEMORY}, "limits": {"memory": MEMORY}},
            **({} if args.image_registry is None else {"image": {"repository": _repository(args.image_registry)}}),
        },
        "settings": {
            "clusterName": args.cluster_name,
            "interruptionQueue": args.queue_name,
            "isolatedVPC": args.isolated,
            "eksControlPlane": True,
            "featureGates": {"reservedCapacity": True},
        },
    }


def _release(
    name: str, chart_name: str, chart_values: Mapping[str, Any], opts: pulumi.ResourceOptions
) -> k8s.helm.v3.Release:
    return pinned(name, chart_name, NAMESPACE, chart_values, opts, timeout_seconds=TIMEOUT_SECONDS, skip_crds=True)


def _repository(registry: pulumi.Input[str]) -> pulumi.Output[str]:
    """The image's repository below the registry; tag and digest stay those of the chart."""
    (image,) = charts.get(CHART).images
    path = upstream_registries.cached(image.partition(":")[0], "")
    return pulumi.Output.concat(registry, path or "")
