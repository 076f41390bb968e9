"""Reserved machines stand where they stand, so a placement group of one's own keeps nodes from starting in them."""

from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._node_sets import NodeSet, node_sets
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"


def _check(stack: Stack, report: Report) -> None:
    for nodes in node_sets(stack):
        if nodes.placement_group is None or nodes.reservations is None or nodes.maker is None:
            continue
        if not _made_inside_a_group(stack, nodes):
            report(
                "names a placement group beside a reservation; the reservation must be made in that group, or the "
                "group must go.",
                nodes.maker.urn,
            )


def _made_inside_a_group(stack: Stack, nodes: NodeSet) -> bool:
    """An on-demand reservation can be made in a placement group; one that cannot be seen is given the doubt."""
    if "capacity-block" in nodes.purchases or nodes.maker is None:
        return False
    ids: list[Any] = [read(term, "id") if isinstance(term, dict) else term for term in elements(nodes.reservations)]
    found = [
        one for key in nodes.maker.property_dependencies for one in stack.links(nodes.maker, key, ids, _RESERVATION).all
    ]
    return (
        not found
        or any(read(one.props, "placementGroupArn") is not None for one in found)
        or UNKNOWN in ids
        and not found
    )


RULE = StackValidationPolicy(
    name="ec2-placement-not-on-reservation",
    description="Reserved machines stand where they stand, so a placement group of one's own keeps nodes from starting "
    "in them.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "money"],
    remediation_steps="Leave the placement group out for capacity blocks, which lie close together already; make an "
    "on-demand reservation with placement_group_arn where it must lie in one.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/cr-cpg.html",
    validate=for_stack(_check),
)
