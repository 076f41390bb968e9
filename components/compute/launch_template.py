"""The launch template of a managed node group: what EC2 gives each node, beside what EKS adds."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from . import user_data

ROOT_DEVICES = {"AL2023": "/dev/xvda"}
"""By the image type's first part. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html"""
TAGGED = ("instance", "volume", "network-interface")
"""What costs money at launch. Neither the node group's tags nor the provider's default tags reach these."""


@dataclass(frozen=True, kw_only=True)
class NodeTemplate:
    """What the nodes of a group have in common."""

    image_type: str
    """EKS AMI type; decides the name of the root device."""
    security_group_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    """All of them: with a template of its own a node does not get the group that EKS made."""
    volume_key_arn: pulumi.Input[str]
    volume_gib: int
    tags: Mapping[str, str]
    local_storage: bool
    """Whether to stripe the NVMe disks."""


def settings(template: NodeTemplate) -> aws.ec2.LaunchTemplateArgs:
    """The template's inputs.

    No instance type and no market options: both are the node group's to say, and EKS refuses them here.
    """
    data = user_data.node_config(local_storage=template.local_storage)
    return aws.ec2.LaunchTemplateArgs(
        update_default_version=True,
        vpc_security_group_ids=template.security_group_ids,
        user_data=base64.b64encode(data.encode()).decode() if data is not None else None,
        metadata_options=aws.ec2.LaunchTemplateMetadataOptionsArgs(
            http_endpoint="enabled",
            http_tokens="required",
            # One hop ends on the node: a pod cannot take the node's credentials.
            http_put_response_hop_limit=1,
        ),
        block_device_mappings=[
            aws.ec2.LaunchTemplateBlockDeviceMappingArgs(
                device_name=ROOT_DEVICES[template.image_type.split("_")[0]],
                ebs=aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgs(
                    volume_type="gp3",
                    volume_size=template.volume_gib,
                    encrypted="true",
                    kms_key_id=template.volume_key_arn,
                    delete_on_termination="true",
                ),
            )
        ],
        tag_specifications=[
            aws.ec2.LaunchTemplateTagSpecificationArgs(resource_type=kind, tags=dict(sorted(template.tags.items())))
            for kind in TAGGED
        ],
    )
