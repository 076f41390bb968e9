"""Objects under Amazon's own key open to whoever may read the bucket; a key of one's own is a second lock."""

from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._buckets import unmet
from ._frameworks import fsbp
from ._reading import UNKNOWN, elements, read, shown
from ._stack import Report, Stack, for_stack

_KMS = ("aws:kms", "aws:kms:dsse")


def _check(stack: Stack, report: Report) -> None:
    for resource, fault in unmet(stack, "BucketServerSideEncryptionConfiguration", _faults, _inline):
        report(f"{fault}; the bucket must be encrypted by {' or '.join(_KMS)} (AWS default AES256).", resource.urn)


def _faults(settings: Any) -> list[str]:
    rules = elements(read(settings, "rules"))
    if UNKNOWN in rules:
        return []
    algorithms = [read(rule, "applyServerSideEncryptionByDefault", "sseAlgorithm") for rule in rules] or [None]
    return [f"sseAlgorithm is {shown(found)}" for found in algorithms if found is not UNKNOWN and found not in _KMS]


def _inline(bucket: Any) -> Any:
    block = read(bucket, "serverSideEncryptionConfiguration")
    rules = read(block, "rule") or read(block, "rules")
    return None if rules is None else {"rules": rules if rules is UNKNOWN else elements(rules)}


RULE = StackValidationPolicy(
    name="s3-bucket-encrypted-with-kms",
    description="Objects under Amazon's own key open to whoever may read the bucket, while a key of one's own is a "
    "second lock.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=fsbp("S3.17"),
    tags=["data", "encryption"],
    remediation_steps="Add aws.s3.BucketServerSideEncryptionConfiguration with sse_algorithm aws:kms, "
    "kms_master_key_id "
    "and bucket_key_enabled true.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html",
    validate=for_stack(_check),
)
