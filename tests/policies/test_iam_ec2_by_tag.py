import json

import pulumi_aws as aws

from policies.rules.iam_ec2_by_tag import RULE
from tests.policies.judging import later, messages


def test_any_instance_of_the_account_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "End",
                            "Effect": "Allow",
                            "Action": "ec2:TerminateInstances",
                            "Resource": "arn:aws:ec2:*:111122223333:instance/*",
                        }
                    ],
                }
            ),
        )
        aws.iam.Policy(
            "q",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "Any",
                            "Effect": "Allow",
                            "Action": "ec2:RunInstances",
                            "Resource": "arn:aws:ec2:*:*:instance/*",
                            "Condition": {"StringLike": {"aws:RequestTag/karpenter.sh/nodepool": "*"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "p: policy, End: ec2:TerminateInstances on every instance of the account; a condition must name "
        "a tag with its value (aws:ResourceTag or aws:RequestTag).",
        "q: policy, Any: ec2:RunInstances on every instance of the account; a condition must name a tag "
        "with its value (aws:ResourceTag or aws:RequestTag).",
    ]


def test_instances_by_a_tag_with_its_value_and_other_actions_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Action": "ec2:TerminateInstances",
                            "Resource": "arn:aws:ec2:*:*:instance/*",
                            "Condition": {"StringEquals": {"aws:ResourceTag/kubernetes.io/cluster/c": "owned"}},
                        }
                    ],
                }
            ),
        )
        aws.iam.Policy(
            "q",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [{"Effect": "Allow", "Action": "ec2:DescribeInstances", "Resource": "*"}],
                }
            ),
        )
        aws.iam.Policy(
            "one",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Action": "ec2:TerminateInstances",
                            "Resource": "arn:aws:ec2:us-east-1:111122223333:instance/i-1",
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
                                "Action": "ec2:TerminateInstances",
                                "Resource": "arn:aws:ec2:*:*:instance/*",
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "p: policy, statement 1: ec2:TerminateInstances on every instance of the account; a condition "
        "must name a tag with its value (aws:ResourceTag or aws:RequestTag).",
    ]
