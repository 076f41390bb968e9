"""The AWS part of an offline run as one Terraform JSON document, references kept.

https://developer.hashicorp.com/terraform/language/syntax/json
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gpufleet.export import arguments, names
from gpufleet.export.references import References
from gpufleet.plan import wire
from gpufleet.plan.graph import UNKNOWN, Resource, Run
from gpufleet.plan.values import is_mapping

PROVIDER = "pulumi:providers:aws"
UNKNOWN_VARIABLE = "known_after_deployment"
_CREDENTIALS = frozenset(("accessKey", "secretKey", "token"))
"""Inputs of a provider that are never written, not even as a variable: a scanner needs no credentials."""


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Resources of one type that are not in the document."""

    type: str
    count: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Unconfirmed:
    """Resources of an AWS type that no schema confirmed: written under the name that the rule makes."""

    type: str
    written_as: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Export:
    """The document, and what is to be known about it."""

    document: Mapping[str, Any]
    resources: int
    references: int
    """Values that are another resource's, in arguments and inside documents."""
    left_out: tuple[LeftOut, ...]
    unknown: tuple[Unconfirmed, ...]
    variables: tuple[str, ...]


def build(run: Run, config: Mapping[str, str] | None = None) -> Export:
    """Write an offline run as Terraform.

    Args:
        run: of an update, so that ids tell whose values are whose.
        config: the stack's; its `aws:` keys are the default provider's.
    """
    exported = [resource for resource in run.resources if resource.custom and resource.type.startswith("aws:")]
    providers = [resource for resource in run.resources if resource.type == PROVIDER]
    writer = _Writer(exported, providers)
    blocks: dict[str, dict[str, Any]] = {}
    for resource in exported:
        type_name, label = writer.addresses[resource.urn].split(".")
        blocks.setdefault(type_name, {})[label] = writer.resource(resource)
    document: dict[str, Any] = {
        "//": f"Stack {run.stack} of {run.project}, written by gpufleet export for tools that read; not to be applied.",
        "terraform": {"required_providers": {"aws": {"source": "hashicorp/aws"}}},
    }
    if written := [*_default_provider(exported, config or {}), *map(writer.provider, providers)]:
        document["provider"] = {"aws": written}
    if writer.variables:
        document["variable"] = dict(sorted(writer.variables.items()))
    if blocks:
        document["resource"] = {name: blocks[name] for name in sorted(blocks)}
    return Export(
        document=document,
        resources=len(exported),
        references=writer.references,
        left_out=tuple(_left_out(run.resources)),
        unknown=tuple(_unknown(exported)),
        variables=tuple(sorted(writer.variables)),
    )


class _Writer:
    """Writes resource by resource; keeps the variables and the count of references."""

    def __init__(self, resources: Iterable[Resource], providers: Iterable[Resource]) -> None:
        self.addresses = _addresses(resources)
        self._aliases = _labels((provider.urn, provider.name) for provider in providers)
        self._references = References(resources, self.addresses)
        self.variables: dict[str, dict[str, Any]] = {}
        self.references = 0

    def resource(self, resource: Resource) -> dict[str, Any]:
        address = self.addresses[resource.urn]
        type_name = address.partition(".")[0]
        asked: set[str] = set()
        made = self._body(resource, type_name, address, asked)
        for name in names.autonamed(type_name):
            # As the engine names what a program did not name, and as the offline run did.
            made.setdefault(name, f"{resource.name}-{hashlib.sha256(resource.urn.encode()).hexdigest()[:7]}")
        if (alias := self._aliases.get(resource.provider.rsplit("::", 1)[0])) is not None:
            made["provider"] = f"aws.{alias}"
        if lifecycle := _lifecycle(resource, type_name):
            made["lifecycle"] = lifecycle
        unasked = [self.addresses[urn] for urn in resource.dependencies if urn in self.addresses and urn not in asked]
        if unasked:
            made["depends_on"] = sorted(unasked)
        return made

    def provider(self, provider: Resource) -> dict[str, Any]:
        shown = {key: value for key, value in provider.inputs.items() if key not in _CREDENTIALS}
        decoded = replace(provider, inputs=_decoded(shown))
        alias = self._aliases[provider.urn]
        return {"alias": alias, **self._body(decoded, "provider", f"provider.{alias}", set())}

    def _body(self, resource: Resource, type_name: str, address: str, asked: set[str]) -> dict[str, Any]:
        secret = frozenset(resource.secrets)

        def leaf(value: Any, path: str, name: str) -> Any:
            if path in secret:
                return self._secret(address, path)
            if value == UNKNOWN:
                return self._unknown()
            urns = resource.property_dependencies.get(re.split(r"[.\[]", path, maxsplit=1)[0], ())
            if urns and (found := self._references.exact(value, name, urns)) is not None:
                self.references += 1
                asked.add(found.urn)
                return f"${{{found.expression}}}"
            if not isinstance(value, str):
                return value
            text, inside = self._references.inside(value, urns, _literal)
            self.references += len(inside)
            asked.update(inside)
            return text.replace(UNKNOWN, self._unknown()) if UNKNOWN in text else text

        return arguments.body(type_name, resource.inputs, leaf, secret.__contains__)

    def _secret(self, address: str, path: str) -> str:
        name = _label(f"secret_{address}_{path}")
        self.variables[name] = {"sensitive": True, "description": f"{path} of {address}: a secret, not exported"}
        return f"${{var.{name}}}"

    def _unknown(self) -> str:
        self.variables[UNKNOWN_VARIABLE] = {"description": "Stands for every value that only the deployment will know."}
        return f"${{var.{UNKNOWN_VARIABLE}}}"


def _addresses(resources: Iterable[Resource]) -> dict[str, str]:
    """`aws_vpc.main` for each URN; a name that a type has twice, under two parents, is numbered by URN."""
    of_type: dict[str, list[tuple[str, str]]] = {}
    for resource in resources:
        of_type.setdefault(names.terraform_type(resource.type).name, []).append((resource.urn, resource.name))
    return {
        urn: f"{type_name}.{label}" for type_name, named in of_type.items() for urn, label in _labels(named).items()
    }


def _labels(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    made: dict[str, str] = {}
    taken: set[str] = set()
    for urn, name in named:
        label = base = _label(name)
        number = 1
        while label in taken:
            number += 1
            label = f"{base}_{number}"
        taken.add(label)
        made[urn] = label
    return made


def _label(name: str) -> str:
    """What Terraform takes as a name: letters, digits, - and _, and no digit first."""
    label = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    return label if re.match(r"[A-Za-z_]", label) else f"_{label}"


def _literal(text: str) -> str:
    """Escape what Terraform would take for a template, such as IAM's own `${aws:PrincipalTag/team}`."""
    return text.replace("${", "$${").replace("%{", "%%{")


def _decoded(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """A provider's inputs; those that are not text travel as JSON (but an account id is no number)."""
    return {
        key: wire.decoded(value)
        if isinstance(value, str) and (value.startswith(("[", "{")) or value in ("true", "false"))
        else value
        for key, value in inputs.items()
    }


def _default_provider(resources: Iterable[Resource], config: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The provider without a name, where a resource uses it or the stack configures it."""
    inputs = {key.removeprefix("aws:"): value for key, value in config.items() if key.startswith("aws:")}
    if inputs or any(not resource.provider for resource in resources):
        known = _decoded({key: value for key, value in inputs.items() if key not in _CREDENTIALS})
        yield arguments.body("provider", known, _escaped, lambda _: False)


def _escaped(value: Any, _path: str, _name: str) -> Any:
    return _literal(value) if isinstance(value, str) else value


def _lifecycle(resource: Resource, type_name: str) -> dict[str, Any]:
    made: dict[str, Any] = {"prevent_destroy": True} if resource.protect else {}
    if ignored := resource.options.get("ignoreChanges"):
        paths = [_path(type_name, path, resource.inputs) for path in ignored]
        made["ignore_changes"] = "all" if "*" in ignored else sorted(paths)
    return made


def _path(type_name: str, path: str, inputs: Mapping[str, Any]) -> str:
    """`scalingConfig.desiredSize` as `scaling_config[0].desired_size`."""
    made: list[str] = []
    value: Any = inputs
    steps: list[str] = re.findall(r"[^.\[\]]+", path)
    for end, step in enumerate(steps, start=1):
        value = value.get(step) if is_mapping(value) else None
        known = names.argument(type_name, tuple(steps[:end]), value)
        made.append(f"{known.name}[0]" if end < len(steps) and known.kind == names.PLAIN else known.name)
    return ".".join(made)


def _left_out(resources: Iterable[Resource]) -> Iterator[LeftOut]:
    """What a cloud would hold and the document does not; components and providers hold nothing."""
    counted = Counter(
        resource.type
        for resource in resources
        if resource.custom and not resource.type.startswith(("aws:", "pulumi:providers:"))
    )
    for type_, count in sorted(counted.items()):
        yield LeftOut(type=type_, count=count, reason="not a resource of AWS")


def _unknown(resources: Iterable[Resource]) -> Iterator[Unconfirmed]:
    counted = Counter(resource.type for resource in resources)
    for type_, count in sorted(counted.items()):
        name = names.terraform_type(type_)
        if not name.confirmed:
            yield Unconfirmed(type=type_, written_as=name.name, count=count)
