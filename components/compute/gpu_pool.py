"""A pool of GPU nodes as a managed node group."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from . import launch_template, node_group, reservation, schedule, user_data
from .design import as_document
from .design.request import Taint
from .design.shapes import Design
from .pool_args import PoolArgs

EFFECTS = {"NoSchedule": "NO_SCHEDULE", "NoExecute": "NO_EXECUTE", "PreferNoSchedule": "PREFER_NO_SCHEDULE"}
"""Kubernetes' words for what a taint does, and EKS's."""


@dataclass(frozen=True, kw_only=True)
class GpuPoolArgs(PoolArgs):
    """What a `GpuPool` is made from."""

    node_role_arn: pulumi.Input[str]
    cluster_endpoint: pulumi.Input[str] | None = None
    """This and the two below are needed where `image_id` is given: EKS tells such an image nothing."""
    cluster_certificate_authority: pulumi.Input[str] | None = None
    """Base64 PEM."""
    cluster_service_cidr: pulumi.Input[str] | None = None

    def __post_init__(self) -> None:
        if self.image_id and not (
            self.cluster_endpoint and self.cluster_certificate_authority and self.cluster_service_cidr
        ):
            raise ValueError(
                "image_id: needs cluster_endpoint, cluster_certificate_authority and cluster_service_cidr beside it, "
                "since EKS tells an image of one's own nothing; pass the cluster's outputs"
            )
        self.decided("node-group")


class GpuPool(pulumi.ComponentResource):
    """An EKS managed node group of accelerated nodes, and what belongs to it.

    Creates: the launch template (encrypted volumes, IMDSv2 with one hop, EFA interfaces where the design has them,
    NVMe striped where every type has it); the node group with the image that fits and the taint that keeps everything
    off that does not ask for a GPU; a placement group, a reservation and scheduled sizes where the design has them.
    EKS repairs nodes whose GPUs fail. Deliberately not: device plugins, a scaler: from the first day on the number of
    nodes between floor and ceiling belongs to whatever scales the group.
    """

    node_group_name: pulumi.Output[str]
    node_group_arn: pulumi.Output[str]
    launch_template_id: pulumi.Output[str]
    design: pulumi.Output[Mapping[str, Any]]
    """Everything that was decided, with the reasons."""

    def __init__(self, name: str, args: GpuPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:GpuPool", name, None, opts)
        args = typed(args, GpuPoolArgs)
        child = pulumi.ResourceOptions(parent=self)
        design = args.decided("node-group")

        tags = {"Name": name, **args.tags}
        placement = (
            aws.ec2.PlacementGroup(f"{name}-placement", strategy="cluster", tags=tags, opts=child)
            if design.placement_group
            else None
        )
        template = launch_template.NodeTemplate(
            root_device=design.image.data_device,
            security_group_ids=args.groups(design),
            volume_key_arn=args.volume_key_arn,
            volume_gib=design.volume_gib,
            tags=tags,
            user_data=_user_data(args, design),
            interfaces=design.interfaces,
            image_id=design.image.ami_id,
            instance_type=design.instance_types[0] if design.type_in_template else None,
            capacity_block=design.market_type is not None,
            reservation_id=reservation.build(name, design, args.tags, child),
            dedicated=design.tenancy is not None,
            # The id of a placement group is its name.
            placement_group=placement.id if placement is not None else None,
        )
        nodes, made = node_group.build(name, _group(args, design), template, child)
        schedule.build(name, design, nodes, child)

        self.node_group_name = nodes.node_group_name
        self.node_group_arn = nodes.arn
        self.launch_template_id = made.id
        self.design = pulumi.Output.from_input(as_document(design))
        self.register_outputs(
            {
                "nodeGroupName": self.node_group_name,
                "nodeGroupArn": self.node_group_arn,
                "launchTemplateId": self.launch_template_id,
                "design": self.design,
            }
        )


def _group(args: GpuPoolArgs, design: Design) -> node_group.NodeGroup:
    zones = design.zones
    return node_group.NodeGroup(
        cluster_name=args.cluster_name,
        kubernetes_version=args.kubernetes_version,
        node_role_arn=args.node_role_arn,
        subnet_ids=pulumi.Output.from_input(args.subnet_ids).apply(lambda ids: [ids[zone] for zone in zones]),
        image_type=None if design.image.ami_id else design.image.ami_type,
        image_release=design.image.release_version,
        instance_types=() if design.type_in_template else design.instance_types,
        capacity_type=design.capacity_type,
        min_nodes=args.min_nodes,
        first_nodes=design.desired_at_first,
        max_nodes=args.max_nodes,
        minimal_update=design.update_strategy == "MINIMAL",
        max_unavailable=design.max_unavailable,
        repairs=design.repair_overrides,
        labels=design.labels,
        taints=[_taint(taint) for taint in design.taints],
    )


def _taint(taint: Taint) -> aws.eks.NodeGroupTaintArgs:
    return aws.eks.NodeGroupTaintArgs(key=taint.key, value=taint.value, effect=EFFECTS[taint.effect])


def _user_data(args: GpuPoolArgs, design: Design) -> pulumi.Input[str] | None:
    write = user_data.WRITERS[design.image.family]
    if design.image.ami_id is None:
        return write(user_data.of(design))

    def with_cluster(known: list[str]) -> str:
        name, endpoint, authority, cidr = known
        facts = user_data.ClusterFacts(name=name, endpoint=endpoint, certificate_authority=authority, service_cidr=cidr)
        return write(user_data.of(design, facts)) or ""

    return pulumi.Output.all(
        args.cluster_name, args.cluster_endpoint, args.cluster_certificate_authority, args.cluster_service_cidr
    ).apply(with_cluster)
