"""Which nodes an elastic pool may have, and when they go: the spec of a NodePool, from the pool's design.

The types are those fields of Karpenter 1.14's definition that we set; units and limits are the definition's.
https://github.com/aws/karpenter-provider-aws/blob/v1.14.1/pkg/apis/crds/karpenter.sh_nodepools.yaml
"""

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from ..compute.design.request import Taint as DesignedTaint
from ..compute.design.shapes import Budget as DesignedBudget
from ..compute.design.shapes import Design
from . import node_class

API_VERSION, KIND = "karpenter.sh/v1", "NodePool"

ARCHITECTURES = {"x86_64": "amd64", "arm64": "arm64"}
"""EC2's word and Kubernetes'."""


class Requirement(TypedDict):
    """One property of a node: it has one of the values."""

    key: str
    operator: str
    values: list[str]


class Taint(TypedDict):
    """A taint in Kubernetes' spelling."""

    key: str
    value: NotRequired[str]
    effect: str


class NodeClassRef(TypedDict):
    """The EC2NodeClass by its name."""

    group: str
    kind: str
    name: str


class NodeSpec(TypedDict):
    """What every node of the pool is."""

    nodeClassRef: NodeClassRef
    requirements: list[Requirement]
    taints: list[Taint]
    expireAfter: str
    terminationGracePeriod: str


class NodeMetadata(TypedDict):
    """What every node of the pool is called by."""

    labels: Mapping[str, str]


class Template(TypedDict):
    """A node of the pool."""

    metadata: NodeMetadata
    spec: NodeSpec


class Budget(TypedDict):
    """How many nodes may go at a time; without reasons for all of them."""

    nodes: str
    reasons: NotRequired[list[str]]


class Disruption(TypedDict):
    """When a node is not needed any more."""

    consolidationPolicy: str
    consolidateAfter: str
    budgets: list[Budget]


class NodePoolSpec(TypedDict):
    """The spec of a NodePool. It has no number of nodes, so applying it never resets what Karpenter has made of it."""

    template: Template
    disruption: Disruption
    limits: Mapping[str, str]
    weight: NotRequired[int]


def spec(design: Design, weight: int | None = None) -> NodePoolSpec:
    """The NodePool of a pool, on the node class of the same name; a heavier one is tried before others that fit."""
    made: NodePoolSpec = {
        "template": {
            "metadata": {"labels": dict(sorted(design.labels.items()))},
            "spec": {
                "nodeClassRef": {
                    "group": node_class.GROUP,
                    "kind": node_class.KIND,
                    "name": design.request.name,
                },
                "requirements": _requirements(design),
                "taints": [_taint(taint) for taint in design.taints],
                "expireAfter": design.disruption.expire_after,
                "terminationGracePeriod": design.disruption.termination_grace_period,
            },
        },
        "disruption": {
            "consolidationPolicy": design.disruption.consolidation_policy,
            "consolidateAfter": design.disruption.consolidate_after,
            "budgets": [_budget(budget) for budget in design.disruption.budgets],
        },
        # As text: the API server would keep a number as one, and Karpenter writes text.
        "limits": {resource: str(most) for resource, most in sorted(design.limits.items())},
    }
    if weight is not None:
        made["weight"] = weight
    return made


def _requirements(design: Design) -> list[Requirement]:
    wanted = {
        "node.kubernetes.io/instance-type": list(design.instance_types),
        "karpenter.sh/capacity-type": [design.karpenter_capacity_type],
        "kubernetes.io/arch": [ARCHITECTURES[design.architecture]],
        "kubernetes.io/os": ["linux"],
        "topology.kubernetes.io/zone": list(design.zones),
        # Always said: where a pool allows both, a pod could ask for the dearer one.
        "karpenter.k8s.aws/instance-tenancy": [design.tenancy or "default"],
    }
    return [{"key": key, "operator": "In", "values": values} for key, values in wanted.items()]


def _taint(taint: DesignedTaint) -> Taint:
    made: Taint = {"key": taint.key, "effect": taint.effect}
    if taint.value:
        made["value"] = taint.value
    return made


def _budget(budget: DesignedBudget) -> Budget:
    made: Budget = {"nodes": budget.nodes}
    if budget.reasons:
        made["reasons"] = list(budget.reasons)
    return made
