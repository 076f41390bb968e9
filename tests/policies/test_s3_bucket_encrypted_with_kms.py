from typing import Any

import pulumi_aws as aws

from policies.rules.s3_bucket_encrypted_with_kms import RULE
from tests.policies.judging import later, messages

KEY = "arn:aws:kms:us-east-1:111122223333:key/k"
MUST = "the bucket must be encrypted by aws:kms or aws:kms:dsse under a key of your own."


def _encrypted(name: str, algorithm: Any, bucket: Any = None, key: Any = KEY) -> None:
    aws.s3.BucketServerSideEncryptionConfiguration(
        name,
        bucket=aws.s3.Bucket(name).id if bucket is None else bucket,
        rules=[{"apply_server_side_encryption_by_default": {"sse_algorithm": algorithm, "kms_master_key_id": key}}],
    )


def test_a_bucket_without_a_configuration_is_reported_beside_one_that_has_it(preview: bool) -> None:
    def build() -> None:
        _encrypted("good", "aws:kms")
        aws.s3.Bucket("plain")

    assert messages(RULE, build, preview=preview) == [f"plain: has no BucketServerSideEncryptionConfiguration; {MUST}"]


def test_amazons_own_key_is_reported_at_the_configuration(preview: bool) -> None:
    assert messages(RULE, lambda: _encrypted("b", "AES256"), preview=preview) == [
        f"b: sseAlgorithm is AES256 (AWS default AES256); {MUST}"
    ]


def test_the_old_inline_form_is_read_too(preview: bool) -> None:
    def build() -> None:
        for name, algorithm in (("good", "aws:kms"), ("bad", "AES256")):
            rule: Any = {
                "apply_server_side_encryption_by_default": {"sse_algorithm": algorithm, "kms_master_key_id": KEY}
            }
            aws.s3.Bucket(name, server_side_encryption_configuration={"rule": rule})

    assert messages(RULE, build, preview=preview) == [f"bad: sseAlgorithm is AES256 (AWS default AES256); {MUST}"]


def test_kms_is_quiet_matched_by_reference_or_by_name(preview: bool) -> None:
    def build() -> None:
        _encrypted("by-id", "aws:kms")
        aws.s3.Bucket("by-name", bucket="example-bucket")
        _encrypted("other", "aws:kms:dsse", "example-bucket")

    assert messages(RULE, build, preview=preview) == []


def test_a_configuration_of_another_bucket_does_not_count_though_no_name_is_known_in_a_preview(preview: bool) -> None:
    def build() -> None:
        first, _ = aws.s3.Bucket("first"), aws.s3.Bucket("second")
        _encrypted("settings", "aws:kms", first.bucket)

    assert messages(RULE, build, preview=preview) == [f"second: has no BucketServerSideEncryptionConfiguration; {MUST}"]


def test_an_unknown_algorithm_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        _encrypted("b", later("AES256"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [f"b: sseAlgorithm is AES256 (AWS default AES256); {MUST}"]


def test_amazons_kms_key_is_reported_and_an_unknown_key_of_your_own_is_quiet(preview: bool) -> None:
    def build() -> None:
        _encrypted("default", "aws:kms", key=None)
        _encrypted("own", "aws:kms", key=later(KEY))

    assert messages(RULE, build, preview=preview) == [
        f"default: kmsMasterKeyId is not set (AWS default aws/s3); {MUST}"
    ]


def test_a_bucket_that_takes_access_logs_is_left_under_s3s_own_key(preview: bool) -> None:
    def build() -> None:
        logs, plain = aws.s3.Bucket("logs"), aws.s3.Bucket("plain")
        for name, bucket in (("logs", logs), ("plain", plain)):
            rule: Any = {"apply_server_side_encryption_by_default": {"sse_algorithm": "AES256"}}
            aws.s3.BucketServerSideEncryptionConfiguration(f"{name}-key", bucket=bucket.id, rules=[rule])
        aws.s3.BucketLogging("plain", bucket=plain.id, target_bucket=logs.id, target_prefix="plain/")

    found = messages(RULE, build, preview=preview)
    assert [message.split(":")[0] for message in found] == ["plain-key"]
