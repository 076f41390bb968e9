"""A type that nobody agreed to buy is found on the invoice."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, PolicyResource, Severity, StackValidationPolicy

from ._node_sets import node_sets
from ._reading import read
from ._stack import Report, Stack, for_stack

_MACHINES = (
    *("aws:ec2/instance:Instance", "aws:ec2/spotInstanceRequest:SpotInstanceRequest"),
    "aws:ec2/capacityReservation:CapacityReservation",
)


def _check(stack: Stack, report: Report) -> None:
    allowed: list[str] = stack.config.get("allowed", [])
    if not allowed:
        return
    for resource, names in _bought(stack):
        strange = sorted({name for name in names if not any(fnmatchcase(name, pattern) for pattern in allowed)})
        if strange:
            report(
                f"may launch {', '.join(strange)}; the allow list has {', '.join(allowed)}.",
                resource.urn,
            )


def _bought(stack: Stack) -> Iterator[tuple[PolicyResource, tuple[str, ...]]]:
    for nodes in node_sets(stack):
        yield nodes.resource, nodes.type_names
    for machine in stack.of(*_MACHINES):
        if isinstance(name := read(machine.props, "instanceType"), str):
            yield machine, (name,)


RULE = StackValidationPolicy(
    name="ec2-instance-type-allowed",
    description="A type that nobody agreed to buy is found on the invoice.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money"],
    remediation_steps="Use a type of the list, or have it added to `allowed` in the pack's configuration, where it is "
    "reviewed.",
    url="https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-types.html",
    config_schema=PolicyConfigSchema(
        {
            "allowed": {
                "type": "array",
                "items": {"type": "string"},
                "default": [],
                "description": "types that may be bought, also as patterns (g6.*); an empty list allows all",
            }
        }
    ),
    validate=for_stack(_check),
)
