import pulumi_aws as aws

from policies.rules.s3_replication_encrypted import RULE
from tests.policies.judging import later, messages


def test_copies_of_encrypted_objects_without_a_key_are_reported(preview: bool) -> None:
    def build() -> None:
        bucket = aws.s3.Bucket("bucket")
        aws.s3.BucketServerSideEncryptionConfiguration(
            "sse",
            bucket=bucket.id,
            rules=[{"apply_server_side_encryption_by_default": {"sse_algorithm": "aws:kms", "kms_master_key_id": "k"}}],
        )
        aws.s3.BucketReplicationConfig(
            "copies",
            bucket=bucket.id,
            role="r",
            rules=[{"status": "Enabled", "destination": {"bucket": "arn:aws:s3:::copy"}}],
        )

    assert messages(RULE, build, preview=preview) == [
        "copies: rules[0] leaves encrypted objects out; sseKmsEncryptedObjects must be Enabled.",
        "copies: rules[0] names no key for the copies; replicaKmsKeyId must.",
    ]


def test_copies_under_a_key_and_of_plain_objects_are_quiet(preview: bool) -> None:
    def build() -> None:
        bucket = aws.s3.Bucket("bucket")
        aws.s3.BucketServerSideEncryptionConfiguration(
            "sse",
            bucket=bucket.id,
            rules=[{"apply_server_side_encryption_by_default": {"sse_algorithm": "aws:kms", "kms_master_key_id": "k"}}],
        )
        aws.s3.BucketReplicationConfig(
            "copies",
            bucket=bucket.id,
            role="r",
            rules=[
                {
                    "status": "Enabled",
                    "destination": {
                        "bucket": "arn:aws:s3:::copy",
                        "encryption_configuration": {"replica_kms_key_id": "k"},
                    },
                    "source_selection_criteria": {"sse_kms_encrypted_objects": {"status": "Enabled"}},
                }
            ],
        )
        plain = aws.s3.Bucket("plain")
        aws.s3.BucketReplicationConfig(
            "plain-copies",
            bucket=plain.id,
            role="r",
            rules=[{"status": "Enabled", "destination": {"bucket": "arn:aws:s3:::copy"}}],
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_status_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        bucket = aws.s3.Bucket("bucket")
        aws.s3.BucketServerSideEncryptionConfiguration(
            "sse",
            bucket=bucket.id,
            rules=[{"apply_server_side_encryption_by_default": {"sse_algorithm": "aws:kms", "kms_master_key_id": "k"}}],
        )
        aws.s3.BucketReplicationConfig(
            "copies",
            bucket=bucket.id,
            role="r",
            rules=[
                {
                    "status": "Enabled",
                    "destination": {
                        "bucket": "arn:aws:s3:::copy",
                        "encryption_configuration": {"replica_kms_key_id": "k"},
                    },
                    "source_selection_criteria": {"sse_kms_encrypted_objects": {"status": later("Disabled")}},
                }
            ],
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "copies: rules[0] leaves encrypted objects out; sseKmsEncryptedObjects must be Enabled.",
    ]
