import json
from typing import Any

import pytest

from tests.components import builds
from tests.components.storage.evaluator import denied
from tests.harness import record

TLS = {"aws:SecureTransport": "true", "s3:TlsVersion": "1.3"}
ALGORITHM, KEY = "s3:x-amz-server-side-encryption", "s3:x-amz-server-side-encryption-aws-kms-key-id"
CLIENTS_KEY = "s3:x-amz-server-side-encryption-customer-algorithm"


@pytest.fixture(scope="module")
def statements() -> list[dict[str, Any]]:
    return json.loads(record(builds.bucket()).one("aws:s3/bucketPolicy:BucketPolicy").inputs["policy"])["Statement"]


@pytest.mark.parametrize(
    ("headers", "refused_by"),
    [
        ({}, []),
        ({ALGORITHM: "aws:kms", KEY: builds.KEY}, []),
        ({KEY: builds.KEY}, []),
        ({ALGORITHM: "aws:kms", KEY: builds.KEY.replace("one", "other")}, ["RefuseOtherKey"]),
        ({ALGORITHM: "AES256"}, ["RefuseOtherAlgorithm", "RefuseUnnamedKey"]),
        ({ALGORITHM: "aws:kms"}, ["RefuseUnnamedKey"]),
        ({CLIENTS_KEY: "AES256"}, ["RefuseClientsKey"]),
    ],
    ids=["no header", "our key", "our key alone", "another key", "AES256", "AWS's own key", "a key of the client"],
)
def test_uploads_under_the_buckets_key_pass_and_others_do_not(
    statements: list[dict[str, Any]], headers: dict[str, str], refused_by: list[str]
) -> None:
    assert denied(statements, "s3:PutObject", TLS | headers) == refused_by


def test_reading_and_listing_over_tls_pass(statements: list[dict[str, Any]]) -> None:
    assert denied(statements, "s3:GetObject", TLS) == []
    assert denied(statements, "s3:ListBucket", TLS) == []


@pytest.mark.parametrize("action", ["s3:GetObject", "s3:PutObject", "s3:ListBucket"])
def test_plain_http_and_old_tls_are_refused_each_by_itself(statements: list[dict[str, Any]], action: str) -> None:
    assert denied(statements, action, {"aws:SecureTransport": "false"}) == ["RefusePlainHttp"]
    assert denied(statements, action, {"aws:SecureTransport": "true", "s3:TlsVersion": "1.1"}) == ["RefuseOldTls"]
    assert denied(statements, action, {"aws:SecureTransport": "true", "s3:TlsVersion": "1.2"}) == []


def test_the_policy_covers_the_bucket_and_its_objects_and_allows_nothing() -> None:
    recorded = record(builds.bucket())
    arn = recorded.one("aws:s3/bucket:Bucket").outputs["arn"]
    policy = json.loads(recorded.one("aws:s3/bucketPolicy:BucketPolicy").inputs["policy"])["Statement"]

    assert {statement["Effect"] for statement in policy} == {"Deny"}
    assert {statement["Sid"]: statement["Resource"] for statement in policy} == {
        "RefusePlainHttp": [arn, f"{arn}/*"],
        "RefuseOldTls": [arn, f"{arn}/*"],
        "RefuseClientsKey": [f"{arn}/*"],
        "RefuseOtherAlgorithm": [f"{arn}/*"],
        "RefuseOtherKey": [f"{arn}/*"],
        "RefuseUnnamedKey": [f"{arn}/*"],
    }
