"""Without a taint any pod may land on a GPU node and keep it from being ended."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._karpenter import gpu_node_pools
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_EFA = "aws.amazon.com/efa"
_KEEPS_OUT = ("NoSchedule", "NoExecute", UNKNOWN)


def _check(stack: Stack, report: Report) -> None:
    for pool in gpu_node_pools(stack):
        taints = elements(read(pool.node, "taints"))
        if UNKNOWN in taints:
            continue
        kept_out = {read(taint, "key") for taint in taints if read(taint, "effect") in _KEEPS_OUT}
        wanted = [pool.resource_name, *([_EFA] if pool.labels.get("gpufleet.io/efa") == "true" else [])]
        for key in wanted:
            if key not in kept_out and UNKNOWN not in kept_out:
                report(
                    f"spec.template.spec.taints has none of key {key} that keeps pods out; it must have one with "
                    "effect NoSchedule.",
                    pool.resource.urn,
                )


RULE = StackValidationPolicy(
    name="karpenter-node-pool-gpu-taint",
    description="Without a taint any pod may land on a GPU node and keep it from being ended.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "kubernetes"],
    remediation_steps="Add the taint {key: nvidia.com/gpu, value: present, effect: NoSchedule} to "
    "spec.template.spec.taints, and for nodes labelled gpufleet.io/efa one of key aws.amazon.com/efa.",
    url="https://karpenter.sh/docs/concepts/nodepools/#spectemplatespectaints",
    validate=for_stack(_check),
)
