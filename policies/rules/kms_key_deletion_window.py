"""A key that is gone takes all that was written under it along, so a mistake must have time to be noticed."""

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, number, read, shown

_MIN_DAYS = 14
_TYPES = (
    *("aws:kms/key:Key", "aws:kms/externalKey:ExternalKey", "aws:kms/replicaKey:ReplicaKey"),
    "aws:kms/replicaExternalKey:ReplicaExternalKey",
)


def _check(args: ResourceValidationArgs, report: Report) -> None:
    days = read(args.props, "deletionWindowInDays")
    if days is None or days is UNKNOWN:  # AWS: 30
        return
    least, count = args.get_config().get("min_days", _MIN_DAYS), number(days)
    if count is None or count < least:
        report(f"deletionWindowInDays is {shown(days)} (AWS default 30); it must be at least {shown(least)}.")


RULE = ResourceValidationPolicy(
    name="kms-key-deletion-window",
    description="A key that is gone takes all that was written under it along, so a mistake must have time to be "
    "noticed.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("KMS.3"),
    tags=["data", "encryption"],
    remediation_steps="Leave deletion_window_in_days out, which is 30 days, or set it to two weeks at least.",
    url="https://docs.aws.amazon.com/kms/latest/developerguide/deleting-keys.html",
    config_schema=PolicyConfigSchema(
        {"min_days": {"type": "integer", "minimum": 7, "maximum": 30, "default": _MIN_DAYS}}
    ),
    validate=for_type(_check, *_TYPES),
)
