"""Where the real scheduler put every pod, and in its own words why not where it did not."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from gpufleet.rehearsal.controlplane import workloads
from gpufleet.rehearsal.controlplane.client import Client, Object, part, parts
from gpufleet.rehearsal.controlplane.nodes import POOL_LABEL

# The scheduler needs milliseconds for a pod, its controller some more to make it.
SETTLE_SECONDS = 20.0
POLL_SECONDS = 0.1

FINISHED = frozenset({"Succeeded", "Failed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """What became of one pod, or of a workload that may not have pods."""

    namespace: str
    workload: str
    """What made the pod, as `Job/train`; `Pod/debug` for a pod of its own."""
    pod: str | None
    """None where the API server refused every pod of the workload."""
    node: str | None
    pool: str | None
    """The pool that the node stands for."""
    reason: str | None
    """Why there is no node: the scheduler's message, or the API server's. None where there is one."""
    cluster: str = ""
    """Which of a program's clusters it is in, where more than one is looked at."""

    def __str__(self) -> str:
        who = f"{self.namespace}/{self.pod or self.workload}"
        if self.node is not None:
            return f"{who} ({self.workload}) is on {self.node}" + (f" of pool {self.pool}" if self.pool else "")
        return f"{who} ({self.workload}) is on no node: {self.reason}"


def placements(client: Client, *, settle_seconds: float = SETTLE_SECONDS) -> tuple[Placement, ...]:
    """Wait until the controllers have made their pods and the scheduler has judged each, then tell of all.

    Pods that have ended and pods that are being deleted are left out.

    Args:
        client: of a cluster that has its nodes.
        settle_seconds: how long to wait for what is not judged yet; it is then reported so.

    Returns:
        Sorted by namespace, workload and pod.
    """
    deadline = time.monotonic() + settle_seconds
    while True:
        # In this order: a pod that is made in between is waited for, not overlooked.
        known = workloads.read(client)
        pods = [pod for pod in client.items("/api/v1/pods") if _counts(pod)]
        nodes = len(client.items("/api/v1/nodes"))
        settled = all(workload.settled for workload in known) and all(_judged(pod, nodes) for pod in pods)
        if settled or time.monotonic() > deadline:
            return _told(client, known, pods, settle_seconds)
        time.sleep(POLL_SECONDS)


def _told(
    client: Client, known: Sequence[workloads.Workload], pods: Sequence[Object], waited_seconds: float
) -> tuple[Placement, ...]:
    pools = {
        node["metadata"]["name"]: part(node["metadata"], "labels").get(POOL_LABEL)
        for node in client.items("/api/v1/nodes")
    }
    owners = workloads.owners(client)
    found = [_placement(pod, owners, pools, waited_seconds) for pod in pods]
    found += [
        Placement(
            namespace=workload.namespace,
            workload=f"{workload.kind}/{workload.name}",
            pod=None,
            node=None,
            pool=None,
            reason=workload.refusal or f"its controller made no pod within {waited_seconds:.0f} s",
        )
        for workload in known
        if workload.made < workload.wanted
    ]
    return tuple(sorted(found, key=lambda one: (one.namespace, one.workload, one.pod or "")))


def _placement(pod: Object, owners: dict[str, str], pools: dict[str, str | None], waited_seconds: float) -> Placement:
    metadata, node = pod["metadata"], pod["spec"].get("nodeName")
    reason = None if node else _words(pod) or f"the scheduler said nothing within {waited_seconds:.0f} s"
    return Placement(
        namespace=metadata["namespace"],
        workload=_workload(pod, owners),
        pod=metadata["name"],
        node=node,
        pool=pools.get(node or ""),
        reason=reason,
    )


def _workload(pod: Object, owners: dict[str, str]) -> str:
    controller = workloads.controller_of(pod)
    if controller is None:
        return f"Pod/{pod['metadata']['name']}"
    return owners.get(controller["uid"], f"{controller['kind']}/{controller['name']}")


def _counts(pod: Object) -> bool:
    return not pod["metadata"].get("deletionTimestamp") and pod["status"].get("phase") not in FINISHED


def _judged(pod: Object, nodes: int) -> bool:
    """Whether the scheduler has placed a pod, or has refused it with all nodes before its eyes."""
    if pod["spec"].get("nodeName"):
        return True
    words = _words(pod)
    if words is None:
        return False
    # It learns of nodes and pods on separate streams, and looks again at a pod when it learns of a node.
    counted = re.match(r"0/(\d+) nodes are available|(no nodes) available", words)
    return counted is None or int(counted.group(1) or 0) == nodes


def _words(pod: Object) -> str | None:
    """The scheduler's message about a pod that it did not place, None while it has none."""
    for condition in parts(pod["status"], "conditions"):
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            return str(condition.get("message") or condition.get("reason"))
    return None
