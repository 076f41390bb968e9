"""What runs pods in a cluster, and whether its controller has made them all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gpufleet.rehearsal.controlplane.client import Client, Object, part, parts

COLLECTIONS: Final = {
    "Deployment": "/apis/apps/v1/deployments",
    "StatefulSet": "/apis/apps/v1/statefulsets",
    "DaemonSet": "/apis/apps/v1/daemonsets",
    "Job": "/apis/batch/v1/jobs",
}
REPLICA_SETS: Final = "/apis/apps/v1/replicasets"

REFUSED: Final = "FailedCreate"
"""The reason of the events in which a controller says that it may not make a pod: Pod Security, a quota, a webhook."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A Deployment, StatefulSet, DaemonSet or Job."""

    kind: str
    namespace: str
    name: str
    wanted: int
    """Pods that it is to have now; 0 for a Job that is suspended."""
    made: int
    seen: bool
    """Whether its controller has looked at its present form."""
    refusal: str | None
    """The server's words where its controller may not make a pod."""

    @property
    def settled(self) -> bool:
        """Whether nothing more is to be expected of its controller."""
        return self.refusal is not None or (self.seen and self.made >= self.wanted)


def read(client: Client) -> list[Workload]:
    """Read the workloads of all namespaces."""
    replica_sets = client.items(REPLICA_SETS)
    refusals = _refusals(client, replica_sets)
    found: list[Workload] = []
    for kind, path in COLLECTIONS.items():
        for item in client.items(path):
            metadata, status = item["metadata"], part(item, "status")
            wanted, made = _pods(kind, item["spec"], status)
            found.append(
                Workload(
                    kind=kind,
                    namespace=metadata["namespace"],
                    name=metadata["name"],
                    wanted=wanted,
                    made=made,
                    # Jobs do not tell which form they have seen; a status at all says that they were.
                    seen=bool(status) if kind == "Job" else status.get("observedGeneration") == metadata["generation"],
                    refusal=refusals.get(metadata["uid"]),
                )
            )
    return found


def owners(client: Client) -> dict[str, str]:
    """By the uid of a ReplicaSet, what owns it: `Deployment/web`."""
    return {
        item["metadata"]["uid"]: f"{owner['kind']}/{owner['name']}"
        for item in client.items(REPLICA_SETS)
        if (owner := controller_of(item)) is not None
    }


def controller_of(obj: Object) -> Mapping[str, Any] | None:
    """The reference to what controls an object, None where nothing does."""
    references = parts(obj["metadata"], "ownerReferences")
    return next((reference for reference in references if reference.get("controller")), None)


def _pods(kind: str, spec: Mapping[str, Any], status: Mapping[str, Any]) -> tuple[int, int]:
    """Say how many pods are wanted and how many were made."""
    if kind == "DaemonSet":
        return status.get("desiredNumberScheduled", 0), status.get("currentNumberScheduled", 0)
    if kind != "Job":
        return spec.get("replicas", 1), status.get("replicas", 0)
    ended = status.get("succeeded", 0) + status.get("failed", 0)
    at_once, in_all = spec.get("parallelism", 1), spec.get("completions")
    wanted = at_once if in_all is None else min(at_once, in_all)
    return (0 if spec.get("suspend") else wanted), status.get("active", 0) + ended


def _refusals(client: Client, replica_sets: Sequence[Object]) -> dict[str, str]:
    """By the uid of a workload, the last refusal that its controller met."""
    deployments = {
        item["metadata"]["uid"]: owner["uid"] for item in replica_sets if (owner := controller_of(item)) is not None
    }
    events = client.items("/api/v1/events", {"fieldSelector": f"reason={REFUSED}"})
    refusals: dict[str, str] = {}
    for event in events:
        uid = event["involvedObject"].get("uid", "")
        refusals[deployments.get(uid, uid)] = event.get("message", "")
    return refusals
