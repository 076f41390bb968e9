import json
from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.kms_key_policy_not_open import RULE
from tests.policies.judging import later, messages

MUST = "it must name the principals, or demand kms:CallerAccount or aws:PrincipalOrgID."
OPEN = [f"key: policy, statement 1: Allow for Principal * without a condition on who calls; {MUST}"]


def _statement(principal: Any, condition: Any = None, effect: str = "Allow") -> dict[str, Any]:
    found = {"Effect": effect, "Principal": principal, "Action": "kms:Decrypt", "Resource": "*"}
    return {**found, "Condition": condition} if condition else found


def _key(statement: Any) -> None:
    aws.kms.Key("key", policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))


@pytest.mark.parametrize(
    "statement",
    [
        _statement("*"),
        _statement({"AWS": "*"}),
        _statement("*", {"StringEquals": {"kms:ViaService": "s3.us-east-1.amazonaws.com"}}),
        _statement("*", {"Bool": {"kms:GrantIsForAWSResource": "true"}}),
    ],
    ids=["star", "aws-star", "via-a-service", "grants"],
)
def test_a_key_for_everyone_is_reported(statement: Any, preview: bool) -> None:
    assert messages(RULE, lambda: _key(statement), preview=preview) == OPEN


def test_a_policy_that_is_a_resource_of_its_own_is_read(preview: bool) -> None:
    def build() -> None:
        aws.kms.KeyPolicy("key", key_id=aws.kms.Key("silent").id, policy=json.dumps({"Statement": [_statement("*")]}))

    assert messages(RULE, build, preview=preview) == OPEN


@pytest.mark.parametrize(
    "statement",
    [
        _statement({"AWS": "arn:aws:iam::111122223333:root"}),
        _statement({"Service": "logs.us-east-1.amazonaws.com"}),
        _statement("*", {"StringEquals": {"kms:CallerAccount": "111122223333"}}),
        _statement("*", {"StringEquals": {"aws:PrincipalOrgID": "o-1"}}),
        _statement("*", effect="Deny"),
    ],
    ids=["root", "service", "own-account", "organisation", "deny"],
)
def test_a_key_for_somebody_is_quiet(statement: Any, preview: bool) -> None:
    assert messages(RULE, lambda: _key(statement), preview=preview) == []


def test_a_policy_that_is_unknown_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.kms.Key("key", policy=later(json.dumps({"Statement": [_statement("*")]})))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == OPEN
