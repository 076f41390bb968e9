"""Spot nodes go at two minutes' notice, so in a protected environment only what saves its work may run on them.

A pool's component says in its output `design` what the pool is for; training pools of ours checkpoint.
"""

from typing import Final

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._environment import protected_stack
from ._node_sets import NodeSet, node_sets
from ._reading import entries, read
from ._stack import Report, Stack, for_stack

_CHECKPOINTED: Final = "gpufleet.io/checkpointed"
_COMPONENTS: Final = ("gpufleet:index:GpuPool", "gpufleet:index:KarpenterPool")


def _check(stack: Stack, report: Report) -> None:
    if not (stack.config.get("protected", False) or protected_stack(stack)):
        return
    for nodes in node_sets(stack):
        if nodes.is_gpu and "spot" in nodes.purchases and not _is_checkpointed(nodes):
            report(
                "is spot in a protected environment, and nothing says that its work is checkpointed; it must be bought "
                f'on demand or reserved, or carry the label {_CHECKPOINTED}: "true".',
                nodes.resource.urn,
            )


def _is_checkpointed(nodes: NodeSet) -> bool:
    above = nodes.resource.parent
    design = read(above.props, "design") if above and above.resource_type in _COMPONENTS else None
    return (
        nodes.labels.get(_CHECKPOINTED) == "true"
        or read(design, "checkpointed") is True
        or entries(read(design, "labels")).get(_CHECKPOINTED) == "true"
    )


RULE = StackValidationPolicy(
    name="eks-spot-not-where-protected",
    description="Spot nodes go at two minutes' notice, so in a protected environment only what saves its work may run "
    "on them.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu"],
    remediation_steps="Buy the pool on demand or reserve it; where its jobs checkpoint, label its nodes "
    'gpufleet.io/checkpointed: "true".',
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-interruptions.html",
    config_schema=PolicyConfigSchema(
        {
            "protected": {
                "type": "boolean",
                "default": False,
                "description": "whether the environment is protected; the tag gpufleet-protected: true says so too",
            }
        }
    ),
    validate=for_stack(_check),
)
