import json

import pulumi_aws as aws
import pytest

from components import NodeRole, NodeRoleArgs
from tests.components import builds
from tests.harness import record

ROLE, ATTACHMENT = "aws:iam/role:Role", "aws:iam/rolePolicyAttachment:RolePolicyAttachment"


def test_a_node_may_join_and_pull_and_nothing_else() -> None:
    recorded = record(builds.node_role())

    assert {attachment.inputs["policyArn"] for attachment in recorded.all(ATTACHMENT)} == {
        "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy",
        "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly",
    }
    assert recorded.all("aws:iam/rolePolicy:RolePolicy") == []
    (trusted,) = json.loads(recorded.one(ROLE).inputs["assumeRolePolicy"])["Statement"]
    assert trusted["Principal"] == {"Service": "ec2.amazonaws.com"}


def test_a_permissions_boundary_is_passed_on() -> None:
    boundary = f"arn:aws:iam::{builds.ACCOUNT}:policy/boundary"

    assert (
        record(builds.node_role(permissions_boundary_arn=boundary)).one(ROLE).inputs["permissionsBoundary"] == boundary
    )


def test_a_path_is_passed_on_and_one_that_iam_would_not_take_is_refused() -> None:
    assert record(builds.node_role(path="/gpufleet/")).one(ROLE).inputs["path"] == "/gpufleet/"
    with pytest.raises(ValueError, match="path: 'gpufleet' is no path of IAM"):
        NodeRoleArgs(partition="aws", path="gpufleet")


def test_whoever_takes_the_role_waits_for_its_policies() -> None:
    def build() -> None:
        role = NodeRole("node", NodeRoleArgs(partition="aws"))
        aws.eks.AccessEntry("user", cluster_name="demo", principal_arn=role.role_arn)

    recorded = record(build)

    waits_for = recorded.one("aws:eks/accessEntry:AccessEntry").dependencies
    assert {attachment.urn for attachment in recorded.all(ATTACHMENT)} < set(waits_for)
