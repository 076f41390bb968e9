"""Name service inside the cluster, once there are nodes to run it."""

from dataclasses import dataclass

import pulumi

from ..arguments import typed
from ..ordering import after
from . import addons


@dataclass(frozen=True, kw_only=True)
class ClusterDnsArgs:
    """What a `ClusterDns` is made from."""

    cluster_name: pulumi.Input[str]
    """Take it from `SystemNodes.cluster_name`: CoreDNS is healthy only on a node, and EKS waits for that."""


class ClusterDns(pulumi.ComponentResource):
    """The CoreDNS add-on. A component of its own, so that it comes after the system nodes and they after the
    cluster."""

    addon_arn: pulumi.Output[str]
    cluster_name: pulumi.Output[str]
    """The cluster's name again: whoever takes it from here waits until names resolve in the cluster."""

    def __init__(self, name: str, args: ClusterDnsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:ClusterDns", name, None, opts)
        args = typed(args, ClusterDnsArgs)

        addon = addons.addon(name, args.cluster_name, "coredns", pulumi.ResourceOptions(parent=self))

        self.addon_arn = addon.arn
        self.cluster_name = after(args.cluster_name, addon)
        self.register_outputs({"addonArn": self.addon_arn, "clusterName": self.cluster_name})
