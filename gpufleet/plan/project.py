"""Read a Pulumi project and one stack's configuration from disk, with changes asked for on the command line."""

import copy
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard, cast

import yaml

from gpufleet.errors import UsageError
from gpufleet.plan.values import is_list, is_mapping

# In C where it is there.
_SafeLoader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_SafeLoader):
    """Safe, and strict: YAML's own reader lets the last of two equal keys win silently."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Refuse a mapping that holds a key twice."""
        seen: set[Any] = set()
        for key, _ in node.value:
            if key.value in seen:
                what = f"the key {key.value!r} stands here twice"
                raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_IN_A_REGION = ("cluster", "network", "pools", "storage")


@dataclass(frozen=True, kw_only=True)
class Project:
    """A program on disk and the configuration it is to be run with."""

    directory: Path
    """Absolute; holds Pulumi.yaml."""
    name: str
    main: str
    """Where the program lies below `directory` (`main` of Pulumi.yaml)."""
    stack: str
    config: Mapping[str, str]
    """Full keys (`gpufleet:settings`) to strings, objects as JSON text: what the engine hands to a program."""
    secret_keys: tuple[str, ...]
    source: str
    """What the configuration was read from, for messages."""


def load(
    program: Path,
    stack: str | None = None,
    *,
    settings_file: Path | None = None,
    overrides: Sequence[str] = (),
) -> Project:
    """Read the project that `program` lies in and the configuration of `stack`.

    Args:
        program: A folder with Pulumi.yaml, or one below it.
        stack: The stack's name; may be left out where `settings_file` is given.
        settings_file: A YAML file holding one object that takes the place of `<project>:settings`.
        overrides: `path=value` below `<project>:settings` (a list item by index or by its name), or
            `namespace:key=value`.

    Raises:
        UsageError: anything is missing or cannot be read.
    """
    directory = _project_directory(program)
    definition = _mapping(directory / "Pulumi.yaml")
    name = definition.get("name")
    if not isinstance(name, str):
        raise UsageError(f"{directory / 'Pulumi.yaml'}: name: {name!r} is not a project name")
    _check_runtime(directory / "Pulumi.yaml", definition)
    config = _declared_defaults(definition, name)
    if settings_file is not None:
        stack = _stack_name(stack or settings_file.stem.removeprefix("Pulumi."))
        config[f"{name}:settings"] = _mapping(settings_file)
        source = str(settings_file)
    else:
        path = _stack_file(directory, definition, _stack_name(stack) if stack else None)
        config.update(_qualified(_mapping(path).get("config"), name, path))
        source = str(path.relative_to(directory))
    for override in overrides:
        _apply(config, f"{name}:settings", override)
    secrets = tuple(sorted(key for key, value in config.items() if _is_secure(value)))
    return Project(
        directory=directory,
        name=name,
        main=str(definition.get("main") or "."),
        stack=cast(str, stack),
        config={key: _text(key, value) for key, value in config.items()},
        secret_keys=secrets,
        source=source,
    )


def _project_directory(program: Path) -> Path:
    start = program.resolve()
    for directory in (start, *start.parents):
        if (directory / "Pulumi.yaml").is_file():
            return directory
    raise UsageError(
        f"{program}: no Pulumi.yaml here or above; run inside a Pulumi project or name one with --program DIR"
    )


def _check_runtime(path: Path, definition: Mapping[str, Any]) -> None:
    runtime = definition.get("runtime")
    language = cast(Mapping[str, Any], runtime).get("name") if isinstance(runtime, Mapping) else runtime
    if language != "python":
        raise UsageError(f"{path}: runtime: {language!r}; only programs in python can be planned")


def _stack_name(stack: str) -> str:
    """A stack's name, as Pulumi allows it."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,100}", stack):
        raise UsageError(f"stack {stack!r}: a stack's name has 1 to 100 letters, digits, '-', '_' and '.'; rename it")
    return stack


def _stack_file(directory: Path, definition: Mapping[str, Any], stack: str | None) -> Path:
    folder = directory / str(definition.get("stackConfigDir") or ".")
    files = (path for path in folder.glob("Pulumi.*.yaml") if path.is_file())
    known = sorted(path.name[len("Pulumi.") : -len(".yaml")] for path in files)
    listed = f"the stacks of {folder} are {', '.join(known)}" if known else f"{folder} holds no Pulumi.STACK.yaml"
    if not stack:
        raise UsageError(f"no stack named; {listed}; or give one settings object with --settings FILE.yaml")
    path = folder / f"Pulumi.{stack}.yaml"
    if not path.is_file():
        raise UsageError(f"{path}: there is no stack {stack!r}; {listed}")
    return path


def _mapping(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8 text: {error.reason} at byte {error.start}") from error
    try:
        value: Any = yaml.load(text, Loader=_Loader)  # noqa: S506 -- a safe loader, the C one where it is there
    except yaml.YAMLError as error:
        raise UsageError(f"{path}: is not valid YAML: {' '.join(str(error).split())}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError(f"{path}: must hold a YAML mapping, not {type(value).__name__}")
    return cast(dict[str, Any], value)


def _qualified(config: Any, project: str, path: Path) -> dict[str, Any]:
    if config is None:
        return {}
    if not isinstance(config, Mapping):
        raise UsageError(f"{path}: config: must be a mapping, not {type(config).__name__}")
    items = cast(Mapping[str, Any], config).items()
    return {key if ":" in key else f"{project}:{key}": value for key, value in items}


def _declared_defaults(definition: Mapping[str, Any], project: str) -> dict[str, Any]:
    declared: Any = definition.get("config") or {}
    found: dict[str, Any] = {}
    for key, value in cast(Mapping[str, Any], declared).items():
        full = key if ":" in key else f"{project}:{key}"
        if not isinstance(value, Mapping):
            found[full] = value
            continue
        entry = cast(Mapping[str, Any], value)
        for source in ("value", "default"):
            if source in entry:
                found[full] = entry[source]
    return found


def _is_secure(value: Any) -> bool:
    return is_mapping(value) and set(value) == {"secure"}


def _text(key: str, value: Any) -> str:
    """A configuration value as the engine hands it over. A secret is sealed; its place is held by a marker."""
    if _is_secure(value):
        return f"[secret {key}]"
    if isinstance(value, str):
        return value
    return json.dumps(value, default=str)


def _apply(config: dict[str, Any], settings_key: str, override: str) -> None:
    path, equals, text = override.partition("=")
    if not equals or not path:
        raise UsageError(f"--set {override}: must be path=value, for example regions.us-east-1.pools.train.nodes.max=8")
    try:
        value = yaml.load(text, Loader=_Loader)  # noqa: S506 -- a safe loader
    except yaml.YAMLError as error:
        raise UsageError(f"--set {override}: the value is not valid YAML: {' '.join(str(error).split())}") from error
    if isinstance(value, float):
        value = text  # a shell cannot quote "1.30"; where a number is wanted, text that is one will do
    if ":" in path:
        config[path] = value
        return
    settings = _editable(config.get(settings_key))
    steps = path.split(".")
    regions: Any = settings.get("regions") if is_mapping(settings) else None
    if is_mapping(regions) and len(regions) == 1 and steps[0] in _IN_A_REGION:
        steps = ["regions", *regions, *steps]  # the only region need not be named
    node: Any = settings
    for step in steps[:-1]:
        node = _child(node, step, override)
    _assign(node, steps[-1], value, override)
    config[settings_key] = settings


def _editable(value: Any) -> Any:
    """A copy that may be changed; text is the JSON of an object, and nothing is an empty one."""
    if not value:
        return {}
    return json.loads(value) if isinstance(value, str) else copy.deepcopy(value)


def _child(node: Any, step: str, override: str) -> Any:
    if _is_dict(node):
        return node.setdefault(step, {})
    if is_list(node):
        return node[_index(node, step, override)]
    raise UsageError(f"--set {override}: nothing lies below {step!r}: the value above it is {node!r}")


def _assign(node: Any, step: str, value: Any, override: str) -> None:
    if _is_dict(node):
        node[step] = value
    elif isinstance(node, list):
        items = cast(list[Any], node)
        items[_index(items, step, override)] = value
    else:
        raise UsageError(f"--set {override}: {step!r} cannot be set below {node!r}")


def _is_dict(node: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(node, dict)


def _index(items: Sequence[Any], step: str, override: str) -> int:
    names = [str(item.get("name")) if is_mapping(item) else "" for item in items]
    if step in names:
        return names.index(step)
    if step.isdigit() and int(step) < len(items):
        return int(step)
    allowed = ", ".join(filter(None, names)) or "none"
    raise UsageError(f"--set {override}: {step!r} is no item here; allowed are {allowed} or 0 to {len(items) - 1}")
