"""The whole rehearsal on the real engine, with a program and a policy pack of the tests' own."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gpufleet.plan import project
from gpufleet.rehearsal import standing
from gpufleet.rehearsal.cloud import Cloud
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.rehearse import rehearse
from gpufleet.rehearsal.report import Report
from gpufleet.rehearsal.session import Session, Subject

pytestmark = pytest.mark.engine

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "programs"
ACCOUNT = "444455556666"
RULE = "urn:pulumi:dev::small::aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule::main-https"
SUBNET = "urn:pulumi:dev::small::aws:ec2/subnet:Subnet::main-a"

# Rehearses the small program and says where, and how far it is.
REHEARSAL = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
import sys
from pathlib import Path
from gpufleet.plan import project
from gpufleet.rehearsal.engine import ensure_engine
from gpufleet.rehearsal.session import Session, Subject
small = project.load(Path(sys.argv[1]), "dev")
with Session(Subject.of(small), ensure_engine(), progress=lambda line: print(line, flush=True)) as session:
    print(session.workspace.folder, flush=True)
    session.up()
"""


def small(*overrides: str) -> project.Project:
    """The program, changed by settings."""
    return project.load(PROGRAMS / "small", "dev", overrides=overrides)


def files(directory: Path) -> dict[str, bytes]:
    """Every file of a tree, without bytecode."""
    paths = (path for path in directory.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path): path.read_bytes() for path in paths}


@pytest.fixture
def failed() -> Iterator[Callable[[Report], Report]]:
    """Takes a report of a failure, looks that its logs were kept, and removes them after the test."""
    folders: list[Path] = []

    def look(report: Report) -> Report:
        assert not report.ok
        assert report.logs is not None
        assert any(report.logs.iterdir())
        folders.append(report.logs.parent)
        return report

    yield look
    for folder in folders:
        assert [path.name for path in folder.iterdir()] == ["logs"]
        shutil.rmtree(folder)


def test_a_sound_program_passes_every_step_and_leaves_nothing(engine: Engine) -> None:
    before = files(PROGRAMS / "small")
    told: list[str] = []
    report = rehearse(Subject.of(small(), PROGRAMS / "pack"), engine=engine, progress=told.append)
    assert [(step.name, step.ok, step.detail) for step in report.steps] == [
        ("up", True, "8 create"),
        ("no-change", True, "8 same"),
        ("read-back", True, "16 properties of 6 resources are as declared"),
        ("destroy", True, "8 delete"),
        ("leftovers", True, "nothing"),
    ]
    assert report.created == {
        "aws:ec2/securityGroup:SecurityGroup": 1,
        "aws:ec2/subnet:Subnet": 1,
        "aws:ec2/vpc:Vpc": 1,
        "aws:kms/key:Key": 1,
        "aws:s3/bucket:Bucket": 1,
        "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": 1,
    }
    assert "up: 8 of 8 resources (small-dev)" in told
    assert files(PROGRAMS / "small") == before
    assert report.logs is None
    document = json.loads(json.dumps(report.as_document()))
    assert {key: document[key] for key in ("schema", "project", "stack", "ok", "violations", "leftovers")} == {
        "schema": 1,
        "project": "small",
        "stack": "dev",
        "ok": True,
        "violations": [],
        "leftovers": [],
    }
    assert document["engine"] == {"version": engine.version, "path": str(engine.path)}


def test_deletion_protection_is_lifted_and_said_so_and_what_is_retained_is_no_leftover(engine: Engine) -> None:
    report = rehearse(Subject.of(small("guarded=true")), engine=engine)
    assert [(step.name, step.ok, step.detail) for step in report.steps[3:]] == [
        (
            "destroy",
            True,
            "10 delete (1 with AWS's deletion protection: lifted first, as an operator would have to)",
        ),
        ("leftovers", True, "nothing; 1 kept as retainOnDelete asks"),
    ]


def test_a_broken_rule_stops_the_rehearsal_with_its_fix(engine: Engine, failed: Callable[[Report], Report]) -> None:
    subject = Subject.of(small("ingress_cidr=0.0.0.0/0"), PROGRAMS / "pack")
    report = failed(rehearse(subject, engine=engine))
    assert [violation.as_document() for violation in report.violations] == [
        {
            "rule": "ingress-closed",
            "level": "mandatory",
            "severity": "critical",
            "urn": RULE,
            "message": "cidrIpv4 is 0.0.0.0/0",
            "fix": "Name the networks that need to reach it.",
            "waiver": None,
        }
    ]
    assert [(step.name, step.ok) for step in report.steps] == [("up", False)]
    assert report.steps[0].detail == f"ingress-closed: cidrIpv4 is 0.0.0.0/0 ({RULE})"


def test_a_rule_about_a_value_the_preview_cannot_know_bites_in_the_update(
    engine: Engine, failed: Callable[[Report], Report], tmp_path: Path
) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"subnet-in-vpc": {"prefix": "other-"}}', encoding="utf-8")
    report = failed(rehearse(Subject.of(small(), PROGRAMS / "pack", config), engine=engine))
    assert [(found.rule, found.urn, found.message) for found in report.violations] == [
        ("subnet-in-vpc", SUBNET, "vpcId does not start with other-")
    ]


def test_an_exception_in_the_program_is_the_steps_detail(engine: Engine, failed: Callable[[Report], Report]) -> None:
    report = failed(rehearse(Subject.of(small("fail=boom")), engine=engine))
    assert [(step.name, step.ok, step.detail) for step in report.steps] == [("up", False, "ValueError: boom")]
    assert report.created == {}


def test_a_call_that_aws_refuses_is_reported_with_its_resource(
    engine: Engine, failed: Callable[[Report], Report]
) -> None:
    report = failed(rehearse(Subject.of(small("subnet_cidr=10.99.0.0/20")), engine=engine))
    assert report.steps[0].detail.startswith(f"{SUBNET}: ")
    assert "InvalidSubnet.Range" in report.steps[0].detail


def test_a_program_that_never_comes_to_rest_fails_the_second_up(
    engine: Engine, failed: Callable[[Report], Report]
) -> None:
    report = failed(rehearse(Subject.of(small("restless=true")), engine=engine))
    assert [(step.name, step.ok) for step in report.steps] == [("up", True), ("no-change", False)]
    assert report.steps[1].detail.splitlines() == [
        "the same program changes what it made:",
        "urn:pulumi:dev::small::aws:ec2/vpc:Vpc::main: update",
    ]


def test_two_sessions_at_once_do_not_meet(engine: Engine) -> None:
    ids: dict[str, str] = {}
    inventories: dict[str, list[str]] = {}

    def one(name: str) -> None:
        with Session(Subject.of(small()), engine) as session:
            assert session.up().ok
            ids[name] = session.outputs()["vpc_id"]
            inventories[name] = [item["id"] for item in session.cloud.inventory() if item["kind"] == "VPC"]

    threads = [threading.Thread(target=one, args=(name,)) for name in ("first", "second")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ids["first"] != ids["second"]
    assert inventories == {name: [vpc] for name, vpc in ids.items()}


def test_a_kept_rehearsal_can_be_looked_at_until_it_is_stopped(engine: Engine) -> None:
    report = rehearse(Subject.of(small()), engine=engine, keep=True)
    assert report.kept is not None
    folder = Path(report.kept["folder"])
    try:
        assert [step.name for step in report.steps] == ["up", "no-change", "read-back"]
        record = standing.read(folder)
        assert record == report.kept
        left = Cloud.attach(record["endpoint"], ACCOUNT)
        (bucket,) = left.client("s3").list_buckets()["Buckets"]
        left.close()
        assert bucket["Name"].startswith("data-")
        environment = {**os.environ, **record["pulumi_environment"]}
        again = subprocess.run(record["pulumi"], env=environment, capture_output=True, text=True, check=False)
        assert "8 unchanged" in again.stdout, again.stdout + again.stderr
    finally:
        standing.stop(folder)
    assert not folder.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_or_killed_rehearsal_leaves_no_process_and_no_folder(
    engine: Engine, ends: Callable[[int], bool], number: signal.Signals
) -> None:
    command = [sys.executable, "-c", REHEARSAL, str(PROGRAMS / "small")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        folder = running.stdout.readline().strip()
        assert running.stdout.readline().startswith("up: resource 1 ")
        started = _processes_of(folder)
        assert len(started) >= 4, "the guardian, the server, the engine and a plugin at least"
        running.send_signal(number)
        running.communicate(timeout=30)
    assert running.returncode == -number
    assert all(ends(pid) for pid in started)
    assert not Path(folder).exists()


def _processes_of(folder: str) -> list[int]:
    """Processes that were given the folder, in their environment or their arguments, and the server they talk to."""
    found: dict[int, Any] = {}
    for directory in Path("/proc").iterdir():
        if directory.name.isdigit():
            try:
                said = (directory / "environ").read_bytes() + (directory / "cmdline").read_bytes()
                files_open = [os.readlink(link) for link in (directory / "fd").iterdir()]
            except OSError:
                continue
            if folder.encode() in said or any(folder in name for name in files_open):
                found[int(directory.name)] = said
    return sorted(found)
