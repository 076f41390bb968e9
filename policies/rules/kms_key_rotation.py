"""A key that never changes protects all that was ever written under it with one secret."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, differs, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    # KMS rotates symmetric encryption keys only; both properties default to that kind.
    for key, wanted in (("customerMasterKeySpec", "SYMMETRIC_DEFAULT"), ("keyUsage", "ENCRYPT_DECRYPT")):
        kind = read(args.props, key)
        if kind is UNKNOWN or differs(kind, wanted, absent=wanted):
            return
    found = read(args.props, "enableKeyRotation")
    if differs(found, True, absent=False):  # AWS: off
        report(f"enableKeyRotation is {shown(found)} (AWS default false); it must be true.")


RULE = ResourceValidationPolicy(
    name="kms-key-rotation",
    description="A key that never changes protects all that was ever written under it with one secret.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("KMS.4"),
    tags=["data", "encryption"],
    remediation_steps="Set enableKeyRotation true; old data stays readable and nothing has to be encrypted again.",
    url="https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html",
    validate=for_type(_check, "aws:kms/key:Key"),
)
