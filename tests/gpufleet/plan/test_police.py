"""Judging a run: the engine's semantics for levels, configuration, unknowns and failures."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_policy as policy
import pytest

from gpufleet.errors import UsageError
from gpufleet.plan import police
from tests.harness import record

Report = Callable[..., None]

VPC = "aws:ec2/vpc:Vpc"
URN = "urn:pulumi:stack::project::aws:ec2/vpc:Vpc::v"


def network() -> None:
    vpc = aws.ec2.Vpc("v", cidr_block="10.0.0.0/16")
    aws.ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.0.0/24")


def rule(
    validate: Any,
    *,
    level: policy.EnforcementLevel | None = policy.EnforcementLevel.MANDATORY,
    limit: int | None = None,
) -> Any:
    return policy.ResourceValidationPolicy(
        name="test-rule",
        description="A rule.",
        validate=validate,
        enforcement_level=level,
        severity=policy.Severity.HIGH,
        remediation_steps="mend it",
        config_schema=policy.PolicyConfigSchema(properties={"limit": {"type": "number", "default": limit}})
        if limit
        else None,
    )


def on_vpc(args: policy.ResourceValidationArgs, report: Report) -> None:
    if args.resource_type == VPC:
        report(f"found {args.props['cidrBlock']}")


def test_a_violation_carries_rule_level_severity_urn_message_and_fix():
    [found] = police.judge([rule(on_vpc)], record(network).run)
    assert found.as_document() == {
        "rule": "test-rule",
        "level": "mandatory",
        "severity": "high",
        "urn": URN,
        "message": "found 10.0.0.0/16",
        "fix": "mend it",
        "waiver": None,
    }
    assert found.mandatory


def test_a_rule_that_touches_an_unknown_value_says_nothing_in_a_preview():
    def touches(args: policy.ResourceValidationArgs, report: Report) -> None:
        if args.resource_type == "aws:ec2/subnet:Subnet":
            report(f"in {args.props['vpcId'][:4]}")

    assert police.judge([rule(touches)], record(network, preview=True).run) == []
    assert [v.message for v in police.judge([rule(touches)], record(network).run)] == ["in vpc-"]


def test_numbers_are_floats_as_from_the_engine():
    def numbers(args: policy.ResourceValidationArgs, report: Report) -> None:
        if args.resource_type == "aws:kms/key:Key":
            report(repr(args.props["deletionWindowInDays"]))

    def key() -> None:
        aws.kms.Key("k", deletion_window_in_days=7)

    assert [v.message for v in police.judge([rule(numbers)], record(key).run)] == ["7.0"]


def test_a_stack_rule_sees_outputs_parents_and_property_dependencies():
    def stack(args: policy.StackValidationArgs, report: Report) -> None:
        by_name = {resource.name: resource for resource in args.resources}
        assert by_name["s"].property_dependencies["vpcId"] == [by_name["v"]]
        assert by_name["s"].dependencies == [by_name["v"]]
        report(by_name["v"].props["arn"], by_name["s"].urn)

    found = police.judge(
        [policy.StackValidationPolicy(name="stack-rule", description="d", validate=stack)], record(network).run
    )
    assert [(v.urn.rsplit("::")[-1], v.message[:12], v.level, v.mandatory) for v in found] == [
        ("s", "arn:aws:ec2:", "advisory", False)
    ]


def test_a_rule_sees_its_resources_provider():
    def provider_region(args: policy.ResourceValidationArgs, report: Report) -> None:
        if args.resource_type == VPC and args.provider:
            report(args.provider.props["region"])

    def build() -> None:
        provider = aws.Provider("p", region="eu-west-1")
        aws.ec2.Vpc("v", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(provider=provider))

    assert [v.message for v in police.judge([rule(provider_region)], record(build).run)] == ["eu-west-1"]


def test_settings_come_from_the_schema_and_the_configuration_wins():
    def limited(args: policy.ResourceValidationArgs, report: Report) -> None:
        if args.resource_type == VPC:
            report(str(args.get_config()["limit"]))

    run = record(network).run
    assert [v.message for v in police.judge([rule(limited, limit=3)], run)] == ["3"]
    assert [v.message for v in police.judge([rule(limited, limit=3)], run, {"test-rule": {"limit": 9}})] == ["9"]


@pytest.mark.parametrize(
    ("config", "levels"),
    [
        ({"test-rule": "advisory"}, ["advisory"]),
        ({"all": "disabled"}, []),
        ({"all": "disabled", "test-rule": {"enforcementLevel": "mandatory"}}, ["mandatory"]),
        ({"all": "remediate"}, ["remediate"]),
    ],
)
def test_levels_follow_all_then_the_rules_own_entry(config: police.Config, levels: list[str]):
    assert [v.level for v in police.judge([rule(on_vpc)], record(network).run, config)] == levels


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"other-rule": "advisory"}, "'other-rule' is no rule of the pack; its rules are test-rule"),
        ({"test-rule": "fatal"}, "level 'fatal' is none of advisory, disabled, mandatory, remediate"),
        ({"test-rule": {"max": 3}}, "test-rule has no setting max"),
        ({"test-rule": {"limit": "lots"}}, "test-rule: limit: 'lots' must be of type number"),
    ],
)
def test_a_configuration_that_fits_no_rule_is_refused(config: police.Config, message: str):
    with pytest.raises(UsageError, match=message):
        police.judge([rule(on_vpc, limit=3)], record(network).run, config)


def test_a_rule_that_fails_is_named_with_the_resource_and_never_passes_silently():
    def broken(args: policy.ResourceValidationArgs, report: Report) -> None:
        raise KeyError("nothing here")

    with pytest.raises(UsageError, match=r"policy test-rule failed on urn:.*: KeyError: 'nothing here'"):
        police.judge([rule(broken)], record(network).run)


def test_a_rule_that_does_not_apply_says_nothing():
    def elsewhere(args: policy.ResourceValidationArgs, report: Report) -> None:
        args.not_applicable("another cloud")

    assert police.judge([rule(elsewhere)], record(network).run) == []


PACK = """
import pulumi_policy as p
import helper
def check(args, report):
    if "Vpc" in args.resource_type:
        report(helper.WORDS)
p.PolicyPack("pack", policies=[p.ResourceValidationPolicy("r", "d", check)])
"""


def test_a_pack_is_loaded_from_its_folder_without_being_served(tmp_path: Path):
    (tmp_path / "PulumiPolicy.yaml").write_text("runtime: python\n")
    (tmp_path / "__main__.py").write_text(PACK)
    (tmp_path / "helper.py").write_text('WORDS = "from a module beside it"\n')
    assert [v.message for v in police.judge(police.load_pack(tmp_path), record(network).run)] == [
        "from a module beside it"
    ]
    (tmp_path / "helper.py").write_text('WORDS = "changed since"\n')
    assert [v.message for v in police.judge(police.load_pack(tmp_path), record(network).run)] == ["changed since"]


def test_a_folder_that_is_no_pack_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="not a Python policy pack"):
        police.load_pack(tmp_path)


@pytest.mark.parametrize("text", ["{", json.dumps([1])])
def test_a_configuration_file_that_is_no_object_is_refused(tmp_path: Path, text: str):
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(UsageError, match=r"c\.json"):
        police.read_config(tmp_path / "c.json")


def test_a_configuration_of_version_2_holds_the_rules_under_policies(tmp_path: Path):
    (tmp_path / "c.json").write_text('{"version": 2, "policies": {"test-rule": "advisory"}, "exceptions": {}}')
    assert police.read_config(tmp_path / "c.json") == {"test-rule": "advisory"}


@pytest.mark.parametrize("policies", ["[]", '"mandatory"'])
def test_a_configuration_of_version_2_without_rules_by_name_is_refused(tmp_path: Path, policies: str):
    (tmp_path / "c.json").write_text(f'{{"version": 2, "policies": {policies}}}')
    with pytest.raises(UsageError, match="policies: must be a JSON object of rule names"):
        police.read_config(tmp_path / "c.json")


def test_environments_that_only_pulumi_cloud_can_open_are_refused(tmp_path: Path):
    (tmp_path / "c.json").write_text('{"version": 2, "environments": ["team/prod"]}')
    with pytest.raises(UsageError, match="only Pulumi Cloud can open them"):
        police.read_config(tmp_path / "c.json")


def test_a_rule_is_described_with_the_level_that_the_configuration_leaves_it():
    [told] = police.described([rule(on_vpc)], {"test-rule": "disabled"})
    assert (told.name, told.level, told.severity, told.description, told.fix) == (
        "test-rule",
        "disabled",
        "high",
        "A rule.",
        "mend it",
    )
    assert (told.url, told.tags, told.framework) == ("", (), "")
