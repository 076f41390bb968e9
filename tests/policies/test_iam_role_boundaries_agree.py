import json

import pulumi_aws as aws

from policies.rules.iam_role_boundaries_agree import RULE
from tests.policies.judging import later, messages


def test_the_one_role_without_a_boundary_is_reported(preview: bool) -> None:
    def build() -> None:
        for name in ("a", "b"):
            aws.iam.Role(
                name,
                assume_role_policy=json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [
                            {
                                "Effect": "Allow",
                                "Principal": {"Service": "ec2.amazonaws.com"},
                                "Action": "sts:AssumeRole",
                            }
                        ],
                    }
                ),
                permissions_boundary="arn:aws:iam::111122223333:policy/boundary",
            )
        aws.iam.Role(
            "c",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "c: permissionsBoundary is not set, and 2 other roles of the stack have one; it must be set.",
    ]


def test_roles_that_all_have_one_or_none_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.iam.Role(
            "a",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
                    ],
                }
            ),
        )
        aws.iam.Role(
            "b",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
                    ],
                }
            ),
            permissions_boundary=later("arn:aws:iam::111122223333:policy/boundary"),
        )

    assert messages(RULE, build, preview=preview) == []
