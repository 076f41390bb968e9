"""Spot capacity of one type goes all at once, and nothing comes in its place."""

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._node_sets import node_sets
from ._stack import Report, Stack, for_stack

_MIN_TYPES = 2


def _check(stack: Stack, report: Report) -> None:
    least = int(stack.config.get("min_types", _MIN_TYPES))
    for nodes in node_sets(stack):
        if "spot" in nodes.purchases and nodes.type_names and len(nodes.type_names) < least:
            report(
                f"spot of {len(nodes.type_names)} instance type ({', '.join(nodes.type_names)}); it should have "
                f"{least} at least.",
                nodes.resource.urn,
            )


RULE = StackValidationPolicy(
    name="eks-spot-diversified",
    description="Spot capacity of one type goes all at once, and nothing comes in its place.",
    severity=Severity.LOW,
    # Some jobs run on one kind of GPU only, and spot of it is better than none.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["compute", "gpu"],
    remediation_steps="Name further types with the same GPU (g6.2xlarge and g6.4xlarge), or buy on demand.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-best-practices.html",
    config_schema=PolicyConfigSchema({"min_types": {"type": "integer", "minimum": 1, "default": _MIN_TYPES}}),
    validate=for_stack(_check),
)
