import json
from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.s3_bucket_policy_no_public_allow import RULE
from tests.policies.judging import later, messages

OBJECTS = "arn:aws:s3:::example-bucket/*"
MUST = "it must name the principals, or demand aws:PrincipalOrgID, aws:PrincipalAccount or aws:SourceVpce."
OPEN = f"policy: policy, statement 1: Allow for Principal * without a condition on who calls; {MUST}"


def _statement(effect: str, principal: Any, condition: Any = None) -> dict[str, Any]:
    found = {"Effect": effect, "Principal": principal, "Action": "s3:GetObject", "Resource": OBJECTS}
    return {**found, "Condition": condition} if condition else found


def _bucket(statement: Any, text: bool = False) -> None:
    document: Any = {"Version": "2012-10-17", "Statement": [statement]}
    bucket = aws.s3.Bucket("bucket")
    aws.s3.BucketPolicy("policy", bucket=bucket.id, policy=json.dumps(document) if text else document)


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(
    "statement",
    [
        _statement("Allow", "*"),
        _statement("Allow", {"AWS": ["*", "arn:aws:iam::111122223333:root"]}),
        _statement("Allow", "*", {"StringEqualsIfExists": {"aws:PrincipalOrgID": "o-1"}}),
        _statement("Allow", "*", {"StringLike": {"aws:SourceVpce": "*"}}),
        _statement("Allow", "*", {"StringNotEquals": {"aws:PrincipalAccount": "111122223333"}}),
        _statement("Allow", "*", {"IpAddress": {"aws:SourceIp": "0.0.0.0/0"}}),
        _statement("Allow", "*", {"Bool": {"aws:SecureTransport": "true"}}),
    ],
    ids=["star", "star-among-others", "if-exists", "any-endpoint", "others", "any-address", "tls"],
)
def test_an_allow_for_everyone_is_reported(statement: Any, text: bool, preview: bool) -> None:
    assert messages(RULE, lambda: _bucket(statement, text), preview=preview) == [OPEN]


def test_an_allow_for_all_but_a_few_is_reported(preview: bool) -> None:
    statement = {"Effect": "Allow", "NotPrincipal": {"AWS": "111122223333"}, "Action": "s3:GetObject", "Resource": "*"}
    assert messages(RULE, lambda: _bucket(statement), preview=preview) == [
        f"policy: policy, statement 1: Allow with NotPrincipal is for everyone but a few; {MUST}"
    ]


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(
    "statement",
    [
        _statement("Deny", "*", {"ArnNotLike": {"aws:PrincipalArn": "arn:aws:iam::111122223333:role/keeper"}}),
        _statement("Deny", "*", {"Bool": {"aws:SecureTransport": "false"}}),
        _statement("Allow", "*", {"StringEquals": {"aws:PrincipalOrgID": "o-1"}}),
        _statement("Allow", "*", {"StringEquals": {"aws:SourceVpce": "vpce-1"}}),
        _statement("Allow", "*", {"IpAddress": {"aws:SourceIp": ["203.0.113.0/24"]}}),
        _statement("Allow", {"AWS": "arn:aws:iam::111122223333:role/reader"}),
        _statement("Allow", {"Service": "logging.s3.amazonaws.com"}),
    ],
    ids=["keeper", "tls", "organisation", "endpoint", "own-addresses", "role", "service"],
)
def test_denials_and_grants_to_somebody_are_quiet(statement: Any, text: bool, preview: bool) -> None:
    assert messages(RULE, lambda: _bucket(statement, text), preview=preview) == []


def test_unknown_resources_hide_no_open_allow_and_unknown_principals_make_up_none() -> None:
    def certain() -> None:
        _bucket({**_statement("Allow", "*"), "Resource": later(OBJECTS)})

    def unknown() -> None:
        _bucket(_statement("Allow", {"AWS": later("*")}))

    assert messages(RULE, certain, preview=True) == [OPEN]
    assert messages(RULE, unknown, preview=True) == []
    assert messages(RULE, unknown) == [OPEN]
