"""The whole rehearsal of a program whose cluster, and so its kubeconfig, is only known when it is made."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from gpufleet.plan import planning, project
from gpufleet.rehearsal import command, standing
from gpufleet.rehearsal.cluster_design import Design
from gpufleet.rehearsal.controlplane.binaries import Binaries
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, of_rehearsal
from gpufleet.rehearsal.rehearse import rehearse
from gpufleet.rehearsal.report import Report
from gpufleet.rehearsal.session import Session, Subject

pytestmark = [
    pytest.mark.engine,
    pytest.mark.usefixtures("binaries"),
    pytest.mark.skipif(find_spec("pulumi_kubernetes") is None, reason="the program needs pulumi-kubernetes"),
]

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).parent / "kubernetes" / "programs" / "fleet"

# Rehearses the program and says where, and how far it is.
REHEARSAL = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
import sys
from pathlib import Path
from gpufleet.plan import planning, project
from gpufleet.rehearsal import command
from gpufleet.rehearsal.engine import ensure_engine
from gpufleet.rehearsal.session import Session
fleet = project.load(Path(sys.argv[1]), "dev")
subject = command.subject_of(fleet, planning.run(fleet, preview=True))
with Session(subject, ensure_engine(), progress=lambda line: print(line, flush=True)) as session:
    (cluster,) = session.clusters
    print(session.workspace.folder, cluster.kubeconfig.parent, flush=True)
    session.up()
"""


def fleet(*overrides: str) -> Subject:
    """The program, changed by settings."""
    loaded = project.load(PROGRAM, "dev", overrides=overrides)
    return command.subject_of(loaded, planning.run(loaded, preview=True))


@pytest.fixture
def failed() -> Iterator[Callable[[Report], Report]]:
    """Takes a report of a failure, looks that the control plane's logs were kept, and removes them after the test."""
    folders: list[Path] = []

    def look(report: Report) -> Report:
        assert not report.ok
        assert report.logs is not None
        assert {"kube-apiserver.log", "01-preview.log"} <= {path.name for path in report.logs.iterdir()}
        folders.append(report.logs.parent)
        return report

    yield look
    for folder in folders:
        shutil.rmtree(folder)


def test_a_cluster_that_is_not_known_before_takes_its_workloads_and_nothing_is_left(engine: Engine) -> None:
    told: list[str] = []
    report = rehearse(fleet(), engine=engine, progress=told.append)
    assert [(step.name, step.ok, step.detail) for step in report.steps] == [
        ("up", True, "13 create"),
        ("no-change", True, "13 same"),
        ("read-back", True, "32 properties of 7 resources are as declared"),
        ("scheduling", True, "3 pods on 2 nodes of train"),
        ("destroy", True, "13 delete"),
        ("leftovers", True, "nothing"),
    ]
    placed = [(one.namespace, one.workload, one.pool, one.reason) for one in report.placements]
    assert placed == [
        ("vision", "Deployment/server", "train", None),
        ("vision", "Deployment/server", "train", None),
        ("vision", "Job/train", "train", None),
    ]
    assert {kind: count for kind, count in report.created.items() if kind.startswith("kubernetes:")} == {
        "kubernetes:apps/v1:Deployment": 1,
        "kubernetes:batch/v1:Job": 1,
        "kubernetes:core/v1:Namespace": 1,
    }
    (server, _, job) = json.loads(json.dumps(report.as_document()))["placements"]
    assert server.keys() == {"namespace", "workload", "pod", "node", "pool", "reason", "cluster"}
    assert job["node"] in ("train-0", "train-1")
    assert any(line.startswith("starting Kubernetes 1.35.") and line.endswith(" with 2 nodes") for line in told)


def test_each_of_two_clusters_takes_its_own_objects_and_none_of_the_others(engine: Engine) -> None:
    report = rehearse(fleet("elsewhere=true"), engine=engine)
    assert [(step.name, step.ok, step.detail) for step in report.steps] == [
        ("up", True, "17 create"),
        ("no-change", True, "17 same"),
        ("read-back", True, "41 properties of 9 resources are as declared"),
        ("scheduling", True, "main: 3 pods on 2 nodes of train\nother: 0 pods on 0 nodes"),
        ("destroy", True, "17 delete"),
        ("leftovers", True, "nothing"),
    ]
    assert {one.cluster for one in report.placements} == {"main"}


def test_a_pod_that_asks_for_more_gpus_than_a_node_has_fails_with_the_schedulers_words(
    engine: Engine, failed: Callable[[Report], Report]
) -> None:
    report = failed(rehearse(fleet("gpus=9"), engine=engine))
    assert [(step.name, step.ok) for step in report.steps[-2:]] == [("read-back", True), ("scheduling", False)]
    detail = report.steps[-1].detail
    assert detail.startswith("vision/train-")
    assert " (Job/train) is on no node: 0/2 nodes are available: 2 Insufficient nvidia.com/gpu" in detail
    assert [one.workload for one in report.placements if one.node is None] == ["Job/train"]


def test_what_the_api_server_refuses_fails_the_first_up_in_its_own_words(
    engine: Engine, failed: Callable[[Report], Report]
) -> None:
    report = failed(rehearse(fleet("team=Vision"), engine=engine))
    assert [(step.name, step.ok) for step in report.steps] == [("up", False)]
    assert report.steps[0].detail.startswith("urn:pulumi:dev::fleet::kubernetes:core/v1:Namespace::team: ")
    assert 'Namespace "Vision" is invalid: metadata.name: Invalid value: "Vision"' in report.steps[0].detail


def test_a_kept_cluster_can_be_looked_at_until_it_is_stopped(engine: Engine, ends: Callable[[int], bool]) -> None:
    report = rehearse(fleet("suspended=true"), engine=engine, keep=True)
    assert report.kept is not None
    folder, (kubernetes,) = Path(report.kept["folder"]), report.kept["kubernetes"]
    try:
        assert report.steps[-1].detail == "2 pods on 2 nodes of train; without pods: vision/Job/train"
        api = Api(of_rehearsal({KUBECONFIG: kubernetes["kubeconfig"]}))
        pods = api.call("GET", "/api/v1/namespaces/vision/pods", "list pods")["items"]
        assert {pod["spec"]["nodeName"] for pod in pods} == {"train-0", "train-1"}
        record = standing.read(folder)
        assert record == report.kept
        environment = {**os.environ, **record["pulumi_environment"]}
        again = subprocess.run(record["pulumi"], env=environment, capture_output=True, text=True, check=False)
        assert "13 unchanged" in again.stdout, again.stdout + again.stderr
    finally:
        standing.stop(folder)
    assert not folder.exists()
    assert not Path(kubernetes["folder"]).exists()
    assert all(ends(pid) for pid in kubernetes["pids"].values())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_or_killed_rehearsal_leaves_no_control_plane(
    engine: Engine, ends: Callable[[int], bool], number: signal.Signals
) -> None:
    running = [sys.executable, "-c", REHEARSAL, str(PROGRAM)]
    with subprocess.Popen(running, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("starting Kubernetes ")
        folders = [Path(name) for name in process.stdout.readline().split()]
        assert process.stdout.readline().startswith("up: resource 1 ")
        pids = [pid for folder in folders for pid in processes_given(folder)]
        assert len(pids) >= 8, "two guardians, the control plane's four, the engine and a plugin at least"
        process.send_signal(number)
        process.communicate(timeout=30)
    assert process.returncode == -number
    assert all(ends(pid) for pid in pids)
    assert [folder for folder in folders if folder.exists()] == []


def processes_given(folder: Path) -> list[int]:
    """Processes that know the folder by their arguments or their environment."""
    found: list[int] = []
    for directory in Path("/proc").iterdir():
        if directory.name.isdigit():
            with contextlib.suppress(OSError):
                said = (directory / "cmdline").read_bytes() + (directory / "environ").read_bytes()
                found += [int(directory.name)] if str(folder).encode() in said else []
    return found


def test_inside_a_rehearsal_the_users_own_cluster_is_out_of_reach(
    engine: Engine, binaries: Binaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", "/home/me/.kube/production")
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    loaded = project.load(PROGRAM, "dev")
    with Session(Subject.of(loaded), engine) as session:
        assert not [name for name in session.environment if name.startswith("KUBE")]
    subject = Subject(project=loaded, account_id="1", kubernetes=[Design(version=binaries.minor)])
    with Session(subject, engine) as session:
        (cluster,) = session.clusters
        assert session.environment["KUBECONFIG"] == str(cluster.kubeconfig)
        assert "KUBERNETES_SERVICE_HOST" not in session.environment
