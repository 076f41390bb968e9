import json
from typing import Any

import pytest

from components.storage.access_log_bucket import AccessLogBucketArgs
from tests.components.builds import ACCOUNT
from tests.components.storage import compositions
from tests.components.storage.evaluator import denied
from tests.harness import record

BUCKET = "aws:s3/bucket:Bucket"


def statements() -> dict[str, dict[str, Any]]:
    policy = json.loads(record(compositions.access_logs()).one("aws:s3/bucketPolicy:BucketPolicy").inputs["policy"])
    return {statement["Sid"]: statement for statement in policy["Statement"]}


def test_log_delivery_writes_for_buckets_of_this_account_only() -> None:
    arn = record(compositions.access_logs()).one(BUCKET).outputs["arn"]

    assert statements()["LogDeliveryOfThisAccount"] == {
        "Sid": "LogDeliveryOfThisAccount",
        "Effect": "Allow",
        "Principal": {"Service": "logging.s3.amazonaws.com"},
        "Action": ["s3:PutObject"],
        "Resource": [f"{arn}/*"],
        "Condition": {
            "StringEquals": {"aws:SourceAccount": ACCOUNT},
            "ArnLike": {"aws:SourceArn": "arn:aws:s3:::*"},
        },
    }


def test_it_refuses_plain_http_and_old_tls_but_not_log_delivery() -> None:
    policy = list(statements().values())

    assert denied(policy, "s3:PutObject", {"aws:SecureTransport": "false"}) == ["RefusePlainHttp"]
    assert denied(policy, "s3:GetObject", {"aws:SecureTransport": "true", "s3:TlsVersion": "1.1"}) == ["RefuseOldTls"]
    assert denied(policy, "s3:PutObject", {"aws:SecureTransport": "true"}) == []


def test_objects_are_under_s3s_own_key_because_log_delivery_takes_no_other() -> None:
    kind = "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration"
    encryption = record(compositions.access_logs()).one(kind)

    assert encryption.inputs["rules"] == [{"applyServerSideEncryptionByDefault": {"sseAlgorithm": "AES256"}}]


def test_entries_can_be_read_for_a_year_and_the_bucket_is_protected() -> None:
    recorded = record(compositions.access_logs())

    rules = recorded.one("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration").inputs["rules"]
    assert {rule["id"]: rule.get("expiration") for rule in rules}["expire-objects"] == {"days": 365}
    assert recorded.one(BUCKET).protect is True
    assert recorded.one("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock").inputs["restrictPublicBuckets"]
    assert recorded.one("aws:s3/bucketOwnershipControls:BucketOwnershipControls").inputs["rule"] == {
        "objectOwnership": "BucketOwnerEnforced"
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keep_days": 0}, "keep_days: 0 must be 1 or more; 365 is usual"),
        ({"protection": "maybe"}, "protection: 'maybe' is not known; allowed are protect, retain, none"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    args: dict[str, Any] = {"account_id": ACCOUNT, "partition": "aws"}

    with pytest.raises(ValueError, match=message):
        AccessLogBucketArgs(**(args | changes))
