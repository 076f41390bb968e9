import json

import pulumi_aws as aws

from policies.rules.iam_resource_policy_names_its_service import RULE
from tests.policies.judging import later, messages


def test_everyone_by_source_alone_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketPolicy(
            "p",
            bucket="b",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "Logs",
                            "Effect": "Allow",
                            "Principal": "*",
                            "Action": "s3:PutObject",
                            "Resource": "arn:aws:s3:::b/*",
                            "Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "p: policy, Logs: Principal * with a condition on the source alone; Principal should be the "
        "service that calls.",
    ]


def test_a_service_by_name_and_everyone_of_an_account_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.s3.BucketPolicy(
            "p",
            bucket="b",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "Logs",
                            "Effect": "Allow",
                            "Principal": {"Service": "logging.s3.amazonaws.com"},
                            "Action": "s3:PutObject",
                            "Resource": "arn:aws:s3:::b/*",
                            "Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}},
                        }
                    ],
                }
            ),
        )
        aws.s3.BucketPolicy(
            "own",
            bucket="b",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": "*",
                            "Action": "s3:GetObject",
                            "Resource": "arn:aws:s3:::b/*",
                            "Condition": {"StringEquals": {"aws:PrincipalAccount": "111122223333"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.s3.BucketPolicy(
            "p",
            bucket="b",
            policy=later(
                json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [
                            {
                                "Sid": "Logs",
                                "Effect": "Allow",
                                "Principal": "*",
                                "Action": "s3:PutObject",
                                "Resource": "arn:aws:s3:::b/*",
                                "Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}},
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "p: policy, Logs: Principal * with a condition on the source alone; Principal should be the "
        "service that calls.",
    ]
