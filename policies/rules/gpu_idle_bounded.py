"""A GPU pool with a floor above zero is billed day and night, whether anybody trains or not."""

from typing import Final

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._environment import protected_stack
from ._node_sets import node_sets
from ._reading import UNKNOWN, number, shown
from ._stack import Report, Stack, for_stack

_USE: Final = "gpufleet.io/use"
_SERVING: Final = "inference"


def _check(stack: Stack, report: Report) -> None:
    if stack.config.get("protected", False) or protected_stack(stack):
        return
    for nodes in node_sets(stack):
        least = None if nodes.minimum is UNKNOWN else number(nodes.minimum)
        if nodes.reservations is not None:
            continue  # billed used or not: nothing is saved by giving nodes back
        if nodes.is_accelerated and least and nodes.labels.get(_USE) not in (_SERVING, UNKNOWN):
            report(
                f"keeps {shown(least)} GPU node{'s' * (least > 1)} whether anything runs or not; its minimum must be "
                f"0, or its label {_USE} say {_SERVING}.",
                nodes.resource.urn,
            )


RULE = StackValidationPolicy(
    name="gpu-idle-bounded",
    description="A GPU pool with a floor above zero is billed day and night, whether anybody trains or not.",
    severity=Severity.MEDIUM,
    # A floor can be meant: people who wait for a node all day cost more than some nodes.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["compute", "money", "gpu"],
    remediation_steps="Set the minimum to 0 and let the pool grow when pods ask; what answers requests all day says "
    "so by the label gpufleet.io/use: inference.",
    url="https://docs.aws.amazon.com/eks/latest/best-practices/aiml-compute.html",
    config_schema=PolicyConfigSchema(
        {
            "protected": {
                "type": "boolean",
                "default": False,
                "description": "whether the environment may keep GPUs at hand; the tag gpufleet-protected: true says "
                "so too",
            }
        }
    ),
    validate=for_stack(_check),
)
