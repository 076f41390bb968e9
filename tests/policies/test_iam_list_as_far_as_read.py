import json

import pulumi_aws as aws

from policies.rules.iam_list_as_far_as_read import RULE
from tests.policies.judging import messages


def test_listing_more_than_is_read_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::data/vision/*"},
                        {"Sid": "List", "Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::data"},
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "p: policy, List: lists all of data, of which only folders may be read; a condition on s3:prefix "
        "should name them.",
    ]


def test_listing_as_far_as_is_read_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::data/vision/*"},
                        {
                            "Effect": "Allow",
                            "Action": "s3:ListBucket",
                            "Resource": "arn:aws:s3:::data",
                            "Condition": {"StringLike": {"s3:prefix": "vision/*"}},
                        },
                    ],
                }
            ),
        )
        aws.iam.Policy(
            "whole",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::data/*"},
                        {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::data"},
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []
