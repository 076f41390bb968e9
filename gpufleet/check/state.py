"""Read an exported state (`pulumi stack export`) of any Pulumi project, in any language, as a run that can be judged.

The format is the engine's deployment, version 3 and later: https://www.pulumi.com/docs/iac/concepts/state-and-backends/.
A secret that lies there as ciphertext is a value that cannot be known; one that was exported with `--show-secrets` is
read like any other.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpufleet.errors import UsageError
from gpufleet.plan.graph import STACK_TYPE, UNKNOWN, Resource, Run
from gpufleet.plan.values import is_list, is_mapping

# The protocol's markers of values that are more than JSON: sdk/go/common/resource/sig.
_SIGNATURE = "4dabf18193072939515e22adb298388d"
_SECRET = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 -- the marker of a secret, not one
_REFERENCE = "5cf8f73096256a8f31e491e813e4eb8e"
_OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4"

_OPTIONS = ("ignoreChanges", "additionalSecretOutputs", "replaceOnChanges", "retainOnDelete", "deleteBeforeReplace")
_HOW = "export one with `pulumi stack export --file FILE`"


def read(path: Path) -> Run:
    """Return what the state holds as an update's run; what is being deleted is left out, as the engine does.

    Raises:
        UsageError: it is no exported state.
    """
    resources = _resources(path)
    urns = [_urn(entry, index, path) for index, entry in enumerate(resources)]
    stack, project = _names(urns)
    kept = {
        urn: _resource(urn, entry)
        for urn, entry in zip(urns, resources, strict=True)
        if not entry.get("delete") and entry.get("type") != STACK_TYPE
    }
    roots = [entry for entry in resources if entry.get("type") == STACK_TYPE]
    return Run(
        project=project,
        stack=stack,
        preview=False,
        resources=tuple(kept[urn] for urn in sorted(kept)),
        outputs=_values(roots[0].get("outputs"), []) if roots else {},
    )


def _resources(path: Path) -> list[Mapping[str, Any]]:
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--state {path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise UsageError(f"--state {path}: is not JSON: {error}\n  fix: {_HOW}") from error
    deployment = _deployment(document)
    if deployment is None:
        raise UsageError(f"--state {path}: has no deployment\n  allowed: an exported state\n  fix: {_HOW}")
    resources = deployment.get("resources")
    if resources is None:
        return []  # a stack that was never updated
    if not is_list(resources) or not all(is_mapping(entry) for entry in resources):
        raise UsageError(f"--state {path}: deployment.resources is no list of resources\n  fix: {_HOW}")
    return list(resources)


def _deployment(document: Any) -> Mapping[str, Any] | None:
    """What `stack export` writes, or what a backend of files keeps as its checkpoint."""
    if not is_mapping(document):
        return None
    if "deployment" in document:
        return _object(document["deployment"])
    checkpoint = document.get("checkpoint")
    return _object(checkpoint.get("latest")) if is_mapping(checkpoint) else None


def _object(value: Any) -> Mapping[str, Any]:
    """An object that may be absent or null, as the engine leaves out what is empty."""
    return value if is_mapping(value) else {}


def _urn(entry: Mapping[str, Any], index: int, path: Path) -> str:
    urn = entry.get("urn")
    if not isinstance(urn, str) or not urn.startswith("urn:pulumi:") or urn.count("::") < 3:
        raise UsageError(f"--state {path}: deployment.resources.{index}.urn: {urn!r} is no URN\n  fix: {_HOW}")
    return urn


def _names(urns: list[str]) -> tuple[str, str]:
    """Stack and project, as the URNs have them; a state without resources names neither."""
    if not urns:
        return "", ""
    stack, project, _ = urns[0].removeprefix("urn:pulumi:").split("::", 2)
    return stack, project


def _resource(urn: str, entry: Mapping[str, Any]) -> Resource:
    secrets: list[str] = []
    inputs = _values(entry.get("inputs"), secrets)
    return Resource(
        urn=urn,
        type=str(entry.get("type") or urn.split("::", 3)[2].rsplit("$", 1)[-1]),
        name=urn.split("::", 3)[3],
        parent=entry.get("parent") or None,
        provider=entry.get("provider") or "",
        custom=bool(entry.get("custom")),
        protect=bool(entry.get("protect")),
        dependencies=tuple(sorted(entry.get("dependencies") or ())),
        property_dependencies={
            key: tuple(sorted(urns)) for key, urns in sorted(_object(entry.get("propertyDependencies")).items()) if urns
        },
        inputs=inputs,
        id=entry.get("id") or None,
        outputs=_values(entry.get("outputs"), []),
        options={key: entry[key] for key in _OPTIONS if entry.get(key)},
        secrets=tuple(secrets),
    )


def _values(given: Any, secrets: list[str]) -> dict[str, Any]:
    return {key: _plain(value, key, secrets) for key, value in sorted(_object(given).items())}


def _plain(value: Any, path: str, secrets: list[str]) -> Any:
    if is_list(value):
        return [_plain(item, f"{path}[{index}]", secrets) for index, item in enumerate(value)]
    if not is_mapping(value):
        return value
    signature = value.get(_SIGNATURE)
    if signature == _SECRET:
        secrets.append(path)
        return _opened(value, path, secrets)
    if signature == _OUTPUT:
        return _plain(value.get("value", UNKNOWN), path, secrets)
    if signature == _REFERENCE:
        id_ = _plain(value.get("id"), path, secrets)
        return id_ if isinstance(id_, str) and id_ else value.get("urn")
    return {key: _plain(item, f"{path}.{key}", secrets) for key, item in sorted(value.items())}


def _opened(secret: Mapping[str, Any], path: str, secrets: list[str]) -> Any:
    if "plaintext" not in secret:
        return UNKNOWN
    try:
        return _plain(json.loads(secret["plaintext"]), path, secrets)
    except (TypeError, ValueError):
        return UNKNOWN
