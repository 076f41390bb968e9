"""What a program's change means: nothing, a change in place or another object, as the API server sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpufleet.rehearsal.aws.values import holds_unknown
from gpufleet.rehearsal.kubernetes.differences import Change, compare
from gpufleet.rehearsal.kubernetes.errors import KubernetesError
from gpufleet.rehearsal.kubernetes.objects import Object, Objects, Reference
from gpufleet.rehearsal.kubernetes.paths import Path, copied, parsed, within
from gpufleet.rehearsal.kubernetes.replacing import Mutable, always, forbidden_changes, meets
from gpufleet.rehearsal.kubernetes.state import comparable

# How often another writer may come between the dry run and the look at what it was based on.
_ATTEMPTS = 5


@dataclass(frozen=True)
class Difference:
    """The changed paths, and those among them (or the fields named by the API server) that need another object."""

    changes: Mapping[Path, Change]
    replaces: tuple[Path, ...] = ()
    forbidden: tuple[Path, ...] = ()
    """Those of the latter that the API server forbids and the official provider does not know of: it would send the
    change, and fail."""


@dataclass(frozen=True)
class Proposal:
    """A change that the program asks for."""

    old: Object
    """The object as it was applied last."""
    new: Object
    """The object as it is asked for now; may hold unknowns."""
    standing: Reference
    """The object that is there."""
    manager: str
    ignored: Sequence[str] = ()
    """The program's ignoreChanges."""
    mutable: Mutable = Mutable()
    patch: bool = False
    """Whether it is a Patch, which is never replaced for what it sets."""


def difference(objects: Objects, proposal: Proposal) -> Difference:
    """Return what changes.

    The API server is asked in a dry run, so that its defaults and conversions make no difference. Where it cannot be
    asked (the change holds unknowns, or it would refuse it as things stand now) the inputs are compared; whether it
    refuses the change itself shows when it is made.
    """
    if moved := _identity(proposal):
        changes = _declared(proposal)
        return Difference(changes | dict.fromkeys(moved, Change.UPDATED), moved)
    if not holds_unknown(proposal.new):
        try:
            changes = as_the_server_sees_it(
                objects, proposal.new, proposal.standing, proposal.manager, proposal.ignored
            )
            return Difference(changes, _replacing(changes, proposal))
        except KubernetesError as refusal:
            if not proposal.patch and (forbidden := forbidden_changes(objects, proposal.new, refusal)):
                return _forbidden(proposal, forbidden)
    changes = _declared(proposal)
    return Difference(changes, _replacing(changes, proposal))


def as_the_server_sees_it(
    objects: Objects, wanted: Object, standing: Reference, manager: str, ignored: Sequence[str] = ()
) -> dict[Path, Change]:
    """Return what applying an object would change of the one that is there; the whole where there is none.

    Raises:
        KubernetesError: the API server would refuse.
    """
    changes: dict[Path, Change] = {}
    for _ in range(_ATTEMPTS):
        live = objects.find(standing)
        if live is None:
            # Somebody has deleted it: applying it makes it again.
            return {(): Change.ADDED}
        body = with_ignored(wanted, live, ignored)
        dry = objects.apply(body, manager, force=True, dry_run=True, doing="change")
        changes = compare(comparable(live), comparable(dry))
        if live["metadata"]["resourceVersion"] == dry["metadata"]["resourceVersion"]:
            break
    return changes


def with_ignored(wanted: Object, live: Object | None, ignored: Sequence[str]) -> dict[str, Any]:
    """Return the object with what is there now at the ignored paths, so that applying it leaves that alone."""
    result: dict[str, Any] = dict(wanted)
    for path in ignored if live is not None else ():
        result = copied(live, result, parsed(path))
    return result


def _identity(proposal: Proposal) -> tuple[Path, ...]:
    """Return the parts of the name that another object would have."""
    metadata: Mapping[str, Any] = proposal.new["metadata"]
    standing = proposal.standing
    moved: list[Path] = []
    if metadata.get("name") != standing.name:
        moved.append(("metadata", "name"))
    # Of an object without a namespace in the inputs it is the default, or there is none.
    if standing.namespace and metadata.get("namespace", standing.namespace) != standing.namespace:
        moved.append(("metadata", "namespace"))
    return tuple(moved)


def _declared(proposal: Proposal) -> dict[Path, Change]:
    ignored = [parsed(path) for path in proposal.ignored]
    changes = compare(proposal.old, proposal.new)
    return {path: change for path, change in changes.items() if not any(within(path, each) for each in ignored)}


def _replacing(changes: Mapping[Path, Change], proposal: Proposal) -> tuple[Path, ...]:
    if proposal.patch:
        return ()
    rules = always(proposal.new, proposal.mutable)
    return tuple(path for path in changes if meets(path, rules))


def _forbidden(proposal: Proposal, fields: tuple[Path, ...]) -> Difference:
    """Name the program's own changes at the forbidden fields; where it has none there, the fields themselves."""
    changes = _declared(proposal)
    named = tuple(path for path in changes if meets(path, fields)) or fields
    foreseen = _replacing(changes, proposal)
    forbidden = () if foreseen else named
    return Difference(changes or dict.fromkeys(fields, Change.UPDATED), named, forbidden)
