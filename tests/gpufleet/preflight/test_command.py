"""The command: a stack that passes, one that does not, and what it says with few permissions or none."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpufleet.errors import MissingError, UsageError
from gpufleet.plan import project
from gpufleet.preflight import command
from gpufleet.preflight.asking import Deadline
from gpufleet.preflight.checks import CHECKS, NAMES
from gpufleet.preflight.results import COULD_NOT_ASK, FAILED, PASSED
from tests.gpufleet.preflight.recorded import ACCOUNT, Recorded, role

ROOT = Path(__file__).parents[3]
Run = Callable[..., tuple[bool, dict[str, Any]]]


@pytest.fixture
def stack(tmp_path: Path) -> project.Project:
    """A program of its own: one pool, in moto's account."""
    (tmp_path / "Pulumi.yaml").write_text("name: trial\nruntime: python\nconfig:\n  trial:account: '123456789012'\n")
    (tmp_path / "Pulumi.dev.yaml").write_text("config: {}\n")
    (tmp_path / "__main__.py").write_text(
        "import pulumi\n"
        "from tests.gpufleet.preflight.fleet import Network\n"
        "account = pulumi.Config('trial').require('account')\n"
        "network = Network(accounts=account.split(','))\n"
        "network.pool('serve', ['g6e.12xlarge'], most=4)\n"
    )
    return project.load(tmp_path, "dev")


@pytest.fixture
def run(recorded: Recorded, stack: project.Project, capsys: pytest.CaptureFixture[str]) -> Run:
    recorded.answers["GetRole"] = role

    def call(of: project.Project = stack, **arguments: Any) -> tuple[bool, dict[str, Any]]:
        capsys.readouterr()
        ok = command.run(of, as_json=True, **arguments)
        return ok, json.loads(capsys.readouterr().out)

    return call


def statuses(document: dict[str, Any]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in document["results"]:
        found.setdefault(one["check"], set()).add(one["status"])
    return found


def test_a_stack_that_passes(run: Run) -> None:
    ok, document = run()
    assert (ok, document["schema"], document["accounts"]) == (True, 1, [ACCOUNT])
    assert document["missing_permissions"] == []
    assert statuses(document) == dict.fromkeys(
        ("credentials", "quotas", "zones", "offerings", "service-roles", "images", "version", "limits", "names"),
        {PASSED},
    )


def test_the_answer_is_the_same_every_time(run: Run) -> None:
    first, second = run()[1]["results"], run()[1]["results"]
    assert first == second
    assert [one["check"] for one in first] == sorted((one["check"] for one in first), key=NAMES.index)


def test_a_quota_that_is_too_small_makes_the_command_fail(run: Run, recorded: Recorded) -> None:
    recorded.quota("L-DB2E81BA", 64)
    ok, document = run()
    assert (ok, document["summary"][FAILED]) == (False, 1)
    assert statuses(document)["quotas"] == {FAILED}


def test_one_check_alone(run: Run) -> None:
    ok, document = run(only=["version"])
    assert (ok, list(statuses(document))) == (True, ["version"])


def test_a_missing_permission_is_reported_and_fails_only_when_strict(run: Run, recorded: Recorded) -> None:
    recorded.refuse("DescribeClusterVersions")
    ok, document = run()
    assert (ok, document["missing_permissions"]) == (True, ["eks:DescribeClusterVersions"])
    assert run(strict=True)[0] is False


def test_without_any_permission_there_is_still_an_answer(run: Run, recorded: Recorded, monkeypatch: Any) -> None:
    everything = {operation for _, operation, _ in recorded.asked} | set(recorded.answers)
    run()
    everything |= {operation for _, operation, _ in recorded.asked} - {"GetCallerIdentity"}
    recorded.refuse(*everything, code="AccessDenied")
    ok, document = run()
    assert ok is True
    assert {one["status"] for one in document["results"] if one["check"] != "credentials"} == {COULD_NOT_ASK}
    assert all(one["permission"] for one in document["results"] if one["check"] != "credentials")


@pytest.mark.parametrize(
    ("operation", "check"),
    [
        ("GetServiceQuota", "quotas"),
        ("DescribeInstances", "quotas"),
        ("DescribeAvailabilityZones", "zones"),
        ("DescribeInstanceTypeOfferings", "offerings"),
        ("GetRole", "service-roles"),
        ("GetParameter", "images"),
        ("DescribeClusterVersions", "version"),
        ("DescribeVpcs", "limits"),
        ("ListClusters", "limits"),
        ("DescribeCluster", "names"),
    ],
)
def test_without_one_permission_every_other_check_is_as_before(
    run: Run, recorded: Recorded, operation: str, check: str
) -> None:
    before = statuses(run()[1])
    recorded.refuse(operation)
    ok, document = run()
    after = statuses(document)
    assert ok is True
    assert COULD_NOT_ASK in after[check]
    also = {"limits"} if operation == "GetServiceQuota" else set[str]()
    assert {name: found for name, found in after.items() if name not in {check, *also}} == {
        name: found for name, found in before.items() if name not in {check, *also}
    }


def test_credentials_of_another_account_fail_and_nothing_else_is_asked(
    run: Run, recorded: Recorded, stack: project.Project
) -> None:
    other = project.load(stack.directory, "dev", overrides=["trial:account=999999999999"])
    ok, document = run(other)
    assert ok is False
    assert [(one["check"], one["status"]) for one in document["results"]] == [
        ("credentials", FAILED),
        ("credentials", COULD_NOT_ASK),
    ]
    assert {operation for _, operation, _ in recorded.asked} == {"GetCallerIdentity"}


def test_no_credentials_at_all_are_a_missing_thing(nobody: None, stack: project.Project) -> None:
    with pytest.raises(MissingError, match="AWS takes no credentials from here"):
        command.run(stack)


def test_a_machine_without_boto3_is_told_what_to_install(
    stack: project.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType] -- a stand-in of one line
    with pytest.raises(MissingError, match="a preflight needs boto3"):
        command.run(stack)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"only": ["quota"]}, "--only quota: there is no such check\n  allowed: credentials, quotas"),
        ({"pool": "serve"}, "--pool: belongs to --suggest"),
        ({"rank": True, "only": ["quotas"]}, "--suggest: ranks instead of checking"),
        ({"rank": True, "pool": "nope"}, "--pool nope: there is no such pool\n  allowed: serve"),
        ({"seconds": 0}, "--seconds 0: must be above 0"),
        ({"seconds": float("nan")}, "--seconds nan: must be above 0"),
    ],
)
def test_wrong_arguments_are_answered_with_what_is_allowed(
    recorded: Recorded, stack: project.Project, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        command.run(stack, **arguments)
    assert str(refused.value).startswith(message)


def test_time_that_is_over_leaves_the_rest_unasked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # For the deadline itself and for asking who asks.
    in_time = iter([0.0, 0.0])

    def slow(seconds: float) -> Deadline:
        return Deadline(seconds, lambda: next(in_time, 1000.0))

    monkeypatch.setattr(command, "Deadline", slow)
    ok, document = run(seconds=5)
    assert ok is True
    rest = [one for one in document["results"] if one["check"] != "credentials"]
    assert {(one["status"], one["permission"]) for one in rest} == {(COULD_NOT_ASK, "")}
    assert rest[0]["what"].endswith("the 5 seconds for all questions are over")
    assert {one["check"] for one in rest} == {check.name for check in CHECKS} - {"reservations", "spot", "endpoints"}


def test_a_person_reads_the_fix_in_one_line(
    recorded: Recorded, stack: project.Project, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded.quota("L-DB2E81BA", 64)
    recorded.refuse("DescribeClusterVersions", "DescribeInstances")
    assert command.run(stack) is False
    lines = capsys.readouterr().out.splitlines()
    request = "aws service-quotas request-service-quota-increase --region us-west-2 --service-code ec2"
    assert f"    fix: {request} --quota-code L-DB2E81BA --desired-value 192" in lines
    assert "  ec2:DescribeInstances" in lines
    assert lines[-1].startswith("not ready: ")


@pytest.mark.parametrize("name", ["dev"])
def test_a_shipped_stack_can_be_asked_about(run: Run, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = project.load(ROOT, name, overrides=[f'account_id="{ACCOUNT}"'])
    ok, document = run(shipped)
    made = [one for one in document["results"] if one["status"] == FAILED]
    assert ok is False
    assert {one["check"] for one in made} == {"service-roles"}
    assert all(one["what"].endswith("AWS refuses to make it twice") for one in made)
