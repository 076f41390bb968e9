import json
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from policies.rules.iam_policy_no_wildcard import RULE
from tests.policies.grants import role_policy, statement
from tests.policies.judging import later, messages

TAGGED = {"StringEquals": {"aws:RequestTag/team": "vision"}}


@pytest.mark.parametrize(
    ("grant", "fault"),
    [
        (statement("*", "*"), "Action * grants a whole service; the actions must be named."),
        (statement(["s3:*"], "arn:aws:s3:::b"), "Action s3:* grants a whole service; the actions must be named."),
        (
            statement(["s3:PutObject"], "*"),
            "Resource * with s3:PutObject, which can be limited to resources; their ARNs must be named.",
        ),
        (
            statement(["s3:PutObject"], "arn:aws:s3:::*"),
            "Resource * with s3:PutObject, which can be limited to resources; their ARNs must be named.",
        ),
        (
            statement(["ec2:DescribeInstances", "ec2:TerminateInstances"], "*"),
            "Resource * with ec2:TerminateInstances, which can be limited to resources; their ARNs must be named.",
        ),
        (
            statement(["ec2:Describe*"], "*"),
            "Resource * with ec2:Describe*, which can be limited to resources; their ARNs must be named.",
        ),
        (
            statement(["kms:Decrypt"], "*", Condition=TAGGED),
            "Resource * with kms:Decrypt, which can be limited to resources; their ARNs must be named.",
        ),
        (
            statement(["ec2:RunInstances"], "*", Condition={"StringEqualsIfExists": {"aws:RequestTag/team": "v"}}),
            "Resource * with ec2:RunInstances, which can be limited to resources; their ARNs must be named.",
        ),
    ],
)
def test_a_grant_that_is_too_wide_is_reported(grant: dict[str, Any], fault: str, preview: bool) -> None:
    assert messages(RULE, lambda: role_policy(grant), preview=preview) == [f"policy: policy, statement 1: {fault}"]


@pytest.mark.parametrize(
    "grant",
    [
        statement(["ec2:DescribeInstanceTypes", "ec2:DescribeSubnets"], "*"),
        statement("ecr:GetAuthorizationToken", "*"),
        statement("pricing:Get*", "*"),
        statement("s3:PutObject", "arn:aws:s3:::b/*"),
        statement("ec2:RunInstances", "*", Condition=TAGGED),
        {"Effect": "Deny", "Action": "*", "Resource": "*"},
    ],
)
def test_an_honest_grant_is_quiet(grant: dict[str, Any], preview: bool) -> None:
    assert messages(RULE, lambda: role_policy(grant), preview=preview) == []


def test_json_text_policies_and_inline_policies_of_a_role_are_read(preview: bool) -> None:
    def build() -> None:
        text = json.dumps({"Statement": {"Sid": "All", "Effect": "Allow", "Action": "*", "Resource": "*"}})
        aws.iam.Policy("managed", policy=text)
        aws.iam.Role(
            "role", assume_role_policy="{}", inline_policies=[aws.iam.RoleInlinePolicyArgs(name="x", policy=text)]
        )

    fault = "All: Action * grants a whole service; the actions must be named."
    assert messages(RULE, build, preview=preview) == [
        f"managed: policy, {fault}",
        f"role: inlinePolicies[0].policy, {fault}",
    ]


def test_what_is_no_document_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.iam.Policy("managed", policy="Allow everything")

    assert messages(RULE, build, preview=preview) == [
        "managed: policy cannot be read as a policy document; it must be JSON with a Statement."
    ]


def test_an_unknown_resource_hides_no_known_star_beside_it() -> None:
    def build() -> None:
        role_policy(statement("s3:PutObject", [later("arn:aws:s3:::b"), "*"]))

    assert len(messages(RULE, build, preview=True)) == 1
    assert len(messages(RULE, build)) == 1


def test_a_document_that_is_unknown_as_a_whole_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        document = {"Statement": [statement("*", "*"), statement("s3:GetObject", later("arn:aws:s3:::b"))]}
        aws.iam.RolePolicy("policy", role="role", policy=pulumi.Output.json_dumps(document))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
