"""Logs kept for ever cost for ever, kept too briefly miss the incident; Amazon's key opens them to every reader."""

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

_MIN_DAYS = 30


def _check(args: ResourceValidationArgs, report: Report) -> None:
    days = read(args.props, "retentionInDays")
    least = args.get_config().get("min_days", _MIN_DAYS)
    count = number(days) or 0  # AWS: 0, which is for ever
    if days is not UNKNOWN and count < least:
        kept = "for ever (AWS default)" if count == 0 else f"{shown(count)} days"
        report(
            f"retentionInDays is {shown(days)}, so logs are kept {kept}; it must be set, and at least {shown(least)}."
        )
    if read(args.props, "kmsKeyId") is None:
        report("kmsKeyId is not set (AWS default: Amazon's key); it must name a KMS key of your own.")


RULE = ResourceValidationPolicy(
    name="logs-group-retention-and-key",
    description="Logs kept for ever cost for ever, logs kept too short miss the incident, and logs under Amazon's key "
    "open to every reader.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("CloudWatch.16"),
    tags=["data", "logging", "money"],
    remediation_steps="Set retentionInDays (90 for flow logs, 365 for audit logs is usual) and kmsKeyId.",
    url="https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html",
    config_schema=PolicyConfigSchema({"min_days": {"type": "integer", "minimum": 1, "default": _MIN_DAYS}}),
    validate=for_type(_check, "aws:cloudwatch/logGroup:LogGroup"),
)
