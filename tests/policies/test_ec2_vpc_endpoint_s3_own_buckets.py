import json

import pulumi_aws as aws

from policies.rules.ec2_vpc_endpoint_s3_own_buckets import RULE
from tests.policies.judging import later, messages


def test_own_principals_that_write_anywhere_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.VpcEndpoint(
            "s3",
            vpc_id="vpc-1",
            service_name="com.amazonaws.us-east-1.s3",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": "*",
                            "Action": "*",
                            "Resource": "*",
                            "Condition": {"StringEquals": {"aws:PrincipalAccount": "111122223333"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "s3: policy, statement 1: lets own principals write to every bucket of the world; "
        "aws:ResourceAccount should be your own.",
    ]


def test_own_buckets_named_buckets_reading_and_other_services_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.VpcEndpoint(
            "own",
            vpc_id="vpc-1",
            service_name="com.amazonaws.us-east-1.s3",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": "*",
                            "Action": "*",
                            "Resource": "*",
                            "Condition": {"StringEquals": {"aws:ResourceAccount": "111122223333"}},
                        }
                    ],
                }
            ),
        )
        aws.ec2.VpcEndpoint(
            "named",
            vpc_id="vpc-1",
            service_name="com.amazonaws.us-east-1.s3",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": "*",
                            "Action": "s3:PutObject",
                            "Resource": "arn:aws:s3:::partner/*",
                        },
                        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"},
                    ],
                }
            ),
        )
        aws.ec2.VpcEndpoint(
            "ecr",
            vpc_id="vpc-1",
            service_name="com.amazonaws.us-east-1.ecr.api",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.ec2.VpcEndpoint(
            "s3",
            vpc_id="vpc-1",
            service_name="com.amazonaws.us-east-1.s3",
            policy=later(
                json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "s3: policy, statement 1: lets own principals write to every bucket of the world; "
        "aws:ResourceAccount should be your own.",
    ]
