"""A machine with a public address is in the internet, whatever its subnet was meant to be."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._karpenter import NODE_CLASS
from ._reading import differs, elements, read, shown

_MACHINES = (
    "aws:ec2/instance:Instance",
    "aws:ec2/spotInstanceRequest:SpotInstanceRequest",
    "aws:ec2/launchConfiguration:LaunchConfiguration",
)


def _check_machine(args: ResourceValidationArgs, report: Report) -> None:
    _report_public(read(args.props, "associatePublicIpAddress"), "associatePublicIpAddress", report)


def _check_template(args: ResourceValidationArgs, report: Report) -> None:
    for index, interface in enumerate(elements(read(args.props, "networkInterfaces"))):
        path = f"networkInterfaces[{index}].associatePublicIpAddress"
        _report_public(read(interface, "associatePublicIpAddress"), path, report)


def _check_class(args: ResourceValidationArgs, report: Report) -> None:
    _report_public(read(args.props, "spec", "associatePublicIPAddress"), "spec.associatePublicIPAddress", report)


def _report_public(found: object, path: str, report: Report) -> None:
    # Where nothing is said the subnet decides, and ec2-subnet-no-public-ip watches that.
    if differs(found, False, absent=False):
        report(f"{path} is {shown(found)}; it must be false.")


RULE = ResourceValidationPolicy(
    name="ec2-instance-no-public-ip",
    description="A machine with a public address is part of the internet, whatever its subnet was meant to be.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.25"),
    tags=["network", "compute"],
    remediation_steps="Set associatePublicIpAddress to false (or leave it out, in a private subnet); reach nodes "
    "through Session Manager.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-instance-addressing.html",
    validate=[
        for_type(_check_machine, *_MACHINES),
        for_type(_check_template, "aws:ec2/launchTemplate:LaunchTemplate"),
        for_type(_check_class, *NODE_CLASS),
    ],
)
