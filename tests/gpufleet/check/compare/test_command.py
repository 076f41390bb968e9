"""`gpufleet compare` as a person and CI meet it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gpufleet.check.compare import command
from gpufleet.errors import UsageError
from gpufleet.plan import project

PROGRAM = """
import pulumi
import pulumi_aws as aws

aws.cloudwatch.LogGroup("audit", retention_in_days=pulumi.Config().require_int("days"), kms_key_id="arn:aws:kms:x")
"""

PACK = """
from pulumi_policy import *


def long(args, report):
    if args.resource_type == "aws:cloudwatch/logGroup:LogGroup" and args.props["retentionInDays"] < 60:
        report("logs are kept for less than 60 days.")


PolicyPack("small", policies=[
    ResourceValidationPolicy(name="logs-long", description="Short logs.", validate=long, severity=Severity.MEDIUM,
        enforcement_level=EnforcementLevel.MANDATORY, remediation_steps="Keep them."),
])
"""

WHY = "an intrusion is found after months; what is gone cannot be read then"
URN = "urn:pulumi:prod::shop::aws:cloudwatch/logGroup:LogGroup::audit"
WAIVER = {
    "rule": "environment-nowhere-weaker",
    "resource": "audit",
    "reason": "an archive keeps these logs for years",
    "owner": "security",
    "expires": "2099-12-31",
}

Load = Callable[..., project.Project]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)

    def load(stack: str, days: int, *waivers: Mapping[str, Any]) -> project.Project:
        config = {"config": {"shop:days": str(days), "gpufleet:waivers": list(waivers)}}
        (tmp_path / f"Pulumi.{stack}.yaml").write_text(json.dumps(config))
        return project.load(tmp_path, stack)

    return load


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "PulumiPolicy.yaml").write_text("runtime: python\n")
    (folder / "__main__.py").write_text(PACK)
    return folder


def test_an_environment_that_is_nowhere_weaker_is_fine(load: Load, capsys: pytest.CaptureFixture[str]):
    assert command.run(load("prod", 365), load("dev", 30))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("shop/prod against dev  ")
    assert lines[-1] == "prod is nowhere weaker than dev"


def test_what_is_weaker_is_named_with_both_values_and_the_reason(load: Load, capsys: pytest.CaptureFixture[str]):
    assert not command.run(load("prod", 30), load("dev", 90))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  high audit retentionInDays",
        f"    prod: 30, dev: 90; {WHY}",
        "",
        "prod is weaker than dev",
    ]


def test_the_document_has_what_is_weaker_and_the_same_as_violations(load: Load, capsys: pytest.CaptureFixture[str]):
    assert not command.run(load("prod", 30), load("dev", 90), format_="json")
    document = json.loads(capsys.readouterr().out)
    assert document["compared"] > 5
    assert {key: document[key] for key in ("schema", "project", "stack", "than", "judged", "source", "ok")} == {
        "schema": 1,
        "project": "shop",
        "stack": "prod",
        "than": "dev",
        "judged": "environments",
        "source": "Pulumi.prod.yaml",
        "ok": False,
    }
    assert document["weaker"] == [
        {
            "where": "plan",
            "path": "retentionInDays",
            "urn": URN,
            "value": 30,
            "than": 90,
            "than_urn": URN.replace("prod", "dev"),
            "severity": "high",
            "why": WHY,
        }
    ]
    [violation] = document["violations"]
    assert (violation["rule"], violation["level"], violation["urn"]) == ("environment-nowhere-weaker", "mandatory", URN)
    assert violation["message"] == f"retentionInDays is 30; dev has 90: {WHY}."


def test_a_rule_that_only_this_one_breaks_is_weaker_and_one_that_both_break_is_not(
    load: Load, pack: Path, capsys: pytest.CaptureFixture[str]
):
    assert not command.run(load("prod", 30), load("dev", 90), policy_pack=pack, format_="json")
    found = [one for one in json.loads(capsys.readouterr().out)["weaker"] if one["where"] == "policies"]
    assert [(one["path"], one["value"], one["than"], one["severity"], one["why"]) for one in found] == [
        ("logs-long", "broken", "kept", "medium", "logs are kept for less than 60 days")
    ]
    assert command.run(load("prod", 30), load("dev", 30), policy_pack=pack, format_="json")


def test_a_waiver_is_as_open_as_what_it_waives(load: Load, pack: Path, capsys: pytest.CaptureFixture[str]):
    waived = {**WAIVER, "rule": "logs-long"}
    assert not command.run(load("prod", 30, waived), load("dev", 90), policy_pack=pack, format_="json")
    [found] = [one for one in json.loads(capsys.readouterr().out)["weaker"] if one["where"] == "policies"]
    assert (found["value"], found["than"]) == (
        "waived by security until 2099-12-31: an archive keeps these logs for years",
        "kept",
    )


@pytest.mark.parametrize("resource", ["audit", "retentionInDays", URN])
def test_what_is_weaker_can_be_waived_by_resource_or_by_path(
    load: Load, capsys: pytest.CaptureFixture[str], resource: str
):
    assert command.run(load("prod", 30, {**WAIVER, "resource": resource}), load("dev", 90))
    out = capsys.readouterr().out
    assert "  waived audit retentionInDays\n" in out
    assert "    waived by security until 2099-12-31: an archive keeps these logs for years\n" in out
    assert out.endswith("prod is nowhere weaker than dev, but for what is waived\n")


def test_a_waiver_that_ended_or_waives_nothing_is_told_here_and_not_elsewhere(
    load: Load, capsys: pytest.CaptureFixture[str]
):
    ended = load("prod", 90, {**WAIVER, "expires": "2020-01-31"}, {**WAIVER, "rule": "logs-long"})
    assert not command.run(ended, load("dev", 90), format_="json")
    assert [v["rule"] for v in json.loads(capsys.readouterr().out)["violations"]] == ["waiver-expired"]
    assert command.run(load("prod", 90, WAIVER), load("dev", 90), format_="json")
    assert [v["rule"] for v in json.loads(capsys.readouterr().out)["violations"]] == ["waiver-unused"]


def test_check_leaves_such_a_waiver_alone(load: Load, pack: Path, capsys: pytest.CaptureFixture[str]):
    from gpufleet.check import command as check

    assert check.run(load("prod", 90, WAIVER), policy_pack=pack, format_="json")
    assert json.loads(capsys.readouterr().out)["violations"] == []


def test_it_can_be_written_for_code_scanning_as_well(load: Load, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert not command.run(load("prod", 30), load("dev", 90), format_="sarif", output=tmp_path / "r.sarif")
    [run] = json.loads((tmp_path / "r.sarif").read_text())["runs"]
    assert run["automationDetails"] == {"id": "gpufleet/compare/shop/prod/"}
    assert [result["ruleId"] for result in run["results"]] == ["environment-nowhere-weaker"]
    assert capsys.readouterr().out.endswith("prod is weaker than dev\n")


def test_a_stack_against_itself_is_refused(load: Load):
    with pytest.raises(UsageError, match="prod prod: one stack twice\n  allowed: two stacks"):
        command.run(load("prod", 30), load("prod", 30))
