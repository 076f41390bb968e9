"""Every shipped stack: planned twice alike, no violation, a price range, the resources it is known to have."""

import functools
import json
import re
import subprocess
from pathlib import Path

import pytest

from gpufleet.plan import planning, project
from tests import golden

ROOT = Path(__file__).parents[2]
STACKS = ("dev", "staging", "prod", "closed", "pools")
SHIPPED = STACKS[:3]
HERE = Path(__file__).parent
"""Beside the shipped ones: `closed`, a network without any way out, and `pools`, a pool of every kind."""


def loaded(stack: str) -> project.Project:
    return project.load(ROOT, stack) if stack in SHIPPED else project.load(ROOT, settings_file=HERE / f"{stack}.yaml")


@functools.cache
def planned(stack: str) -> planning.Plan:
    return planning.plan(loaded(stack), policy_pack=ROOT / "policies")


@pytest.mark.parametrize("stack", STACKS)
def test_it_holds_without_any_violation(stack: str):
    assert planned(stack).violations == ()


@pytest.mark.parametrize("stack", STACKS)
def test_preview_and_update_register_the_same(stack: str):
    plan = planned(stack)
    assert [r.urn for r in plan.preview.resources] == [r.urn for r in plan.update.resources]
    assert list(planning.differences(plan.preview, plan.update)) == []


@pytest.mark.parametrize("stack", STACKS)
def test_it_costs_more_at_its_ceiling_and_less_than_it_promises(stack: str):
    cost = planned(stack).as_document()["cost"]
    assert 0 < cost["hourly_minimum"] < cost["hourly_maximum"]
    budget = next(r for r in planned(stack).update.resources if r.type == "gpufleet:index:SpendBudget")
    assert cost["hourly_maximum"] <= budget.inputs["maxHourlyUsd"]


@pytest.mark.parametrize("stack", STACKS)
def test_its_resources_are_the_golden_ones(stack: str):
    lines = [f"{r.type} {r.name}" for r in planned(stack).update.resources]
    golden.check(f"stacks/{stack}.txt", "\n".join(sorted(lines)) + "\n")


@pytest.mark.parametrize("stack", STACKS)
def test_every_aws_resource_names_its_provider(stack: str):
    bare = [r.urn for r in planned(stack).update.resources if r.type.startswith("aws:") and not r.provider]
    assert bare == []


@pytest.mark.parametrize("stack", STACKS)
def test_every_provider_is_bound_to_the_stacks_account_and_tags_everything(stack: str):
    settings = json.loads(loaded(stack).config["gpufleet:settings"])
    for provider in (r for r in planned(stack).update.resources if r.type == "pulumi:providers:aws"):
        assert json.loads(provider.inputs["allowedAccountIds"]) == [settings["account_id"]]
        tags = json.loads(provider.inputs["defaultTags"])["tags"]
        protected = {"gpufleet-protected": "true"} if settings.get("protected") else {}
        assert tags == {**settings["tags"], "gpufleet-stack": f"gpufleet-{stack}", "managed-by": "pulumi", **protected}


def test_stacks_forbid_providers_that_nobody_declared():
    for stack in SHIPPED:
        assert json.loads(project.load(ROOT, stack).config["pulumi:disable-default-providers"]) == ["*"]


def test_the_program_never_asks_which_stack_it_is():
    for path in (ROOT / "__main__.py", *(ROOT / "stacks").rglob("*.py"), *(ROOT / "components").rglob("*.py")):
        text = path.read_text()
        assert not re.search(r"""["'](dev|staging|prod)["']""", text), path


def test_a_change_of_one_pool_changes_nothing_else():
    before = planned("dev").update.by_urn()
    changed_settings = project.load(ROOT, "dev", overrides=["pools.dev-l4.nodes.max=3"])
    after = planning.plan(changed_settings, policy_pack=None).update.by_urn()
    changed = {urn.rsplit("::")[-1] for urn in before.keys() | after.keys() if before.get(urn) != after.get(urn)}
    assert changed == {"us-east-1-pool-dev-l4"}  # the component and its NodePool have one name


def test_a_document_names_what_only_the_update_knows():
    by_name = {(r["type"], r["name"]): r for r in planned("staging").as_document()["resources"]}
    group = by_name["aws:eks/nodeGroup:NodeGroup", "us-east-1-pool-serve"]
    assert "subnetIds" in group["unknown_in_preview"]
    assert group["inputs"]["subnetIds"][0].startswith("subnet-0")
    keys = "urn type name parent provider protect dependencies inputs unknown_in_preview id outputs"
    assert list(group) == keys.split()


def test_the_document_has_the_contracts_shape():
    document = planned("dev").as_document()
    assert list(document) == ["schema", "stack", "project", "resources", "violations", "cost", "outputs", "seconds"]
    assert (document["schema"], document["stack"], document["project"]) == (1, "dev", "gpufleet")
    assert json.loads(json.dumps(document)) == document


def test_a_closed_network_has_no_way_out():
    resources = planned("closed").update.resources
    kinds = {r.type.rsplit(":", 1)[1] for r in resources}
    assert kinds.isdisjoint({"InternetGateway", "NatGateway", "Eip"})
    open_rules = [r.name for r in resources if r.inputs.get("cidrIpv4") == "0.0.0.0/0"]
    assert open_rules == []


def test_a_permissions_boundary_reaches_every_role_that_can_have_one():
    roles = [r for r in planned("closed").update.resources if r.type == "aws:iam/role:Role"]
    boundary = "arn:aws:iam::111122223333:policy/boundary"
    assert {r.inputs.get("permissionsBoundary") for r in roles} == {boundary}
    assert len(roles) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_terraforms_own_provider_accepts_every_aws_resource(stack: str, tmp_path: Path):
    judge = ROOT.parent / "shared/judges/aws-provider-validate"
    if not judge.is_file():
        pytest.skip("the judge that asks Terraform's AWS provider is not on this machine")
    (tmp_path / "plan.json").write_text(json.dumps(planned(stack).as_document()))
    asked = subprocess.run([judge, tmp_path / "plan.json"], capture_output=True, text=True, check=False)
    if asked.returncode == 3:
        pytest.skip(f"Terraform or its AWS provider is not on this machine: {asked.stdout.strip()}")
    assert re.fullmatch(r"\d+ AWS resources asked, 0 problems, 0 not asked\n", asked.stdout), asked.stdout
