import json
from typing import Any

import pulumi_aws as aws
import pytest

from tests.components import builds
from tests.harness import Recorded, record

USE = ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*"]
SCALER = f"arn:aws:iam::{builds.ACCOUNT}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"


def statements(recorded: Recorded) -> dict[str, dict[str, Any]]:
    policy = json.loads(recorded.one("aws:kms/key:Key").inputs["policy"])
    return {statement["Sid"]: statement for statement in policy["Statement"]}


def test_a_key_rotates_and_can_be_taken_back_for_thirty_days() -> None:
    inputs = record(builds.key()).one("aws:kms/key:Key").inputs

    assert {key: value for key, value in inputs.items() if key != "policy"} == {
        "description": "node volumes",
        "enableKeyRotation": True,
        "deletionWindowInDays": 30,
    }


def test_its_alias_is_prefixed_once() -> None:
    for alias in ("gpufleet/dev/volumes", "alias/gpufleet/dev/volumes"):
        recorded = record(builds.key(alias=alias))
        assert recorded.one("aws:kms/alias:Alias").inputs["name"] == "alias/gpufleet/dev/volumes"


def test_the_account_is_never_locked_out_and_nobody_else_is_let_in() -> None:
    assert statements(record(builds.key())) == {
        "AccountGovernsByIam": {
            "Sid": "AccountGovernsByIam",
            "Effect": "Allow",
            "Principal": {"AWS": f"arn:aws:iam::{builds.ACCOUNT}:root"},
            "Action": ["kms:*"],
            "Resource": ["*"],
        }
    }


@pytest.mark.parametrize("service", ["logs", "logs.us-east-1.amazonaws.com"])
def test_cloudwatch_uses_it_for_this_accounts_log_groups_only(service: str) -> None:
    allowed = statements(record(builds.key(service_principals=[service])))["LogGroupsOfThisAccount"]

    assert allowed["Principal"] == {"Service": "logs.us-east-1.amazonaws.com"}
    assert allowed["Action"] == USE
    assert allowed["Condition"] == {
        "ArnLike": {"kms:EncryptionContext:aws:logs:arn": f"arn:aws:logs:us-east-1:{builds.ACCOUNT}:log-group:*"}
    }


@pytest.mark.parametrize("service", ["sqs", "sqs.amazonaws.com"])
def test_another_service_uses_it_on_behalf_of_this_account_only(service: str) -> None:
    allowed = statements(record(builds.key(service_principals=[service])))["SqsForThisAccount"]

    assert allowed["Principal"] == {"Service": "sqs.amazonaws.com"}
    assert allowed["Condition"] == {"StringEquals": {"aws:SourceAccount": builds.ACCOUNT}}


@pytest.mark.parametrize("service", ["cloudwatch", "events", "s3", "sns", "sqs"])
def test_a_service_that_sends_messages_gets_no_more_than_sending_takes(service: str) -> None:
    allowed = statements(record(builds.key(service_principals=[service])))[f"{service.title()}ForThisAccount"]

    assert allowed["Principal"] == {"Service": f"{service}.amazonaws.com"}
    assert allowed["Action"] == ["kms:Decrypt", "kms:GenerateDataKey*"]


def test_auto_scaling_uses_a_key_for_node_volumes_and_grants_it_on_to_them() -> None:
    allowed = statements(record(builds.key(for_node_volumes=True)))

    assert allowed["AutoScalingUsesForVolumes"] == {
        "Sid": "AutoScalingUsesForVolumes",
        "Effect": "Allow",
        "Principal": {"AWS": SCALER},
        "Action": USE,
        "Resource": ["*"],
    }
    assert allowed["AutoScalingGrantsToVolumes"] == {
        "Sid": "AutoScalingGrantsToVolumes",
        "Effect": "Allow",
        "Principal": {"AWS": SCALER},
        "Action": ["kms:CreateGrant"],
        "Resource": ["*"],
        "Condition": {"Bool": {"kms:GrantIsForAWSResource": "true"}},
    }


def test_a_role_that_launches_nodes_itself_gets_what_auto_scaling_gets() -> None:
    karpenter = f"arn:aws:iam::{builds.ACCOUNT}:role/karpenter"
    allowed = statements(record(builds.key(node_launcher_role_arns=[karpenter])))

    assert allowed["NodeLauncherUsesForVolumes"] == {
        "Sid": "NodeLauncherUsesForVolumes",
        "Effect": "Allow",
        "Principal": {"AWS": [karpenter]},
        "Action": USE,
        "Resource": ["*"],
    }
    assert allowed["NodeLauncherGrantsToVolumes"]["Action"] == ["kms:CreateGrant"]
    assert allowed["NodeLauncherGrantsToVolumes"]["Condition"] == {"Bool": {"kms:GrantIsForAWSResource": "true"}}


def test_the_key_waits_for_the_role_that_its_policy_names() -> None:
    def build() -> None:
        role = aws.iam.Role("karpenter", assume_role_policy="{}")
        builds.key(node_launcher_role_arns=[role.arn])()

    recorded = record(build)

    assert recorded.one("aws:kms/key:Key").dependencies == (recorded.one("aws:iam/role:Role").urn,)


def test_lustre_uses_a_buckets_key_by_its_own_roles_of_this_account_and_only_through_s3() -> None:
    allowed = statements(record(builds.key(for_lustre_buckets=True)))["LustreUsesForLinkedBuckets"]

    assert allowed["Principal"] == "*"
    assert allowed["Action"] == USE
    assert allowed["Condition"] == {
        "StringEquals": {"kms:CallerAccount": builds.ACCOUNT, "kms:ViaService": "s3.us-east-1.amazonaws.com"},
        "ArnLike": {
            "aws:PrincipalArn": f"arn:aws:iam::{builds.ACCOUNT}:role/aws-service-role/"
            "s3.data-source.lustre.fsx.amazonaws.com/AWSServiceRoleForFSxS3Access_*"
        },
    }


def test_a_key_for_one_workspace_can_be_gone_within_a_week() -> None:
    recorded = record(builds.key(purpose="data of workspace vision", deletion_window_days=7))

    assert recorded.one("aws:kms/key:Key").inputs["deletionWindowInDays"] == 7


def test_in_a_new_account_the_scaling_role_comes_before_the_key_and_outlives_it() -> None:
    recorded = record(builds.key(for_node_volumes=True, creates_autoscaling_role=True))

    role = recorded.one("aws:iam/serviceLinkedRole:ServiceLinkedRole")
    assert role.inputs == {"awsServiceName": "autoscaling.amazonaws.com"}
    assert role.options["retainOnDelete"] is True
    assert recorded.one("aws:kms/key:Key").dependencies == (role.urn,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deletion_window_days": 3}, "deletion_window_days: 3 is out of range; allowed are 7 to 30"),
        ({"alias": "aws/ebs"}, "alias: 'aws/ebs' is reserved"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        builds.key_args(**changes)
