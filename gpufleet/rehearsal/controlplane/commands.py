"""How each program of the control plane is called, as near to EKS as one machine without containers comes.

All run in the plane's own folder. etcd and the API server speak over a socket in it, so no other user can read what is
stored, and only the API server listens on a port.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpufleet.rehearsal.controlplane import binaries
from gpufleet.rehearsal.controlplane.binaries import Binaries
from gpufleet.rehearsal.controlplane.credentials import LOOPBACK, Credentials

KUBECONFIG: Final = "kubeconfig"
"""The file in the plane's folder."""

# etcd takes what follows for host and port, and makes a socket of that name in its current directory.
ETCD_SOCKET: Final = "unix://etcd:0"
PEER_SOCKET: Final = "unix://peer:0"
# An address must be advertised to the other members; there are none, and nothing listens there.
NOBODY: Final = "http://localhost:1"

SERVICE_CIDR: Final = "172.20.0.0/16"
"""What EKS gives a cluster in a VPC of 10.0.0.0/8."""

DISABLED_ADMISSION: Final = ("TaintNodesByCondition",)
"""It gives each new node a taint that the node lifecycle controller takes away: that one would wait for kubelets."""

DISABLED_CONTROLLERS: Final = ("node-lifecycle-controller",)
"""Without kubelets there are no heartbeats, and it would declare every node dead after 40 seconds."""

TOLERATE_RESOURCES: Final = "ExtendedResourceToleration"
"""EKS runs this admission plugin: a pod that asks for `nvidia.com/gpu` tolerates a taint of that key without saying so.
https://docs.aws.amazon.com/eks/latest/userguide/platform-versions.html"""


@dataclass(frozen=True, kw_only=True)
class Design:
    """What the programs of one plane are told."""

    port: int
    """Loopback port of the API server, held for it by a socket that shares it."""
    tolerates_resources: bool
    """Whether `TOLERATE_RESOURCES` runs."""


def command(name: str, programs: Binaries, credentials: Credentials, design: Design) -> list[str]:
    """The arguments of one program, its path first."""
    match name:
        case binaries.ETCD:
            arguments = _etcd()
        case binaries.API_SERVER:
            arguments = _api_server(credentials, design)
        case binaries.CONTROLLER_MANAGER:
            arguments = _controller_manager(credentials)
        case _:
            arguments = _scheduler()
    return [str(programs[name]), *arguments]


def log_name(name: str) -> str:
    """The file in the folder of logs that a program writes to."""
    return f"{name}.log"


def _etcd() -> list[str]:
    return [
        "--name=rehearsal",
        "--data-dir=etcd-data",
        f"--listen-client-urls={ETCD_SOCKET}",
        f"--advertise-client-urls={NOBODY}",
        f"--listen-peer-urls={PEER_SOCKET}",
        f"--initial-advertise-peer-urls={NOBODY}",
        f"--initial-cluster=rehearsal={NOBODY}",
        # Nothing of it is to outlive the process.
        "--unsafe-no-fsync",
        "--log-level=warn",
    ]


def _api_server(credentials: Credentials, design: Design) -> list[str]:
    enabled = [f"--enable-admission-plugins={TOLERATE_RESOURCES}"] if design.tolerates_resources else []
    return [
        f"--etcd-servers={ETCD_SOCKET}",
        f"--bind-address={LOOPBACK}",
        f"--advertise-address={LOOPBACK}",
        f"--secure-port={design.port}",
        "--permit-port-sharing",
        # Loopback is not an address that a Service may lead to.
        "--endpoint-reconciler-type=none",
        f"--tls-cert-file={credentials.server_certificate}",
        f"--tls-private-key-file={credentials.server_key}",
        f"--token-auth-file={credentials.token_file}",
        "--anonymous-auth=false",
        "--authorization-mode=RBAC",
        # Whether a pod may be privileged is for Pod Security to say, as on EKS.
        "--allow-privileged",
        f"--disable-admission-plugins={','.join(DISABLED_ADMISSION)}",
        *enabled,
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={credentials.service_account_key}",
        f"--service-account-signing-key-file={credentials.service_account_key}",
        f"--service-cluster-ip-range={SERVICE_CIDR}",
        "--profiling=false",
    ]


def _controller_manager(credentials: Credentials) -> list[str]:
    controllers = ["*", *(f"-{name}" for name in DISABLED_CONTROLLERS)]
    return [
        f"--kubeconfig={KUBECONFIG}",
        "--secure-port=0",
        "--leader-elect=false",
        f"--controllers={','.join(controllers)}",
        f"--service-account-private-key-file={credentials.service_account_key}",
        f"--root-ca-file={credentials.authority}",
        f"--service-cluster-ip-range={SERVICE_CIDR}",
        "--profiling=false",
    ]


def _scheduler() -> list[str]:
    return [f"--kubeconfig={KUBECONFIG}", "--secure-port=0", "--leader-elect=false", "--profiling=false"]


def socket_path(folder: Path) -> Path:
    """Where etcd's socket appears when it serves."""
    return folder / ETCD_SOCKET.removeprefix("unix://")
