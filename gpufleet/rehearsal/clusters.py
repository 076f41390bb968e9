"""The Kubernetes clusters of a rehearsal, each on a control plane of its own."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gpufleet.rehearsal.cluster import Cluster, Verdict
from gpufleet.rehearsal.cluster_design import Design
from gpufleet.rehearsal.controlplane.binaries import Binaries, ensure_binaries
from gpufleet.rehearsal.engine import Progress
from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, KUBECONFIGS
from gpufleet.rehearsal.kubernetes.objects import Reference


class Clusters:
    """None, one or several; to be prepared, started and closed in this order."""

    def __init__(self, designs: Sequence[Design], progress: Progress | None = None) -> None:
        """Say what will run.

        Args:
            designs: one for each cluster.
            progress: told what is built and what is started.
        """
        self._designs = designs
        self._progress = progress
        self._binaries: Mapping[str, Binaries] = {}
        self._running: list[Cluster] = []

    def __len__(self) -> int:
        return len(self._designs)

    def __iter__(self) -> Iterator[Cluster]:
        """Those that run."""
        return iter(self._running)

    def prepare(self) -> None:
        """Find or build the programs of each version.

        Raises:
            ControlPlaneMissing: there are none, and none can be built.
        """
        versions = sorted({design.version for design in self._designs})
        self._binaries = {version: ensure_binaries(version, self._progress) for version in versions}

    def start(self, logs: Path) -> None:
        """Start one after the other; `close` ends those that were started also where a later one does not start.

        Args:
            logs: existing folder for the programs' logs; of several clusters each has its own in it.

        Raises:
            ControlPlaneError: one does not start.
        """
        for design in self._designs:
            binaries = self._binaries[design.version]
            if self._progress is not None:
                what = f"Kubernetes {binaries.version}" + (f" for {design.name}" if len(self) > 1 else "")
                self._progress(f"starting {what} with {len(design.nodes)} nodes")
            own = logs / re.sub(r"[^\w.-]", "-", design.name) if len(self) > 1 else logs
            own.mkdir(exist_ok=True)
            self._running.append(Cluster(design, binaries, own).__enter__())

    def environment(self) -> dict[str, str]:
        """The variables by which the stand-in finds its control plane, and what the program starts finds one."""
        if not self._running:
            return {}
        # The second for what the program itself starts, which can then reach no other cluster either.
        first = str(self._running[0].kubeconfig)
        variables = {KUBECONFIG: first, "KUBECONFIG": first}
        if len(self) > 1:
            paths = {urn: str(cluster.kubeconfig) for cluster in self for urn in sorted(cluster.design.providers)}
            variables[KUBECONFIGS] = json.dumps(paths)
        return variables

    def verdicts(self, state: Sequence[Mapping[str, Any]]) -> list[tuple[Cluster, Verdict]]:
        """Tell of each where its scheduler put the pods (`Cluster.verdict`)."""
        return [(cluster, cluster.verdict(state)) for cluster in self]

    def left(self, state: Sequence[Mapping[str, Any]]) -> list[tuple[Cluster, Reference]]:
        """Return what the program left behind, and where (`Cluster.left`)."""
        return [(cluster, reference) for cluster in self for reference in cluster.left(state)]

    def signed(self, cluster: Cluster, line: str) -> str:
        """A line about a cluster, with its name where there are several."""
        return f"{cluster.name}: {line}" if len(self) > 1 else line

    def keep(self) -> list[dict[str, Any]]:
        """Leave them running; returns of each its name, `cluster`, and how to look at it (`ControlPlane.keep`)."""
        return [{"cluster": cluster.name, **cluster.keep()} for cluster in self]

    def close(self) -> None:
        """End them, unless they are kept."""
        while self._running:
            self._running.pop().__exit__(None, None, None)
