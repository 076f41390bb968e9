"""Run a control plane on loopback, in a private folder, and leave nothing of it behind."""

import json
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gpufleet.errors import MissingError, UsageError
from gpufleet.rehearsal.controlplane import commands
from gpufleet.rehearsal.controlplane.binaries import API_SERVER, CONTROLLER_MANAGER, ETCD, SCHEDULER, Binaries
from gpufleet.rehearsal.controlplane.client import Client, KubernetesError, Unreachable
from gpufleet.rehearsal.controlplane.credentials import LOOPBACK, Credentials
from gpufleet.rehearsal.controlplane.kubelet import Kubelet
from gpufleet.rehearsal.guardian import Guardian, end_session, members

FOLDER_PREFIX = "gpufleet-controlplane-"
RECORD = "plane.json"

# Two to four seconds on two idle cores; beyond this something is wrong.
START_SECONDS = 60.0
POLL_SECONDS = 0.05
LOG_LINES = 12

# As etcd writes it into the line that says what is wrong.
_STACK = re.compile(r',"stacktrace":"[^"]*"')


class ControlPlaneError(MissingError):
    """The control plane did not start; the message says which program, and carries the end of its log."""


class ControlPlane:
    """A context manager: inside it a Kubernetes cluster without nodes answers.

    Left by an exception it keeps its logs, at `logs`; otherwise, and if this process is killed, nothing remains. One on
    which `keep` was called stays until `end` is called with its folder.
    """

    folder: Path
    """Where it works: keys, sockets, etcd's data. Only this user can read it."""
    endpoint: str
    """`https://127.0.0.1:PORT`."""
    credentials: Credentials
    client: Client
    """Speaks to it as an administrator."""
    seconds: dict[str, float]
    """From the start until `etcd`, `kube-apiserver` and the whole, `ready`, answered."""

    def __init__(self, binaries: Binaries, *, logs: Path | None = None, tolerates_resources: bool = False) -> None:
        """Say what will run; nothing is started before it is entered.

        Args:
            binaries: as `ensure_binaries` returns them.
            logs: folder for the programs' logs; must exist, and is then the caller's. By default one of its own.
            tolerates_resources: run EKS's ExtendedResourceToleration: a pod that asks for a GPU tolerates the GPU's
                taint. Without it a workload must say what it tolerates, as on clusters other than EKS.
        """
        self.binaries = binaries
        self._own_logs = logs is None
        self._logs = logs
        self._tolerates_resources = tolerates_resources
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._port: socket.socket | None = None
        self._kubelet: Kubelet | None = None
        self.seconds = {}
        self._kept = False
        self.keep_logs = False

    def __enter__(self) -> Self:
        """Start the programs and wait until pods can be created."""
        self.folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
        self._guardian = Guardian(self.folder)
        try:
            self._port = _hold_port()
            self._start(self._port.getsockname()[1])
        except BaseException as error:
            # An interrupted start has no failure to be studied.
            self.keep_logs = isinstance(error, Exception)
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the programs and remove the folder, unless it is kept."""
        self.keep_logs = self.keep_logs or (error is not None and isinstance(error, Exception))
        self._close()

    @property
    def logs(self) -> Path:
        """The folder of the programs' logs, one file each."""
        return self._logs or self.folder / "logs"

    @property
    def pids(self) -> dict[str, int]:
        """The process id of each program."""
        return {name: process.pid for name, process in self._processes.items()}

    def kubeconfig(self) -> str:
        """A kubeconfig with the address, the authority and the token of an administrator."""
        return self.credentials.kubeconfig(self.endpoint)

    def keep(self) -> dict[str, Any]:
        """Leave it running when this ends, without its `Kubelet`: a deleted pod that has a node then stays.

        Returns:
            How to look at it: `folder`, `endpoint` and `kubeconfig`, the path of a file. `end(folder)` ends it.
        """
        self._kept = True
        record = {"schema": 1, "folder": str(self.folder), "endpoint": self.endpoint, "pids": self.pids}
        (self.folder / RECORD).write_text(json.dumps(record), encoding="utf-8")
        return {**record, "kubeconfig": str(self.folder / commands.KUBECONFIG)}

    def _start(self, port: int) -> None:
        started = time.monotonic()
        deadline = started + START_SECONDS
        self.logs.mkdir(exist_ok=True)
        self.credentials = Credentials.write(self.folder)
        self.endpoint = f"https://{LOOPBACK}:{port}"
        (self.folder / commands.KUBECONFIG).write_text(self.kubeconfig(), encoding="utf-8")
        design = commands.Design(port=port, tolerates_resources=self._tolerates_resources)
        self.client = Client(self.endpoint, self.credentials)

        self._run(ETCD, design)
        self._wait(ETCD, commands.socket_path(self.folder).exists, deadline)
        self.seconds[ETCD] = time.monotonic() - started
        self._run(API_SERVER, design)
        self._wait(API_SERVER, self._answers, deadline)
        self.seconds[API_SERVER] = time.monotonic() - started
        self._run(CONTROLLER_MANAGER, design)
        self._run(SCHEDULER, design)
        # The last thing that the API server and the controllers do before a pod can be created.
        self._wait(CONTROLLER_MANAGER, self._has_service_account, deadline)
        self.seconds["ready"] = time.monotonic() - started
        self._kubelet = Kubelet(self.client)

    def _run(self, name: str, design: commands.Design) -> None:
        with (self.logs / commands.log_name(name)).open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 (our own command line)
                commands.command(name, self.binaries, self.credentials, design),
                cwd=self.folder,
                env={"HOME": str(self.folder), "TMPDIR": str(self.folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # A Ctrl-C in the terminal is for the command, which ends this when it has torn down.
                start_new_session=True,
            )
        self._processes[name] = process
        self._guardian.watch(process.pid)

    def _wait(self, waiting_for: str, ready: Callable[[], bool], deadline: float) -> None:
        while not ready():
            for name, process in self._processes.items():
                if process.poll() is not None:
                    raise ControlPlaneError(self._why(name, f"ended with status {process.returncode}"))
            if time.monotonic() > deadline:
                raise ControlPlaneError(self._why(waiting_for, f"was not ready within {START_SECONDS:.0f} s"))
            time.sleep(POLL_SECONDS)

    def _why(self, name: str, what: str) -> str:
        log = self.logs / commands.log_name(name)
        said = last_words(log.read_text(errors="replace")) or "nothing"
        return f"the control plane did not start: {name} {what}; its log is {log}, and ends with:\n{said}"

    def _answers(self) -> bool:
        try:
            self.client.request("GET", "/readyz")
        except (KubernetesError, Unreachable):
            return False
        return True

    def _has_service_account(self) -> bool:
        try:
            self.client.request("GET", "/api/v1/namespaces/default/serviceaccounts/default")
        except (KubernetesError, Unreachable):
            return False
        return True

    def _close(self) -> None:
        if self._port is not None:
            self._port.close()
        if self._kubelet is not None:
            self._kubelet.stop()
        if self._kept:
            for process in self._processes.values():
                # Popen warns of a child that is still running when it is collected; this one is meant to be.
                process.returncode = 0
            self._guardian.dismiss()
            return
        # Nothing that they hold is to be saved, so they are not asked.
        for process in reversed(self._processes.values()):
            end_session(process.pid, grace_seconds=0)
            process.wait()
        _remove(self.folder, self.logs if self.keep_logs and self._own_logs else None)
        self._guardian.dismiss()


def end(folder: Path) -> None:
    """End a control plane that was kept, and remove its folder.

    Raises:
        UsageError: the folder is not one of a kept control plane.
    """
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        pids: dict[str, int] = record["pids"]
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"{folder} is not the folder of a kept control plane: {error}") from error
    for pid in pids.values():
        if _works_in(pid, folder):
            end_session(pid, grace_seconds=0)
    shutil.rmtree(folder, ignore_errors=True)


def last_words(log: str) -> str:
    """The end of a program's log without the traces of its stack, which follow the reason and hide it."""
    text = _STACK.sub("", log.split("\ngoroutine ", 1)[0])
    return "\n".join(text.strip().splitlines()[-LOG_LINES:])


def _works_in(pid: int, folder: Path) -> bool:
    """Say whether a process still is the one that was started there: numbers are used again."""
    try:
        return Path(f"/proc/{pid}/cwd").resolve(strict=True) == folder.resolve()
    except OSError:
        # Without /proc (macOS) only the number can be asked.
        return not Path("/proc/self").exists() and bool(members(pid))


def _hold_port() -> socket.socket:
    """Take a free loopback port that the API server may share, and nobody else may take."""
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind((LOOPBACK, 0))
    except BaseException:
        held.close()
        raise
    return held


def _remove(folder: Path, kept: Path | None) -> None:
    """Remove a folder; with `kept` everything in it but that."""
    if kept is None:
        shutil.rmtree(folder, ignore_errors=True)
        return
    for child in folder.iterdir():
        if child == kept:
            continue
        if child.is_dir() and not child.is_symlink():
            shutil.rmtree(child, ignore_errors=True)
        else:
            child.unlink(missing_ok=True)
