"""Objects as Pulumi resources: what each call of the resource protocol does to one of them."""

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

from gpufleet.rehearsal.aws.values import holds_unknown, plain_map, wrap
from gpufleet.rehearsal.kubernetes import names, state, tokens
from gpufleet.rehearsal.kubernetes.changes import Proposal, as_the_server_sees_it, difference, with_ignored
from gpufleet.rehearsal.kubernetes.differences import compare
from gpufleet.rehearsal.kubernetes.engine_log import Warn, silent
from gpufleet.rehearsal.kubernetes.errors import KubernetesError, RehearsalError
from gpufleet.rehearsal.kubernetes.objects import Object, Objects, Reference
from gpufleet.rehearsal.kubernetes.paths import Path, at, spelled
from gpufleet.rehearsal.kubernetes.property_diffs import answer
from gpufleet.rehearsal.kubernetes.settings import Settings
from gpufleet.rehearsal.kubernetes.settling import settle

_FORCE = "pulumi.com/patchForce"
_PROPAGATION = "pulumi.com/deletionPropagationPolicy"
_POLICIES = {"background": "Background", "foreground": "Foreground", "orphan": "Orphan"}
_CONFLICT = 409
# A namespace takes the longest: five seconds of grace and its contents; what takes longer is held by a finalizer.
_DELETE_SECONDS = 120.0


class Resources:
    """The resources of one provider."""

    def __init__(self, objects: Objects, settings: Settings, warn: Warn = silent) -> None:
        self._objects = objects
        self._settings = settings
        self._warn = warn

    def check(self, request: CheckRequest) -> CheckResponse:
        """Name the object and its namespace; refuse what is no object, or cannot be applied server-side."""
        given, old = plain_map(request.new_inputs), plain_map(request.old_inputs)
        token = tokens.parse(request.type, given.get("kind"))
        failures = [
            CheckFailure(name, f"an object needs {name}; a {token.kind} of this type has {value!r}")
            for name, value in (("apiVersion", token.api_version), ("kind", token.kind))
            if not given.get(name)
        ]
        metadata: Any = given.get("metadata", {})
        if not isinstance(metadata, dict):
            if not holds_unknown(metadata):
                failures.append(CheckFailure("metadata", f"must be a mapping with a name or labels, not {metadata!r}"))
            return CheckResponse(inputs=request.new_inputs, failures=failures)
        added: dict[str, PropertyValue] = {}
        if not at(metadata, "name"):
            if at(metadata, "generateName"):
                failures.append(CheckFailure("metadata.generateName", "not supported by server-side apply; set name"))
            elif token.patch:
                failures.append(CheckFailure("metadata.name", "a Patch needs the name of the object it patches"))
            else:
                added |= self._named(request, old)
        kind = self._objects.kinds.find(token.api_version, token.kind)
        if kind is not None and kind.namespaced and not at(metadata, "namespace"):
            added["namespace"] = PropertyValue(self._settings.namespace)
        return CheckResponse(inputs=_with_metadata(request.new_inputs, added), failures=failures)

    def _named(self, request: CheckRequest, old: Mapping[str, Any]) -> dict[str, PropertyValue]:
        before: Mapping[str, Any] = old.get("metadata") or {}
        kept = before.get("name") if names.is_automatic(before) else None
        name = kept or names.automatic(request.name, request.random_seed)
        return {"name": PropertyValue(name), "annotations": wrap({names.AUTONAMED: "true"})}

    def diff(self, request: DiffRequest) -> DiffResponse:
        """Have the API server say, in a dry run, what changes."""
        old, new = plain_map(request.old_state), state.body(request.new_inputs)
        applied: Mapping[str, Any] = old.get(state.INPUTS) or {}
        standing = Reference.of(old)
        if not isinstance(new.get("metadata"), dict):
            return answer(compare(applied, new), ())
        proposal = Proposal(
            old=applied,
            new=new,
            standing=standing,
            manager=str(old.get(state.MANAGER) or names.field_manager(request.urn)),
            ignored=tuple(request.ignore_changes),
            mutable=self._settings.mutable,
            patch=tokens.parse(request.type, new.get("kind")).patch,
        )
        found = difference(self._objects, proposal)
        if found.forbidden:
            self._warn(request.urn, _beyond(found.forbidden))
        same_name = new["metadata"].get("name") == standing.name and (
            new["metadata"].get("namespace", standing.namespace) == standing.namespace
        )
        fixed = same_name and not names.is_automatic(new["metadata"])
        return answer(found.changes, found.replaces, delete_before_replace=bool(found.replaces) and fixed)

    def create(self, request: CreateRequest) -> CreateResponse:
        """Apply an object that is not there yet, or some fields of one that is."""
        wanted, manager = state.body(request.properties), names.field_manager(request.urn)
        if request.preview:
            dry = self._dry_run(wanted, manager)
            return CreateResponse(properties=state.foreseen(dry, request.properties, manager))
        patch = tokens.parse(request.type, wanted.get("kind")).patch
        if patch or self._settings.upsert:
            live = self._apply(wanted, manager, "create")
        else:
            live = self._objects.create(wanted, manager)
        live = self._settled(live)
        return CreateResponse(Reference.of(live).id, state.made(live, request.properties, manager))

    def update(self, request: UpdateRequest) -> UpdateResponse:
        """Apply the object as it is asked for now."""
        old, wanted = plain_map(request.olds), state.body(request.news)
        manager = str(old.get(state.MANAGER) or names.field_manager(request.urn))
        if request.preview:
            return UpdateResponse(state.foreseen(self._dry_run(wanted, manager), request.news, manager, old))
        live = self._objects.find(Reference.of(old))
        live = self._apply(with_ignored(wanted, live, list(request.ignore_changes)), manager, "update")
        return UpdateResponse(state.made(self._settled(live), request.news, manager))

    def read(self, request: ReadRequest) -> ReadResponse:
        """Look the object up: for a refresh how it is now, for an import all that could be set; no id where it is
        gone."""
        old, inputs = plain_map(request.properties), state.body(request.inputs)
        token = tokens.parse(request.type, (old or inputs).get("kind"))
        namespace, _, name = request.resource_id.rpartition("/")
        live = self._objects.find(Reference(token.api_version, token.kind, namespace or None, name))
        if live is None:
            return ReadResponse()
        manager = str(old.get(state.MANAGER) or names.field_manager(request.urn))
        now = dict(request.inputs)
        if not inputs:
            now = {key: wrap(value) for key, value in state.comparable(live).items()}
        elif self._drifted(inputs, Reference.of(live), manager):
            there = state.pruned(state.comparable(live), inputs)
            now |= {key: state.marked(value, request.inputs.get(key)) for key, value in there.items()}
        return ReadResponse(Reference.of(live).id, state.made(live, now, manager), now)

    def _drifted(self, inputs: Mapping[str, Any], standing: Reference, manager: str) -> bool:
        try:
            return bool(as_the_server_sees_it(self._objects, inputs, standing, manager))
        except KubernetesError:
            # It could not be applied again as it was: something about it has changed.
            return True

    def delete(self, request: DeleteRequest) -> None:
        """Delete the object and wait until it is gone; of a Patch, give its fields up."""
        old = plain_map(request.properties)
        reference = Reference.of(old)
        applied: Mapping[str, Any] = old.get(state.INPUTS) or old
        if tokens.parse(request.type, old.get("kind")).patch:
            self._give_up(reference, str(old[state.MANAGER]))
            return
        asked = str(_annotation(applied, _PROPAGATION) or _usual_policy(reference)).lower()
        if asked not in _POLICIES:
            raise RehearsalError(
                f"delete {reference}: {_PROPAGATION}: {asked!r} is none of {', '.join(sorted(_POLICIES))}"
            )
        self._objects.delete(reference, _POLICIES[asked], request.timeout or _DELETE_SECONDS)

    def _give_up(self, reference: Reference, manager: str) -> None:
        if self._objects.find(reference) is None:
            return
        metadata = {"name": reference.name} | ({"namespace": reference.namespace} if reference.namespace else {})
        nothing = {"apiVersion": reference.api_version, "kind": reference.kind, "metadata": metadata}
        self._objects.apply(nothing, manager, doing="let go of")

    def _dry_run(self, wanted: Mapping[str, Any], manager: str) -> dict[str, Any] | None:
        """Return how the object would be, None where the API server cannot say as things stand.

        What this up has yet to make or change (a namespace, a quota, a definition) decides with; so a refusal is left
        to the real thing.
        """
        if holds_unknown(wanted) or not isinstance(wanted.get("metadata"), dict):
            return None
        try:
            return self._objects.apply(wanted, manager, force=True, dry_run=True)
        except KubernetesError:
            return None

    def _apply(self, wanted: Mapping[str, Any], manager: str, doing: str) -> dict[str, Any]:
        force = self._settings.force or _annotation(wanted, _FORCE) == "true"
        try:
            return self._objects.apply(wanted, manager, force=force, doing=doing)
        except KubernetesError as error:
            if error.code != _CONFLICT or force:
                raise
            raise error.with_hint(
                f"Another manager owns a field that the program sets: leave it out, or take it over with the "
                f'annotation {_FORCE}: "true".'
            ) from None

    def _settled(self, live: Object) -> Object:
        settle(self._objects, live)
        return self._objects.find(Reference.of(live)) or live


def _usual_policy(reference: Reference) -> str:
    """Return how an object is deleted that does not say: in the foreground, as the official provider does.

    Custom resources in the background: the garbage collector takes half a minute to notice a new kind, and without
    its controller nothing depends on an object of one.
    """
    group = reference.api_version.rpartition("/")[0]
    built_in = "." not in group or (group.endswith(".k8s.io") and not group.endswith(".x-k8s.io"))
    return "foreground" if built_in else "background"


def _beyond(forbidden: tuple[Path, ...]) -> str:
    fields = ", ".join(spelled(path) for path in forbidden)
    return (
        f"{fields}: the API server does not let this change, so the rehearsal replaces the object; the official "
        f"provider only does with replace_on_changes=[{', '.join(repr(spelled(path)) for path in forbidden)}], and "
        "fails without"
    )


def _annotation(body: Mapping[str, Any], name: str) -> Any:
    return at(body, "metadata", "annotations", name)


def _with_metadata(inputs: Mapping[str, PropertyValue], added: Mapping[str, PropertyValue]) -> dict[str, PropertyValue]:
    """Return the inputs with more in their metadata; all else keeps its marks."""
    if not added:
        return dict(inputs)
    before = inputs.get("metadata")
    entries: dict[str, PropertyValue] = {}
    if before is not None and isinstance(before.value, Mapping):
        entries = {key: value for key, value in before.value.items() if value.value is not None}
    for key, value in added.items():
        there = entries.get(key)
        if there is not None and isinstance(there.value, Mapping) and isinstance(value.value, Mapping):
            entries[key] = PropertyValue({**there.value, **value.value}, is_secret=there.is_secret)
        else:
            entries[key] = value
    secret = before is not None and before.is_secret
    return {**inputs, "metadata": PropertyValue(entries, is_secret=secret)}
