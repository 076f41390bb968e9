from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_volume_encrypted import RULE
from tests.policies.judging import later, messages


def _fault(what: str, found: str) -> str:
    return f"{what} is {found} (AWS default: the account's, which is false); it must be true."


def _template(name: str, *ebs: Any) -> aws.ec2.LaunchTemplate:
    mappings = [
        aws.ec2.LaunchTemplateBlockDeviceMappingArgs(device_name=f"/dev/xvd{letter}", ebs=volume)
        for letter, volume in zip("abc", ebs, strict=False)
    ]
    return aws.ec2.LaunchTemplate(name, block_device_mappings=mappings)


def test_a_plain_volume_is_reported_wherever_it_is_declared(preview: bool) -> None:
    def build() -> None:
        aws.ebs.Volume("volume", availability_zone="us-east-1a", size=10)
        aws.ec2.Instance(
            "instance",
            ami=later("ami-1"),
            instance_type="m7i.large",
            root_block_device=aws.ec2.InstanceRootBlockDeviceArgs(encrypted=False),
            ebs_block_devices=[aws.ec2.InstanceEbsBlockDeviceArgs(device_name="/dev/sdb")],
        )
        _template("template", {"encrypted": "true"}, {"encrypted": "false"}, {"volume_size": 100})

    assert messages(RULE, build, preview=preview) == [
        _fault("volume: encrypted", "not set"),
        _fault("instance: ebsBlockDevices[0].encrypted", "not set"),
        _fault("instance: rootBlockDevice.encrypted", "false"),
        _fault("template: blockDeviceMappings[1].ebs.encrypted", "false"),
        _fault("template: blockDeviceMappings[2].ebs.encrypted", "not set"),
    ]


def test_a_template_without_a_volume_and_a_node_group_without_a_template_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate("template")
        aws.eks.NodeGroup(
            "nodes",
            cluster_name="c",
            node_role_arn="r",
            subnet_ids=[later("subnet-1")],
            scaling_config=aws.eks.NodeGroupScalingConfigArgs(min_size=0, max_size=1, desired_size=0),
        )

    assert messages(RULE, build, preview=preview) == [
        "template: blockDeviceMappings has no ebs volume, so the root takes the account's default (off); it must be "
        "mapped with encrypted true.",
        "nodes: launchTemplate is not set, so EKS makes volumes by the account's default (off); it must be one whose "
        "volumes are encrypted.",
    ]


def test_encrypted_volumes_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ebs.Volume("volume", availability_zone="us-east-1a", size=10, encrypted=True)
        template = _template("template", {"encrypted": "true", "kms_key_id": later("arn")})
        aws.ec2.Instance("instance", launch_template=aws.ec2.InstanceLaunchTemplateArgs(id=template.id))

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_flag_is_quiet_and_hides_no_certain_one() -> None:
    def build() -> None:
        _template("template", {"encrypted": later("false")}, {"encrypted": "false"})

    first, second = (_fault(f"template: blockDeviceMappings[{index}].ebs.encrypted", "false") for index in (0, 1))
    assert messages(RULE, build, preview=True) == [second]
    assert messages(RULE, build) == [first, second]
