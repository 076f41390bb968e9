"""What every managed node group of ours has in common: its name, its template, its size, its repair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from . import launch_template
from .design.shapes import RepairOverride

POOL_LABEL = "gpufleet.io/pool"
LONGEST_NAME = 55
"""EKS allows 63 characters (https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html), and the
engine adds 8 to the logical name. With a fixed name a replacement would have to delete the old group first."""


@dataclass(frozen=True, kw_only=True)
class NodeGroup:
    """What a group is set to; the fields mean what they mean in `PoolArgs`."""

    cluster_name: pulumi.Input[str]
    kubernetes_version: str
    node_role_arn: pulumi.Input[str]
    subnet_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    image_type: str | None
    """EKS AMI type; None where the template names an image of its own."""
    image_release: str | None = None
    instance_types: Sequence[str]
    """Empty where the template names the type."""
    capacity_type: str
    """`ON_DEMAND`, `SPOT` or `CAPACITY_BLOCK`."""
    min_nodes: int
    first_nodes: int | None = None
    """Nodes that the group is made with; its minimum where not said."""
    max_nodes: int
    max_unavailable: int = 1
    minimal_update: bool = False
    """Whether an update ends a node before it brings another: there is no spare one in a reservation."""
    repairs: Sequence[RepairOverride] = ()
    """What EKS does about some faults in place of what it does by itself."""
    labels: Mapping[str, str]
    taints: Sequence[aws.eks.NodeGroupTaintArgs] = ()


def build(
    name: str, group: NodeGroup, template: launch_template.NodeTemplate, child: pulumi.ResourceOptions
) -> tuple[aws.eks.NodeGroup, aws.ec2.LaunchTemplate]:
    """The template `{name}-template` and the group `{name}`.

    The group begins with its minimum; from then on its desired size belongs to whatever scales it.

    Raises:
        ValueError: the name leaves no room for the engine's suffix.
    """
    if len(name) > LONGEST_NAME:
        raise ValueError(
            f"name: {name!r} has {len(name)} characters; a node group may have {LONGEST_NAME}, so shorten it"
        )
    made = aws.ec2.LaunchTemplate(f"{name}-template", launch_template.settings(template), child)
    nodes = aws.eks.NodeGroup(
        name,
        cluster_name=group.cluster_name,
        # EKS takes neither beside an image of one's own, which has its version built in.
        version=group.kubernetes_version if group.image_type else None,
        release_version=group.image_release,
        ami_type=group.image_type,
        node_role_arn=group.node_role_arn,
        subnet_ids=group.subnet_ids,
        capacity_type=group.capacity_type,
        instance_types=list(group.instance_types) or None,
        launch_template=aws.eks.NodeGroupLaunchTemplateArgs(
            id=made.id, version=made.latest_version.apply(lambda version: str(int(version)))
        ),
        scaling_config=aws.eks.NodeGroupScalingConfigArgs(
            desired_size=group.min_nodes if group.first_nodes is None else group.first_nodes,
            min_size=group.min_nodes,
            max_size=group.max_nodes,
        ),
        update_config=aws.eks.NodeGroupUpdateConfigArgs(
            max_unavailable=group.max_unavailable, update_strategy="MINIMAL" if group.minimal_update else None
        ),
        node_repair_config=aws.eks.NodeGroupNodeRepairConfigArgs(
            enabled=True,
            node_repair_config_overrides=[
                aws.eks.NodeGroupNodeRepairConfigNodeRepairConfigOverrideArgs(
                    node_monitoring_condition=repair.condition,
                    node_unhealthy_reason=repair.reason,
                    repair_action=repair.action,
                    min_repair_wait_time_mins=repair.min_wait_minutes,
                )
                for repair in group.repairs
            ]
            or None,
        ),
        labels=dict(sorted(group.labels.items())),
        taints=list(group.taints) or None,
        tags=dict(sorted(template.tags.items())),
        # In wire form: the SDK translates only the first part of a path, and would ignore nothing without a word.
        opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(ignore_changes=["scalingConfig.desiredSize"])),
    )
    return nodes, made


def check_size(min_nodes: int, max_nodes: int) -> None:
    """Raise ValueError where the bounds of a group contradict each other or EKS."""
    if max_nodes < 1:
        raise ValueError(f"max_nodes: {max_nodes} must be 1 or more; to close a pool, remove it")
    if not 0 <= min_nodes <= max_nodes:
        raise ValueError(f"min_nodes: {min_nodes} must be between 0 and max_nodes ({max_nodes})")
