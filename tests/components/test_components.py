"""What holds for every component."""

import json
import subprocess
import sys

import pulumi
import pytest
from pulumi.provider.experimental.component import ComponentProvider

import components
from components import (
    AccountGuardRails,
    AccountGuardRailsArgs,
    EfaGroup,
    EfaGroupArgs,
    EncryptedBucket,
    EncryptedBucketArgs,
    FileSystemGroup,
    FileSystemGroupArgs,
    PodRole,
    ServiceLinkedRoles,
    WorkspaceAccess,
)
from components.network.endpoint_services import CLOSED_NETWORK
from gpufleet.plan.graph import Resource
from tests.components import builds
from tests.components.cluster import test_workspace_access
from tests.components.devices import builds as devices
from tests.components.identity import test_pod_role, test_service_linked_roles
from tests.components.scheduling import builds as scheduling
from tests.components.storage import compositions
from tests.harness import record

GOV = {"region": "us-gov-west-1", "partition": "aws-us-gov"}
CHINA = {"region": "cn-north-1", "partition": "aws-cn"}
BUILDS = {
    "PrivateNetwork": builds.network(endpoints=["ecr.api", "sts"]),
    "EncryptionKey": builds.key(service_principals=["logs"], for_node_volumes=True, creates_autoscaling_role=True),
    "NodeRole": builds.node_role(),
    "EncryptedBucket": builds.bucket(access_log_bucket="logs"),
    "GpuCluster": builds.cluster(admin_principal_arns=[f"arn:aws:iam::{builds.ACCOUNT}:role/ops"]),
    "SystemNodes": builds.system_nodes(),
    "ClusterDns": builds.cluster_dns(),
    "GpuPool": builds.pool(),
    "SpendBudget": builds.budget(),
    "PodRole": lambda: PodRole("runner", test_pod_role.args()),
    "ServiceLinkedRoles": lambda: ServiceLinkedRoles(
        "linked", test_service_linked_roles.args(created=["spot.amazonaws.com"])
    ),
    "WorkspaceAccess": lambda: WorkspaceAccess("people", test_workspace_access.args()),
    "EfaGroup": lambda: EfaGroup("efa", EfaGroupArgs(vpc_id="vpc-one")),
    "FileSystemGroup": lambda: FileSystemGroup(
        "fs", FileSystemGroupArgs(vpc_id="vpc-one", node_security_group_id="sg-nodes")
    ),
    "AccountGuardRails": lambda: AccountGuardRails("rails", AccountGuardRailsArgs(account_id=builds.ACCOUNT)),
    **{name: build() for name, build in compositions.BUILDS.items()},
    **devices.BUILDS,
    **scheduling.BUILDS,
}


def test_every_component_is_built_here() -> None:
    assert {f"{name}Args" for name in BUILDS} | set(BUILDS) == set(components.__all__)


@pytest.mark.parametrize("name", BUILDS)
def test_a_preview_registers_what_the_update_registers(name: str) -> None:
    previewed, updated = record(BUILDS[name], preview=True), record(BUILDS[name])

    assert [resource.urn for resource in previewed.resources] == [resource.urn for resource in updated.resources]
    assert {r.urn: sorted(r.inputs) for r in previewed.resources} == {
        r.urn: sorted(r.inputs) for r in updated.resources
    }
    assert {r.urn: r.dependencies for r in previewed.resources} == {r.urn: r.dependencies for r in updated.resources}


@pytest.mark.parametrize("name", BUILDS)
def test_a_component_is_the_parent_of_all_it_makes(name: str) -> None:
    recorded = record(BUILDS[name])

    (component,) = [resource for resource in recorded.resources if resource.type == f"gpufleet:index:{name}"]
    made = [resource for resource in recorded.resources if resource.custom]
    assert made
    within = {component.urn}  # and the components that it is made from
    for resource in sorted(recorded.resources, key=lambda resource: resource.urn.count("$")):
        if not resource.custom and resource.parent in within:
            within.add(resource.urn)
    assert {resource.parent for resource in made} <= within
    assert all(resource.name == component.name or resource.name.startswith(f"{component.name}-") for resource in made)


@pytest.mark.parametrize("name", BUILDS)
def test_what_a_component_hands_out_is_annotated_and_set(name: str) -> None:
    made: list[pulumi.ComponentResource] = []
    build = BUILDS[name]
    record(lambda: made.append(build()))  # pyright: ignore[reportArgumentType] -- builds return their component

    for output in type(made[0]).__annotations__:
        assert isinstance(getattr(made[0], output), pulumi.Output), output


@pytest.mark.parametrize("where", [GOV, CHINA], ids=["us-gov", "china"])
def test_no_arn_of_the_commercial_partition_is_left_in_another(where: dict[str, str]) -> None:
    region, partition = where["region"], where["partition"]
    key = f"arn:{partition}:kms:{region}:{builds.ACCOUNT}:key/one"
    zones = [f"{region}a", f"{region}b"]
    everything = [
        builds.network(region=region, zones=zones, endpoints=["ecr.api"], flow_log_key_arn=key),
        builds.network(region=region, zones=zones, egress="none", endpoints=CLOSED_NETWORK, flow_log_key_arn=key),
        builds.key(**where, service_principals=["logs", "sqs"], for_node_volumes=True),
        builds.node_role(partition=partition),
        builds.bucket(partition=partition, key_arn=key),
        builds.cluster(
            **where,
            secrets_key_arn=key,
            log_key_arn=key,
            admin_principal_arns=[f"arn:{partition}:iam::{builds.ACCOUNT}:role/ops"],
        ),
    ]

    for build in everything:
        for resource in record(build, preview=True).resources:
            assert "arn:aws:" not in json.dumps(resource.inputs), resource.urn


def test_protection_given_to_a_component_reaches_its_children() -> None:
    def build() -> None:
        args = EncryptedBucketArgs(purpose="datasets", key_arn=builds.KEY, partition="aws")
        EncryptedBucket("data", args, pulumi.ResourceOptions(protect=True))

    resources: tuple[Resource, ...] = record(build).resources

    assert all(resource.protect for resource in resources)


def test_no_security_group_has_rules_of_its_own_and_descriptions_are_frozen() -> None:
    groups = [
        group
        for build in (builds.network(), builds.cluster())
        for group in record(build).all("aws:ec2/securityGroup:SecurityGroup")
    ]

    assert {group.name: group.inputs["description"] for group in groups} == {
        "net-endpoints": "HTTPS from the VPC to its endpoints",
        "cluster-control-plane": "Control plane of the cluster",
        "cluster-nodes": "Nodes of the cluster",
    }
    assert all("ingress" not in group.inputs and "egress" not in group.inputs for group in groups)
    assert all("name" not in group.inputs for group in groups)


def test_importing_one_component_leaves_the_other_services_of_the_sdk_alone() -> None:
    program = "import sys, components; components.EncryptedBucket; print('pulumi_aws.eks.cluster' in sys.modules)"

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert printed.stdout.strip() == "False"


def test_an_unknown_component_is_answered_with_those_there_are() -> None:
    with pytest.raises(AttributeError, match="'Pool'; there are AccessLogBucket, AccountGuardRails"):
        _ = components.Pool  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType] -- the point


def test_every_component_can_be_offered_to_programs_in_other_languages() -> None:
    offered = [getattr(components, name) for name in BUILDS]

    schema = json.loads(ComponentProvider(offered, "gpufleet", version="0.0.0").schema or "")

    assert set(schema["resources"]) == {f"gpufleet:index:{name}" for name in BUILDS}
    assert schema["resources"]["gpufleet:index:GpuPool"]["inputProperties"]["maxNodes"]["type"] == "integer"
