import json

import pulumi_aws as aws

from policies.rules.iam_trust_service_for_own_account import RULE
from tests.policies.judging import later, messages


def test_a_service_for_any_account_or_any_cluster_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.iam.Role(
            "any",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Effect": "Allow", "Principal": {"Service": "eks.amazonaws.com"}, "Action": "sts:AssumeRole"}
                    ],
                }
            ),
        )
        aws.iam.Role(
            "account",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"Service": "eks.amazonaws.com"},
                            "Action": "sts:AssumeRole",
                            "Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "account: assumeRolePolicy, statement 1: eks.amazonaws.com may take on the role for all of the "
        "account; aws:SourceArn should name the cluster, the flow log or the like.",
        "any: assumeRolePolicy, statement 1: eks.amazonaws.com may take on the role for any account; "
        "aws:SourceAccount should be your own.",
    ]


def test_a_service_for_named_clusters_and_machines_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.iam.Role(
            "role",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"Service": "eks.amazonaws.com"},
                            "Action": "sts:AssumeRole",
                            "Condition": {"ArnLike": {"aws:SourceArn": "arn:aws:eks:us-east-1:111122223333:cluster/*"}},
                        }
                    ],
                }
            ),
        )
        aws.iam.Role(
            "ec2",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.iam.Role(
            "role",
            assume_role_policy=later(
                json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [
                            {
                                "Effect": "Allow",
                                "Principal": {"Service": "eks.amazonaws.com"},
                                "Action": "sts:AssumeRole",
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "role: assumeRolePolicy, statement 1: eks.amazonaws.com may take on the role for any account; "
        "aws:SourceAccount should be your own.",
    ]
