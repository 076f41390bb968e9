"""Two NodePools that fit the same pod give one job nodes of both, which for EFA lie where they cannot talk."""

from itertools import combinations
from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._karpenter import ElasticPool, gpu_node_pools
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for one, other in combinations(sorted(gpu_node_pools(stack), key=lambda pool: pool.resource.urn), 2):
        shared = sorted({*one.type_names} & {*other.type_names})
        if shared and _same_cluster(one, other) and _efa(one) != _efa(other) and not _told_apart(one, other):
            report(
                f"{one.resource.name} and {other.resource.name} may both launch {', '.join(shared)}, one with EFA and "
                "one without, and no taint of the one with EFA tells them apart; it must have a taint that the other "
                "lacks.",
                (one if _efa(one) else other).resource.urn,
            )


def _same_cluster(one: ElasticPool, other: ElasticPool) -> bool:
    providers = [pool.resource.provider.urn if pool.resource.provider else None for pool in (one, other)]
    return providers[0] == providers[1]


def _efa(pool: ElasticPool) -> bool:
    interfaces = elements(read(pool.node_class.props, "spec", "networkInterfaces")) if pool.node_class else []
    return any(read(one, "interfaceType") in ("efa", "efa-only") for one in interfaces)


def _told_apart(one: ElasticPool, other: ElasticPool) -> bool:
    with_efa, without = (one, other) if _efa(one) else (other, one)
    return bool(_taints(with_efa) - _taints(without)) or UNKNOWN in _taints(with_efa)


def _taints(pool: ElasticPool) -> set[Any]:
    return {read(taint, "key") for taint in elements(read(pool.node, "taints"))}


RULE = StackValidationPolicy(
    name="karpenter-node-pools-disjoint",
    description="Two NodePools that fit the same pod give one job nodes of both, which for EFA lie where they cannot "
    "talk.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "network"],
    remediation_steps="Give the pool with EFA a taint of its own (aws.amazon.com/efa), which only jobs that need it "
    "tolerate, or give the pools different types.",
    url="https://karpenter.sh/docs/concepts/nodepools/",
    validate=for_stack(_check),
)
