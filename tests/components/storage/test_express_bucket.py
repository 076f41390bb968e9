import json
from typing import Any

import pytest

from tests.components.builds import KEY
from tests.components.storage import compositions
from tests.components.storage.evaluator import denied
from tests.harness import record

BUCKET = "aws:s3/directoryBucket:DirectoryBucket"
LIFECYCLE = "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration"
POLICY = "aws:s3/bucketPolicy:BucketPolicy"


def test_the_zone_stands_in_the_name_and_in_the_location() -> None:
    assert record(compositions.express()).one(BUCKET).inputs == {
        "bucket": "gpufleet-dev--use1-az4--x-s3",
        "dataRedundancy": "SingleAvailabilityZone",
        "location": {"name": "use1-az4", "type": "AvailabilityZone"},
    }


def test_objects_are_under_the_key() -> None:
    kind = "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration"

    assert record(compositions.express()).one(kind).inputs["rules"] == [
        {
            "applyServerSideEncryptionByDefault": {"sseAlgorithm": "aws:kms", "kmsMasterKeyId": KEY},
            "bucketKeyEnabled": True,
        }
    ]


def test_objects_expire_and_no_tier_or_version_is_spoken_of() -> None:
    rules = record(compositions.express(keep_days=3)).one(LIFECYCLE).inputs["rules"]

    assert {rule["id"] for rule in rules} == {"abort-abandoned-uploads", "expire-objects"}
    assert {rule["id"]: rule.get("expiration") for rule in rules}["expire-objects"] == {"days": 3}


def test_lifecycle_may_open_a_session_before_it_has_to() -> None:
    recorded = record(compositions.express())

    policy = recorded.one(POLICY)
    statement = json.loads(policy.inputs["policy"])["Statement"][0]
    assert statement == {
        "Sid": "LifecycleDeletes",
        "Effect": "Allow",
        "Principal": {"Service": "lifecycle.s3.amazonaws.com"},
        "Action": ["s3express:CreateSession"],
        "Resource": [recorded.one(BUCKET).outputs["arn"]],
        "Condition": {"StringEquals": {"s3express:SessionMode": "ReadWrite"}},
    }
    assert policy.urn in recorded.one(LIFECYCLE).dependencies


def test_plain_http_and_old_tls_are_refused_each_by_itself() -> None:
    policy: list[dict[str, Any]] = json.loads(record(compositions.express()).one(POLICY).inputs["policy"])["Statement"]

    assert denied(policy, "s3express:CreateSession", {"aws:SecureTransport": "false"}) == ["RefusePlainHttp"]
    old = {"aws:SecureTransport": "true", "s3express:TlsVersion": "1.1"}
    assert denied(policy, "s3express:CreateSession", old) == ["RefuseOldTls"]
    assert denied(policy, "s3express:CreateSession", old | {"s3express:TlsVersion": "1.3"}) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"zone_id": "us-east-1a"}, "zone_id: 'us-east-1a' is not a zone's id; write one like use1-az4"),
        ({"base_name": "Fast"}, "base_name: 'Fast' must be lower-case letters"),
        ({"base_name": "x" * 48}, "at most 47 of them"),
        ({"keep_days": 0}, "keep_days: 0 must be 1 or more"),
        ({"protection": "?"}, "allowed are protect, retain, none"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compositions.express_args(**changes)


def test_the_longest_name_that_the_error_allows_is_allowed() -> None:
    assert len(compositions.express_args(base_name="x" * 47).bucket_name) == 63
