import json
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from policies.rules.s3_bucket_tls_only import RULE
from tests.policies.judging import later, messages

INSECURE = {"Bool": {"aws:SecureTransport": "false"}}
OLD_TLS = {"NumericLessThan": {"s3:TlsVersion": "1.2"}}
ARN = "arn:aws:s3:::example-bucket"


def _deny(condition: Any, **changes: Any) -> dict[str, Any]:
    good = {
        "Sid": "TlsOnly",
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": [ARN, f"{ARN}/*"],
        "Condition": condition,
    }
    return {**good, **changes}


def _bucket(*statements: Any, text: bool = False) -> None:
    document: Any = {"Version": "2012-10-17", "Statement": list(statements)}
    bucket = aws.s3.Bucket("bucket")
    aws.s3.BucketPolicy("policy", bucket=bucket.id, policy=json.dumps(document) if text else document)


NOT_REFUSED = [
    "policy: no statement of the policy refuses plain HTTP; one must deny everyone s3:* on the bucket and its objects "
    "on the one condition Bool aws:SecureTransport false (a minimum TLS version needs a second statement)."
]


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(
    "statement",
    [
        _deny({"Bool": {"aws:SecureTransport": "true"}, **OLD_TLS}),
        _deny({**INSECURE, **OLD_TLS}),
        _deny(OLD_TLS),
        _deny({}),
        _deny({"Bool": {"aws:SecureTransport": "true"}}),
        _deny({"StringEquals": {"aws:SecureTransport": "false"}}),
        _deny(INSECURE, Effect="Allow"),
        _deny(INSECURE, Principal={"AWS": "arn:aws:iam::111122223333:root"}),
        _deny(INSECURE, Action="s3:GetObject"),
        _deny(INSECURE, Resource=f"{ARN}/*"),
        _deny(INSECURE, Resource=ARN),
    ],
    ids=[
        *("secure-and-old", "insecure-and-old", "old-only", "no-condition", "secure", "wrong-operator"),
        *("allow", "one-principal", "one-action", "objects-only", "bucket-only"),
    ],
)
def test_a_statement_that_lets_plain_http_through_is_reported(
    statement: dict[str, Any], text: bool, preview: bool
) -> None:
    assert messages(RULE, lambda: _bucket(statement, text=text), preview=preview) == NOT_REFUSED


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(
    "statements",
    [
        [_deny(INSECURE)],
        [_deny(OLD_TLS), _deny(INSECURE)],
        [_deny({"Bool": {"AWS:securetransport": [False]}})],
        [_deny(INSECURE, Principal={"AWS": ["*"]}, Action=["s3:*"], Resource="*")],
    ],
    ids=["alone", "two-statements", "other-spelling", "wider"],
)
def test_a_policy_that_refuses_plain_http_is_quiet(statements: list[Any], text: bool, preview: bool) -> None:
    assert messages(RULE, lambda: _bucket(*statements, text=text), preview=preview) == []


def test_unknown_arns_in_a_structure_hide_no_wrong_condition() -> None:
    def build() -> None:
        arn = later(ARN)
        _bucket(_deny(OLD_TLS, Resource=[arn, pulumi.Output.concat(arn, "/*")]))

    assert messages(RULE, build, preview=True) == NOT_REFUSED
    assert messages(RULE, build) == NOT_REFUSED


def test_unknown_arns_in_a_good_policy_are_quiet(preview: bool) -> None:
    def build() -> None:
        arn = later(ARN)
        _bucket(_deny(INSECURE, Resource=[arn, pulumi.Output.concat(arn, "/*")]))

    assert messages(RULE, build, preview=preview) == []


def test_a_text_that_is_unknown_as_a_whole_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        bucket = aws.s3.Bucket("bucket")
        document = {"Statement": [_deny(OLD_TLS, Resource=[bucket.arn])]}
        aws.s3.BucketPolicy("policy", bucket=bucket.id, policy=pulumi.Output.json_dumps(document))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == NOT_REFUSED


def test_text_that_is_no_policy_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketPolicy("policy", bucket=aws.s3.Bucket("bucket").id, policy="not json")

    assert messages(RULE, build, preview=preview) == NOT_REFUSED


def test_the_old_inline_policy_is_read_and_a_bucket_without_one_is_another_rules_business(preview: bool) -> None:
    def build() -> None:
        aws.s3.Bucket("silent")
        aws.s3.Bucket("policy", policy=json.dumps({"Statement": [_deny(OLD_TLS)]}))

    assert messages(RULE, build, preview=preview) == NOT_REFUSED


def test_a_directory_bucket_is_closed_by_its_own_action_on_the_bucket_alone(preview: bool) -> None:
    def build(action: str) -> None:
        document = json.dumps({"Statement": [_deny(INSECURE, Action=action, Resource=ARN)]})
        aws.s3.BucketPolicy("policy", bucket="fast--use1-az4--x-s3", policy=document)

    def unnamed() -> None:
        document = json.dumps({"Statement": [_deny(INSECURE, Action="s3express:*", Resource=ARN)]})
        aws.s3.BucketPolicy("policy", bucket=later("fast--use1-az4--x-s3"), policy=document)

    assert messages(RULE, unnamed, preview=preview) == []
    assert messages(RULE, lambda: build("s3express:*"), preview=preview) == []
    assert messages(RULE, lambda: build("s3:*"), preview=preview) == [
        NOT_REFUSED[0].replace("s3:* on the bucket and its objects", "s3express:* on the bucket")
    ]
