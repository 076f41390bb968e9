"""Without a taint any pod may land on a GPU node and keep it from scaling down."""

from typing import Final

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._karpenter import RESOURCES
from ._node_sets import NodeSet, node_sets
from ._pools import NODE_GROUP
from ._reading import UNKNOWN, read
from ._stack import Report, Stack, for_stack

_EFA: Final = "aws.amazon.com/efa"
_EFFECTS: Final = ("NO_SCHEDULE", "NO_EXECUTE")


def _check(stack: Stack, report: Report) -> None:
    for nodes in node_sets(stack):
        if nodes.resource.resource_type != NODE_GROUP:
            continue
        taints = [(read(taint, "key"), read(taint, "effect")) for taint in nodes.taints]
        for wanted in sorted(_wanted(nodes)):
            if not any(key in (wanted, UNKNOWN) and effect in (*_EFFECTS, UNKNOWN) for key, effect in taints):
                found = ", ".join(f"{key}:{effect}" for key, effect in taints) or "empty"
                report(
                    f"taints is {found}; a GPU pool must carry {wanted} with effect {' or '.join(_EFFECTS)}.",
                    nodes.resource.urn,
                )


def _wanted(nodes: NodeSet) -> set[str]:
    """One key for each maker of accelerators, and EFA's where the nodes' label promises EFA."""
    found = {RESOURCES[type_.accelerator] for type_ in nodes.types if type_.accelerator in RESOURCES}
    return {*found, _EFA} if found and nodes.labels.get("gpufleet.io/efa") == "true" else found


RULE = StackValidationPolicy(
    name="eks-node-group-gpu-taint",
    description="Without a taint any pod may land on a GPU node and keep it from scaling down.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money", "gpu"],
    remediation_steps="Add the taint {key: nvidia.com/gpu, value: present, effect: NO_SCHEDULE} to the node group; GPU "
    "workloads tolerate it.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/node-taints-managed-node-groups.html",
    validate=for_stack(_check),
)
