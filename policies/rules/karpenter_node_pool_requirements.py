"""What a NodePool of GPUs does not say, Karpenter chooses: the type, the way it is bought, the zone."""

from collections.abc import Iterator
from typing import Final

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from gpufleet.facts import instances

from ._karpenter import CAPACITY, TYPE, ZONE, ElasticPool, gpu_node_pools
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_SAID: Final = {
    TYPE: "which types may be bought",
    CAPACITY: "how they are bought",
    ZONE: "in which zones",
    "kubernetes.io/arch": "for which processors images are made",
}
_KINDS: Final = tuple(
    f"karpenter.k8s.aws/instance-{kind}" for kind in ("category", "family", "gpu-name", "gpu-manufacturer")
)
"""Families, GPU models and the like may stand in place of types."""


def _check(stack: Stack, report: Report) -> None:
    for pool in gpu_node_pools(stack):
        for fault in _faults(pool):
            report(fault, pool.resource.urn)


def _faults(pool: ElasticPool) -> Iterator[str]:
    requirements = elements(read(pool.node, "requirements"))
    if UNKNOWN in requirements or pool.node is UNKNOWN:
        return
    named = {read(one, "key") for one in requirements if read(one, "operator") in ("In", UNKNOWN)}
    if any(key in _KINDS for key in named):
        named |= {TYPE, "kubernetes.io/arch"}
    for key, what in _SAID.items():
        if key not in named and UNKNOWN not in named:
            yield f"no requirement says {what}; there must be one of {key} with operator In."
    for name in pool.values(TYPE) or ():
        if instances.find(name) is None:
            yield f"{name} is no type that the catalogue knows; correct the name, or refresh the catalogue."


RULE = StackValidationPolicy(
    name="karpenter-node-pool-requirements",
    description="What a NodePool of GPUs does not say, Karpenter chooses: the type, the way it is bought, the zone.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money", "gpu"],
    remediation_steps="Give spec.template.spec.requirements one entry with operator In for each of instance type (or "
    "family), capacity type, zone and architecture.",
    url="https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecrequirements",
    validate=for_stack(_check),
)
