"""A volume under Amazon's own key opens to whoever may use the account's volumes, and cannot be shut by the key."""

from typing import Any

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._karpenter import NODE_CLASS
from ._reading import elements, read


def _check_template(args: ResourceValidationArgs, report: Report) -> None:
    _check(read(args.props, "blockDeviceMappings"), "blockDeviceMappings", "kmsKeyId", report)


def _check_class(args: ResourceValidationArgs, report: Report) -> None:
    _check(read(args.props, "spec", "blockDeviceMappings"), "spec.blockDeviceMappings", "kmsKeyID", report)


def _check(mappings: Any, path: str, key: str, report: Report) -> None:
    for index, mapping in enumerate(elements(mappings)):
        volume = read(mapping, "ebs")
        if volume is not None and read(volume, key) is None:
            report(
                f"{path}[{index}].ebs.{key} is not set (AWS default: the account's, which is aws/ebs); "
                "it must name a KMS key of your own."
            )


RULE = ResourceValidationPolicy(
    name="eks-node-volume-own-key",
    description="A volume under Amazon's own key opens to whoever may use the account's volumes, and cannot be shut by "
    "taking the key away.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "encryption"],
    remediation_steps="Set kmsKeyId in the template's ebs block; the key's policy must let Auto Scaling's "
    "service-linked role use it and grant it to AWS resources, or nodes die as they start.",
    url="https://docs.aws.amazon.com/autoscaling/ec2/userguide/key-policy-requirements-EBS-encryption.html",
    validate=[for_type(_check_template, "aws:ec2/launchTemplate:LaunchTemplate"), for_type(_check_class, *NODE_CLASS)],
)
