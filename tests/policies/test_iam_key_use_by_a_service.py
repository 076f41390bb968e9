import json

import pulumi_aws as aws

from policies.rules.iam_key_use_by_a_service import RULE
from tests.policies.judging import later, messages


def test_use_of_a_key_in_whatever_way_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "Read",
                            "Effect": "Allow",
                            "Action": "kms:Decrypt",
                            "Resource": "arn:aws:kms:us-east-1:111122223333:key/k",
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "p: policy, Read: use of a key in whatever way; kms:ViaService should name the service whose "
        "data it is, or kms:EncryptionContext the data.",
    ]


def test_use_through_s3_by_context_and_making_data_keys_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Action": "kms:Decrypt",
                            "Resource": "arn:aws:kms:us-east-1:111122223333:key/k",
                            "Condition": {"StringEquals": {"kms:ViaService": "s3.us-east-1.amazonaws.com"}},
                        },
                        {
                            "Effect": "Allow",
                            "Action": "kms:Decrypt",
                            "Resource": "arn:aws:kms:us-east-1:111122223333:key/k",
                            "Condition": {"StringLike": {"kms:EncryptionContext:aws:s3:arn": "arn:aws:s3:::b/*"}},
                        },
                        {
                            "Effect": "Allow",
                            "Action": "kms:GenerateDataKey",
                            "Resource": "arn:aws:kms:us-east-1:111122223333:key/k",
                        },
                        {"Effect": "Deny", "Action": "kms:Decrypt", "Resource": "*"},
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
                                "Action": "kms:Decrypt",
                                "Resource": "arn:aws:kms:us-east-1:111122223333:key/k",
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "p: policy, statement 1: use of a key in whatever way; kms:ViaService should name the service "
        "whose data it is, or kms:EncryptionContext the data.",
    ]
