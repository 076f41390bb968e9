"""What lies on an unencrypted volume lies in its snapshots too, readable by whoever gets one."""

from typing import Any

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._karpenter import NODE_CLASS
from ._reading import UNKNOWN, differs, elements, read, shown

_MACHINES = (
    "aws:ec2/instance:Instance",
    "aws:ec2/spotInstanceRequest:SpotInstanceRequest",
    "aws:ec2/launchConfiguration:LaunchConfiguration",
)

# Where nothing is said the account's default decides, which is off in a new account and not part of any program.


def _check_volume(args: ResourceValidationArgs, report: Report) -> None:
    _report_plain(read(args.props, "encrypted"), "encrypted", report)


def _check_machine(args: ResourceValidationArgs, report: Report) -> None:
    root = read(args.props, "rootBlockDevice")
    if root is not None or read(args.props, "launchTemplate") is None:
        _report_plain(read(root, "encrypted"), "rootBlockDevice.encrypted", report)
    for index, device in enumerate(elements(read(args.props, "ebsBlockDevices"))):
        _report_plain(read(device, "encrypted"), f"ebsBlockDevices[{index}].encrypted", report)


def _check_template(args: ResourceValidationArgs, report: Report) -> None:
    _check_mappings(read(args.props, "blockDeviceMappings"), "blockDeviceMappings", report)


def _check_class(args: ResourceValidationArgs, report: Report) -> None:
    _check_mappings(read(args.props, "spec", "blockDeviceMappings"), "spec.blockDeviceMappings", report)


def _check_default(args: ResourceValidationArgs, report: Report) -> None:
    enabled = read(args.props, "enabled")
    if differs(enabled, True, absent=True):
        report(f"enabled is {shown(enabled)}; it must be true, for all that says nothing of its own.")


def _check_mappings(mappings: Any, path: str, report: Report) -> None:
    volumes = [
        (index, volume)
        for index, mapping in enumerate(elements(mappings))
        if (volume := read(mapping, "ebs")) is not None
    ]
    for index, volume in volumes:
        _report_plain(read(volume, "encrypted"), f"{path}[{index}].ebs.encrypted", report)
    if not volumes:
        report(
            f"{path} has no ebs volume, so the root takes the account's default (off); it must be "
            "mapped with encrypted true."
        )


def _check_node_group(args: ResourceValidationArgs, report: Report) -> None:
    if read(args.props, "launchTemplate") is None:
        report(
            "launchTemplate is not set, so EKS makes volumes by the account's default (off); it must be one "
            "whose volumes are encrypted."
        )


def _report_plain(found: Any, path: str, report: Report) -> None:
    if found is not UNKNOWN and differs(found, True, absent=False):
        report(f"{path} is {shown(found)} (AWS default: the account's, which is false); it must be true.")


RULE = ResourceValidationPolicy(
    name="ec2-volume-encrypted",
    description="What lies on an unencrypted volume lies in its snapshots too, readable by whoever gets one.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.3"),
    tags=["compute", "encryption"],
    remediation_steps="Map the root volume (/dev/xvda on Amazon Linux) in the launch template with ebs: {encrypted: "
    "true, kmsKeyId: YOUR KEY}; set encrypted true on every other volume.",
    url="https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption.html",
    validate=[
        for_type(_check_volume, "aws:ebs/volume:Volume"),
        for_type(_check_machine, *_MACHINES),
        for_type(_check_template, "aws:ec2/launchTemplate:LaunchTemplate"),
        for_type(_check_class, *NODE_CLASS),
        for_type(_check_default, "aws:ebs/encryptionByDefault:EncryptionByDefault"),
        for_type(_check_node_group, "aws:eks/nodeGroup:NodeGroup"),
    ],
)
