"""A scheduled action that raises a group's maximum raises its ceiling, on a night when nobody looks."""

from typing import Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._pools import NODE_GROUP
from ._reading import UNKNOWN, number, read, shown
from ._stack import Report, Stack, for_stack

_SCHEDULE: Final = "aws:autoscaling/schedule:Schedule"


def _check(stack: Stack, report: Report) -> None:
    for schedule in stack.of(_SCHEDULE):
        value = read(schedule.props, "maxSize")
        most = None if value is UNKNOWN else number(value)
        for group in _groups(schedule):
            ceiling = read(group.props, "scalingConfig", "maxSize")
            bound = None if ceiling is UNKNOWN else number(ceiling)
            if most is not None and bound is not None and most > bound:
                report(
                    f"maxSize is {shown(value)}, and the ceiling of {group.name} is {shown(ceiling)}; it must not be "
                    "higher.",
                    schedule.urn,
                )


def _groups(schedule: PolicyResource) -> list[PolicyResource]:
    """EKS makes the Auto Scaling group, so the way to it leads through the node group."""
    made_of = schedule.property_dependencies.get("autoscalingGroupName", [])
    return [one for one in made_of if one.resource_type == NODE_GROUP]


RULE = StackValidationPolicy(
    name="ec2-schedule-within-bounds",
    description="A scheduled action that raises a group's maximum raises its ceiling, on a night when nobody looks.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money"],
    remediation_steps="Keep the action's max_size at or below the node group's, or leave it out.",
    url="https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-scheduled-scaling.html",
    validate=for_stack(_check),
)
