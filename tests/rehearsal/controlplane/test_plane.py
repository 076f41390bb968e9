"""The life of a control plane: how soon it is ready, whose it is, and that nothing of it is left."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from gpufleet.errors import UsageError
from gpufleet.rehearsal.controlplane import plane as planes
from gpufleet.rehearsal.controlplane.binaries import PROGRAMS, Binaries, Program
from gpufleet.rehearsal.controlplane.client import Client, KubernetesError, Unreachable
from gpufleet.rehearsal.controlplane.nodes import Node, register
from gpufleet.rehearsal.controlplane.plane import ControlPlane, ControlPlaneError
from gpufleet.rehearsal.controlplane.scheduling import placements

from .conftest import MakeNamespace, happens

pytestmark = pytest.mark.engine

ROOT = Path(__file__).parents[3]

# Ten seconds are promised on two cores. Of the work, since other tests may take their share of the machine; the bench
# tells of the wall's clock.
READY_CPU_SECONDS = 10.0

# Starts a control plane, says its folder and processes, and waits to be ended.
PARENT = """
import json, signal, sys
from gpufleet.rehearsal.controlplane.binaries import ensure_binaries
from gpufleet.rehearsal.controlplane.plane import ControlPlane
# A shell that starts the tests in the background has them ignore Ctrl-C, and so would this.
signal.signal(signal.SIGINT, signal.default_int_handler)
with ControlPlane(ensure_binaries("1.35")) as plane:
    print(json.dumps({"folder": str(plane.folder), "pids": list(plane.pids.values())}), flush=True)
    sys.stdin.read()
"""


def left_in(folder: Path) -> list[str]:
    """What a control plane that kept its files in `folder` left there."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the control planes of this test have their folders."""
    folder = tmp_path / "t"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mounting, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no file system can be mounted here: {error}")
    if done.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_it_is_ready_with_little_work_and_of_the_version_asked_for(binaries: Binaries, temporary: Path) -> None:
    before = work_of_children()
    with ControlPlane(binaries) as plane:
        assert plane.client.request("GET", "/version")["gitVersion"] == f"v{binaries.version}"
    assert work_of_children() - before < READY_CPU_SECONDS
    assert list(plane.seconds) == ["etcd", "kube-apiserver", "ready"]
    assert left_in(temporary) == []


def work_of_children() -> float:
    """CPU seconds of the processes that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_pod_can_be_created_at_once(client: Client) -> None:
    spec = {"containers": [{"name": "main", "image": "example.com/a:1"}]}
    pod: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "first"}, "spec": spec}
    assert client.create(pod)["status"]["phase"] == "Pending"
    client.delete(pod)


def test_only_who_has_the_token_is_let_in(plane: ControlPlane) -> None:
    kubeconfig = yaml.safe_load(plane.kubeconfig())
    assert kubeconfig["clusters"][0]["cluster"]["server"] == plane.endpoint
    assert plane.endpoint.startswith("https://127.0.0.1:")
    stranger = Client(plane.endpoint, replace(plane.credentials, token="guessed"))
    with pytest.raises(KubernetesError) as caught:
        stranger.request("GET", "/api/v1/nodes")
    assert caught.value.status == 401


def test_its_folder_is_closed_to_others_and_its_kubeconfig_works_from_a_file(plane: ControlPlane) -> None:
    assert plane.folder.stat().st_mode & 0o077 == 0
    assert (plane.folder / "kubeconfig").read_text(encoding="utf-8") == plane.kubeconfig()


def test_two_at_once_do_not_meet(plane: ControlPlane, binaries: Binaries) -> None:
    with ControlPlane(binaries) as other:
        assert other.endpoint != plane.endpoint
        space: dict[str, Any] = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "only-here"}}
        other.client.create(space)
        with pytest.raises(KubernetesError, match='namespaces "only-here" not found'):
            plane.client.request("GET", plane.client.path(space))


def test_nobody_else_can_take_its_port(plane: ControlPlane) -> None:
    port = int(plane.endpoint.rsplit(":", 1)[1])
    with socket.socket() as rival, pytest.raises(OSError, match="Address already in use"):
        rival.bind(("127.0.0.1", port))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_when_its_parent_is_ended_nothing_is_left(
    number: signal.Signals, binaries: Binaries, temporary: Path, ends: Callable[[int], bool]
) -> None:
    command = [sys.executable, "-c", PARENT]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as parent:
        assert parent.stdout is not None
        told = json.loads(parent.stdout.readline())
        parent.send_signal(number)
    assert len(told["pids"]) == len(PROGRAMS)
    assert all(ends(pid) for pid in told["pids"])
    # The guardian removes the folder last.
    assert happens(lambda: not Path(told["folder"]).exists())
    assert left_in(temporary) == []


def test_left_by_a_failure_it_keeps_its_logs_alone(
    binaries: Binaries, temporary: Path, ends: Callable[[int], bool]
) -> None:
    with pytest.raises(ValueError, match="the rehearsal failed"), ControlPlane(binaries) as plane:
        raise ValueError("the rehearsal failed")
    name = plane.folder.name
    assert left_in(temporary) == [name, f"{name}/logs", *(f"{name}/logs/{program}.log" for program in sorted(PROGRAMS))]
    assert all(ends(pid) for pid in plane.pids.values())


def test_logs_go_where_the_caller_wants_them(binaries: Binaries, temporary: Path, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    with ControlPlane(binaries, logs=logs):
        pass
    assert left_in(logs) == sorted(f"{program}.log" for program in PROGRAMS)
    assert left_in(temporary) == []


def test_a_program_that_fails_is_named_with_the_end_of_its_log(
    binaries: Binaries, temporary: Path, executable: Callable[[str, str], Path], ends: Callable[[int], bool]
) -> None:
    broken = executable("kube-apiserver", "echo 'I cannot today'; exit 3")
    programs = {
        **binaries.programs,
        "kube-apiserver": Program(name="kube-apiserver", path=broken, version="", origin=""),
    }
    plane = ControlPlane(Binaries(minor="1.35", programs=programs))
    with pytest.raises(ControlPlaneError, match="kube-apiserver ended with status 3(.|\n)*I cannot today$"), plane:
        pytest.fail("it started")
    assert all(ends(pid) for pid in plane.pids.values())
    assert {path.name for path in temporary.rglob("*.log")} == {"etcd.log", "kube-apiserver.log"}


def test_on_a_full_disk_it_does_not_start_and_leaves_no_process(
    binaries: Binaries, full_disk: Path, monkeypatch: pytest.MonkeyPatch, ends: Callable[[int], bool]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(full_disk))
    plane = ControlPlane(binaries)
    with pytest.raises(ControlPlaneError, match="etcd ended with status(.|\n)*no space left on device"), plane:
        pytest.fail("it started")
    assert "etcd" in plane.pids
    assert all(ends(pid) for pid in plane.pids.values())
    assert {path.suffix for path in full_disk.rglob("*") if path.is_file()} == {".log"}


def test_a_disk_that_is_full_from_the_first_byte_leaves_nothing(
    binaries: Binaries, full_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(full_disk))
    (full_disk / "filler").write_bytes(bytes(4 * 2**20))
    with pytest.raises(OSError, match="No space left on device"), ControlPlane(binaries):
        pytest.fail("it started")
    assert [path.name for path in full_disk.rglob("*") if path.is_file() and path.suffix != ".log"] == ["filler"]


def test_one_that_is_kept_stands_until_it_is_ended(
    binaries: Binaries, temporary: Path, ends: Callable[[int], bool]
) -> None:
    with ControlPlane(binaries) as plane:
        kept = plane.keep()
    assert Path(kept["kubeconfig"]).is_file()
    assert plane.client.request("GET", "/readyz") == {"text": "ok"}
    planes.end(Path(kept["folder"]))
    assert all(ends(pid) for pid in plane.pids.values())
    assert left_in(temporary) == []
    with pytest.raises(Unreachable):
        plane.client.request("GET", "/readyz")


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not the folder of a kept control plane"):
        planes.end(tmp_path)


def test_ending_does_not_touch_a_process_that_got_the_number_of_another(tmp_path: Path) -> None:
    record = {"schema": 1, "pids": {"etcd": os.getpid()}}
    (tmp_path / planes.RECORD).write_text(json.dumps(record), encoding="utf-8")
    planes.end(tmp_path)
    assert not tmp_path.exists()


def test_pods_that_are_on_nodes_can_be_deleted(client: Client, namespace: MakeNamespace) -> None:
    described: dict[str, Any] = {"instance_type": "m7i.xlarge", "region": "us-east-1", "zone": "us-east-1a"}
    register(client, [Node(pool="system", name="system-0", kubernetes_version="1.35", **described)])
    place = namespace()
    labels = {"app": "web"}
    spec = {"containers": [{"name": "main", "image": "example.com/a:1"}]}
    deployment: dict[str, Any] = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": place},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": spec},
        },
    }
    client.create(deployment)
    assert [one.node for one in placements(client) if one.namespace == place] == ["system-0"] * 3
    client.delete(deployment)
    assert happens(lambda: not client.items(f"/api/v1/namespaces/{place}/pods"))
