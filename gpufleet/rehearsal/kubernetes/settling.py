"""What is waited for after an object is made: that the control plane has taken it up. Never that a pod is ready."""

from collections.abc import Callable, Mapping
from typing import Any

from gpufleet.rehearsal.kubernetes.api import Kind
from gpufleet.rehearsal.kubernetes.errors import KubernetesError, RehearsalError
from gpufleet.rehearsal.kubernetes.objects import CUSTOM_RESOURCE_DEFINITION, Object, Objects, Reference, wait_until
from gpufleet.rehearsal.kubernetes.paths import at

_SECONDS = 30.0


def settle(objects: Objects, made: Object) -> None:
    """Wait until what depends on the object can be made.

    A namespace has its default service account then (no pod is admitted before), a quota is being counted (no object
    it counts is admitted before), the objects of a custom resource definition can be made.

    Raises:
        RehearsalError: the control plane has not taken it up within half a minute.
    """
    key = (str(made["apiVersion"]), str(made["kind"]))
    condition, awaited = _CONDITIONS.get(key, (None, ""))
    if condition is None:
        return
    if not wait_until(lambda: condition(objects, made), _SECONDS):
        raise RehearsalError(f"{Reference.of(made)}: {awaited} within {_SECONDS:.0f} s{_said(objects, made)}")


def _has_default_account(objects: Objects, made: Object) -> bool:
    return objects.find(Reference("v1", "ServiceAccount", str(made["metadata"]["name"]), "default")) is not None


def _is_counted(objects: Objects, made: Object) -> bool:
    live = objects.find(Reference.of(made)) or {}
    return at(live, "status", "hard") == at(live, "spec", "hard")


def _is_served(objects: Objects, made: Object) -> bool:
    live = objects.find(Reference.of(made)) or {}
    if not _condition(live, "Established"):
        return False
    spec: Mapping[str, Any] = live["spec"]
    group, kind = str(spec["group"]), str(spec["names"]["kind"])
    for version in spec["versions"]:
        api_version = f"{group}/{version['name']}"
        objects.kinds.forget(api_version)
        if not version.get("served"):
            continue
        served = objects.kinds.find(api_version, kind)
        if served is None or not _answers(objects, served):
            return False
    return True


def _answers(objects: Objects, kind: Kind) -> bool:
    try:
        return objects.api.find(kind.path(None), f"list {kind.kind}") is not None
    except KubernetesError:
        # Its storage is being set up.
        return False


def _condition(live: Object, name: str) -> bool:
    conditions: list[Object] = at(live, "status", "conditions") or []
    return any(condition["type"] == name and condition["status"] == "True" for condition in conditions)


def _said(objects: Objects, made: Object) -> str:
    """What the object's conditions say is wrong."""
    live = objects.find(Reference.of(made)) or {}
    conditions: list[Object] = at(live, "status", "conditions") or []
    return "".join(f"\n  {each['type']}: {each['message']}" for each in conditions if each.get("message"))


_CONDITIONS: Mapping[tuple[str, str], tuple[Callable[[Objects, Object], bool], str]] = {
    ("v1", "Namespace"): (_has_default_account, "the controller manager has not made its default service account"),
    ("v1", "ResourceQuota"): (_is_counted, "the controller manager has not counted what it limits"),
    CUSTOM_RESOURCE_DEFINITION: (_is_served, "the API server does not serve it"),
}
