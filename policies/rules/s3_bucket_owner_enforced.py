"""With ACLs in force an object can belong to, and be opened by, somebody whom no policy names."""

from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._buckets import unmet
from ._frameworks import security_hub
from ._reading import differs, read, shown
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for resource, fault in unmet(stack, "BucketOwnershipControls", _faults):
        report(f"{fault}; the bucket must have one with objectOwnership BucketOwnerEnforced.", resource.urn)


def _faults(settings: Any) -> list[str]:
    found = read(settings, "rule", "objectOwnership")
    return [f"objectOwnership is {shown(found)}"] if differs(found, "BucketOwnerEnforced", absent="") else []


RULE = StackValidationPolicy(
    name="s3-bucket-owner-enforced",
    description="With ACLs in force an object can belong to, and be opened by, somebody whom no policy names.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("S3.12"),
    tags=["data"],
    remediation_steps="Add aws.s3.BucketOwnershipControls with rule {object_ownership: BucketOwnerEnforced}.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html",
    validate=for_stack(_check),
)
