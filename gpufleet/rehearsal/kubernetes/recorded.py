"""Helm releases: recorded with their values, not installed, and marked so.

What Kubernetes can judge of one is judged: that its namespace is there, and that the custom resources which come after
it are of types that its chart defines.
"""

from collections.abc import Mapping
from typing import Any

from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.provider.experimental.provider import (
    CheckFailure,
    CheckRequest,
    CheckResponse,
    CreateRequest,
    CreateResponse,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    ReadRequest,
    ReadResponse,
    UpdateRequest,
    UpdateResponse,
)

from gpufleet.rehearsal.aws.state import RECORDED
from gpufleet.rehearsal.aws.values import UNKNOWN, plain_map, wrap
from gpufleet.rehearsal.kubernetes import crds, names
from gpufleet.rehearsal.kubernetes.differences import compare
from gpufleet.rehearsal.kubernetes.errors import KubernetesError
from gpufleet.rehearsal.kubernetes.objects import Objects, Reference
from gpufleet.rehearsal.kubernetes.paths import copied, parsed
from gpufleet.rehearsal.kubernetes.property_diffs import answer
from gpufleet.rehearsal.kubernetes.settling import settle
from gpufleet.rehearsal.kubernetes.state import INPUTS

CALL = "CreateRelease"
"""What the rehearsal could not be asked to do, as the report names it."""

_AUTONAMED = "__autonamed"
_IDENTITY = (("name",), ("namespace",))


def check(request: CheckRequest, default_namespace: str) -> CheckResponse:
    """Require a chart, name the release and its namespace."""
    inputs, old = dict(request.new_inputs), plain_map(request.old_inputs)
    failures: list[CheckFailure] = []
    if not plain_map(inputs).get("chart"):
        failures.append(CheckFailure("chart", "a release needs a chart: a name, a path or an oci:// address"))
    if not plain_map(inputs).get("name"):
        kept = old.get("name") if old.get(_AUTONAMED) else None
        inputs["name"] = PropertyValue(kept or names.automatic(request.name, request.random_seed))
        inputs[_AUTONAMED] = PropertyValue(True)
    if not plain_map(inputs).get("namespace"):
        inputs["namespace"] = PropertyValue(default_namespace)
    return CheckResponse(inputs=inputs, failures=failures)


def diff(request: DiffRequest) -> DiffResponse:
    """Compare the inputs; another name or namespace is another release."""
    old: Mapping[str, Any] = plain_map(request.old_state).get(INPUTS) or {}
    new = plain_map(request.new_inputs)
    for path in request.ignore_changes:
        new = copied(old, new, parsed(path))
    changes = {path: change for path, change in compare(old, new).items() if path[0] != _AUTONAMED}
    replaces = tuple(path for path in changes if path in _IDENTITY)
    same_name = all(old.get(name) == new.get(name) for (name,) in _IDENTITY)
    return answer(changes, replaces, delete_before_replace=bool(replaces) and same_name)


def create(objects: Objects, request: CreateRequest) -> CreateResponse:
    """Record the release, define its chart's types; its namespace must be there, or is made where it asks for that."""
    inputs = plain_map(request.properties)
    if request.preview:
        return CreateResponse(properties=_state(request.properties, UNKNOWN))
    namespace, name = str(inputs["namespace"]), str(inputs["name"])
    _require_namespace(objects, namespace, bool(inputs.get("createNamespace")))
    _define(objects, inputs)
    return CreateResponse(f"{namespace}/{name}", _state(request.properties, _status(inputs, 1)))


def update(objects: Objects, request: UpdateRequest) -> UpdateResponse:
    """Record the release's new values."""
    if request.preview:
        return UpdateResponse(_state(request.news, UNKNOWN))
    status: Mapping[str, Any] = plain_map(request.olds).get("status") or {}
    inputs = plain_map(request.news)
    _define(objects, inputs)
    return UpdateResponse(_state(request.news, _status(inputs, int(status.get("revision") or 0) + 1)))


def read(request: ReadRequest) -> ReadResponse:
    """Answer with what was recorded; nothing of a release that was not."""
    if not request.properties:
        return ReadResponse()
    return ReadResponse(request.resource_id, dict(request.properties), dict(request.inputs))


def delete(objects: Objects, request: DeleteRequest) -> None:
    """Take back what the release's chart defines."""
    inputs = plain_map(request.properties)
    crds.let_go(objects, crds.of_chart(str(inputs["chart"])), request.resource_id)


def _define(objects: Objects, inputs: Mapping[str, Any]) -> None:
    definitions = crds.of_chart(str(inputs["chart"]), skip=bool(inputs.get("skipCrds")))
    crds.hold(objects, definitions, f"{inputs['namespace']}/{inputs['name']}")


def _require_namespace(objects: Objects, namespace: str, make: bool) -> None:
    if objects.find(Reference("v1", "Namespace", None, namespace)) is not None:
        return
    if not make:
        said = {"code": 404, "reason": "NotFound", "message": f'namespaces "{namespace}" not found'}
        hint = "Helm installs into a namespace that is there: declare it and depend on it, or set createNamespace."
        raise KubernetesError(f"install the release into {namespace}", said, hint)
    # As Helm does, which leaves it behind too.
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
    settle(objects, objects.apply(body, "helm", doing="create"))


def _status(inputs: Mapping[str, Any], revision: int) -> dict[str, Any]:
    return {
        "name": inputs["name"],
        "namespace": inputs["namespace"],
        "chart": inputs["chart"],
        "version": inputs.get("version"),
        "revision": revision,
        "status": "recorded",
    }


def _state(inputs: Mapping[str, PropertyValue], status: Any) -> dict[str, PropertyValue]:
    given = {name: value for name, value in inputs.items() if not name.startswith("__")}
    marks = {RECORDED: wrap([CALL]), "status": wrap(status), INPUTS: PropertyValue(given)}
    return {**given, "resourceNames": wrap({}), **marks}
