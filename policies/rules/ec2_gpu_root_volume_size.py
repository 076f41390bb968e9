"""GPU images fill a small root volume, and then the node evicts its pods and is paid for."""

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._node_sets import node_sets
from ._reading import shown
from ._stack import Report, Stack, for_stack

_MIN_GIB = 100


def _check(stack: Stack, report: Report) -> None:
    least = float(stack.config.get("min_gib", _MIN_GIB))
    for nodes in node_sets(stack):
        if (
            nodes.is_accelerated
            and nodes.maker is not None
            and nodes.volume_gib is not None
            and nodes.volume_gib < least
        ):
            report(
                f"the root volume has {shown(nodes.volume_gib)} GiB; where GPU images are pulled it must have "
                f"{shown(least)} at least.",
                nodes.resource.urn,
            )


RULE = StackValidationPolicy(
    name="ec2-gpu-root-volume-size",
    description="GPU images fill a small root volume, and then the node evicts its pods and is paid for.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu"],
    remediation_steps="Map the root volume with volumeSize 100 or more, in the launch template or the EC2NodeClass "
    "(diskSize of the node group has no effect beside a template).",
    url="https://docs.aws.amazon.com/eks/latest/best-practices/aiml-compute.html",
    config_schema=PolicyConfigSchema({"min_gib": {"type": "integer", "minimum": 20, "default": _MIN_GIB}}),
    validate=for_stack(_check),
)
