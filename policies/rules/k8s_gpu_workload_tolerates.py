"""A GPU pod that does not tolerate the taint of GPU nodes waits for ever, while the node that came for it is paid."""

from collections.abc import Iterator
from typing import Final

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._node_sets import NodeSet, node_sets
from ._reading import UNKNOWN, read
from ._stack import Report, Stack, for_stack
from ._workloads import GPU, Pod, pods

_POOL: Final = "gpufleet.io/pool"


def _check(stack: Stack, report: Report) -> None:
    by_name: dict[object, NodeSet] = {}
    for nodes in node_sets(stack):
        by_name.setdefault(nodes.labels.get(_POOL), nodes)
    for resource in stack.kind("kubernetes:"):
        for pod in pods(resource.resource_type, resource.props):
            if pod.mentions(GPU):
                for key in _untolerated(pod, by_name):
                    report(
                        f"{pod.path} asks for {GPU} and does not tolerate the taint {key} of its nodes; it must have a "
                        f"toleration {{key: {key}, operator: Exists, effect: NoSchedule}}.",
                        resource.urn,
                    )


def _untolerated(pod: Pod, by_name: dict[object, NodeSet]) -> Iterator[str]:
    pool = by_name.get(pod.selector.get(_POOL)) if isinstance(pod.selector.get(_POOL), str) else None
    keys = {GPU} if pool is None else {read(taint, "key") for taint in pool.taints}
    for key in sorted(key for key in keys if isinstance(key, str) and key is not UNKNOWN):
        if pod.tolerates(key) is False:
            yield key


RULE = StackValidationPolicy(
    name="k8s-gpu-workload-tolerates",
    description="A GPU pod that does not tolerate the taint of GPU nodes waits for ever, while the node that came "
    "for it is paid.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes", "gpu"],
    remediation_steps="Give the pod the tolerations of its pool; a pool's design lists them.",
    url="https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
    validate=for_stack(_check),
)
