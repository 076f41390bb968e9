"""Which inputs a resource's change is a change of, and which of them need another resource in its place.

AWS: the rehearsal's own table. Kubernetes: what the official provider replaces for, and an object's name. Of any other
type nothing is known, and the verdict says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from gpufleet.diff.sides import Node
from gpufleet.errors import MissingError
from gpufleet.plan import wire
from gpufleet.plan.values import is_list, is_mapping

_AUTOMATIC = "(a name of its own)"
_KUBERNETES_IDENTITY = (("metadata", "name"), ("metadata", "namespace"))
_RELEASE = "kubernetes:helm.sh/v3:Release"
_RELEASE_IDENTITY = (("name",), ("namespace",))


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a change of inputs comes to."""

    properties: tuple[str, ...] = ()
    """The inputs that change, as the provider would name them."""
    replaces: tuple[str, ...] = ()
    """Those of them that force a replacement."""
    delete_first: bool = False
    """Whether the old one goes before the new one comes, if it is replaced."""
    known: bool = True
    """Whether it is known of the type what forces a replacement."""


def require() -> None:
    """See that the rehearsal's table can be read.

    Raises:
        MissingError: the packages it stands on are not here.
    """
    try:
        import_module("gpufleet.rehearsal.aws.table")
        import_module("gpufleet.rehearsal.kubernetes.replacing")
    except ImportError as error:
        raise MissingError(
            f"what forces a replacement is read from the rehearsal's table, which needs {error.name}: "
            "install gpufleet[rehearsal] (in a checkout: make sync)"
        ) from error


def judge(
    old: Node, new: Node, inputs: Mapping[str, Any], default_tags: tuple[Mapping[str, str], Mapping[str, str]]
) -> Verdict:
    """Compare a resource as it is with what the program asks for now.

    Args:
        old: as it was made.
        new: as it is asked for, with its options.
        inputs: the new inputs, with the engine's unknown where they hang on something that is yet to come.
        default_tags: those of the old and of the new provider.
    """
    if not new.custom or new.type.startswith("pulumi:"):
        return _plain(old, new, inputs)
    inputs = _without_ignored(old, new, inputs)
    if new.type.startswith("kubernetes:"):
        verdict = _kubernetes(old, new, inputs)
    elif new.type.startswith("aws:"):
        verdict = _aws(old, new, inputs, default_tags)
    else:
        verdict = _unknown(old, new, inputs)
    return _with_options(verdict, new)


def outputs_of(node: Node) -> frozenset[str]:
    """The outputs that a new resource in the old one's place would have anew."""
    entry = _entry(node.type)
    if entry is None:
        return frozenset(node.outputs) - frozenset(node.inputs) - {"region", "tagsAll", "ownerId"}
    anew: frozenset[str] = frozenset(entry.outputs)
    named: str | None = entry.autoname.input if entry.autoname else None
    return anew if named is None or named in node.inputs else anew | {named}


def moved_by_update(node: Node, verdict: Verdict) -> frozenset[str]:
    """The outputs that an update in place changes."""
    entry = _entry(node.type)
    # Other tags move nothing: a launch template gets no new version by them.
    if entry is None or not set(verdict.properties) - {"tags", "tagsAll"}:
        return frozenset()
    return frozenset(entry.moving)


def _entry(type_: str) -> Any:
    from gpufleet.rehearsal.aws.table import table

    return table().get(type_)


def _aws(old: Node, new: Node, inputs: Mapping[str, Any], tags: tuple[Mapping[str, str], Mapping[str, str]]) -> Verdict:
    from gpufleet.rehearsal.aws.diff import compare

    entry = _entry(new.type)
    if entry is None:
        return _unknown(old, new, inputs)
    before, after = (
        _checked(entry, side, default_tags) for side, default_tags in zip((old.inputs, inputs), tags, strict=True)
    )
    found = compare(entry, before, after)
    rule = entry.autoname
    named = bool(rule) and rule.input in inputs and before.get(rule.input) == after.get(rule.input)
    return Verdict(
        properties=tuple(found.changes),
        replaces=found.replaces,
        delete_first=entry.singular or named,
    )


def _checked(entry: Any, inputs: Mapping[str, Any], default_tags: Mapping[str, str]) -> dict[str, Any]:
    """The inputs as the provider's check leaves them: with defaults, a name and all tags."""
    checked = dict(inputs)
    for name, kind in entry.inputs.items():
        if kind.default is not None:
            checked.setdefault(name, kind.default)
    if entry.autoname:
        checked.setdefault(entry.autoname.input, _AUTOMATIC)
    if entry.tagged:
        own: Any = inputs.get("tags") or {}
        checked["tagsAll"] = {**default_tags, **own} if isinstance(own, Mapping) else own
    return checked


def _kubernetes(old: Node, new: Node, inputs: Mapping[str, Any]) -> Verdict:
    from gpufleet.rehearsal.kubernetes import differences, replacing
    from gpufleet.rehearsal.kubernetes.paths import spelled

    changes = list(differences.compare(dict(old.inputs), dict(inputs)))
    if new.type == _RELEASE:
        rules, identity = (), _RELEASE_IDENTITY
    elif isinstance(inputs.get("apiVersion"), str) and isinstance(inputs.get("kind"), str):
        rules, identity = replacing.always(dict(inputs), replacing.Mutable()), _KUBERNETES_IDENTITY
    else:
        rules, identity = (), _KUBERNETES_IDENTITY
    replaces = [path for path in changes if path in identity or replacing.meets(path, rules)]
    return Verdict(
        properties=tuple(spelled(path) for path in changes),
        replaces=tuple(spelled(path) for path in replaces),
        delete_first=not any(path in identity for path in changes),
    )


def _plain(old: Node, new: Node, inputs: Mapping[str, Any]) -> Verdict:
    # A provider takes its blocks as JSON text, in which the order of keys says nothing.
    changed = [
        name
        for name in _changed(old.inputs, inputs)
        if not _is_provider(new.type) or wire.decoded(old.inputs.get(name)) != wire.decoded(inputs.get(name))
    ]
    moved = [name for name in changed if _another_place(new.type, name, old.inputs.get(name), inputs.get(name))]
    return Verdict(properties=tuple(changed), replaces=tuple(moved))


def _is_provider(type_: str) -> bool:
    return type_.startswith("pulumi:providers:")


def _another_place(type_: str, name: str, before: Any, after: Any) -> bool:
    """Whether a provider speaks to another cluster from now on; then all that it made is made anew there."""
    if type_ != "pulumi:providers:kubernetes" or name != "kubeconfig":
        return False
    return _servers(before) != _servers(after)


def _servers(kubeconfig: Any) -> Any:
    found = wire.decoded(kubeconfig)
    clusters = found.get("clusters") if is_mapping(found) else None
    if not is_list(clusters):
        return kubeconfig
    return [each.get("cluster", {}).get("server") if is_mapping(each) else each for each in clusters]


def _unknown(old: Node, new: Node, inputs: Mapping[str, Any]) -> Verdict:
    changed = _changed(old.inputs, inputs)
    # No type of AWS is made anew for its tags.
    only_tags = new.type.startswith("aws:") and {"tags", "tagsAll"}.issuperset(changed)
    return Verdict(properties=tuple(changed), known=only_tags)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]


def _without_ignored(old: Node, new: Node, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    """As the engine does with the program's ignoreChanges: at those paths, and at no other, the old value stays."""
    from gpufleet.rehearsal.kubernetes.paths import copied, parsed

    paths: Sequence[str] = new.options.get("ignoreChanges") or ()
    for path in paths:
        inputs = copied(old.inputs, inputs, parsed(path))
    return inputs


def _with_options(verdict: Verdict, new: Node) -> Verdict:
    wanted: Sequence[str] = new.options.get("replaceOnChanges") or ()
    forced = [
        name
        for name in verdict.properties
        if any(path == "*" or path.split(".")[0].split("[")[0] == name.split(".")[0] for path in wanted)
    ]
    explicit = new.options.get("deleteBeforeReplace")
    return Verdict(
        properties=verdict.properties,
        replaces=tuple(dict.fromkeys([*verdict.replaces, *forced])),
        delete_first=verdict.delete_first if explicit is None else bool(explicit),
        known=verdict.known,
    )
