"""`gpufleet check` as a person and CI meet it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gpufleet.check import command
from gpufleet.errors import MissingError, UsageError
from gpufleet.plan import planning, project

TYPESCRIPT = Path(__file__).parent / "data/typescript.json"

PROGRAM = """
import pulumi
import pulumi_aws as aws

for name in ("datasets", "scratch"):
    aws.s3.Bucket(name, opts=pulumi.ResourceOptions(protect=name == "datasets"))
"""

PACK = """
from pulumi_policy import *


def protected(args, report):
    if args.resource_type == "aws:s3/bucket:Bucket" and not args.opts.protect:
        report("the bucket is not protected")


def few(args, report):
    report(f"{len(args.resources)} resources")


PolicyPack("small", policies=[
    ResourceValidationPolicy(name="bucket-protected", description="An unprotected bucket goes.", validate=protected,
        enforcement_level=EnforcementLevel.MANDATORY, severity=Severity.HIGH, remediation_steps="Protect it."),
    StackValidationPolicy(name="stack-small", description="A large stack is slow.", validate=few,
        enforcement_level=EnforcementLevel.ADVISORY, severity=Severity.LOW, remediation_steps="Split it."),
])
"""

WAIVER = {
    "rule": "bucket-protected",
    "resource": "scratch",
    "reason": "made again by every job",
    "owner": "ml-platform",
    "expires": "2099-12-31",
}

Check = Callable[..., bool]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "PulumiPolicy.yaml").write_text("runtime: python\n")
    (folder / "__main__.py").write_text(PACK)
    return folder


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., project.Project]:
    """A stack of two buckets with these waivers; its folder is the working directory."""
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (folder / "__main__.py").write_text(PROGRAM)

    def load(*waivers: Mapping[str, Any]) -> project.Project:
        config = {"config": {"gpufleet:waivers": list(waivers)}}
        (folder / "Pulumi.prod.yaml").write_text(json.dumps(config))
        return project.load(folder, "prod")

    return load


Load = Callable[..., project.Project]


def test_the_table_says_what_fails_and_what_is_waived_by_whom(
    load: Load, pack: Path, capsys: pytest.CaptureFixture[str]
):
    assert command.run(load(WAIVER), policy_pack=pack)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("shop/prod  2 resources of the program, twice, judged by 5 rules in ")
    assert lines[1:] == [
        "Policies  2 violations, 0 mandatory, 1 waived",
        "  advisory stack-small on the stack (low)",
        "    2 resources",
        "    fix: Split it.",
        "  waived bucket-protected on scratch (high)",
        "    the bucket is not protected",
        "    waived by ml-platform until 2099-12-31: made again by every job",
        "",
        "it holds",
    ]


def test_a_mandatory_violation_fails(load: Load, pack: Path, capsys: pytest.CaptureFixture[str]):
    assert not command.run(load(), policy_pack=pack)
    out = capsys.readouterr().out
    assert "  mandatory bucket-protected on scratch (high)\n    the bucket is not protected\n" in out
    assert out.endswith("it does not hold: mandatory rules are broken\n")


def test_the_json_document_has_the_contracts_keys(load: Load, pack: Path, capsys: pytest.CaptureFixture[str]):
    assert command.run(load(WAIVER), policy_pack=pack, format_="json")
    document = json.loads(capsys.readouterr().out)
    assert document.pop("seconds") > 0
    assert document == {
        "schema": 1,
        "project": "shop",
        "stack": "prod",
        "judged": "program",
        "source": "Pulumi.prod.yaml",
        "ok": True,
        "resources": 2,
        "rules": 5,
        "violations": [
            {
                "rule": "bucket-protected",
                "level": "mandatory",
                "severity": "high",
                "urn": "urn:pulumi:prod::shop::aws:s3/bucket:Bucket::scratch",
                "message": "the bucket is not protected",
                "fix": "Protect it.",
                "waiver": WAIVER,
            },
            {
                "rule": "stack-small",
                "level": "advisory",
                "severity": "low",
                "urn": "",
                "message": "2 resources",
                "fix": "Split it.",
                "waiver": None,
            },
        ],
        "waivers": [WAIVER],
    }


def test_a_waiver_that_ended_fails_and_what_it_waived_counts_again(
    load: Load, pack: Path, capsys: pytest.CaptureFixture[str]
):
    assert not command.run(load({**WAIVER, "expires": "2020-01-31"}), policy_pack=pack, format_="json")
    found = json.loads(capsys.readouterr().out)["violations"]
    assert [(v["rule"], v["level"], v["waiver"]) for v in found] == [
        ("bucket-protected", "mandatory", None),
        ("stack-small", "advisory", None),
        ("waiver-expired", "mandatory", None),
    ]


def test_a_waiver_of_nothing_is_told_and_does_not_fail(load: Load, pack: Path, capsys: pytest.CaptureFixture[str]):
    waivers = [{**WAIVER, "resource": "*"}, {**WAIVER, "resource": "datasets"}, {**WAIVER, "rule": "bucket-protect"}]
    assert command.run(load(*waivers), policy_pack=pack, format_="json")
    found = [v["message"] for v in json.loads(capsys.readouterr().out)["violations"] if v["rule"] == "waiver-unused"]
    assert found == [
        "Pulumi.prod.yaml: gpufleet:waivers.1: the waiver of bucket-protected on datasets: nothing that it covers "
        "violates the rule",
        "Pulumi.prod.yaml: gpufleet:waivers.2: the waiver of bucket-protect on scratch: there is no such rule; did you "
        "mean bucket-protected?",
    ]


def test_a_plan_judges_waivers_just_the_same(load: Load, pack: Path):
    planned = planning.plan(load(WAIVER), policy_pack=pack)
    assert planned.ok
    [waived, _] = planned.as_document()["violations"]
    assert (waived["rule"], waived["waiver"]) == ("bucket-protected", WAIVER)
    assert not planning.plan(load(), policy_pack=pack).ok


def test_a_waiver_never_hides_that_a_preview_and_an_update_differ(load: Load, pack: Path, tmp_path: Path):
    given = load({**WAIVER, "resource": "*"})
    (tmp_path / "shop/__main__.py").write_text(
        "import pulumi_aws as aws\naws.s3.Bucket('a').id.apply(lambda id: aws.s3.Bucket('b'))\n"
    )
    found = {v.rule: v.mandatory for v in planning.judge(given, policy_pack=pack).violations}
    assert found == {"bucket-protected": False, "plan-preview-equals-update": True, "stack-small": False}
    with pytest.raises(UsageError, match=r"waivers\.0\.rule: 'plan-preview-equals-update'\n  allowed: any rule but"):
        planning.judge(load({**WAIVER, "rule": "plan-preview-equals-update"}), policy_pack=pack)


def test_a_state_of_a_project_in_another_language_is_judged(pack: Path, capsys: pytest.CaptureFixture[str]):
    assert command.run(None, policy_pack=pack, state=TYPESCRIPT)
    out = capsys.readouterr().out
    assert out.startswith("shop/prod  5 resources of ")
    assert "/data/typescript.json judged by 4 rules in " in out
    assert "advisory stack-small on the stack (low)\n    5 resources" in out


def test_waivers_of_a_state_come_from_its_stack_or_from_a_file(
    load: Load, pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    waived = {**WAIVER, "rule": "stack-small", "resource": "shop-prod"}
    (tmp_path / "waivers.json").write_text(json.dumps([waived]))
    for arguments in ((load(waived), None), (None, tmp_path / "waivers.json")):
        stack, file = arguments
        assert command.run(stack, policy_pack=pack, state=TYPESCRIPT, waivers_file=file, format_="json")
        document = json.loads(capsys.readouterr().out)
        assert (document["judged"], document["waivers"]) == ("state", [waived])
        assert [v["waiver"] for v in document["violations"]] == [waived]


def test_a_state_of_another_stack_is_refused(load: Load, pack: Path, tmp_path: Path):
    path = tmp_path / "state.json"
    path.write_text(TYPESCRIPT.read_text().replace("urn:pulumi:prod::", "urn:pulumi:dev::"))
    with pytest.raises(UsageError, match=r"is of shop/dev\n  allowed: a state of shop/prod.*\n.*name the stack dev"):
        command.run(load(), policy_pack=pack, state=path)


def test_an_empty_state_holds_and_says_that_nothing_was_judged(
    pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "state.json"
    path.write_text('{"version": 3, "deployment": {}}')
    assert command.run(None, policy_pack=pack, state=path, format_="json")
    assert json.loads(capsys.readouterr().out)["resources"] == 0


@pytest.mark.parametrize("name", ["json", "sarif", "junit", "github", "table"])
def test_every_format_can_go_to_a_file_and_the_table_to_the_screen(
    load: Load, pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
):
    output = tmp_path / "reports" / "verdict"
    assert command.run(load(WAIVER), policy_pack=pack, format_=name, output=output)
    assert capsys.readouterr().out.endswith("it holds\n")
    begins = {
        "json": '{\n "schema": 1',
        "sarif": '{\n "$schema": "https://docs.oasis-open.org/sarif',
        "junit": "<?xml version='1.0' encoding='UTF-8'?>",
        "github": "::notice file=Pulumi.prod.yaml,line=1,title=bucket-protected on scratch::",
        "table": "shop/prod  2 resources",
    }
    assert output.read_text().startswith(begins[name])


def test_the_engines_file_is_written_beside_the_verdict(load: Load, pack: Path, tmp_path: Path):
    path = tmp_path / "waived.json"
    whole = {**WAIVER, "rule": "stack-small", "resource": "shop-prod"}
    assert command.run(load(WAIVER, whole), policy_pack=pack, format_="json", write_policy_config=path)
    assert [entry["match"] for entry in json.loads(path.read_text())["exceptions"].values()] == [
        [{"policies": ["bucket-protected"], "targets": ["urn:pulumi:prod::shop::aws:s3/bucket:Bucket::scratch"]}],
        [{"policies": ["stack-small"], "targets": ["urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod"]}],
    ]


def test_arguments_that_cannot_be_are_refused(load: Load, pack: Path, tmp_path: Path):
    with pytest.raises(UsageError, match=r"--format xml: no such format\n  allowed: table, json, sarif, junit, github"):
        command.run(load(), policy_pack=pack, format_="xml")
    with pytest.raises(UsageError, match=r"nothing to check\n  allowed: a stack, or --state FILE"):
        command.run(None, policy_pack=pack)
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingError, match="--output .*: cannot be written"):
        command.run(load(WAIVER), policy_pack=pack, format_="json", output=tmp_path / "file" / "x")
