"""The nodes that run the cluster's own services, so that no GPU node has to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pulumi

from ..arguments import typed
from ..compute import images, launch_template, node_group, user_data
from ..ordering import after

POOL_NAME = "system"
ROOT_DEVICE = "/dev/xvda"
"""Of AL2023. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html"""
LEAST_VOLUME_GIB = 20
"""The AL2023 image needs so much. https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html"""


@dataclass(frozen=True, kw_only=True)
class SystemNodesArgs:
    """What `SystemNodes` are made from."""

    cluster_name: pulumi.Input[str]
    kubernetes_version: str
    """Minor version, `1.35`, not above the cluster's."""
    node_role_arn: pulumi.Input[str]
    subnet_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    """Private subnets, in two zones at least, so that the loss of one does not take the cluster's DNS."""
    security_group_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    """All groups of the nodes, the cluster's node group among them."""
    volume_key_arn: pulumi.Input[str]
    """Its policy must let EC2 Auto Scaling use it (`EncryptionKey` with `for_node_volumes`)."""
    instance_types: Sequence[str] = ("m7i.xlarge",)
    """General types of one architecture; taken in this order."""
    min_nodes: int = 2
    """Two, so that CoreDNS survives the loss of a node."""
    max_nodes: int = 4
    volume_gib: int = 80
    """GiB of each node's encrypted root volume, 20 at least."""
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    """For instances, volumes and interfaces too, which the provider's default tags do not reach."""

    def __post_init__(self) -> None:
        node_group.check_size(self.min_nodes, self.max_nodes)
        if self.min_nodes < 1:
            raise ValueError(f"min_nodes: {self.min_nodes} leaves the cluster without DNS; allowed are 1 and more")
        images.for_system(self.instance_types)
        if self.volume_gib < LEAST_VOLUME_GIB:
            raise ValueError(f"volume_gib: {self.volume_gib} is too small; allowed are {LEAST_VOLUME_GIB} and more")


class SystemNodes(pulumi.ComponentResource):
    """An on-demand managed node group without GPUs and without taints, and its launch template."""

    cluster_name: pulumi.Output[str]
    """The cluster's name again: whoever takes it from here waits until the cluster has nodes."""
    node_group_name: pulumi.Output[str]
    node_group_arn: pulumi.Output[str]
    launch_template_id: pulumi.Output[str]

    def __init__(self, name: str, args: SystemNodesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:SystemNodes", name, None, opts)
        args = typed(args, SystemNodesArgs)

        group = node_group.NodeGroup(
            cluster_name=args.cluster_name,
            kubernetes_version=args.kubernetes_version,
            node_role_arn=args.node_role_arn,
            subnet_ids=args.subnet_ids,
            image_type=images.for_system(args.instance_types),
            instance_types=args.instance_types,
            capacity_type="ON_DEMAND",
            min_nodes=args.min_nodes,
            max_nodes=args.max_nodes,
            labels={node_group.POOL_LABEL: POOL_NAME},
        )
        template = launch_template.NodeTemplate(
            root_device=ROOT_DEVICE,
            security_group_ids=args.security_group_ids,
            volume_key_arn=args.volume_key_arn,
            volume_gib=args.volume_gib,
            tags={"Name": name, **args.tags},
            user_data=user_data.node_config(
                user_data.NodeSettings(local_storage=images.all_have_nvme(args.instance_types))
            ),
        )
        nodes, made = node_group.build(name, group, template, pulumi.ResourceOptions(parent=self))

        self.cluster_name = after(args.cluster_name, nodes)
        self.node_group_name = nodes.node_group_name
        self.node_group_arn = nodes.arn
        self.launch_template_id = made.id
        self.register_outputs(
            {
                "clusterName": self.cluster_name,
                "nodeGroupName": self.node_group_name,
                "nodeGroupArn": self.node_group_arn,
                "launchTemplateId": self.launch_template_id,
            }
        )
