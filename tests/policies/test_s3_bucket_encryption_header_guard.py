import json
from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.s3_bucket_encryption_header_guard import RULE
from tests.policies.judging import later, messages

HEADER = "s3:x-amz-server-side-encryption"
KEY = f"{HEADER}-aws-kms-key-id"
FORM = "by Null false and StringNotEquals of that header, in one statement."


def _deny(condition: Any, **changes: Any) -> dict[str, Any]:
    good = {"Effect": "Deny", "Principal": "*", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::b/*"}
    return {**good, "Condition": condition, **changes}


def _bucket(statement: Any) -> None:
    document: Any = {"Version": "2012-10-17", "Statement": [statement]}
    aws.s3.BucketPolicy("policy", bucket=aws.s3.Bucket("bucket").id, policy=document)


def _refuses(header: str = HEADER) -> list[str]:
    return [
        f"policy: policy, statement 1: refuses uploads without {header}, as ordinary clients and multipart uploads "
        f"are; a wrong value alone must be refused: {FORM}"
    ]


def test_null_true_beside_a_comparison_is_reported_as_enforcing_nothing(preview: bool) -> None:
    both = {"Null": {HEADER: "true"}, "StringNotEquals": {HEADER: "aws:kms"}}
    assert messages(RULE, lambda: _bucket(_deny(both)), preview=preview) == [
        f"policy: policy, statement 1: Null true beside a comparison refuses uploads without {HEADER} and never one "
        f"with a wrong value; a wrong value must be refused: {FORM}"
    ]


@pytest.mark.parametrize(
    ("condition", "header"),
    [
        ({"Null": {HEADER: "true"}}, HEADER),
        ({"Null": {HEADER: True}}, HEADER),
        ({"StringNotEquals": {HEADER: "aws:kms"}}, HEADER),
        ({"StringNotEqualsIfExists": {HEADER: ["aws:kms", "AES256"]}}, HEADER),
        ({"StringNotLike": {KEY: "arn:aws:kms:*"}}, KEY),
        ({"ArnNotEqualsIfExists": {KEY: "arn:aws:kms:us-east-1:1:key/k"}}, KEY),
    ],
)
def test_a_guard_that_refuses_a_missing_header_is_reported(condition: Any, header: str, preview: bool) -> None:
    assert messages(RULE, lambda: _bucket(_deny(condition)), preview=preview) == _refuses(header)
    assert messages(RULE, lambda: _bucket(_deny(condition, Action="s3:*")), preview=preview) == _refuses(header)


@pytest.mark.parametrize(
    "statement",
    [
        _deny({"Null": {HEADER: "false"}, "StringNotEquals": {HEADER: "aws:kms"}}),
        _deny({"Null": {KEY: "false"}, "StringNotEquals": {KEY: "arn:aws:kms:us-east-1:1:key/k"}}),
        _deny({"Null": {HEADER: "false", KEY: "true"}}),
        _deny({"StringEquals": {HEADER: "AES256"}}),
        _deny({"Null": {f"{HEADER}-customer-algorithm": "false"}}),
        _deny({"Bool": {"aws:SecureTransport": "false"}}),
        _deny({"StringNotEquals": {HEADER: "aws:kms"}}, Effect="Allow"),
        _deny({"StringNotEquals": {HEADER: "aws:kms"}}, Action="s3:GetObject"),
    ],
    ids=["algorithm", "key", "unnamed-key", "wrong-value", "sse-c", "tls", "allow", "reading"],
)
def test_a_guard_of_wrong_values_and_anything_else_is_quiet(statement: Any, preview: bool) -> None:
    assert messages(RULE, lambda: _bucket(statement), preview=preview) == []


def test_an_unknown_key_hides_no_broken_form_and_an_unknown_text_makes_up_none() -> None:
    def broken() -> None:
        _bucket(_deny({"StringNotEquals": {KEY: later("arn:aws:kms:us-east-1:1:key/k")}}))

    def text() -> None:
        document = json.dumps({"Statement": [_deny({"Null": {HEADER: "true"}})]})
        aws.s3.BucketPolicy("policy", bucket="b", policy=later(document))

    assert messages(RULE, broken, preview=True) == _refuses(KEY)
    assert messages(RULE, text, preview=True) == []
    assert messages(RULE, text) == _refuses()
