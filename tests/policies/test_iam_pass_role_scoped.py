from typing import Any

import pytest

from policies.rules.iam_pass_role_scoped import RULE
from tests.policies.grants import role_policy, statement
from tests.policies.judging import later, messages

ROLE = "arn:aws:iam::111122223333:role/nodes"
TO_EC2 = {"StringEquals": {"iam:PassedToService": "ec2.amazonaws.com"}}
UNNAMED = "iam:PassRole on {}; it must name the roles."
UNSERVED = "iam:PassRole without the condition iam:PassedToService; it must name who may be given the role."


@pytest.mark.parametrize(
    ("grant", "faults"),
    [
        (statement("iam:PassRole", "*", Condition=TO_EC2), [UNNAMED.format("*")]),
        (
            statement("iam:PassRole", "arn:aws:iam::111122223333:role/*", Condition=TO_EC2),
            [UNNAMED.format("arn:aws:iam::111122223333:role/*")],
        ),
        (statement("iam:PassRole", ROLE), [UNSERVED]),
        (statement("iam:Pass*", ROLE, Condition={"StringLike": {"iam:PassedToService": "*"}}), [UNSERVED]),
        (statement(["s3:GetObject", "IAM:passrole"], ROLE), [UNSERVED]),
        (statement("*", "*"), [UNNAMED.format("*"), UNSERVED]),
    ],
)
def test_a_pass_role_that_is_too_wide_is_reported(grant: dict[str, Any], faults: list[str], preview: bool) -> None:
    expected = [f"policy: policy, statement 1: {fault}" for fault in faults]
    assert messages(RULE, lambda: role_policy(grant), preview=preview) == expected


@pytest.mark.parametrize(
    "grant",
    [
        statement("iam:PassRole", ROLE, Condition=TO_EC2),
        statement("iam:GetRole", "*"),
        {"Effect": "Deny", "Action": "iam:PassRole", "Resource": "*"},
    ],
)
def test_a_scoped_pass_role_and_other_statements_are_quiet(grant: dict[str, Any], preview: bool) -> None:
    assert messages(RULE, lambda: role_policy(grant), preview=preview) == []


def test_an_unknown_role_hides_no_missing_condition(preview: bool) -> None:
    assert messages(RULE, lambda: role_policy(statement("iam:PassRole", later(ROLE))), preview=preview) == [
        f"policy: policy, statement 1: {UNSERVED}"
    ]


def test_an_unknown_role_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        role_policy(statement("iam:PassRole", later("*"), Condition=TO_EC2))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [f"policy: policy, statement 1: {UNNAMED.format('*')}"]
