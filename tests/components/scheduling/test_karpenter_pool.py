import json
import tomllib
from dataclasses import replace
from typing import Any

import pytest
from pulumi.provider.experimental.component import ComponentProvider

from components.scheduling import karpenter_pool
from components.scheduling.karpenter import Karpenter
from components.scheduling.karpenter_access import KarpenterAccess
from components.scheduling.karpenter_pool import KarpenterPool
from gpufleet.plan import police
from policies import rules
from tests.components import builds as common
from tests.components.scheduling import builds, regions
from tests.components.scheduling.designs import design
from tests.harness import Recorded, record

CLASS, POOL = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass", "kubernetes:karpenter.sh/v1:NodePool"
PLACEMENT, RELEASE = "aws:ec2/placementGroup:PlacementGroup", "kubernetes:helm.sh/v3:Release"


def made(**changes: Any) -> Recorded:
    return record(builds.pool(**changes))


def test_pool_and_class_go_by_the_pools_name_and_say_which_cluster_they_are_for() -> None:
    recorded = made()

    for token, kind in ((CLASS, "EC2NodeClass"), (POOL, "NodePool")):
        inputs = recorded.one(token).inputs
        assert inputs["kind"] == kind
        assert inputs["metadata"] == {"name": "train", "labels": {"gpufleet.io/cluster": "demo"}}
    reference = recorded.one(POOL).inputs["spec"]["template"]["spec"]["nodeClassRef"]
    assert reference == {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "train"}


def test_the_class_goes_after_the_pool_since_karpenter_keeps_it_until_the_last_node_has_gone() -> None:
    recorded = made()

    assert recorded.one(CLASS).urn in recorded.one(POOL).dependencies


def test_only_subnets_of_the_designs_zones_are_used() -> None:
    terms = made(**builds.POOLS["efa"]).one(CLASS).inputs["spec"]["subnetSelectorTerms"]

    assert terms == [{"id": "subnet-a"}]


def test_an_efa_pool_gets_its_group_beside_the_nodes_and_a_placement_group_of_its_own() -> None:
    recorded = made(**builds.POOLS["efa"])
    spec = recorded.one(CLASS).inputs["spec"]

    assert spec["securityGroupSelectorTerms"] == [{"id": "sg-nodes"}, {"id": "sg-efa"}]
    assert spec["placementGroupSelector"] == {"name": recorded.one(PLACEMENT).outputs["name"]}
    assert recorded.one(PLACEMENT).inputs["strategy"] == "cluster"


def test_a_pool_without_efa_needs_no_placement_group() -> None:
    assert made().all(PLACEMENT) == []


def test_instances_and_volumes_are_tagged_as_the_pool_is() -> None:
    assert made().one(CLASS).inputs["spec"]["tags"] == {"Name": "pool", "team": "vision"}


def test_the_design_is_an_output_of_the_component() -> None:
    outputs = made().one("gpufleet:index:KarpenterPool").outputs

    assert outputs["nodePoolName"] == "train"
    assert outputs["design"]["scaler"] == "karpenter"


def test_karpenter_writes_user_data_by_itself_so_there_is_none() -> None:
    for changes in builds.POOLS.values():
        assert "userData" not in made(**changes).one(CLASS).inputs["spec"]


@pytest.mark.parametrize("kind", builds.POOLS)
def test_a_preview_registers_what_the_update_registers(kind: str) -> None:
    previewed, updated = record(builds.pool(**builds.POOLS[kind]), preview=True), made(**builds.POOLS[kind])

    assert [resource.urn for resource in previewed.resources] == [resource.urn for resource in updated.resources]
    assert {r.urn: sorted(r.inputs) for r in previewed.resources} == {
        r.urn: sorted(r.inputs) for r in updated.resources
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"node_role_name": None}, "node_role_name, instance_profile_name: give exactly one"),
        ({"instance_profile_name": "nodes"}, "node_role_name, instance_profile_name: give exactly one"),
        ({"closed": True}, "instance_profile_name: missing, and the network is closed"),
        ({"weight": 101}, "weight: 101 is out of range; allowed are 1 to 100"),
        ({"tags": {"karpenter.sh/nodepool": "x"}}, "tags: 'karpenter.sh/nodepool' is one that Karpenter sets itself"),
        ({"pool_name": "Train"}, "name: 'Train': it becomes a label"),
        ({"min_nodes": 1}, "nodes.min: 1: Karpenter brings nodes for pods that wait"),
        (
            {"instance_types": ["g6f.xlarge"]},
            "scaler: .karpenter.: g6f.xlarge have a fraction of a GPU, and Karpenter takes that for none",
        ),
    ],
)
def test_a_mistake_is_answered_with_the_value_and_the_fix(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        builds.pool_args(**changes)


def test_an_efa_pool_without_its_security_group_is_refused() -> None:
    with pytest.raises(ValueError, match="efa_security_group_id: pool train has EFA"):
        made(**builds.POOLS["efa"] | {"efa_security_group_id": None})


def test_hugepages_are_written_where_the_image_does_not_set_them_aside() -> None:
    wanted = replace(design(image="bottlerocket"), hugepages_2mib=5128, hugepages_from="user data")

    assert karpenter_pool.written_data(wanted) == '[settings.kernel.sysctl]\n"vm.nr_hugepages" = "5128"\n'


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"sharing": "time-slicing", "time_slicing_replicas": 4},
            {
                "device-sharing-strategy": "time-slicing",
                "time-slicing": {"replicas": 4, "rename-by-default": False},
            },
        ),
        (
            {"sharing": "mig", "mig_profile": "1g.10gb", "instance_types": ["p5.4xlarge"]},
            {"device-partitioning-strategy": "mig", "mig": {"profile": {"h100.80gb": "1g.10gb"}}},
        ),
    ],
)
def test_bottlerocket_is_told_how_gpus_are_shared(changes: dict[str, Any], told: dict[str, Any]) -> None:
    written = karpenter_pool.written_data(design(image="bottlerocket", **changes))

    assert tomllib.loads(written or "")["settings"]["kubelet-device-plugins"]["nvidia"] == told
    assert karpenter_pool.written_data(design(**changes)) is None


def test_adding_a_pool_changes_nothing_of_the_others() -> None:
    one = record(regions.region("spot"))
    two = record(regions.region("spot", "arm"))

    before = {resource.urn: (resource.inputs, resource.dependencies) for resource in one.resources}
    after = {resource.urn: (resource.inputs, resource.dependencies) for resource in two.resources}
    assert {urn: after[urn] for urn in before} == before
    added = {resource.name for resource in two.resources if resource.urn not in before}
    assert added == {"pool-arm", "pool-arm-nodes"}


def closure(recorded: Recorded, start: str) -> set[str]:
    """All that a resource waits for, directly or not, as (type, name)."""
    by_urn = {resource.urn: resource for resource in recorded.resources}
    found: set[str] = set()
    todo = [start]
    while todo:
        for urn in by_urn[todo.pop()].dependencies:
            if urn not in found:
                found.add(urn)
                todo.append(urn)
    return {f"{by_urn[urn].type} {by_urn[urn].name}" for urn in found}


def test_on_destroy_pools_go_before_karpenter_and_karpenter_before_all_that_it_ends_nodes_with() -> None:
    recorded = record(regions.region("spot"))

    direct = set(recorded.one(CLASS).dependencies)
    assert {release.urn for release in recorded.all(RELEASE)} <= direct
    release = closure(recorded, recorded.one(RELEASE, "karpenter").urn)
    assert {
        "aws:eks/accessEntry:AccessEntry karpenter-nodes",
        "aws:eks/podIdentityAssociation:PodIdentityAssociation karpenter-controller",
        "aws:iam/role:Role karpenter-controller",
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment karpenter-controller-launch",
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment karpenter-controller-lookups",
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment karpenter-controller-roles",
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment karpenter-node-pull",
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment karpenter-node-worker",
        "aws:sqs/queue:Queue karpenter",
        "aws:sqs/queuePolicy:QueuePolicy karpenter",
        "aws:cloudwatch/eventTarget:EventTarget karpenter-spot",
        "aws:eks/nodeGroup:NodeGroup system",
        "aws:eks/addon:Addon dns",
        "aws:eks/addon:Addon cluster-cni",
        "aws:ec2/natGateway:NatGateway net-nat-us-east-1a",
        "aws:ec2/route:Route net-private-us-east-1a",
        "kubernetes:helm.sh/v3:Release karpenter-crd",
    } <= release
    rules_of_nodes = {one for one in release if one.startswith("aws:vpc/securityGroup")}
    assert rules_of_nodes


def test_in_a_closed_network_nodes_have_the_profile_and_the_image_comes_from_our_registry() -> None:
    recorded = record(regions.region("spot", closed=True))

    profile = recorded.one("aws:iam/instanceProfile:InstanceProfile")
    spec = recorded.one(CLASS).inputs["spec"]
    assert spec["instanceProfile"] == profile.outputs["name"]
    assert "role" not in spec
    values = recorded.one(RELEASE, "karpenter").inputs["values"]
    assert values["settings"]["isolatedVPC"] is True
    assert values["controller"]["image"]["repository"].startswith(f"{common.ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/")


@pytest.mark.parametrize("preview", [False, True], ids=["update", "preview"])
def test_no_policy_has_anything_to_say_of_a_region_with_pools(preview: bool) -> None:
    build = regions.region("spot", "arm", "bottlerocket", "efa")

    found = police.judge(rules.RULES, record(build, preview=preview).run)

    assert [(one.rule, one.urn, one.message) for one in found] == []


def test_every_component_can_be_offered_to_programs_in_other_languages() -> None:
    offered: list[Any] = [KarpenterAccess, Karpenter, KarpenterPool]

    schema = json.loads(ComponentProvider(offered, "gpufleet", version="0.0.0").schema or "")

    assert schema["resources"]["gpufleet:index:KarpenterPool"]["inputProperties"]["maxNodes"]["type"] == "integer"
    assert "weight" in schema["resources"]["gpufleet:index:KarpenterPool"]["inputProperties"]
