"""A volume that outlives its node keeps the data of whoever ran there, and is billed for ever."""

from typing import Any

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._karpenter import NODE_CLASS
from ._reading import differs, elements, read, shown


def _check_template(args: ResourceValidationArgs, report: Report) -> None:
    _report(read(args.props, "blockDeviceMappings"), "blockDeviceMappings", report)


def _check_class(args: ResourceValidationArgs, report: Report) -> None:
    _report(read(args.props, "spec", "blockDeviceMappings"), "spec.blockDeviceMappings", report)


def _report(mappings: Any, path: str, report: Report) -> None:
    for index, mapping in enumerate(elements(mappings)):
        found = read(mapping, "ebs", "deleteOnTermination")
        if found is not None and differs(found, True, absent=True):
            report(f"{path}[{index}].ebs.deleteOnTermination is {shown(found)}; it must be true.")


RULE = ResourceValidationPolicy(
    name="ec2-volume-goes-with-its-node",
    description="A volume that outlives its node keeps the data of whoever ran there, and is billed for ever.",
    severity=Severity.LOW,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "data", "money"],
    remediation_steps="Set deleteOnTermination true; what must last belongs in a bucket, a file system or a claim "
    "of its own.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/preserving-volumes-on-termination.html",
    validate=[for_type(_check_template, "aws:ec2/launchTemplate:LaunchTemplate"), for_type(_check_class, *NODE_CLASS)],
)
