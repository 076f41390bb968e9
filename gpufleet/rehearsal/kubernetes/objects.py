"""Objects of the API server: look up, apply, delete."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpufleet.rehearsal.kubernetes.api import APPLY, Api, Kind, Kinds
from gpufleet.rehearsal.kubernetes.errors import KubernetesError, RehearsalError
from gpufleet.rehearsal.kubernetes.paths import at

Object = Mapping[str, Any]

CUSTOM_RESOURCE_DEFINITION = ("apiextensions.k8s.io/v1", "CustomResourceDefinition")

_NOT_FOUND = 404
_POLL_SECONDS = 0.1
# Objects of one program may be made in parallel, and one whose namespace or definition is on its way meets it in time.
_RETRY_SECONDS = (0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True)
class Reference:
    """Which object."""

    api_version: str
    kind: str
    namespace: str | None
    name: str

    @classmethod
    def of(cls, body: Object) -> "Reference":
        """Return the reference of an object with a name."""
        metadata: Mapping[str, Any] = body["metadata"]
        return cls(str(body["apiVersion"]), str(body["kind"]), metadata.get("namespace"), str(metadata["name"]))

    @property
    def id(self) -> str:
        """Pulumi's id of the object, as the official provider gives it: `namespace/name`, or the name alone."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    def __str__(self) -> str:
        return f"{self.api_version} {self.kind} {self.id}"


class Objects:
    """The objects of one API server."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.kinds = Kinds(api)

    def kind(self, reference: Reference) -> Kind:
        """Return the object's kind.

        Raises:
            KubernetesError: the API server does not serve it (404, as for an object that is not there).
        """
        found = self.kinds.find(reference.api_version, reference.kind)
        if found is None:
            said = f'no matches for kind "{reference.kind}" in version "{reference.api_version}"'
            hint = (
                "The API server has no such type: a custom resource must come after (depends_on) the chart or the "
                "CustomResourceDefinition that brings its type; of a built-in one check apiVersion and kind."
            )
            raise KubernetesError(str(reference), {"code": _NOT_FOUND, "reason": "NoKindMatch", "message": said}, hint)
        return found

    def find(self, reference: Reference) -> dict[str, Any] | None:
        """Return the object as the API server has it, None where it is not there or its kind is not."""
        kind = self.kinds.find(reference.api_version, reference.kind)
        if kind is None:
            return None
        return self.api.find(kind.path(self._namespace(kind, reference), reference.name), f"read {reference}")

    def apply(
        self, body: Object, manager: str, *, force: bool = False, dry_run: bool = False, doing: str = "apply"
    ) -> dict[str, Any]:
        """Apply an object server-side and return it as it is then.

        Args:
            body: with apiVersion, kind and metadata.name; the manager's whole intent: what it owned and no longer
                names is removed.
            manager: who owns the fields.
            force: take over fields that another manager owns.
            dry_run: only say how it would be.
            doing: for the error, `create`.

        Raises:
            KubernetesError: the API server refused.
        """
        reference = Reference.of(body)
        kind = self.kind(reference)
        query = {"fieldManager": manager, "force": str(force).lower(), "fieldValidation": "Strict"}
        if dry_run:
            query["dryRun"] = "All"
        path = kind.path(self._namespace(kind, reference), reference.name)
        return self.api.call("PATCH", path, f"{doing} {reference}", query, body, APPLY)

    def create(self, body: Object, manager: str) -> dict[str, Any]:
        """Apply an object that is not there yet, giving what it depends on a few seconds to appear.

        Raises:
            KubernetesError: the API server refused; `AlreadyExists` where the object is there.
        """
        for pause in (*_RETRY_SECONDS, None):
            try:
                if self.find(Reference.of(body)) is not None:
                    raise already_exists(Reference.of(body))
                return self.apply(body, manager, doing="create")
            except KubernetesError as error:
                if error.code != _NOT_FOUND or pause is None:
                    raise
                time.sleep(pause)
        raise AssertionError("the last attempt either returns or raises")

    def try_create(self, body: Object) -> None:
        """Have the API server judge a creation without creating anything (KubernetesError where it refuses)."""
        reference = Reference.of(body)
        kind = self.kind(reference)
        path = kind.path(self._namespace(kind, reference))
        query = {"dryRun": "All", "fieldValidation": "Strict"}
        self.api.call("POST", path, f"create {reference}", query, body)

    def delete(self, reference: Reference, propagation: str, seconds: float) -> None:
        """Delete an object and wait until it is gone; one that is gone already is deleted.

        Args:
            reference: which.
            propagation: Foreground, Background or Orphan.
            seconds: how long to wait.

        Raises:
            KubernetesError: the API server refused.
            RehearsalError: it is still there after that time; the message says what holds it.
        """
        live = self.find(reference)
        if live is None:
            return
        kind = self.kind(reference)
        path = kind.path(self._namespace(kind, reference), reference.name)
        uid = live["metadata"]["uid"]
        options = {"propagationPolicy": propagation, "preconditions": {"uid": uid}}
        try:
            self.api.call("DELETE", path, f"delete {reference}", body=options)
        except KubernetesError as error:
            if error.code != _NOT_FOUND:
                raise

        def gone() -> bool:
            now = self.find(reference)
            if now is None or now["metadata"]["uid"] != uid:
                return True
            live.update(now)
            return False

        if not wait_until(gone, seconds):
            raise RehearsalError(f"delete {reference}: still there after {seconds:.0f} s{_holding(live)}")

    def _namespace(self, kind: Kind, reference: Reference) -> str | None:
        return (reference.namespace or "default") if kind.namespaced else None


def already_exists(reference: Reference) -> KubernetesError:
    """Return the refusal of an object that somebody else has made."""
    said = f'{reference.kind} "{reference.name}" already exists'
    hint = (
        "Two resources of the program name the same object, or somebody else made it: name them apart, use a Patch "
        "resource for some of its fields, or set upsertExistingObjects on the provider to take it over."
    )
    return KubernetesError(f"create {reference}", {"code": 409, "reason": "AlreadyExists", "message": said}, hint)


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Ask until it is so, at most for the time given; say whether it became so."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _holding(live: Object) -> str:
    finalizers: list[str] = live["metadata"].get("finalizers") or []
    conditions: list[Object] = at(live, "status", "conditions") or []
    said = [str(condition["message"]) for condition in conditions if condition.get("message")]
    held = f"; it waits for the finalizers {', '.join(finalizers)}" if finalizers else ""
    return held + "".join(f"\n  {message}" for message in said)
