import json

import pulumi_aws as aws

from policies.rules.kms_grants_for_aws_only import RULE
from tests.policies.judging import later, messages


def test_grants_to_whomever_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.kms.Key(
            "k",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "Grant",
                            "Effect": "Allow",
                            "Principal": {"AWS": "arn:aws:iam::111122223333:role/r"},
                            "Action": "kms:CreateGrant",
                            "Resource": "*",
                        }
                    ],
                }
            ),
        )
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "Grant",
                            "Effect": "Allow",
                            "Action": "kms:CreateGrant",
                            "Resource": "arn:aws:kms:us-east-1:111122223333:key/k",
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "p: policy, Grant: kms:CreateGrant to whomever; the condition Bool kms:GrantIsForAWSResource: "
        "true must limit it.",
        "k: policy, Grant: kms:CreateGrant to whomever; the condition Bool kms:GrantIsForAWSResource: "
        "true must limit it.",
    ]


def test_grants_for_aws_resources_and_a_role_of_ecr_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.kms.Key(
            "k",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"AWS": "arn:aws:iam::111122223333:role/r"},
                            "Action": "kms:CreateGrant",
                            "Resource": "*",
                            "Condition": {"Bool": {"kms:GrantIsForAWSResource": "true"}},
                        }
                    ],
                }
            ),
        )
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Action": ["kms:CreateGrant", "kms:DescribeKey", "kms:RetireGrant"],
                            "Resource": "arn:aws:kms:us-east-1:111122223333:key/k",
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.iam.Policy(
            "p",
            policy=later(
                json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [
                            {
                                "Effect": "Allow",
                                "Action": "kms:CreateGrant",
                                "Resource": "arn:aws:kms:us-east-1:111122223333:key/k",
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "p: policy, statement 1: kms:CreateGrant to whomever; the condition Bool "
        "kms:GrantIsForAWSResource: true must limit it.",
    ]
