"""When a change means another object: where the official provider decides so, and where the API server forbids it."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import uuid4

from gpufleet.rehearsal.kubernetes.errors import Cause, KubernetesError
from gpufleet.rehearsal.kubernetes.objects import Object, Objects
from gpufleet.rehearsal.kubernetes.paths import Path, parsed, within

# What the official provider replaces for without asking, although the API server would take some of it:
# forceNew in https://github.com/pulumi/pulumi-kubernetes/blob/v4.34.2/provider/pkg/provider/diff.go (read 2026-07).
_ALWAYS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("apps/v1", "DaemonSet"): ("spec.selector",),
    ("apps/v1", "Deployment"): ("spec.selector",),
    ("apps/v1", "StatefulSet"): (
        "spec.podManagementPolicy",
        "spec.revisionHistoryLimit",
        "spec.selector",
        "spec.serviceName",
        "spec.volumeClaimTemplates",
    ),
    ("batch/v1", "Job"): ("spec.completions", "spec.parallelism", "spec.selector", "spec.template"),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"): ("roleRef",),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"): ("roleRef",),
    ("storage.k8s.io/v1", "StorageClass"): ("parameters", "provisioner"),
    ("v1", "PersistentVolumeClaim"): (
        "spec.accessModes",
        "spec.selector",
        "spec.storageClassName",
        "spec.volumeName",
    ),
    ("v1", "PersistentVolume"): ("spec.csi", "spec.hostPath", "spec.local", "spec.nfs"),
    ("v1", "Pod"): (
        "spec.affinity",
        "spec.automountServiceAccountToken",
        "spec.containers[*]",
        "spec.dnsConfig",
        "spec.dnsPolicy",
        "spec.enableServiceLinks",
        "spec.hostAliases",
        "spec.hostIPC",
        "spec.hostNetwork",
        "spec.hostPID",
        "spec.hostname",
        "spec.imagePullSecrets",
        "spec.initContainers[*]",
        "spec.nodeName",
        "spec.nodeSelector",
        "spec.overhead",
        "spec.preemptionPolicy",
        "spec.priority",
        "spec.priorityClassName",
        "spec.readinessGates",
        "spec.restartPolicy",
        "spec.runtimeClassName",
        "spec.schedulerName",
        "spec.securityContext",
        "spec.serviceAccount",
        "spec.serviceAccountName",
        "spec.shareProcessNamespace",
        "spec.subdomain",
        "spec.terminationGracePeriodSeconds",
        "spec.volumes",
    ),
    ("v1", "ResourceQuota"): ("spec.scopes",),
    ("v1", "Service"): ("spec.clusterIP",),
}
_CONTENT = {
    ("v1", "ConfigMap"): ("binaryData", "data"),
    ("v1", "Secret"): ("data", "stringData", "type"),
}
_FORBIDDEN = 403
_INVALID = 422


@dataclass(frozen=True)
class Mutable:
    """Which kinds the provider's settings let change in place; it replaces them otherwise."""

    config_maps: bool = False
    secrets: bool = False


def always(body: Object, mutable: Mutable) -> tuple[Path, ...]:
    """Return the paths at which the official provider replaces an object of this kind, whatever the API server says."""
    key = (str(body["apiVersion"]), str(body["kind"]))
    rules = _ALWAYS.get(key, ())
    let_be = {"ConfigMap": mutable.config_maps, "Secret": mutable.secrets}.get(key[1], False)
    if not let_be or body.get("immutable") is True:
        rules = (*rules, *_CONTENT.get(key, ()))
    return tuple(parsed(rule) for rule in rules)


def meets(path: Path, rules: tuple[Path, ...]) -> bool:
    """Say whether a changed path lies at, below or above one of the rules."""
    return any(within(path, rule) or within(rule, path) for rule in rules)


def forbidden_changes(objects: Objects, body: Object, refusal: KubernetesError) -> tuple[Path, ...]:
    """Return the fields that the API server does not let change, of an object that it would take as a new one.

    Asked is the API server itself: what it says of the change and does not say of the creation of the same object
    under another name is about the change. Empty where the object itself is not valid, or was refused for another
    reason than its fields.
    """
    if refusal.code != _INVALID:
        return ()
    try:
        objects.try_create({**body, "metadata": {**body["metadata"], "name": f"trial-{uuid4().hex[:12]}"}})
    except KubernetesError as error:
        # What admission forbids (a quota that the old object fills) has passed validation before.
        if error.code not in (_FORBIDDEN, _INVALID) or any(_about_the_object(cause) for cause in error.causes):
            return ()
        invalid = {(cause.field, cause.reason) for cause in error.causes}
    else:
        invalid = set[tuple[str, str]]()
    forbidden = {cause.field for cause in refusal.causes if (cause.field, cause.reason) not in invalid and cause.field}
    return tuple(parsed(field) for field in sorted(forbidden))


def _about_the_object(cause: Cause) -> bool:
    """Whether it would be said of the object under its own name too, with nothing in its place."""
    taken = cause.reason == "FieldValueDuplicate" or "already allocated" in cause.message
    return not (taken or cause.field == "metadata.name")
