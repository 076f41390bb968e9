"""Parts of uploads that were broken off are stored and charged for ever, and no listing shows them."""

from typing import Any

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._buckets import unmet
from ._frameworks import security_hub
from ._reading import UNKNOWN, elements, number, read
from ._stack import Report, Stack, for_stack

_MAX_DAYS = 30


def _check(stack: Stack, report: Report) -> None:
    most = float(stack.config.get("max_days", _MAX_DAYS))
    kind = "BucketLifecycleConfiguration"
    for resource, fault in unmet(stack, kind, lambda settings: _faults(settings, most), _inline):
        report(
            f"{fault}; an enabled rule for the whole bucket must abort incomplete multipart uploads after {most:g} "
            "days at most.",
            resource.urn,
        )


def _faults(settings: Any, most: float) -> list[str]:
    rules = elements(read(settings, "rules"))
    return [] if any(_aborts(rule, most) for rule in rules) else ["no rule aborts incomplete uploads in time"]


def _aborts(rule: Any, most: float) -> bool:
    if rule is UNKNOWN:
        return True
    days = read(rule, "abortIncompleteMultipartUpload", "daysAfterInitiation")
    if days is not UNKNOWN and ((count := number(days)) is None or count > most):
        return False
    return read(rule, "status") in ("Enabled", UNKNOWN) and _is_for_all(rule)


def _is_for_all(rule: Any) -> bool:
    """A filter that asks for a prefix, a tag or a size leaves the other uploads alone."""
    block = read(rule, "filter")
    asked = [read(rule, "prefix")] if block is None else [read(block, key) for key in ("prefix", "tag", "and")]
    return block is UNKNOWN or all(value in (None, "", UNKNOWN) for value in asked)


def _inline(bucket: Any) -> Any:
    rules = read(bucket, "lifecycleRules")
    if rules is UNKNOWN or not elements(rules):
        return rules or None
    return {
        "rules": [
            {
                "status": "Enabled" if read(rule, "enabled") is True else read(rule, "enabled"),
                "prefix": read(rule, "prefix"),
                "abortIncompleteMultipartUpload": {
                    "daysAfterInitiation": read(rule, "abortIncompleteMultipartUploadDays")
                },
            }
            for rule in elements(rules)
        ]
    }


RULE = StackValidationPolicy(
    name="s3-bucket-lifecycle",
    description="Parts of uploads that were broken off are stored and charged for ever, and no listing shows them.",
    severity=Severity.LOW,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("S3.13"),
    tags=["data", "money"],
    remediation_steps="Add aws.s3.BucketLifecycleConfiguration with an enabled rule, no filter, and "
    "abort_incomplete_multipart_upload {days_after_initiation: 7}.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpu-abort-incomplete-mpu-lifecycle-config.html",
    config_schema=PolicyConfigSchema({"max_days": {"type": "integer", "minimum": 1, "default": _MAX_DAYS}}),
    validate=for_stack(_check),
)
