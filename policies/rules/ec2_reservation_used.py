"""A reservation that no pool names is billed by the hour and stands empty."""

from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._karpenter import NODE_CLASS
from ._reading import elements, read
from ._stack import Report, Stack, for_stack

_RESERVATIONS: Final = (
    "aws:ec2/capacityReservation:CapacityReservation",
    "aws:ec2/capacityBlockReservation:CapacityBlockReservation",
)
_TARGET: Final = ("capacityReservationSpecification", "capacityReservationTarget", "capacityReservationId")
_MACHINES: Final = (
    *("aws:ec2/launchTemplate:LaunchTemplate", "aws:ec2/instance:Instance"),
    "aws:ec2/spotInstanceRequest:SpotInstanceRequest",
)


def _check(stack: Stack, report: Report) -> None:
    used = {found.urn for user, key, ids in _users(stack) for found in stack.links(user, key, ids, *_RESERVATIONS).all}
    for reservation in stack.of(*_RESERVATIONS):
        # An open one is used by whoever fits, without naming it.
        if reservation.urn not in used and read(reservation.props, "instanceMatchCriteria") != "open":
            report(
                "is named by no launch template and no node class of the stack; a pool should run in it.",
                reservation.urn,
            )


def _users(stack: Stack) -> Iterator[tuple[PolicyResource, str, Any]]:
    for machine in stack.of(*_MACHINES):
        yield machine, _TARGET[0], read(machine.props, *_TARGET)
    for node_class in stack.of(*NODE_CLASS):
        terms = elements(read(node_class.props, "spec", "capacityReservationSelectorTerms"))
        yield node_class, "spec", [read(term, "id") for term in terms]


RULE = StackValidationPolicy(
    name="ec2-reservation-used",
    description="A reservation that no pool names is billed by the hour and stands empty.",
    severity=Severity.LOW,
    # Another stack may run in it.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["compute", "gpu", "money"],
    remediation_steps="Name the reservation in the pool's launch template (capacityReservationTarget) or node class.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-launch.html",
    validate=for_stack(_check),
)
