from typing import Any

import pytest

from components.cluster.access import principal_names
from components.cluster.workspace_access import WorkspaceAccess, WorkspaceAccessArgs, group, members
from tests.components import builds
from tests.harness import Recorded, record

ENTRY, ASSOCIATION = "aws:eks/accessEntry:AccessEntry", "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
ROLE = f"arn:aws:iam::{builds.ACCOUNT}:role"
LEAD, ANN, AUDIT = f"{ROLE}/vision-leads", f"{ROLE}/teams/ann", f"{ROLE}/audit"


def args(**changes: Any) -> WorkspaceAccessArgs:
    defaults: dict[str, Any] = {
        "cluster_name": "demo",
        "partition": "aws",
        "admins": {"vision": [LEAD]},
        "developers": {"vision": [ANN], "speech": [ANN]},
        "viewers": {"vision": [AUDIT, ANN], "speech": [AUDIT]},
    }
    return WorkspaceAccessArgs(**(defaults | changes))


def made(**changes: Any) -> Recorded:
    return record(lambda: WorkspaceAccess("people", args(**changes)))


def scopes(recorded: Recorded) -> dict[str, tuple[str, list[str]]]:
    return {
        one.name: (one.inputs["policyArn"], one.inputs["accessScope"]["namespaces"])
        for one in recorded.all(ASSOCIATION)
    }


def test_each_part_is_a_policy_scoped_to_its_namespaces() -> None:
    policies = "arn:aws:eks::aws:cluster-access-policy"

    assert scopes(made()) == {
        "people-vision-leads-admin": (f"{policies}/AmazonEKSAdminPolicy", ["vision"]),
        "people-ann-developer": (f"{policies}/AmazonEKSEditPolicy", ["speech", "vision"]),
        "people-audit-viewer": (f"{policies}/AmazonEKSViewPolicy", ["speech", "vision"]),
    }
    assert {one.inputs["accessScope"]["type"] for one in made().all(ASSOCIATION)} == {"namespace"}


def test_whoever_works_in_several_workspaces_has_one_entry_with_all_groups() -> None:
    entries = {entry.inputs["principalArn"]: entry for entry in made().all(ENTRY)}

    assert entries[ANN].inputs == {
        "clusterName": "demo",
        "principalArn": ANN,
        "kubernetesGroups": ["gpufleet:speech:developer", "gpufleet:vision:developer"],
        "type": "STANDARD",
    }
    assert len(entries) == len(made().all(ENTRY)) == 3


def test_whoever_plays_two_parts_in_a_workspace_plays_the_more_powerful() -> None:
    played = members(args(admins={"vision": [ANN]}, developers={"vision": [ANN], "speech": [ANN]}, viewers={}))

    assert played == {ANN: {"admin": ["vision"], "developer": ["speech"]}}


def test_an_administrator_of_the_cluster_gets_no_second_entry() -> None:
    recorded = made(cluster_admin_principal_arns=[LEAD])

    assert LEAD not in {entry.inputs["principalArn"] for entry in recorded.all(ENTRY)}
    assert LEAD not in members(args(cluster_admin_principal_arns=[LEAD]))


def test_nobody_is_admitted_to_the_whole_cluster_or_by_a_group_of_kubernetes_own() -> None:
    assert all(one.inputs["accessScope"]["type"] != "cluster" for one in made().all(ASSOCIATION))
    assert not group("vision", "admin").startswith(("system:", "eks:", "aws:", "amazon:", "iam:"))


def test_in_another_partition_the_policies_are_its_own() -> None:
    lead = LEAD.replace("arn:aws:", "arn:aws-us-gov:")
    recorded = made(partition="aws-us-gov", admins={"vision": [lead]}, developers={}, viewers={})

    assert recorded.one(ASSOCIATION).inputs["policyArn"].startswith("arn:aws-us-gov:eks::aws:")


def test_no_workspaces_make_no_entries() -> None:
    assert made(admins={}, developers={}, viewers={}).all(ENTRY) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"developers": {"*": [ANN]}}, r"developers: '\*' holds a wildcard"),
        ({"viewers": {"vision": ["role/ops"]}}, r"viewers.vision: 'role/ops' is not a role or user"),
        ({"admins": {"vision": [f"{ROLE}/*"]}}, "admins.vision: .* is not a role or user"),
        ({"admins": {"a": [f"{ROLE}/x/ops"]}, "viewers": {"b": [f"{ROLE}/y/ops"]}}, "end in the same name"),
    ],
)
def test_a_mistake_is_answered_with_where_it_stands(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        args(**changes)


def test_a_mistake_about_the_clusters_administrators_still_names_their_field() -> None:
    with pytest.raises(ValueError, match="admin_principal_arns: 'role/ops'"):
        principal_names(["role/ops"])
