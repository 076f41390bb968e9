"""Objects under Amazon's own key open to whoever may read the bucket; a key of one's own is a second lock.

A bucket that takes the access logs of others is left alone: S3 cannot deliver them under a KMS key.
https://docs.aws.amazon.com/AmazonS3/latest/userguide/enable-server-access-logging.html
"""

from typing import Any

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._buckets import BUCKETS, log_targets, unmet
from ._frameworks import security_hub
from ._reading import UNKNOWN, elements, read, shown
from ._stack import Report, Stack, for_stack

_SIDE = "BucketServerSideEncryptionConfiguration"
_KMS = ("aws:kms", "aws:kms:dsse")


def _check(stack: Stack, report: Report) -> None:
    targets = log_targets(stack)
    for resource, fault in unmet(stack, _SIDE, _faults, _inline):
        if _is_of(stack, resource, targets):
            continue
        report(f"{fault}; the bucket must be encrypted by {' or '.join(_KMS)} under a key of your own.", resource.urn)


def _is_of(stack: Stack, resource: PolicyResource, buckets: set[str]) -> bool:
    """Tell whether the resource is one of the buckets, or certainly belongs to one."""
    linked = stack.links(resource, "bucket", read(resource.props, "bucket"), *BUCKETS).certain
    return resource.urn in buckets or any(bucket.urn in buckets for bucket in linked)


def _faults(settings: Any) -> list[str]:
    rules = elements(read(settings, "rules"))
    return [fault for rule in rules or [None] for fault in _rule_faults(rule)]


def _rule_faults(rule: Any) -> list[str]:
    default = read(rule, "applyServerSideEncryptionByDefault")
    algorithm, key = read(default, "sseAlgorithm"), read(default, "kmsMasterKeyId")
    if algorithm is not UNKNOWN and algorithm not in _KMS:  # AWS: AES256
        return [f"sseAlgorithm is {shown(algorithm)} (AWS default AES256)"]
    return ["kmsMasterKeyId is not set (AWS default aws/s3)"] if key is None else []


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
    framework=security_hub("S3.17"),
    tags=["data", "encryption"],
    remediation_steps="Add aws.s3.BucketServerSideEncryptionConfiguration with sse_algorithm aws:kms, "
    "kms_master_key_id and bucket_key_enabled true.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html",
    validate=for_stack(_check),
)
