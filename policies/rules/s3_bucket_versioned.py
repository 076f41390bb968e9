"""An overwritten checkpoint or data set is gone, unless the bucket keeps versions."""

from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._buckets import unmet
from ._frameworks import security_hub
from ._reading import UNKNOWN, differs, read, shown
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for resource, fault in unmet(stack, "BucketVersioning", _faults, _inline):
        report(f"{fault}; versioning should be Enabled (AWS default: never).", resource.urn)


def _faults(settings: Any) -> list[str]:
    status = read(settings, "versioningConfiguration", "status")
    return [f"status is {shown(status)}"] if differs(status, "Enabled", absent="Disabled") else []


def _inline(bucket: Any) -> Any:
    enabled = read(bucket, "versioning", "enabled")
    if enabled is None:
        return None
    return {
        "versioningConfiguration": {
            "status": enabled if enabled is UNKNOWN else "Enabled" if enabled is True else "Disabled"
        }
    }


# Advisory: a scratch bucket, whose objects are made again at will, is rightly cheaper without versions.
RULE = StackValidationPolicy(
    name="s3-bucket-versioned",
    description="An overwritten checkpoint or data set is gone, unless the bucket keeps versions.",
    severity=Severity.LOW,
    enforcement_level=EnforcementLevel.ADVISORY,
    framework=security_hub("S3.14"),
    tags=["data"],
    remediation_steps="Add aws.s3.BucketVersioning with status Enabled, and a lifecycle rule that expires noncurrent "
    "versions.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html",
    validate=for_stack(_check),
)
