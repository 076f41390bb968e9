import json

import pulumi_aws as aws

from policies.rules.ecr_repository_policy_not_open import RULE
from tests.policies.judging import later, messages


def test_a_repository_for_everyone_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ecr.RepositoryPolicy(
            "open",
            repository="r",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [{"Sid": "Pull", "Effect": "Allow", "Principal": "*", "Action": "ecr:BatchGetImage"}],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "open: policy, Pull: Allow for Principal * without a condition on who calls; it must name "
        "accounts or demand aws:PrincipalOrgID.",
    ]


def test_named_accounts_and_an_organisation_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ecr.RepositoryPolicy(
            "named",
            repository="r",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"AWS": "arn:aws:iam::111122223333:root"},
                            "Action": "ecr:BatchGetImage",
                        }
                    ],
                }
            ),
        )
        aws.ecr.RepositoryPolicy(
            "org",
            repository="r",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": "*",
                            "Action": "ecr:BatchGetImage",
                            "Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-1"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.ecr.RepositoryPolicy(
            "open",
            repository="r",
            policy=later(
                json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "ecr:BatchGetImage"}],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "open: policy, statement 1: Allow for Principal * without a condition on who calls; it must name "
        "accounts or demand aws:PrincipalOrgID.",
    ]
