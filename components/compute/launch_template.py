"""The launch template of a managed node group: what EC2 gives each node, beside what EKS adds."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from .design.shapes import Interface

TAGGED = ("instance", "volume", "network-interface")
"""What costs money at launch. Neither the node group's tags nor the provider's default tags reach these."""
SYSTEM_DEVICE = {"/dev/xvdb": "/dev/xvda"}
"""Bottlerocket keeps pods' data on a volume beside the system's own, which is encrypted as well."""


@dataclass(frozen=True, kw_only=True)
class NodeTemplate:
    """What the nodes of a group have in common."""

    root_device: str
    """Where images, logs and pods' data lie: `/dev/xvda`, or Bottlerocket's `/dev/xvdb`."""
    security_group_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    """All of them: with a template of its own a node does not get the group that EKS made."""
    volume_key_arn: pulumi.Input[str]
    volume_gib: int
    tags: Mapping[str, str]
    user_data: pulumi.Input[str] | None = None
    """As text."""
    interfaces: Sequence[Interface] = ()
    """Where given, each interface of a node; else EC2 makes the one that every node has."""
    image_id: str | None = None
    instance_type: str | None = None
    """Only where the group may not name types itself: in a capacity block."""
    capacity_block: bool = False
    reservation_id: pulumi.Input[str] | None = None
    dedicated: bool = False
    placement_group: pulumi.Input[str] | None = None
    """Name of a cluster placement group."""


def settings(template: NodeTemplate) -> aws.ec2.LaunchTemplateArgs:
    """The template's inputs.

    No instance type and no market options but for a capacity block: else both are the node group's to say, and EKS
    refuses them here.
    """
    return aws.ec2.LaunchTemplateArgs(
        update_default_version=True,
        image_id=template.image_id,
        instance_type=template.instance_type,
        # EC2 refuses groups at the top beside interfaces.
        vpc_security_group_ids=None if template.interfaces else template.security_group_ids,
        network_interfaces=_interfaces(template) or None,
        user_data=_encoded(template.user_data),
        metadata_options=aws.ec2.LaunchTemplateMetadataOptionsArgs(
            http_endpoint="enabled",
            http_tokens="required",
            # One hop ends on the node: a pod cannot take the node's credentials.
            http_put_response_hop_limit=1,
        ),
        block_device_mappings=_volumes(template),
        instance_market_options=_market(template),
        capacity_reservation_specification=_reservation(template),
        placement=_placement(template),
        tag_specifications=[
            aws.ec2.LaunchTemplateTagSpecificationArgs(resource_type=kind, tags=dict(sorted(template.tags.items())))
            for kind in TAGGED
        ],
    )


def _encoded(text: pulumi.Input[str] | None) -> pulumi.Input[str] | None:
    if text is None:
        return None
    if isinstance(text, str):
        return _base64(text)
    return pulumi.Output.from_input(text).apply(_base64)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _interfaces(template: NodeTemplate) -> list[aws.ec2.LaunchTemplateNetworkInterfaceArgs]:
    """Without subnet and public address: EKS puts in the subnet, and EC2 refuses an address beside several."""
    return [
        aws.ec2.LaunchTemplateNetworkInterfaceArgs(
            network_card_index=interface.card,
            device_index=interface.device,
            interface_type=interface.kind,
            security_groups=template.security_group_ids,
            delete_on_termination="true",
        )
        for interface in template.interfaces
    ]


def _volumes(template: NodeTemplate) -> list[aws.ec2.LaunchTemplateBlockDeviceMappingArgs]:
    sizes: dict[str, int | None] = {template.root_device: template.volume_gib}
    if template.root_device in SYSTEM_DEVICE:
        # As large as the image has it.
        sizes[SYSTEM_DEVICE[template.root_device]] = None
    return [
        aws.ec2.LaunchTemplateBlockDeviceMappingArgs(
            device_name=device,
            ebs=aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgs(
                volume_type="gp3",
                volume_size=size,
                encrypted="true",
                kms_key_id=template.volume_key_arn,
                delete_on_termination="true",
            ),
        )
        for device, size in sorted(sizes.items())
    ]


def _market(template: NodeTemplate) -> aws.ec2.LaunchTemplateInstanceMarketOptionsArgs | None:
    if not template.capacity_block:
        return None
    return aws.ec2.LaunchTemplateInstanceMarketOptionsArgs(market_type="capacity-block")


def _reservation(template: NodeTemplate) -> aws.ec2.LaunchTemplateCapacityReservationSpecificationArgs | None:
    if template.reservation_id is None:
        return None
    return aws.ec2.LaunchTemplateCapacityReservationSpecificationArgs(
        capacity_reservation_target=aws.ec2.LaunchTemplateCapacityReservationSpecificationCapacityReservationTargetArgs(
            capacity_reservation_id=template.reservation_id
        )
    )


def _placement(template: NodeTemplate) -> aws.ec2.LaunchTemplatePlacementArgs | None:
    if template.placement_group is None and not template.dedicated:
        return None
    return aws.ec2.LaunchTemplatePlacementArgs(
        group_name=template.placement_group, tenancy="dedicated" if template.dedicated else None
    )
