"""A bucket without a policy takes plain HTTP: nothing else can refuse it.

What the policy must say is s3-bucket-tls-only's business: that rule sees the document before the engine turns it into
text, of which one unknown ARN hides the whole.
"""

from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._buckets import unmet
from ._frameworks import security_hub
from ._reading import read
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for resource, fault in unmet(stack, "BucketPolicy", lambda _: [], _inline):
        report(f"{fault}; the bucket must have one that refuses plain HTTP.", resource.urn)


def _inline(bucket: Any) -> Any:
    return read(bucket, "policy")


RULE = StackValidationPolicy(
    name="s3-bucket-policy-present",
    description="A bucket without a policy takes plain HTTP, which nothing but a policy can refuse.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("S3.5"),
    tags=["data", "encryption"],
    remediation_steps="Add aws.s3.BucketPolicy for the bucket; s3-bucket-tls-only says what it has to hold.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html",
    validate=for_stack(_check),
)
