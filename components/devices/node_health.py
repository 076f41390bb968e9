"""The agent that says when a node's accelerators, disks or network have failed, as an EKS add-on."""

import json
import re
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from gpufleet.facts import node_agent

from ..arguments import typed

CONFIGURATION = {"dcgmAgent": {"tolerations": [{"operator": "Exists"}]}}
"""The part that asks the GPUs tolerates nothing by itself, so that the taint of GPU nodes keeps it off every one of
them, in silence. The schema has nothing by which a single XID could be left alone.
https://github.com/aws/eks-node-monitoring-agent/blob/main/charts/configuration.schema.json"""


@dataclass(frozen=True, kw_only=True)
class NodeHealthArgs:
    """What a `NodeHealth` is made from."""

    cluster_name: pulumi.Input[str]
    """Take it from what waits for nodes: EKS waits until the add-on runs."""
    addon_version: str = node_agent.VERSION

    def __post_init__(self) -> None:
        if not re.fullmatch(r"v\d+\.\d+\.\d+(-eksbuild\.\d+)?", self.addon_version):
            raise ValueError(f"addon_version: {self.addon_version!r} is no version; write {node_agent.VERSION}")
        if node_agent.version_key(self.addon_version) < node_agent.version_key(node_agent.LEAST_VERSION):
            raise ValueError(
                f"addon_version: {self.addon_version!r} is too old; allowed are {node_agent.LEAST_VERSION} and newer: "
                f"{node_agent.LEAST_VERSION_WHY}"
            )


class NodeHealth(pulumi.ComponentResource):
    """The `eks-node-monitoring-agent` add-on.

    It reports; what then happens is decided where the nodes are: managed node groups have EKS's auto repair, which
    `GpuPool` switches on, with its overrides. Karpenter repairs a node by these reports only behind its feature gate
    NodeRepair, which is alpha and off: there a failed node goes when its pods do, or somebody deletes its NodeClaim.
    The reports stand on the nodes either way. Deliberately not: metrics of the GPUs.
    """

    addon_arn: pulumi.Output[str]

    def __init__(self, name: str, args: NodeHealthArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:NodeHealth", name, None, opts)
        args = typed(args, NodeHealthArgs)

        addon = aws.eks.Addon(
            name,
            cluster_name=args.cluster_name,
            addon_name=node_agent.ADDON,
            addon_version=args.addon_version,
            configuration_values=json.dumps(CONFIGURATION),
            resolve_conflicts_on_create="OVERWRITE",
            resolve_conflicts_on_update="OVERWRITE",
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.addon_arn = addon.arn
        self.register_outputs({"addonArn": self.addon_arn})
