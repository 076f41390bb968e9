import json

import pulumi_aws as aws

from policies.rules.iam_pod_role_for_named_pods import RULE
from tests.policies.judging import later, messages


def test_a_role_that_names_half_of_its_pods_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.iam.Role(
            "role",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"Service": "pods.eks.amazonaws.com"},
                            "Action": ["sts:AssumeRole", "sts:TagSession"],
                            "Condition": {"StringEquals": {"aws:RequestTag/kubernetes-namespace": "vision"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "role: assumeRolePolicy, statement 1: names one of namespace and service account and leaves the "
        "other open; StringEquals aws:requesttag/kubernetes-service-account should be there too.",
    ]


def test_a_role_that_names_both_and_one_that_names_neither_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.iam.Role(
            "role",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"Service": "pods.eks.amazonaws.com"},
                            "Action": ["sts:AssumeRole", "sts:TagSession"],
                            "Condition": {
                                "StringEquals": {
                                    "aws:RequestTag/kubernetes-namespace": "vision",
                                    "aws:RequestTag/kubernetes-service-account": "t",
                                }
                            },
                        }
                    ],
                }
            ),
        )
        aws.iam.Role(
            "any",
            assume_role_policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"Service": "pods.eks.amazonaws.com"},
                            "Action": ["sts:AssumeRole", "sts:TagSession"],
                            "Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}},
                        }
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
                                "Principal": {"Service": "pods.eks.amazonaws.com"},
                                "Action": ["sts:AssumeRole", "sts:TagSession"],
                                "Condition": {"StringEquals": {"aws:RequestTag/kubernetes-namespace": "vision"}},
                            }
                        ],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "role: assumeRolePolicy, statement 1: names one of namespace and service account and leaves the "
        "other open; StringEquals aws:requesttag/kubernetes-service-account should be there too.",
    ]
