"""Register custom resources of operators that are not here: open schemas, so that their objects can be applied."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from gpufleet.rehearsal.controlplane.client import Client, Object, part, parts

MANAGER = "gpufleet-rehearsal"

# The API server serves a new definition within a second.
SERVED_SECONDS = 30.0
POLL_SECONDS = 0.05


class DefinitionRefused(RuntimeError):
    """The API server does not serve a definition; the message carries its own reasons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A custom resource without its schema: any field is taken as it is."""

    group: str
    """As `karpenter.sh`."""
    version: str
    """The one version that is served and stored: `v1`."""
    kind: str
    plural: str
    namespaced: bool
    has_status: bool = True
    """Whether `status` is written apart, as controllers expect."""


def definition(kind: Kind) -> Object:
    """Write a CustomResourceDefinition that takes anything below `spec` and beside it."""
    version: Object = {
        "name": kind.version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
    }
    if kind.has_status:
        version["subresources"] = {"status": {}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{kind.group}"},
        "spec": {
            "group": kind.group,
            "names": {"kind": kind.kind, "plural": kind.plural, "singular": kind.kind.lower()},
            "scope": "Namespaced" if kind.namespaced else "Cluster",
            "versions": [version],
        },
    }


def register(client: Client, definitions: Iterable[Object]) -> None:
    """Apply definitions, ours or an operator's own, and wait until their objects can be.

    Args:
        client: of the cluster.
        definitions: CustomResourceDefinition objects.

    Raises:
        KubernetesError: the server refused one.
        DefinitionRefused: it was taken but is not served: its names are another's, or its schema is not one.
    """
    applied = [client.apply(obj, MANAGER) for obj in definitions]
    deadline = time.monotonic() + SERVED_SECONDS
    for obj in applied:
        while not _served(now := client.request("GET", client.path(obj))):
            if time.monotonic() > deadline:
                raise DefinitionRefused(f"{obj['metadata']['name']} is not served: {'; '.join(_complaints(now))}")
            time.sleep(POLL_SECONDS)


def _served(obj: Object) -> bool:
    return any(one["type"] == "Established" and one["status"] == "True" for one in _conditions(obj))


def _complaints(obj: Object) -> list[str]:
    return [str(one.get("message") or one["type"]) for one in _conditions(obj) if one["status"] == "False"]


def _conditions(obj: Object) -> list[Object]:
    return parts(part(obj, "status"), "conditions")
