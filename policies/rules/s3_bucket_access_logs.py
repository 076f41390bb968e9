"""Who read a data set before it leaked is a question that only a log can answer."""

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._buckets import BUCKETS, log_targets, logged
from ._frameworks import security_hub
from ._regions import region_of
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    settled = logged(stack) | log_targets(stack)
    buckets = stack.of(*BUCKETS)
    # S3 writes logs into a bucket of the same region only.
    regions = {region_of(bucket) for bucket in buckets if bucket.urn in settled}
    for bucket in buckets:
        wanted = bool(stack.config.get("required", False)) or region_of(bucket) in regions
        if wanted and bucket.urn not in settled:
            report(
                "has no BucketLogging; who reads and writes it should be logged into a bucket of its own.", bucket.urn
            )


# Advisory: CloudTrail's data events, which no program of a cluster sees, tell the same and more. So a region without a
# bucket for logs is left alone, unless the stack is told that it must have one.
RULE = StackValidationPolicy(
    name="s3-bucket-access-logs",
    description="Who read a data set before it leaked is a question that only a log can answer.",
    severity=Severity.LOW,
    enforcement_level=EnforcementLevel.ADVISORY,
    framework=security_hub("S3.9"),
    tags=["data", "logging"],
    remediation_steps="Add aws.s3.BucketLogging with target_bucket, a bucket that takes logs only and expires them.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerLogs.html",
    config_schema=PolicyConfigSchema(
        {
            "required": {
                "type": "boolean",
                "default": False,
                "description": "whether a stack in which no bucket is logged must begin to",
            }
        }
    ),
    validate=for_stack(_check),
)
