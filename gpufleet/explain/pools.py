"""The designs of a program's pools: what the components of GPU pools leave in their outputs."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpufleet.errors import UsageError
from gpufleet.plan.graph import Run
from gpufleet.plan.values import is_mapping

DESIGN = "design"
KINDS = ("gpufleet:index:GpuPool", "gpufleet:index:KarpenterPool")


def designs(run: Run) -> list[Mapping[str, Any]]:
    """Each pool's design in the order of the URNs, with the component's `urn` and `component` beside it."""
    return [
        {**resource.outputs[DESIGN], "urn": resource.urn, "component": resource.name}
        for resource in run.resources
        if resource.type in KINDS and is_mapping(resource.outputs.get(DESIGN))
    ]


def named(found: Sequence[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
    """The pools of a name; one, or as many as there are regions with such a pool.

    Raises:
        UsageError: there is none.
    """
    chosen = [design for design in found if name in (design["pool"], design["component"])]
    if not chosen:
        known = ", ".join(sorted({str(design["pool"]) for design in found})) or "none: it has no pools of gpufleet's"
        raise UsageError(f"pool {name!r}: the stack has no such pool; its pools are {known}")
    return chosen
