"""Judge a run by a Pulumi policy pack, in process and with the engine's own semantics.

A pack is a folder as `pulumi preview --policy-pack` takes it; its `PolicyPack(...)` call, which would serve for ever,
is replaced by one that hands over the policies. Rules see what the engine would show them: numbers as floats, unknown
values behind proxies that raise when touched, resource policies the inputs, stack policies the outputs.
"""

import asyncio
import inspect
import json
import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pulumi_policy
from pulumi_policy import proxy

from gpufleet.errors import UsageError
from gpufleet.plan import modules
from gpufleet.plan.graph import UNKNOWN, Resource, Run
from gpufleet.plan.values import is_list, is_mapping
from gpufleet.plan.violations import Rule, Violation

Config = Mapping[str, Any]
"""As `--policy-pack-config` takes it: rule name (or "all") to a level or to an object of settings."""

_TYPES = {"array": list, "boolean": bool, "integer": int, "number": (int, float), "object": dict, "string": str}
_LEVELS = {level.value: level for level in pulumi_policy.EnforcementLevel}


def load_pack(directory: Path) -> list[Any]:
    """Return the policies of the pack in `directory` without serving it.

    Raises:
        UsageError: there is no Python policy pack here.
    """
    if not (directory / "__main__.py").is_file() or not (directory / "PulumiPolicy.yaml").is_file():
        raise UsageError(f"{directory}: not a Python policy pack; it needs PulumiPolicy.yaml and __main__.py")
    found: list[Any] = []

    def collect(name: str, policies: Sequence[Any], *_: Any, **__: Any) -> None:
        found.extend(policies)

    original, pulumi_policy.PolicyPack = pulumi_policy.PolicyPack, collect  # pyright: ignore[reportAttributeAccessIssue] -- a class stands in for
    path = str(directory)
    sys.path.insert(0, path)
    try:
        with modules.forgotten(directory):
            runpy.run_path(path, run_name="__main__")
    finally:
        sys.path.remove(path)
        pulumi_policy.PolicyPack = original
    if not found:
        raise UsageError(f"{directory}: the pack has no policies")
    return found


def read_config(path: Path) -> Config:
    """Read a `--policy-pack-config` file.

    Returns:
        The rules' configuration; of a file of version 2, which can hold exceptions too, what is under `policies`.

    Raises:
        UsageError: it is not there or not a JSON object.
    """
    whole = read_config_file(path)
    if whole.get("version") != 2:
        return whole
    if whole.get("environments"):
        raise UsageError(f"{path}: environments: only Pulumi Cloud can open them; write their values under policies")
    config: Any = whole.get("policies", {})
    if not is_mapping(config):
        raise UsageError(f"{path}: policies: must be a JSON object of rule names, not {type(config).__name__}")
    return config


def read_config_file(path: Path) -> Mapping[str, Any]:
    """Read a `--policy-pack-config` file as it is, whatever its version.

    Raises:
        UsageError: it is not there or not a JSON object.
    """
    try:
        config: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read as JSON: {error}") from error
    if not is_mapping(config):
        raise UsageError(f"{path}: must be a JSON object of rule names, not {type(config).__name__}")
    return config


def judge(policies: Sequence[Any], run: Run, config: Config | None = None) -> list[Violation]:
    """Return every violation of the policies in the run, sorted.

    Raises:
        UsageError: the configuration names no rule of the pack, or a rule itself fails.
    """
    configured = _Configured(policies, config or {})
    found: list[Violation] = []
    providers = _providers(run)
    for resource in run.resources:
        props = proxy.unknown_checking_proxy(_floats(resource.inputs))
        options = _options(resource)
        provider = providers.get(resource.provider.rsplit("::", 1)[0])
        for policy, level, settings in configured.of(pulumi_policy.ResourceValidationPolicy):
            args = pulumi_policy.ResourceValidationArgs(
                resource.type, props, resource.urn, resource.name, options, provider, settings, {}
            )
            if policy.has_validation():  # else it only mends
                _validate(policy, level, args, resource.urn, found)
    stack_policies = configured.of(pulumi_policy.StackValidationPolicy)
    if stack_policies:
        graph = _graph(run, providers)
        for policy, level, settings in stack_policies:
            _validate(policy, level, pulumi_policy.StackValidationArgs(graph, settings, {}), "", found)
    return sorted(found)


def described(policies: Sequence[Any], config: Config | None = None) -> tuple[Rule, ...]:
    """Return what a report says of the rules, by name.

    Raises:
        UsageError: the configuration names no rule of the pack.
    """
    rules = (_described(policy, level) for policy, level, _ in _Configured(policies, config or {}).entries)
    return tuple(sorted(rules, key=lambda rule: rule.name))


def _described(policy: Any, level: str) -> Rule:
    framework = policy.framework
    named = (framework.name, framework.version, framework.specification) if framework else ()
    return Rule(
        name=policy.name,
        level=level,
        severity=_severity(policy),
        description=policy.description,
        fix=policy.remediation_steps or "",
        url=policy.url or "",
        tags=tuple(policy.tags or ()),
        framework=" ".join(filter(None, named)),
    )


def _severity(policy: Any) -> str:
    return policy.severity.value if policy.severity else "unspecified"


class _Configured:
    """The pack's policies with the level and the settings that the configuration leaves them."""

    def __init__(self, policies: Sequence[Any], config: Config) -> None:
        names = {policy.name for policy in policies}
        for name in config:
            if name != "all" and name not in names:
                raise UsageError(
                    f"policy configuration: {name!r} is no rule of the pack; its rules are {', '.join(sorted(names))}"
                )
        self.entries = [(policy, *self._entry(policy, config)) for policy in policies]

    @staticmethod
    def _entry(policy: Any, config: Config) -> tuple[str, dict[str, Any] | None]:
        schema: pulumi_policy.PolicyConfigSchema | None = policy.config_schema
        declared: Mapping[str, Any] = schema.properties if schema else {}
        settings: dict[str, Any] = {key: value["default"] for key, value in declared.items() if "default" in value}
        level = policy.enforcement_level or pulumi_policy.EnforcementLevel.ADVISORY
        for given in (config.get("all"), config.get(policy.name)):
            values: dict[str, Any] = dict(given) if is_mapping(given) else {"enforcementLevel": given} if given else {}
            if (named := values.pop("enforcementLevel", None)) is not None:
                if named not in _LEVELS:
                    raise UsageError(
                        f"policy configuration: {policy.name}: level {named!r} is none of {', '.join(sorted(_LEVELS))}"
                    )
                level = _LEVELS[named]
            if unknown := set(values) - set(declared):
                raise UsageError(
                    f"policy configuration: {policy.name} has no setting {', '.join(sorted(map(str, unknown)))}"
                )
            for key, value in values.items():
                wanted = declared[key].get("type")
                if wanted in _TYPES and (
                    not isinstance(value, _TYPES[wanted]) or isinstance(value, bool) != (wanted == "boolean")
                ):
                    raise UsageError(f"policy configuration: {policy.name}: {key}: {value!r} must be of type {wanted}")
            settings.update(values)
        return level.value, settings or None

    def of(self, kind: type) -> list[tuple[Any, str, dict[str, Any] | None]]:
        return [entry for entry in self.entries if isinstance(entry[0], kind) and entry[1] != "disabled"]


def _validate(policy: Any, level: str, args: Any, urn: str, found: list[Violation]) -> None:
    def report(message: str, about: str | None = None) -> None:
        fix = policy.remediation_steps or ""
        found.append(Violation(policy.name, about or urn, message, level, _severity(policy), fix))

    try:
        result: Any = policy.validate(args, report)
        if inspect.isawaitable(result):
            asyncio.run(_awaited(result))
    except proxy.UnknownValueError:
        return  # the engine says "can't run during preview"; the update's run decides
    except Exception as error:
        if type(error).__name__ == "_NotApplicableError":
            return
        where = f" on {urn}" if urn else ""
        raise UsageError(f"policy {policy.name} failed{where}: {type(error).__name__}: {error}") from error


async def _awaited(result: Any) -> None:
    await result


def _floats(value: Any) -> Any:
    """Numbers as the engine hands them to a pack: JSON has only floats."""
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if is_mapping(value):
        return {key: _floats(item) for key, item in value.items()}
    if is_list(value):
        return [_floats(item) for item in value]
    return value


def _options(resource: Resource) -> pulumi_policy.PolicyResourceOptions:
    options = resource.options
    return pulumi_policy.PolicyResourceOptions(
        resource.protect,
        list(options.get("ignoreChanges", [])),
        options.get("deleteBeforeReplace"),
        [],
        pulumi_policy.PolicyCustomTimeouts(0, 0, 0),
        list(options.get("additionalSecretOutputs", [])),
        resource.parent,
    )


def _providers(run: Run) -> dict[str, pulumi_policy.PolicyProviderResource]:
    return {
        r.urn: pulumi_policy.PolicyProviderResource(
            r.type, proxy.unknown_checking_proxy(_floats(r.inputs)), r.urn, r.name
        )
        for r in run.resources
        if r.type.startswith("pulumi:providers:")
    }


def _state(resource: Resource) -> Mapping[str, Any]:
    """What a stack rule sees: a component's registered outputs; of any other resource its state, with the id in it."""
    if not resource.custom:
        return resource.outputs
    return {**resource.inputs, **resource.outputs, "id": UNKNOWN if resource.id is None else resource.id}


def _graph(
    run: Run, providers: Mapping[str, pulumi_policy.PolicyProviderResource]
) -> list[pulumi_policy.PolicyResource]:
    nodes = {
        r.urn: pulumi_policy.PolicyResource(
            r.type,
            proxy.unknown_checking_proxy(_floats(_state(r))),
            r.urn,
            r.name,
            _options(r),
            providers.get(r.provider.rsplit("::", 1)[0]),
            None,
            [],
            {},
        )
        for r in run.resources
    }
    for r in run.resources:
        node = nodes[r.urn]
        node.parent = nodes.get(r.parent or "")
        node.dependencies.extend(nodes[urn] for urn in r.dependencies if urn in nodes)
        for key, urns in r.property_dependencies.items():
            node.property_dependencies[key] = [nodes[urn] for urn in urns if urn in nodes]
    return list(nodes.values())
