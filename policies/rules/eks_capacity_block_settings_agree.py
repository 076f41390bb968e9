"""Nodes of a capacity block come only if group and template say the same, and the block is paid for meanwhile."""

from collections.abc import Iterator
from typing import Any

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._pools import pools
from ._reading import UNKNOWN, elements, number, read, shown
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for pool in pools(stack):
        template = pool.template.certain[0] if len(pool.template.certain) == 1 else None
        for fault in _faults(pool.resource, template):
            report(fault, pool.resource.urn)


def _faults(group: PolicyResource, template: PolicyResource | None) -> Iterator[str]:
    capacity = read(group.props, "capacityType")
    market = read(template.props, "instanceMarketOptions", "marketType") if template else UNKNOWN
    if market == "capacity-block" and capacity not in ("CAPACITY_BLOCK", UNKNOWN):
        yield f"capacityType is {shown(capacity)} and the template's marketType capacity-block; both must say so."
    if capacity != "CAPACITY_BLOCK":
        return
    if template is not None:
        yield from _template_faults(template, market)
    if read(group.props, "instanceTypes") is not None:
        yield "instanceTypes is set; in a capacity block the type must stand in the launch template."
    subnets = read(group.props, "subnetIds")
    if subnets is not UNKNOWN and len(elements(subnets)) != 1:
        yield f"subnetIds has {len(elements(subnets))} subnets; it must have the one of the block's zone."
    desired = read(group.props, "scalingConfig", "desiredSize")
    if (count := None if desired is UNKNOWN else number(desired)) is not None and count > 0:
        yield f"scalingConfig.desiredSize is {shown(desired)}; it must be 0 until the block begins."


def _template_faults(template: PolicyResource, market: Any) -> Iterator[str]:
    if market not in ("capacity-block", UNKNOWN):
        yield f"the template's instanceMarketOptions.marketType is {shown(market)}; it must be capacity-block."
    if read(template.props, "instanceType") is None:
        yield "the template's instanceType is not set; it must be the block's."
    target = read(template.props, "capacityReservationSpecification", "capacityReservationTarget")
    if target is None:
        yield "the template has no capacityReservationTarget; it must name the block."


RULE = StackValidationPolicy(
    name="eks-capacity-block-settings-agree",
    description="Nodes of a capacity block come only if group and template say the same, and the block is paid for "
    "meanwhile.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "money"],
    remediation_steps="Set capacityType CAPACITY_BLOCK, one subnet and desired size 0 on the group; instanceType, "
    "marketType capacity-block and the block as capacityReservationTarget in the template.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html",
    validate=for_stack(_check),
)
