from typing import Any

import pulumi_aws as aws

from policies.rules.iam_role_permissions_boundary import RULE
from tests.policies.judging import later, messages

REQUIRED = {"required": True}
OURS = {"required": True, "arn": "arn:aws:iam::*:policy/boundary"}


def _role(boundary: Any = None) -> None:
    aws.iam.Role("role", assume_role_policy="{}", permissions_boundary=boundary)


def test_a_role_without_a_boundary_is_reported_where_one_is_required(preview: bool) -> None:
    assert messages(RULE, _role, preview=preview, config=REQUIRED) == [
        "role: permissionsBoundary is not set; it must be, for this pack is told so by its setting required."
    ]


def test_another_boundary_than_the_one_asked_for_is_reported(preview: bool) -> None:
    other = "arn:aws:iam::111122223333:policy/other"
    assert messages(RULE, lambda: _role(other), preview=preview, config=OURS) == [
        f"role: permissionsBoundary is {other}; it must be one like arn:aws:iam::*:policy/boundary."
    ]


def test_nothing_is_asked_by_default_and_the_right_boundary_is_quiet(preview: bool) -> None:
    assert messages(RULE, _role, preview=preview) == []
    right = "arn:aws:iam::111122223333:policy/boundary"
    assert messages(RULE, lambda: _role(right), preview=preview, config=OURS) == []


def test_an_unknown_boundary_is_quiet_until_it_is_known() -> None:
    wrong = "arn:aws:iam::111122223333:policy/other"
    assert messages(RULE, lambda: _role(later(wrong)), preview=True, config=OURS) == []
    assert len(messages(RULE, lambda: _role(later(wrong)), config=OURS)) == 1
