"""Copies of what lies under your key do not come at all, or lie under Amazon's, unless replication says how."""

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._buckets import BUCKETS, side
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for replication in stack.of(*side("BucketReplicationConfig")):
        if not _under_kms(stack, replication):
            continue
        for index, rule in enumerate(elements(read(replication.props, "rules"))):
            selected = read(rule, "sourceSelectionCriteria", "sseKmsEncryptedObjects", "status")
            if selected not in ("Enabled", UNKNOWN):
                report(
                    f"rules[{index}] leaves encrypted objects out; sseKmsEncryptedObjects must be Enabled.",
                    replication.urn,
                )
            if read(rule, "destination", "encryptionConfiguration", "replicaKmsKeyId") is None:
                report(f"rules[{index}] names no key for the copies; replicaKmsKeyId must.", replication.urn)


def _under_kms(stack: Stack, replication: PolicyResource) -> bool:
    """Whether the source is encrypted under a key of KMS by a setting of this stack."""
    sources = stack.links(replication, "bucket", read(replication.props, "bucket"), *BUCKETS).certain
    for setting in stack.of(*side("BucketServerSideEncryptionConfiguration")):
        bucket = stack.links(setting, "bucket", read(setting.props, "bucket"), *BUCKETS).certain
        if bucket and bucket[0] in sources:
            rules = elements(read(setting.props, "rules"))
            return any(
                str(read(rule, "applyServerSideEncryptionByDefault", "sseAlgorithm")).startswith("aws:kms")
                for rule in rules
            )
    return False


RULE = StackValidationPolicy(
    name="s3-replication-encrypted",
    description="Copies of what lies under your key do not come at all, or lie under Amazon's, unless replication says "
    "how.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "encryption"],
    remediation_steps="Set source_selection_criteria.sse_kms_encrypted_objects Enabled and "
    "destination.encryption_configuration.replica_kms_key_id to a key of the destination's region.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-config-for-kms-objects.html",
    validate=for_stack(_check),
)
