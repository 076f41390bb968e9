"""A volume under Amazon's own key opens to whoever may use the account's volumes, and cannot be shut by the key."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import elements, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for index, mapping in enumerate(elements(read(args.props, "blockDeviceMappings"))):
        volume = read(mapping, "ebs")
        if volume is not None and read(volume, "kmsKeyId") is None:
            report(
                f"blockDeviceMappings[{index}].ebs.kmsKeyId is not set (AWS default: the account's, which is aws/ebs); "
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
    validate=for_type(_check, "aws:ec2/launchTemplate:LaunchTemplate"),
)
