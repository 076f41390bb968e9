"""A job on EFA nodes that does not ask for EFA talks over TCP, at a fraction of the speed that is paid for."""

from typing import Final

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._node_sets import NodeSet, node_sets
from ._reading import shown
from ._stack import Report, Stack, for_stack
from ._workloads import EFA, GPU, pods

_POOL: Final = "gpufleet.io/pool"
_LABEL: Final = "gpufleet.io/efa"


def _check(stack: Stack, report: Report) -> None:
    with_efa = {nodes.labels.get(_POOL): nodes for nodes in node_sets(stack) if nodes.efa_interfaces}
    for resource in stack.kind("kubernetes:"):
        for pod in pods(resource.resource_type, resource.props):
            if not pod.mentions(GPU):
                continue
            nodes = with_efa.get(pod.selector.get(_POOL))
            if (nodes is not None or pod.selector.get(_LABEL) == "true") and not pod.mentions(EFA):
                report(
                    f"{pod.path} runs on nodes with EFA and asks for none; {EFA} must be {_wanted(nodes)}.",
                    resource.urn,
                )
            elif nodes is not None and (most := len(nodes.efa_interfaces)) < (asked := pod.asks(EFA)):
                report(
                    f"{pod.path} asks for {shown(asked)} {EFA}, and a node has {most}; it never starts.", resource.urn
                )


def _wanted(nodes: NodeSet | None) -> str:
    return "the number of the type" if nodes is None else str(len(nodes.efa_interfaces))


RULE = StackValidationPolicy(
    name="k8s-gpu-workload-asks-efa",
    description="A job on EFA nodes that does not ask for EFA talks over TCP, at a fraction of the speed that is paid "
    "for.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes", "gpu", "network"],
    remediation_steps="Set the limit vpc.amazonaws.com/efa to the number of EFA interfaces of the node, beside "
    "nvidia.com/gpu; a pool's design names it.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html",
    validate=for_stack(_check),
)
