import json
from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.iam_policy_no_not_action import RULE
from tests.policies.grants import role_policy
from tests.policies.judging import later, messages

ALL_BUT_IAM = {"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}


def _fault(what: str = "NotAction") -> str:
    return f"policy: policy, statement 1: Allow with {what} grants all but a few; it must name what it grants."


@pytest.mark.parametrize(
    ("grant", "what"),
    [
        (ALL_BUT_IAM, "NotAction"),
        ({"Effect": "Allow", "Action": "s3:GetObject", "NotResource": "arn:aws:s3:::secret/*"}, "NotResource"),
    ],
)
def test_a_grant_of_all_but_a_few_is_reported(grant: dict[str, Any], what: str, preview: bool) -> None:
    assert messages(RULE, lambda: role_policy(grant), preview=preview) == [_fault(what)]


def test_the_policy_of_a_resource_is_read_as_well(preview: bool) -> None:
    def build() -> None:
        text = json.dumps({"Statement": [{**ALL_BUT_IAM, "Principal": {"AWS": "111122223333"}}]})
        aws.s3.BucketPolicy("policy", bucket="b", policy=text)

    assert messages(RULE, build, preview=preview) == [_fault()]


def test_a_denial_of_all_but_a_few_is_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: role_policy({**ALL_BUT_IAM, "Effect": "Deny"}), preview=preview) == []


def test_an_unknown_resource_hides_no_not_action_and_an_unknown_text_makes_up_none() -> None:
    def text() -> None:
        aws.iam.RolePolicy("policy", role="r", policy=later(json.dumps({"Statement": [ALL_BUT_IAM]})))

    assert messages(RULE, lambda: role_policy({**ALL_BUT_IAM, "Resource": later("*")}), preview=True) == [_fault()]
    assert messages(RULE, text, preview=True) == []
    assert messages(RULE, text) == [_fault()]
