import json

import pulumi_aws as aws

from policies.rules.iam_resource_policy_actions_named import RULE
from tests.policies.judging import later, messages

SCALER = "arn:aws:iam::111122223333:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"


def test_everything_for_a_service_is_reported(preview: bool) -> None:
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
                            "Action": "s3:*",
                            "Resource": "arn:aws:s3:::b/*",
                        }
                    ],
                }
            ),
        )
        aws.kms.Key(
            "k",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "Scale",
                            "Effect": "Allow",
                            "Principal": {"AWS": SCALER},
                            "Action": "kms:*",
                            "Resource": "*",
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        f"k: policy, Scale: kms:* for {SCALER}; the actions must be named.",
        "p: policy, Logs: s3:* for logging.s3.amazonaws.com; the actions must be named.",
    ]


def test_named_actions_and_everything_for_the_accounts_root_are_quiet(preview: bool) -> None:
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
                        }
                    ],
                }
            ),
        )
        aws.kms.Key(
            "k",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"AWS": "arn:aws:iam::111122223333:root"},
                            "Action": "kms:*",
                            "Resource": "*",
                        }
                    ],
                }
            ),
        )
        aws.s3.BucketPolicy(
            "deny",
            bucket="b",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [{"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": "*"}],
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
                                "Principal": {"Service": "logging.s3.amazonaws.com"},
                                "Action": "s3:*",
                                "Resource": "arn:aws:s3:::b/*",
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "p: policy, Logs: s3:* for logging.s3.amazonaws.com; the actions must be named.",
    ]
