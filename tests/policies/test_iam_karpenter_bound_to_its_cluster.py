import json

import pulumi_aws as aws

from policies.rules.iam_karpenter_bound_to_its_cluster import RULE
from tests.policies.judging import messages


def test_a_statement_bound_to_the_cluster_and_not_to_its_own_nodes_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.iam.Policy(
            "p",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Sid": "Launch",
                            "Effect": "Allow",
                            "Action": "ec2:RunInstances",
                            "Resource": "arn:aws:ec2:*:*:instance/*",
                            "Condition": {
                                "StringEquals": {
                                    "aws:RequestTag/kubernetes.io/cluster/c": "owned",
                                    "aws:RequestTag/eks:eks-cluster-name": "c",
                                },
                                "StringLike": {"aws:RequestTag/karpenter.sh/nodepool": "*"},
                            },
                        },
                        {
                            "Sid": "End",
                            "Effect": "Allow",
                            "Action": "ec2:TerminateInstances",
                            "Resource": "arn:aws:ec2:*:*:instance/*",
                            "Condition": {"StringEquals": {"aws:ResourceTag/kubernetes.io/cluster/c": "owned"}},
                        },
                        {
                            "Sid": "Tag",
                            "Effect": "Allow",
                            "Action": "ec2:CreateTags",
                            "Resource": "arn:aws:ec2:*:*:instance/*",
                            "Condition": {"StringLike": {"aws:ResourceTag/karpenter.sh/nodepool": "*"}},
                        },
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "p: policy, End: is bound by some of Karpenter's tags and not by karpenter.sh/nodepool (or "
        "karpenter.k8s.aws/ec2nodeclass); it must be by all.",
        "p: policy, Tag: is bound by some of Karpenter's tags and not by aws:TagKeys; it must be by all.",
        "p: policy, Tag: is bound by some of Karpenter's tags and not by eks:eks-cluster-name in "
        "aws:RequestTag; it must be by all.",
        "p: policy, Tag: is bound by some of Karpenter's tags and not by kubernetes.io/cluster/NAME; it "
        "must be by all.",
    ]


def test_a_policy_bound_by_all_and_one_that_is_not_karpenters_are_quiet(preview: bool) -> None:
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
                            "Condition": {
                                "StringEquals": {"aws:ResourceTag/kubernetes.io/cluster/c": "owned"},
                                "StringLike": {"aws:ResourceTag/karpenter.sh/nodepool": "*"},
                            },
                        }
                    ],
                }
            ),
        )
        aws.iam.Policy(
            "other",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Action": "ec2:TerminateInstances",
                            "Resource": "arn:aws:ec2:*:*:instance/*",
                            "Condition": {"StringEquals": {"aws:ResourceTag/team": "vision"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []
