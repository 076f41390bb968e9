"""EFS keeps files in the clear unless it is told otherwise when it is made, and cannot be told later."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import differs, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    encrypted, key = read(args.props, "encrypted"), read(args.props, "kmsKeyId")
    if differs(encrypted, True, absent=False):
        report(f"encrypted is {shown(encrypted)} (AWS default false); it must be true.")
    elif key is None:
        report("kmsKeyId is not set (AWS default aws/elasticfilesystem); it must name a KMS key of your own.")


RULE = ResourceValidationPolicy(
    name="efs-encrypted-with-own-key",
    description="EFS keeps files in the clear unless it is told otherwise when it is made, and cannot be told later.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EFS.1"),
    tags=["data", "encryption"],
    remediation_steps="Set encrypted true and kms_key_id; a file system that is there already has to be copied.",
    url="https://docs.aws.amazon.com/efs/latest/ug/encryption-at-rest.html",
    validate=for_type(_check, "aws:efs/fileSystem:FileSystem"),
)
