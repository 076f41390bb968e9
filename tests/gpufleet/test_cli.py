"""The command line as a person or a script meets it: what goes where, and with which exit status."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from gpufleet import cli

ROOT = Path(__file__).parents[2]


class Ran:
    """What one call of the command line printed, and its exit status."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
        monkeypatch.setattr("sys.argv", ["gpufleet", *arguments])
        with pytest.raises(SystemExit) as exited:
            cli.main()
        self.status = exited.value.code
        self.out, self.err = capsys.readouterr()


Command = Callable[..., Ran]


@pytest.fixture
def gpufleet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(ROOT)

    def run(*arguments: str) -> Ran:
        return Ran(capsys, monkeypatch, *arguments)

    return run


def test_a_plan_that_holds_prints_tables_and_exits_0(gpufleet: Command):
    ran = gpufleet("plan", "dev")
    assert (ran.status, ran.err) == (0, "")
    for words in ("gpufleet/dev", "Resources by component", "us-east-1-pool-dev-l4", "no violation", "ceiling USD/h"):
        assert words in ran.out
    assert ran.out.rstrip().endswith("the plan holds")


def test_json_prints_one_document_and_nothing_else(gpufleet: Command):
    ran = gpufleet("plan", "dev", "--json")
    assert (ran.status, ran.err) == (0, "")
    document = json.loads(ran.out)
    assert document["violations"] == []
    assert document["cost"]["hourly_maximum"] > document["cost"]["hourly_minimum"]


def test_a_settings_file_needs_no_stack(gpufleet: Command, tmp_path: Path):
    settings = yaml.safe_load((ROOT / "stacks/Pulumi.dev.yaml").read_text())["config"]["gpufleet:settings"]
    (tmp_path / "trial.yaml").write_text(yaml.safe_dump(settings))
    ran = gpufleet("plan", "--settings", str(tmp_path / "trial.yaml"), "--json")
    assert (ran.status, json.loads(ran.out)["stack"]) == (0, "trial")


def test_a_wrong_setting_is_one_message_on_stderr_and_exit_2(gpufleet: Command):
    ran = gpufleet("plan", "dev", "--set", "pools.dev-l4.nodes.max=0")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "gpufleet: stacks/Pulumi.dev.yaml: gpufleet:settings.regions.us-east-1.pools.0.nodes.max: 0\n"
        "  allowed: at least 1\n"
        "  fix: set max to the pool's ceiling in nodes, 1 at least: a pool without one is never closed\n"
    )


def test_an_unknown_stack_names_the_ones_there_are(gpufleet: Command):
    ran = gpufleet("plan", "production")
    assert (ran.status, ran.out) == (2, "")
    assert "there is no stack 'production'; the stacks of" in ran.err
    assert ran.err.rstrip().endswith("are dev, prod, staging")


def test_an_unknown_option_is_exit_2(gpufleet: Command):
    assert gpufleet("plan", "dev", "--colour").status == 2


def test_a_spend_above_the_promise_is_exit_1_and_told_with_its_fix(gpufleet: Command):
    ran = gpufleet("plan", "dev", "--set", "budget.max_hourly_usd=9")
    assert ran.status == 1
    assert "mandatory spend-hourly-ceiling on" in ran.out
    assert "fix:" in ran.out
    assert ran.out.rstrip().endswith("the plan does not hold: mandatory rules are broken")


def test_no_policies_judges_nothing(gpufleet: Command):
    ran = gpufleet("plan", "dev", "--set", "budget.max_hourly_usd=9", "--no-policies")
    assert ran.status == 0
    assert "not judged (--no-policies)" in ran.out


def test_a_policy_configuration_reaches_the_rules(gpufleet: Command, tmp_path: Path):
    (tmp_path / "config.json").write_text('{"spend-hourly-ceiling": {"max_hourly_usd": 2}}')
    ran = gpufleet("plan", "dev", "--json", "--policy-config", str(tmp_path / "config.json"))
    assert ran.status == 1
    assert {v["rule"] for v in json.loads(ran.out)["violations"]} == {"spend-hourly-ceiling"}


def test_a_pack_that_is_none_is_refused(gpufleet: Command, tmp_path: Path):
    ran = gpufleet("plan", "dev", "--policy-pack", str(tmp_path))
    assert ran.status == 2
    assert "no PulumiPolicy.yaml there" in ran.err


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("import pulumi\npulumi.Config().require('size')\n", "Missing required configuration variable 'other:size'"),
        ("1 / 0\n", "the program failed: {path}:1: ZeroDivisionError: division by zero"),
        ("import missing_module\n", "ModuleNotFoundError: No module named 'missing_module'"),
    ],
)
def test_another_program_that_fails_is_told_by_its_line_without_a_traceback(
    gpufleet: Command, tmp_path: Path, body: str, message: str
):
    (tmp_path / "Pulumi.yaml").write_text("name: other\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "__main__.py").write_text(body)
    ran = gpufleet("plan", "dev", "--program", str(tmp_path), "--no-policies")
    assert ran.status == 2
    assert message.format(path=tmp_path / "__main__.py") in ran.err
    assert "Traceback" not in ran.err


def test_a_resource_that_only_an_update_makes_is_a_violation(gpufleet: Command, tmp_path: Path):
    (tmp_path / "Pulumi.yaml").write_text("name: other\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "__main__.py").write_text(
        "import pulumi_aws as aws\n"
        "vpc = aws.ec2.Vpc('v', cidr_block='10.0.0.0/16')\n"
        "vpc.id.apply(lambda id: aws.ec2.Subnet('s', vpc_id=id, cidr_block='10.0.0.0/24'))\n"
    )
    ran = gpufleet("plan", "dev", "--program", str(tmp_path), "--no-policies", "--json")
    assert ran.status == 1
    [violation] = json.loads(ran.out)["violations"]
    assert violation["rule"] == "plan-preview-equals-update"
    assert violation["urn"].endswith("aws:ec2/subnet:Subnet::s")
    assert "is registered only in the update" in violation["message"]


def test_the_version_is_the_packages(gpufleet: Command):
    assert gpufleet("--version").out == "0.1.0\n"
