"""A pool of GPU nodes with a ceiling."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_aws as aws

from gpufleet.facts import instances

from ..arguments import typed
from . import images, launch_template, node_group

CAPACITY_TYPES = {"on-demand": "ON_DEMAND", "spot": "SPOT"}
TAINT_KEY, TAINT_VALUE = "nvidia.com/gpu", "present"
"""What NVIDIA's charts tolerate as they come. https://github.com/NVIDIA/gpu-operator"""
LEAST_VOLUME_GIB = 200
"""Image of the node, a few CUDA images of 10 to 30 GiB each, and room to unpack them."""


@dataclass(frozen=True, kw_only=True)
class GpuPoolArgs:
    """What a `GpuPool` is made from."""

    pool_name: str
    """Unique in the cluster; the nodes' label `gpufleet.io/pool`."""
    cluster_name: pulumi.Input[str]
    kubernetes_version: str
    """Minor version, `1.35`, not above the cluster's."""
    node_role_arn: pulumi.Input[str]
    subnet_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    """Private subnets, in zones that offer the types."""
    security_group_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    """All groups of the nodes, the cluster's node group among them."""
    volume_key_arn: pulumi.Input[str]
    """Its policy must let EC2 Auto Scaling use it (`EncryptionKey` with `for_node_volumes`)."""
    instance_types: Sequence[str]
    """NVIDIA types of one architecture; on-demand takes them in this order, spot as capacity and price have it."""
    purchase: str = "on-demand"
    """`on-demand` or `spot`."""
    min_nodes: int = 0
    max_nodes: int
    """The ceiling; there is no pool without one."""
    volume_gib: int = 200
    """GiB of each node's encrypted root volume, 200 at least."""
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    """For instances, volumes and interfaces too, which the provider's default tags do not reach."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Kubernetes labels of the nodes."""

    def __post_init__(self) -> None:
        node_group.check_pool_name(self.pool_name)
        node_group.check_size(self.min_nodes, self.max_nodes)
        images.for_gpus(self.instance_types)
        if self.purchase not in CAPACITY_TYPES:
            raise ValueError(f"purchase: {self.purchase!r} is not known; allowed are {', '.join(CAPACITY_TYPES)}")
        if self.purchase == "spot" and (never := [t for t in self.instance_types if instances.get(t).spot is False]):
            raise ValueError(f"instance_types: {', '.join(never)} are not sold as spot; choose others, or on-demand")
        if self.volume_gib < LEAST_VOLUME_GIB:
            raise ValueError(
                f"volume_gib: {self.volume_gib} is too small for GPU images; allowed are {LEAST_VOLUME_GIB} and more"
            )


class GpuPool(pulumi.ComponentResource):
    """An EKS managed node group of NVIDIA nodes, and its launch template.

    Nodes have an encrypted root volume, IMDSv2 with one hop, NVMe striped where every type has it, the image that
    fits, and the taint that keeps everything off that does not ask for a GPU. EKS repairs nodes whose GPUs fail.
    Deliberately not: the device plugin, EFA interfaces, reservations and capacity blocks, a scaler: `min_nodes` and
    `max_nodes` are what a scaler keeps to.
    """

    node_group_name: pulumi.Output[str]
    node_group_arn: pulumi.Output[str]
    launch_template_id: pulumi.Output[str]

    def __init__(self, name: str, args: GpuPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:GpuPool", name, None, opts)
        args = typed(args, GpuPoolArgs)

        group = node_group.NodeGroup(
            cluster_name=args.cluster_name,
            kubernetes_version=args.kubernetes_version,
            node_role_arn=args.node_role_arn,
            subnet_ids=args.subnet_ids,
            instance_types=args.instance_types,
            capacity_type=CAPACITY_TYPES[args.purchase],
            min_nodes=args.min_nodes,
            max_nodes=args.max_nodes,
            labels={**args.labels, node_group.POOL_LABEL: args.pool_name},
            taints=[aws.eks.NodeGroupTaintArgs(key=TAINT_KEY, value=TAINT_VALUE, effect="NO_SCHEDULE")],
        )
        template = launch_template.NodeTemplate(
            image_type=images.for_gpus(args.instance_types),
            security_group_ids=args.security_group_ids,
            volume_key_arn=args.volume_key_arn,
            volume_gib=args.volume_gib,
            tags={"Name": name, **args.tags},
            local_storage=images.all_have_nvme(args.instance_types),
        )
        nodes, made = node_group.build(name, group, template, pulumi.ResourceOptions(parent=self))

        self.node_group_name = nodes.node_group_name
        self.node_group_arn = nodes.arn
        self.launch_template_id = made.id
        self.register_outputs(
            {
                "nodeGroupName": self.node_group_name,
                "nodeGroupArn": self.node_group_arn,
                "launchTemplateId": self.launch_template_id,
            }
        )
