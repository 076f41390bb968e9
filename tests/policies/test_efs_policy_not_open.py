import json

import pulumi_aws as aws

from policies.rules.efs_policy_not_open import RULE
from tests.policies.judging import later, messages


def test_a_file_system_for_everyone_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.efs.FileSystemPolicy(
            "open",
            file_system_id="fs-1",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Sid": "Mount", "Effect": "Allow", "Principal": "*", "Action": "elasticfilesystem:ClientMount"}
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == [
        "open: policy, Mount: Allow for Principal * without a condition on who calls; it must name "
        "roles, or demand elasticfilesystem:AccessedViaMountTarget.",
    ]


def test_named_roles_and_mount_targets_alone_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.efs.FileSystemPolicy(
            "named",
            file_system_id="fs-1",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"AWS": "arn:aws:iam::111122223333:role/r"},
                            "Action": "elasticfilesystem:ClientMount",
                        }
                    ],
                }
            ),
        )
        aws.efs.FileSystemPolicy(
            "target",
            file_system_id="fs-1",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": "*",
                            "Action": "elasticfilesystem:ClientMount",
                            "Condition": {"Bool": {"elasticfilesystem:AccessedViaMountTarget": "true"}},
                        }
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.efs.FileSystemPolicy(
            "open",
            file_system_id="fs-1",
            policy=later(
                json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "elasticfilesystem:ClientMount"}],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "open: policy, statement 1: Allow for Principal * without a condition on who calls; it must name "
        "roles, or demand elasticfilesystem:AccessedViaMountTarget.",
    ]
