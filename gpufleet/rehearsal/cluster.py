"""The Kubernetes cluster of a rehearsal: a real control plane with the nodes that the program's pools would bring."""

import contextlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from gpufleet.errors import MissingError
from gpufleet.facts.instances import UnknownInstanceType
from gpufleet.rehearsal.cluster_design import Design
from gpufleet.rehearsal.controlplane import client, commands, nodes
from gpufleet.rehearsal.controlplane.binaries import Binaries
from gpufleet.rehearsal.controlplane.capacity import CapacityUnknown
from gpufleet.rehearsal.controlplane.plane import ControlPlane
from gpufleet.rehearsal.controlplane.scheduling import Placement, placements
from gpufleet.rehearsal.kubernetes import leftovers
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, of_rehearsal
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.objects import Objects, Reference
from gpufleet.rehearsal.read_back import is_only_recorded

WORKLOADS: Final = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "Pod")
"""The kinds whose pods are judged here: their controllers run, and Kubernetes brings no others."""


class ClusterFailed(MissingError):
    """The control plane refused what every rehearsal asks of it, or does not answer any more."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Where everything was put."""

    placements: Sequence[Placement]
    unplaced: Sequence[Placement]
    """Those among them that speak against the program: a workload of its own that would not run."""
    silent: Sequence[str]
    """Its workloads that have no pods to be placed, as `ml/Job/train`: suspended, or scaled to none."""

    @classmethod
    def of(cls, found: Sequence[Placement], state: Sequence[Mapping[str, Any]], *, is_cut_short: bool = False) -> Self:
        """Judge placements.

        Args:
            found: all there are.
            state: the engine's, which says which workloads are the program's own.
            is_cut_short: a pool is larger in earnest than here, so that the rest of a workload may have room there.
        """
        own = {_workload(resource) for resource in state if _is_workload(resource)}
        excused = {_key(one) for one in found if one.node is not None} if is_cut_short else set[str]()
        return cls(
            placements=found,
            unplaced=[one for one in found if one.node is None and _key(one) in own - excused],
            silent=sorted(own - {_key(one) for one in found}),
        )

    @property
    def summary(self) -> str:
        """One line for a verdict without unplaced workloads."""
        placed = [one for one in self.placements if one.node is not None]
        pools = sorted({one.pool for one in placed if one.pool})
        where = f" of {', '.join(pools)}" if pools else ""
        pods, nodes_ = _counted(len(placed), "pod"), _counted(len({one.node for one in placed}), "node")
        parts = [f"{pods} on {nodes_}{where}"]
        if others := len(self.placements) - len(placed):
            parts.append(f"{_counted(others, 'pod')} on none, without failing the program")
        if self.silent:
            parts.append(f"without pods: {', '.join(self.silent)}")
        return "; ".join(parts)


class Cluster:
    """A context manager around the control plane.

    Pods that ask for a GPU tolerate its taint here without saying so, as on EKS, which runs ExtendedResourceToleration.
    """

    def __init__(self, design: Design, binaries: Binaries, logs: Path) -> None:
        """Say what will run; nothing is started before it is entered.

        Args:
            design: its name, the version and the nodes.
            binaries: of that version.
            logs: an existing folder for the programs' logs.
        """
        self._design = design
        self._plane = ControlPlane(binaries, logs=logs, tolerates_resources=True)
        self.unregistered: list[str] = []
        """Instance types of the pools for which there is no node, and why."""

    def __enter__(self) -> Self:
        """Start it, register the nodes and remember what is there before the program.

        Raises:
            ControlPlaneError: it does not start.
        """
        self._plane.__enter__()
        try:
            with _told():
                self._register()
                self._objects = Objects(Api(of_rehearsal({KUBECONFIG: self._plane.kubeconfig()})))
                self._before = leftovers.inventory(self._objects)
        except BaseException:
            self._plane.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End it, unless it is kept."""
        self._plane.__exit__(kind, error, traceback)

    @property
    def name(self) -> str:
        """As reports call it."""
        return self._design.name

    @property
    def design(self) -> Design:
        """What was wanted."""
        return self._design

    @property
    def version(self) -> str:
        """The API server's own: `1.35.4`."""
        return self._plane.binaries.version

    @property
    def kubeconfig(self) -> Path:
        """The file with the address and the token of an administrator."""
        return self._plane.folder / commands.KUBECONFIG

    def keep(self) -> dict[str, Any]:
        """Leave it running; returns how to look at it (`ControlPlane.keep`)."""
        return self._plane.keep()

    def verdict(self, state: Sequence[Mapping[str, Any]]) -> Verdict:
        """Tell where the real scheduler put the pods.

        Args:
            state: the engine's, which says which workloads are the program's own.

        Raises:
            ClusterFailed: it does not answer.
        """
        with _told():
            found = [replace(one, cluster=self.name) for one in placements(self._plane.client)]
        return Verdict.of(found, self._own(state), is_cut_short=self._design.is_cut_short)

    def left(self, state: Sequence[Mapping[str, Any]], seconds: float = leftovers.CLEARING_SECONDS) -> list[Reference]:
        """Return what the program left behind, but for what it says is to be retained.

        Args:
            state: the engine's as it was before the program was destroyed.
            seconds: how long to wait for the controllers to clear up.

        Raises:
            ClusterFailed: it does not answer.
        """
        retained = {
            Reference.of(resource["outputs"])
            for resource in self._own(state)
            if resource.get("retainOnDelete") and _is_object(resource)
        }
        with _told():
            return leftovers.left(self._objects, self._before | retained, seconds)

    def _own(self, state: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The resources of the state whose provider speaks to this cluster."""
        return [resource for resource in state if self._design.holds(str(resource.get("provider") or ""))]

    def _register(self) -> None:
        for node in self._design.nodes:
            try:
                nodes.register(self._plane.client, [node])
            except (UnknownInstanceType, CapacityUnknown) as error:
                self.unregistered.append(f"pool {node.pool} stands without its {node.instance_type}: {error}")
        self.unregistered = sorted(set(self.unregistered))


@contextlib.contextmanager
def _told() -> Generator[None]:
    """Have what the control plane refuses come out as one kind of error, in its own words."""
    try:
        yield
    except (client.KubernetesError, client.Unreachable, RehearsalError) as error:
        raise ClusterFailed(f"the control plane: {error}") from error


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _key(placement: Placement) -> str:
    return f"{placement.namespace}/{placement.workload}"


def _is_object(resource: Mapping[str, Any]) -> bool:
    """Whether a resource of the state is an object of the API server: no component, and no release of Helm's."""
    is_ours = bool(resource.get("custom")) and str(resource["type"]).startswith("kubernetes:")
    return is_ours and not is_only_recorded(resource)


def _is_workload(resource: Mapping[str, Any]) -> bool:
    return _is_object(resource) and str(resource["type"]).rpartition(":")[2] in WORKLOADS


def _workload(resource: Mapping[str, Any]) -> str:
    namespace, _, name = str(resource["id"]).rpartition("/")
    return f"{namespace}/{str(resource['type']).rpartition(':')[2]}/{name}"
