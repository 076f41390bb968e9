"""One side of a difference: the resources, violations and money of a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpufleet.plan.graph import unknown_paths
from gpufleet.plan.planning import Plan


@dataclass(frozen=True, kw_only=True)
class Node:
    """A resource as a plan has it. What only a run of the program tells is empty where the plan was a document."""

    urn: str
    type: str
    name: str
    parent: str
    provider: str
    """`URN::id`, empty for components."""
    custom: bool
    protect: bool
    dependencies: tuple[str, ...]
    property_dependencies: Mapping[str, tuple[str, ...]]
    inputs: Mapping[str, Any]
    unknown: tuple[str, ...]
    """Paths of the inputs that hang on what only the cloud can say."""
    id: str
    outputs: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    secrets: tuple[str, ...] = ()

    @property
    def provider_urn(self) -> str:
        """The provider's URN, without the id."""
        return self.provider.rpartition("::")[0]

    def hangs_on(self, property_name: str) -> tuple[str, ...]:
        """The URNs that an input is made from."""
        return self.property_dependencies.get(property_name, ())


@dataclass(frozen=True, kw_only=True)
class Side:
    """What a plan says, and where it is from."""

    label: str
    """`the working tree`, `main (4c25798)`, `before.json`."""
    stack: str
    project: str
    nodes: Mapping[str, Node]
    violations: Sequence[Mapping[str, Any]]
    cost: Mapping[str, Any]


def of_plan(plan: Plan, label: str) -> Side:
    """The side of a program that was run."""
    document = plan.as_document()
    before = plan.preview.by_urn()
    nodes = {
        found.urn: Node(
            urn=found.urn,
            type=found.type,
            name=found.name,
            parent=found.parent or "",
            provider=found.provider,
            custom=found.custom,
            protect=found.protect,
            dependencies=found.dependencies,
            property_dependencies=found.property_dependencies,
            inputs=found.inputs,
            unknown=tuple(unknown_paths(before[found.urn].inputs)) if found.urn in before else (),
            id=found.id or "",
            outputs=found.outputs,
            options=found.options,
            secrets=found.secrets,
        )
        for found in plan.update.resources
    }
    return Side(
        label=label,
        stack=plan.update.stack,
        project=plan.update.project,
        nodes=nodes,
        violations=document["violations"],
        cost=document["cost"],
    )


def of_document(document: Mapping[str, Any], label: str) -> Side:
    """The side of a document that `gpufleet plan --json` printed (`"schema": 1`)."""
    resources: Sequence[Mapping[str, Any]] = document["resources"]
    nodes = {
        found["urn"]: Node(
            urn=found["urn"],
            type=found["type"],
            name=found["name"],
            parent=found["parent"] or "",
            provider=found["provider"],
            custom=bool(found["id"]),
            protect=found["protect"],
            dependencies=tuple(found["dependencies"]),
            property_dependencies={},
            inputs=found["inputs"],
            unknown=tuple(found["unknown_in_preview"]),
            id=found["id"] or "",
            outputs=found["outputs"],
        )
        for found in resources
    }
    return Side(
        label=label,
        stack=document["stack"],
        project=document["project"],
        nodes=nodes,
        violations=document["violations"],
        cost=document["cost"],
    )
