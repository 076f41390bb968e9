import pulumi_aws as aws

from policies.rules.s3_bucket_key_enabled import RULE
from tests.policies.judging import later, messages


def test_encryption_by_kms_without_a_bucket_key_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketServerSideEncryptionConfiguration(
            "sse",
            bucket="b",
            rules=[{"apply_server_side_encryption_by_default": {"sse_algorithm": "aws:kms", "kms_master_key_id": "k"}}],
        )

    assert messages(RULE, build, preview=preview) == [
        "sse: rules[0].bucketKeyEnabled is not true; it should be, or KMS charges each object.",
    ]


def test_a_bucket_key_and_s3s_own_key_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketServerSideEncryptionConfiguration(
            "sse",
            bucket="b",
            rules=[
                {
                    "apply_server_side_encryption_by_default": {"sse_algorithm": "aws:kms", "kms_master_key_id": "k"},
                    "bucket_key_enabled": True,
                }
            ],
        )
        aws.s3.BucketServerSideEncryptionConfiguration(
            "s3", bucket="b", rules=[{"apply_server_side_encryption_by_default": {"sse_algorithm": "AES256"}}]
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_flag_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.s3.BucketServerSideEncryptionConfiguration(
            "sse",
            bucket="b",
            rules=[
                {
                    "apply_server_side_encryption_by_default": {"sse_algorithm": "aws:kms", "kms_master_key_id": "k"},
                    "bucket_key_enabled": later(False),
                }
            ],
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "sse: rules[0].bucketKeyEnabled is not true; it should be, or KMS charges each object.",
    ]
