"""What holds for every component of storage, and for all of them in one region."""

import importlib
import json
import warnings
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi.provider.experimental.component import ComponentProvider

from gpufleet.plan import police
from tests.components.storage.compositions import BUILDS, everything
from tests.harness import Recorded, record

POLICIES = Path(__file__).parents[3] / "policies"
PARTITIONS = {
    "china": ("aws-cn", "cn-north-1", "cn-northwest-1"),
    "us-gov": ("aws-us-gov", "us-gov-west-1", "us-gov-east-1"),
}


@pytest.fixture(scope="module")
def region() -> Recorded:
    return record(everything)


@pytest.mark.parametrize("preview", [False, True], ids=["update", "preview"])
def test_no_policy_has_anything_mandatory_to_say(preview: bool) -> None:
    found = police.judge(police.load_pack(POLICIES), record(everything, preview=preview).run)

    broken = {(one.rule, one.urn.rsplit("::", 1)[1]): one.message for one in found if one.mandatory}
    assert broken == {}


def test_a_preview_registers_what_the_update_registers(region: Recorded) -> None:
    previewed = record(everything, preview=True)

    assert [resource.urn for resource in previewed.resources] == [resource.urn for resource in region.resources]
    assert {r.urn: r.dependencies for r in previewed.resources} == {r.urn: r.dependencies for r in region.resources}


@pytest.mark.parametrize("name", BUILDS)
def test_a_component_is_the_parent_of_all_it_makes_and_hands_out_what_it_announces(name: str) -> None:
    made: list[Any] = []
    recorded = record(lambda: made.append(BUILDS[name]()()))

    (component,) = [resource for resource in recorded.resources if resource.type == f"gpufleet:index:{name}"]
    children = [resource for resource in recorded.resources if resource.custom]
    assert children
    assert {resource.parent for resource in children} == {component.urn}
    assert all(child.name == component.name or child.name.startswith(f"{component.name}-") for child in children)
    for output in type(made[0]).__annotations__:
        assert isinstance(getattr(made[0], output), pulumi.Output), output


def test_every_component_can_be_offered_to_programs_in_other_languages() -> None:
    offered: list[Any] = []
    for name, build in BUILDS.items():
        record(lambda build=build: offered.append(type(build()())))
        assert offered[-1].__name__ == name

    schema = json.loads(ComponentProvider(offered, "gpufleet", version="0.0.0").schema or "")

    assert set(schema["resources"]) == {f"gpufleet:index:{name}" for name in BUILDS}


@pytest.mark.parametrize("where", PARTITIONS)
def test_no_arn_of_the_commercial_partition_is_left_in_another(where: str) -> None:
    for resource in record(lambda: everything(*PARTITIONS[where])).resources:
        assert "arn:aws:" not in json.dumps(resource.inputs), resource.urn


def test_every_action_exists(region: Recorded) -> None:
    from policy_sentry.querying.actions import get_actions_for_service  # slow to import

    documents = [
        json.loads(resource.inputs[key])
        for resource in region.resources
        for key in ("policy", "assumeRolePolicy")
        if key in resource.inputs and not resource.type.startswith("aws:ecr/")
    ]
    actions = {
        action for document in documents for statement in document["Statement"] for action in statement["Action"]
    }
    assert len(actions) > 20
    for action in actions:
        assert any(fnmatch(one.lower(), action.lower()) for one in get_actions_for_service(action.split(":")[0])), (
            action
        )


def test_the_linter_of_iam_policies_is_quiet(region: Recorded) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it imports pkg_resources
        parliament: Any = importlib.import_module("parliament")  # ships no types
    policies = [resource for resource in region.resources if resource.type == "aws:iam/rolePolicy:RolePolicy"]
    assert {policy.name for policy in policies} == {"copies", "public"}
    for policy in policies:
        assert [str(finding) for finding in parliament.analyze_policy_string(policy.inputs["policy"]).findings] == [], (
            policy.urn
        )
