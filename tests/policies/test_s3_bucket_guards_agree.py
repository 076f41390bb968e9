import json

import pulumi_aws as aws

from policies.rules.s3_bucket_guards_agree import RULE
from tests.policies.judging import later, messages


def test_the_one_policy_without_a_usual_guard_is_reported(preview: bool) -> None:
    def build() -> None:
        guarded = json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Deny",
                        "Principal": "*",
                        "Action": "s3:*",
                        "Resource": "*",
                        "Condition": {"NumericLessThan": {"s3:TlsVersion": "1.2"}},
                    }
                ],
            }
        )
        for name in ("a", "b"):
            aws.s3.BucketPolicy(name, bucket=name, policy=guarded)
        aws.s3.BucketPolicy(
            "c",
            bucket="c",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Deny",
                            "Principal": "*",
                            "Action": "s3:*",
                            "Resource": "*",
                            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "c: 2 other bucket policies of the stack refuse s3:* by NumericLessThan s3:tlsversion, and this "
        "one does not; it should too.",
    ]


def test_policies_alike_and_a_single_one_are_quiet(preview: bool) -> None:
    def build() -> None:
        for name in ("a", "b"):
            aws.s3.BucketPolicy(
                name,
                bucket=name,
                policy=json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [
                            {
                                "Effect": "Deny",
                                "Principal": "*",
                                "Action": "s3:*",
                                "Resource": "*",
                                "Condition": {"NumericLessThan": {"s3:TlsVersion": "1.2"}},
                            }
                        ],
                    }
                ),
            )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        guarded = json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Deny",
                        "Principal": "*",
                        "Action": "s3:*",
                        "Resource": "*",
                        "Condition": {"NumericLessThan": {"s3:TlsVersion": "1.2"}},
                    }
                ],
            }
        )
        for name in ("a", "b"):
            aws.s3.BucketPolicy(name, bucket=name, policy=guarded)
        aws.s3.BucketPolicy(
            "c",
            bucket="c",
            policy=later(
                json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [
                            {
                                "Effect": "Deny",
                                "Principal": "*",
                                "Action": "s3:*",
                                "Resource": "*",
                                "Condition": {"Bool": {"aws:SecureTransport": "false"}},
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "c: 2 other bucket policies of the stack refuse s3:* by NumericLessThan s3:tlsversion, and this "
        "one does not; it should too.",
    ]
