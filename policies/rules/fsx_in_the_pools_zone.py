"""A cache in a zone where no GPU stands is read across zones: every gigabyte is charged both ways and comes late."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._node_sets import NodeSet, node_sets
from ._pools import NODE_GROUP
from ._regions import region_of, zones_of
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    systems = stack.of("aws:fsx/lustreFileSystem:LustreFileSystem")
    if not systems:
        return
    pools = [nodes for nodes in node_sets(stack) if nodes.is_gpu]
    for system in systems:
        there = zones_of(stack, system, "subnetIds")
        beside = [nodes.zones for nodes in pools if _is_in(nodes, region_of(system))]
        known = [zones for zones in beside if zones is not None]
        if there and known and len(known) == len(beside) and not any(there & zones for zones in known):
            report(
                f"lies in {', '.join(sorted(there))}, but the GPU pools in {_listed(known)}; it must lie in the "
                "zone of the pool that reads it.",
                system.urn,
            )


def _is_in(nodes: NodeSet, region: str | None) -> bool:
    """Whether it lies in the region, or may: only its zones tell where a NodePool's nodes come."""
    if nodes.resource.resource_type == NODE_GROUP:
        return region_of(nodes.resource) == region
    return nodes.zones is None or region is None or any(zone.startswith(region) for zone in nodes.zones)


def _listed(zones: list[set[str]]) -> str:
    return ", ".join(sorted(set[str]().union(*zones)))


RULE = StackValidationPolicy(
    name="fsx-in-the-pools-zone",
    description="A cache in a zone where no GPU stands is read across zones, late and with every gigabyte charged both "
    "ways.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "money"],
    remediation_steps="Put the file system into a subnet of the GPU pool's zone, and the pool into that zone alone if "
    "it reads at full speed.",
    url="https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html",
    validate=for_stack(_check),
)
