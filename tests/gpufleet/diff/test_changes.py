"""What becomes of each resource, by the settings of a small program; the engine itself is asked in the parity test."""

from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from gpufleet.diff import changes, sides
from gpufleet.diff.changes import Fate
from gpufleet.diff.sides import Node, Side
from gpufleet.plan import planning
from gpufleet.plan.graph import Run, unknown_paths
from tests.gpufleet.cost import shop
from tests.harness import record

NOTHING_COSTS: dict[str, Any] = {"lines": []}


def fates(program: Path, *overrides: str, before: tuple[str, ...] = ()) -> dict[str, Fate]:
    one, other = (
        sides.of_plan(planning.plan(shop.load(program, *changed), policy_pack=None), "side")
        for changed in (before, overrides)
    )
    return {urn.rsplit("$")[-1].split("::", 2)[-1]: fate for urn, fate in changes.fates(one, other).items()}


def changed(found: dict[str, Fate]) -> dict[str, str]:
    return {
        f"{fate.node.type.rsplit(':', 1)[1]} {fate.node.name}": fate.action
        for fate in found.values()
        if fate.action != "same"
    }


def of(found: dict[str, Fate], name: str, kind: str) -> Fate:
    (fate,) = (fate for fate in found.values() if fate.node.name == name and fate.node.type.endswith(f":{kind}"))
    return fate


def test_the_same_settings_change_nothing(program: Path) -> None:
    assert changed(fates(program)) == {}


def test_a_higher_ceiling_is_a_change_in_place(program: Path) -> None:
    found = fates(program, "pools.train.max=8")
    assert changed(found) == {"NodeGroup train": "update"}
    assert of(found, "train", "NodeGroup").verdict.properties == ("scalingConfig",)


def test_a_size_that_the_program_ignores_changes_nothing_and_its_neighbours_do(program: Path) -> None:
    found = fates(program, "pools.dev.min=2")
    # desiredSize follows minSize in the program and is ignored; minSize is not.
    fate = of(found, "dev", "NodeGroup")
    assert (fate.action, fate.verdict.properties) == ("update", ("scalingConfig",))


def test_other_instance_types_replace_a_node_group_and_say_by_what(program: Path) -> None:
    fate = of(fates(program, "pools.train.types=[p5en.48xlarge]"), "train", "NodeGroup")
    assert (fate.action, fate.verdict.replaces) == ("replace", ("instanceTypes",))


def test_what_hangs_on_a_replaced_network_is_replaced_or_changed_with_it(program: Path) -> None:
    found = fates(program, "cidr=10.1.0.0/16")
    assert changed(found) == {
        "Vpc main": "replace",
        "Subnet a": "replace",
        "NatGateway nat": "replace",
        "NodeGroup train": "replace",
        "NodeGroup dev": "replace",
    }
    assert of(found, "nat", "NatGateway").verdict.replaces == ("subnetId",)


def test_a_new_version_of_a_template_reaches_the_node_groups_that_use_it(program: Path) -> None:
    found = fates(program, "gib=200")
    assert changed(found) == {"LaunchTemplate nodes": "update", "NodeGroup train": "update", "NodeGroup dev": "update"}
    assert of(found, "train", "NodeGroup").verdict.properties == ("launchTemplate",)


def test_other_default_tags_reach_everything_that_takes_tags(program: Path) -> None:
    found = fates(program, "owner=others")
    assert set(changed(found).values()) == {"update"}
    assert of(found, "main", "Vpc").verdict.properties == ("tagsAll",)
    assert of(found, "main", "aws").action == "update"


def test_another_region_of_the_provider_is_everything_anew(program: Path) -> None:
    assert set(changed(fates(program, "region=eu-west-1")).values()) == {"replace", "update"}


def test_a_bucket_that_gets_a_name_is_another_bucket(program: Path) -> None:
    fate = of(fates(program, "named=true"), "data", "Bucket")
    assert (fate.action, fate.verdict.replaces) == ("replace", ("bucket",))


def test_a_bucket_without_a_name_keeps_the_one_it_has(program: Path) -> None:
    assert changed(fates(program, "pools.train.max=5")) == {"NodeGroup train": "update"}


def test_another_logical_name_is_a_deletion_and_a_creation(program: Path) -> None:
    assert changed(fates(program, "buckets=[other]")) == {"Bucket data": "delete", "Bucket other": "create"}


def side(build: Any) -> Side:
    """A side built in the test itself."""
    preview, update = record(build, preview=True).run, record(build).run
    unknown = {found.urn: tuple(unknown_paths(found.inputs)) for found in preview.resources}
    return Side(
        label="side",
        stack=update.stack,
        project=update.project,
        nodes=_nodes(update, unknown),
        violations=(),
        cost=NOTHING_COSTS,
    )


def _nodes(run: Run, unknown: dict[str, tuple[str, ...]]) -> dict[str, Node]:
    return {
        found.urn: Node(
            urn=found.urn,
            type=found.type,
            name=found.name,
            parent=found.parent or "",
            provider=found.provider,
            custom=found.custom,
            protect=found.protect,
            dependencies=found.dependencies,
            property_dependencies=found.property_dependencies,
            inputs=found.inputs,
            unknown=unknown[found.urn],
            id=found.id or "",
            outputs=found.outputs,
            options=found.options,
        )
        for found in run.resources
    }


def compared(before: Any, after: Any) -> dict[str, str]:
    return changed(changes.fates(side(before), side(after)))


def test_an_alias_makes_a_rename_no_change() -> None:
    def renamed() -> None:
        aws.s3.Bucket("new", opts=pulumi.ResourceOptions(aliases=[pulumi.Alias(name="old")]))

    assert compared(lambda: aws.s3.Bucket("old"), renamed) == {}


def test_a_component_that_is_renamed_with_an_alias_keeps_its_children() -> None:
    def component(name: str, aliases: list[pulumi.Input[pulumi.Alias | str]] | None = None) -> None:
        parent = pulumi.ComponentResource("x:y:Z", name, None, pulumi.ResourceOptions(aliases=aliases))
        aws.s3.Bucket(f"{name}-data", opts=pulumi.ResourceOptions(parent=parent))

    assert compared(lambda: component("old"), lambda: component("new", [pulumi.Alias(name="old")])) == {}


def test_what_the_program_wants_replaced_is_replaced() -> None:
    def bucket(purpose: str) -> None:
        opts = pulumi.ResourceOptions(replace_on_changes=["tags"])
        aws.s3.Bucket("data", tags={"purpose": purpose}, opts=opts)

    assert compared(lambda: bucket("a"), lambda: bucket("b")) == {"Bucket data": "replace"}


def test_what_goes_before_its_successor_takes_along_what_cannot_point_elsewhere() -> None:
    def cluster(role: str) -> None:
        subnets = aws.eks.ClusterVpcConfigArgs(subnet_ids=["subnet-1", "subnet-2"])
        made = aws.eks.Cluster("main", name="fixed", role_arn=role, vpc_config=subnets)
        aws.eks.AccessEntry("admin", cluster_name=made.name, principal_arn="arn:aws:iam::111122223333:role/admin")

    found = changes.fates(side(lambda: cluster("arn:a")), side(lambda: cluster("arn:b")))
    assert changed(found) == {"Cluster main": "replace", "AccessEntry admin": "replace"}
    (entry,) = (fate for fate in found.values() if fate.node.name == "admin")
    assert (entry.because.rsplit("::", 1)[-1], entry.verdict.replaces) == ("main", ())


def test_tags_in_another_order_are_the_same_provider() -> None:
    def provider(*order: str) -> None:
        aws.Provider("main", region="us-east-1", default_tags={"tags": dict.fromkeys(order, "x")})

    assert compared(lambda: provider("owner", "team"), lambda: provider("team", "owner")) == {}
    assert compared(lambda: provider("owner"), lambda: provider("team")) == {"aws main": "update"}


def test_of_a_type_that_nobody_knows_it_is_not_claimed_to_know() -> None:
    def table(mode: str) -> None:
        aws.dynamodb.Table("t", hash_key="id", billing_mode=mode, attributes=[{"name": "id", "type": "S"}])

    assert compared(lambda: table("PROVISIONED"), lambda: table("PAY_PER_REQUEST")) == {"Table t": "update-or-replace"}


def kubernetes(type_: str, inputs: dict[str, Any]) -> Side:
    urn = f"urn:pulumi:dev::shop::{type_}::thing"
    node = Node(
        urn=urn,
        type=type_,
        name="thing",
        parent="",
        provider="",
        custom=True,
        protect=False,
        dependencies=(),
        property_dependencies={},
        inputs=inputs,
        unknown=(),
        id="thing",
        outputs={},
    )
    return Side(label="side", stack="dev", project="shop", nodes={urn: node}, violations=(), cost=NOTHING_COSTS)


def deployment(name: str = "web", replicas: int = 1, app: str = "web") -> dict[str, Any]:
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": app}}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}


@pytest.mark.parametrize(
    ("after", "action", "replaces"),
    [
        (deployment(), "same", ()),
        (deployment(replicas=2), "update", ()),
        (deployment(name="other"), "replace", ("metadata.name",)),
        (deployment(app="other"), "replace", ("spec.selector.matchLabels.app",)),
    ],
)
def test_an_object_is_replaced_for_its_name_and_for_what_kubernetes_cannot_change(
    after: dict[str, Any], action: str, replaces: tuple[str, ...]
) -> None:
    type_ = "kubernetes:apps/v1:Deployment"
    (fate,) = changes.fates(kubernetes(type_, deployment()), kubernetes(type_, after)).values()
    assert (fate.action, fate.verdict.replaces) == (action, replaces)
