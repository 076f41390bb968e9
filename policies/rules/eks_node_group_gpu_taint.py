"""Without a taint any pod may land on a GPU node and keep it from scaling down."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._pools import gpu_pools
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_KEY = "nvidia.com/gpu"
_EFFECTS = ("NO_SCHEDULE", "NO_EXECUTE")


def _check(stack: Stack, report: Report) -> None:
    for pool in gpu_pools(stack):
        taints = [
            (read(taint, "key"), read(taint, "effect")) for taint in elements(read(pool.resource.props, "taints"))
        ]
        if not any(key in (_KEY, UNKNOWN) and effect in (*_EFFECTS, UNKNOWN) for key, effect in taints):
            found = ", ".join(f"{key}:{effect}" for key, effect in taints) or "empty"
            report(
                f"taints is {found}; a GPU pool must carry {_KEY} with effect {' or '.join(_EFFECTS)}.",
                pool.resource.urn,
            )


RULE = StackValidationPolicy(
    name="eks-node-group-gpu-taint",
    description="Without a taint any pod may land on a GPU node and keep it from scaling down.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money", "gpu"],
    remediation_steps=f"Add the taint {{key: {_KEY}, value: present, effect: NO_SCHEDULE}} to the node group; GPU "
    "workloads tolerate it.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/node-taints-managed-node-groups.html",
    validate=for_stack(_check),
)
