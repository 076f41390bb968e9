from typing import Any

import pulumi_aws as aws
import pytest

from components import EncryptedBucket, EncryptedBucketArgs
from tests.components import builds
from tests.harness import Recorded, record

BUCKET = "aws:s3/bucket:Bucket"
LOGGING = "aws:s3/bucketLogging:BucketLogging"
ABORT = {"abortIncompleteMultipartUpload": {"daysAfterInitiation": 7}}
MARKERS = {"expiration": {"expiredObjectDeleteMarker": True}}


def lifecycle(recorded: Recorded) -> dict[str, dict[str, Any]]:
    rules = recorded.one("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration").inputs["rules"]
    assert all(rule["status"] == "Enabled" and rule["filter"] == {"prefix": ""} for rule in rules)
    return {rule["id"]: {k: v for k, v in rule.items() if k not in ("id", "status", "filter")} for rule in rules}


def test_a_bucket_is_named_by_the_engine_and_encrypted_under_the_key() -> None:
    recorded = record(builds.bucket())

    bucket = recorded.one(BUCKET)
    assert bucket.inputs == {"tags": {"purpose": "datasets"}}
    encryption = recorded.one("aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration")
    assert encryption.inputs == {
        "bucket": bucket.id,
        "rules": [
            {
                "applyServerSideEncryptionByDefault": {"sseAlgorithm": "aws:kms", "kmsMasterKeyId": builds.KEY},
                "bucketKeyEnabled": True,
            }
        ],
    }


def test_a_bucket_is_closed_owned_and_versioned() -> None:
    recorded = record(builds.bucket())

    bucket = recorded.one(BUCKET).id
    assert recorded.one("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock").inputs == {
        "bucket": bucket,
        "blockPublicAcls": True,
        "blockPublicPolicy": True,
        "ignorePublicAcls": True,
        "restrictPublicBuckets": True,
    }
    assert recorded.one("aws:s3/bucketOwnershipControls:BucketOwnershipControls").inputs == {
        "bucket": bucket,
        "rule": {"objectOwnership": "BucketOwnerEnforced"},
    }
    assert recorded.one("aws:s3/bucketVersioning:BucketVersioning").inputs == {
        "bucket": bucket,
        "versioningConfiguration": {"status": "Enabled"},
    }
    assert recorded.all("aws:s3/bucketLogging:BucketLogging") == []


@pytest.mark.parametrize(
    ("purpose", "old_days"), [("datasets", 30), ("checkpoints", 7), ("artifacts", 90), ("scratch", 1)]
)
def test_abandoned_uploads_and_old_versions_go_by_themselves(purpose: str, old_days: int) -> None:
    rules = lifecycle(record(builds.bucket(purpose=purpose)))

    assert rules["abort-abandoned-uploads"] == ABORT
    assert rules["expire-old-versions"] == {"noncurrentVersionExpiration": {"noncurrentDays": old_days}}
    assert rules["remove-spent-delete-markers"] == MARKERS


@pytest.mark.parametrize(
    ("purpose", "keep_days", "expires"),
    [
        ("datasets", None, None),
        ("checkpoints", None, None),
        ("checkpoints", 30, 30),
        ("scratch", None, 14),
        ("scratch", 3, 3),
    ],
)
def test_objects_expire_only_where_that_was_asked_for_or_in_scratch(
    purpose: str, keep_days: int | None, expires: int | None
) -> None:
    rules = lifecycle(record(builds.bucket(purpose=purpose, keep_days=keep_days)))

    assert rules.get("expire-objects") == (None if expires is None else {"expiration": {"days": expires}})


def test_data_sets_move_to_a_cheaper_tier_when_nobody_reads_them_and_nothing_else_does() -> None:
    tiered = {
        purpose: lifecycle(record(builds.bucket(purpose=purpose))).get("tier-by-use")
        for purpose in ("datasets", "checkpoints", "artifacts", "scratch")
    }

    assert tiered == {
        "datasets": {"transitions": [{"days": 0, "storageClass": "INTELLIGENT_TIERING"}]},
        "checkpoints": None,
        "artifacts": None,
        "scratch": None,
    }


@pytest.mark.parametrize(
    ("purpose", "protection", "protects", "retains"),
    [
        ("datasets", None, True, False),
        ("checkpoints", None, True, False),
        ("artifacts", None, True, False),
        ("scratch", None, False, False),
        ("datasets", "none", False, False),
        ("datasets", "retain", False, True),
        ("scratch", "protect", True, False),
    ],
)
def test_what_cannot_be_made_again_is_protected_unless_something_else_was_asked_for(
    purpose: str, protection: str | None, protects: bool, retains: bool
) -> None:
    recorded = record(builds.bucket(purpose=purpose, protection=protection, access_log_bucket="logs"))

    kept = [resource for resource in recorded.resources if resource.custom and resource.type != LOGGING]
    assert {resource.protect for resource in kept} == {protects}
    assert {bool(resource.options.get("retainOnDelete")) for resource in kept} == {retains}
    assert recorded.one(LOGGING).protect is False, "a log may be sent elsewhere"


def test_an_access_log_goes_where_it_is_sent_under_the_buckets_name() -> None:
    recorded = record(builds.bucket(access_log_bucket="logs"))

    logging = recorded.one("aws:s3/bucketLogging:BucketLogging").inputs
    assert logging == {"bucket": recorded.one(BUCKET).id, "targetBucket": "logs", "targetPrefix": "data/"}


def test_the_policy_waits_for_the_block_of_public_access_and_lifecycle_for_versioning() -> None:
    recorded = record(builds.bucket())

    closed = recorded.one("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock").urn
    versioned = recorded.one("aws:s3/bucketVersioning:BucketVersioning").urn
    assert closed in recorded.one("aws:s3/bucketPolicy:BucketPolicy").dependencies
    lifecycle_waits = recorded.one("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration").dependencies
    assert versioned in lifecycle_waits


def test_nobody_gets_the_name_of_a_bucket_that_is_not_closed_yet() -> None:
    def build() -> None:
        bucket = EncryptedBucket("data", EncryptedBucketArgs(purpose="datasets", key_arn=builds.KEY, partition="aws"))
        aws.s3.BucketObjectv2("object", bucket=bucket.bucket_name, key="k")

    recorded = record(build)

    waits_for = recorded.one("aws:s3/bucketObjectv2:BucketObjectv2").dependencies
    for type_ in ("bucketPolicy:BucketPolicy", "bucketPublicAccessBlock:BucketPublicAccessBlock"):
        assert recorded.one(f"aws:s3/{type_}").urn in waits_for


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"purpose": "models"},
            "purpose: 'models' is not known; allowed are datasets, checkpoints, artifacts, scratch",
        ),
        ({"keep_days": 0}, "keep_days: 0 must be 1 or more; leave it out to keep objects"),
        ({"protection": "yes"}, "protection: 'yes' is not known; allowed are protect, retain, none"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    args: dict[str, Any] = {"purpose": "datasets", "key_arn": builds.KEY, "partition": "aws"}

    with pytest.raises(ValueError, match=message):
        EncryptedBucketArgs(**(args | changes))
