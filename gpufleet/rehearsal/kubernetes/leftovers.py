"""What is still in the API server after everything was deleted, but for what Kubernetes itself keeps there."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from gpufleet.rehearsal.kubernetes.api import Kind
from gpufleet.rehearsal.kubernetes.objects import Objects, Reference, wait_until

# What Kubernetes writes for itself all the time: what happened, and who leads.
_PASSING = frozenset({"Event", "Lease"})
# What it keeps in every namespace, or in its own, and makes when it comes to it.
_KEPT = frozenset(
    {
        ("ConfigMap", "kube-apiserver-legacy-service-account-token-tracking"),
        ("ConfigMap", "kube-root-ca.crt"),
        ("ServiceAccount", "default"),
    }
)
# The garbage collector and the namespace controller work in the background, the slowest step takes some seconds.
CLEARING_SECONDS = 30.0


def inventory(objects: Objects) -> frozenset[Reference]:
    """List every object of every kind; taken before anything is made it is what Kubernetes itself keeps."""
    return frozenset(reference for kind in _kinds(objects) for reference in _of_kind(objects, kind))


def left(objects: Objects, before: frozenset[Reference], seconds: float = CLEARING_SECONDS) -> list[Reference]:
    """Return what was not there before, sorted, when the controllers have had the time to clear up after it.

    Args:
        objects: the API server's.
        before: as `inventory` returned it.
        seconds: how long to wait for it to become nothing.
    """
    namespaces = {reference.name for reference in before if reference.kind == "Namespace"}
    found: set[Reference] = set()

    def nothing() -> bool:
        found.clear()
        found.update(each for each in inventory(objects) - before if not _is_kept(each, namespaces))
        return not found

    wait_until(nothing, seconds)
    return sorted(found, key=str)


def _is_kept(reference: Reference, namespaces: Set[str]) -> bool:
    return (reference.kind, reference.name) in _KEPT and reference.namespace in namespaces


def _kinds(objects: Objects) -> Iterator[Kind]:
    versions = ["v1"]
    groups: Mapping[str, Any] = objects.api.call("GET", "/apis", "list the groups of kinds")
    versions += [group["preferredVersion"]["groupVersion"] for group in groups["groups"]]
    for version in versions:
        base = "/apis" if "/" in version else "/api"
        served: Mapping[str, Any] = objects.api.find(f"{base}/{version}", f"list the kinds of {version}") or {}
        for resource in served.get("resources") or ():
            verbs: Sequence[str] = resource.get("verbs") or ()
            if {"list", "delete"} <= set(verbs) and resource["kind"] not in _PASSING:
                yield Kind(version, resource["kind"], resource["name"], bool(resource["namespaced"]))


def _of_kind(objects: Objects, kind: Kind) -> Iterator[Reference]:
    # A kind that is on its way out answers 404.
    answer = objects.api.find(kind.path(None), f"list {kind.plural}") or {}
    for item in answer.get("items") or ():
        metadata: Mapping[str, Any] = item["metadata"]
        yield Reference(kind.api_version, kind.kind, metadata.get("namespace"), str(metadata["name"]))
