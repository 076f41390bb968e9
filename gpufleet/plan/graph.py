"""What a Pulumi program registered, as plain data: the resources of one run and what they hang on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gpufleet.plan.values import is_list, is_mapping

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""What the engine's protocol writes where a value is not known until the update (pulumi.runtime.rpc.UNKNOWN)."""

STACK_TYPE = "pulumi:pulumi:Stack"


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One registration, as the engine would have received it.

    `inputs` and `outputs` carry wire names (camelCase); a value that only the update can know is `UNKNOWN`.
    Secrets are replaced by their plain value and their paths listed in `secrets`.
    """

    urn: str
    type: str
    name: str
    parent: str | None
    provider: str
    custom: bool
    protect: bool
    dependencies: tuple[str, ...]
    property_dependencies: Mapping[str, tuple[str, ...]]
    inputs: Mapping[str, Any]
    id: str | None
    outputs: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=lambda: {})
    """Further options that were set: ignoreChanges, aliases, deleteBeforeReplace, retainOnDelete, ..."""
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Run:
    """One offline run of a program: a preview (ids and computed outputs unknown) or an update (made up, stable)."""

    project: str
    stack: str
    preview: bool
    resources: tuple[Resource, ...]
    """Sorted by URN, so that two runs compare however the registrations were scheduled."""
    outputs: Mapping[str, Any]

    def by_urn(self) -> dict[str, Resource]:
        """The resources, keyed by URN."""
        return {resource.urn: resource for resource in self.resources}


def make_urn(stack: str, project: str, parent: str, type_: str, name: str) -> str:
    """The engine's rule for URNs: the type chain of the parents, without the stack, then the resource's own type."""
    if parent:
        chain = parent.split("::", 3)[2]
        if chain != STACK_TYPE:
            type_ = f"{chain}${type_}"
    return f"urn:pulumi:{stack}::{project}::{type_}::{name}"


def unknown_paths(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths (`vpcConfig.subnetIds[0]`) below `value` at which the engine's unknown stands."""
    if value == UNKNOWN:
        yield path
    elif is_mapping(value):
        for key, item in value.items():
            yield from unknown_paths(item, f"{path}.{key}" if path else key)
    elif is_list(value):
        for index, item in enumerate(value):
            yield from unknown_paths(item, f"{path}[{index}]")
