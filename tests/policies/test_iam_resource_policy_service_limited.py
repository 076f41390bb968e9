import json

import pulumi_aws as aws

from policies.rules.iam_resource_policy_service_limited import RULE
from tests.policies.judging import later, messages


def test_a_service_for_any_account_is_reported(preview: bool) -> None:
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
        aws.s3.BucketPolicy(
            "star",
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
                            "Condition": {"ArnLike": {"aws:SourceArn": "arn:aws:s3:::*"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "p: policy, Logs: logging.s3.amazonaws.com may act for any account; a condition must name yours "
        "(aws:SourceAccount, or aws:SourceArn with the account in it).",
        "star: policy, Logs: logging.s3.amazonaws.com may act for any account; a condition must name "
        "yours (aws:SourceAccount, or aws:SourceArn with the account in it).",
    ]


def test_a_service_for_an_account_for_one_bucket_or_by_context_is_quiet(preview: bool) -> None:
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
            "one",
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
                            "Condition": {"ArnLike": {"aws:SourceArn": "arn:aws:s3:::source"}},
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
                            "Principal": {"Service": "logs.us-east-1.amazonaws.com"},
                            "Action": "kms:Encrypt",
                            "Resource": "*",
                            "Condition": {
                                "ArnLike": {
                                    "kms:EncryptionContext:aws:logs:arn": "arn:aws:logs:us-east-1:111122223333:*"
                                }
                            },
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
                                "Principal": {"Service": "logging.s3.amazonaws.com"},
                                "Action": "s3:PutObject",
                                "Resource": "arn:aws:s3:::b/*",
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "p: policy, Logs: logging.s3.amazonaws.com may act for any account; a condition must name yours "
        "(aws:SourceAccount, or aws:SourceArn with the account in it).",
    ]
