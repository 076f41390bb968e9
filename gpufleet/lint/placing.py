"""On which pools a pod may land: by its selector, its affinity and its tolerations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpufleet.lint.pools import TYPE_LABEL, Pool, of_type
from gpufleet.lint.workloads import Workload, entries, mappings
from gpufleet.plan.values import is_list

SET_ELSEWHERE = (
    "nvidia.com/",
    "feature.node.kubernetes.io/",
    "karpenter.k8s.aws/",
    "topology.k8s.aws/",
    "aws.amazon.com/",
)
"""Beginnings of labels that nodes get from their daemons, of which a design does not tell."""
ALSO_SET_ELSEWHERE = ("kubernetes.io/hostname", "eks.amazonaws.com/nodegroup", "topology.k8s.aws/zone-id")


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a workload may go."""

    known: bool
    """Whether the pools are those of a stack."""
    selected: Sequence[Pool]
    """Those whose nodes may have all labels that it selects."""
    open: Sequence[Pool]
    """Of these, those whose taints it tolerates."""
    selects: bool
    """Whether it says anything about where to go."""
    pools: Sequence[Pool]
    """All that there are."""

    @property
    def pool(self) -> Pool | None:
        """The one pool that it goes to. Pools of one name, in several regions, are one."""
        names = {pool.name for pool in self.open}
        if len(names) == 1:
            return self.open[0]
        # Of what is kept off by taints alone, the rest can be judged all the same.
        if not names and len({pool.name for pool in self.selected}) == 1:
            return self.selected[0]
        return None


def of(workload: Workload, pools: Sequence[Pool] | None) -> Place:
    """Where a workload may go among a stack's pools; without a stack, to the types that it names."""
    selector = terms(workload.spec)
    selects = any(selector)
    if pools is None:
        named = {value for term in selector for values in term.get(TYPE_LABEL, ()) for value in values}
        possible = [pool for name in sorted(named) if (pool := of_type(name)) is not None]
        return Place(known=False, selected=possible, open=possible, selects=selects, pools=possible)
    asked = workload.accelerators
    selected = [pool for pool in pools if any(_may_have(pool, term) for term in selector)]
    if asked and not selects:
        selected = [pool for pool in selected if pool.resource in asked]
    tolerated = [pool for pool in selected if not untolerated(workload.spec, pool)]
    return Place(known=True, selected=selected, open=tolerated, selects=selects, pools=pools)


def terms(spec: Mapping[str, Any]) -> list[dict[str, list[frozenset[str]]]]:
    """What a node must be, as alternatives: in each, by label, sets of which it must have one value each.

    Only what names values is read: NotIn, Exists and numbers narrow what is left, which a design cannot always tell.
    """
    wanted = {str(key): [frozenset({str(value)})] for key, value in entries(spec.get("nodeSelector")).items()}
    required = entries(
        entries(entries(spec.get("affinity")).get("nodeAffinity")).get("requiredDuringSchedulingIgnoredDuringExecution")
    )
    alternatives = [_expressions(term) for term in mappings(required.get("nodeSelectorTerms"))] or [{}]
    return [{key: [*wanted.get(key, ()), *one.get(key, ())] for key in {**wanted, **one}} for one in alternatives]


def untolerated(spec: Mapping[str, Any], pool: Pool) -> list[Mapping[str, str]]:
    """The taints of a pool that keep the pod off its nodes."""
    given = mappings(spec.get("tolerations"))
    return [
        taint
        for taint in pool.taints
        if taint["effect"] != "PreferNoSchedule" and not any(tolerates(one, taint) for one in given)
    ]


def tolerates(toleration: Mapping[str, Any], taint: Mapping[str, str]) -> bool:
    """Kubernetes' own comparison.

    https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
    """
    key, effect = toleration.get("key"), toleration.get("effect")
    exists = toleration.get("operator", "Equal") == "Exists"
    if effect and effect != taint["effect"]:
        return False
    if not key:
        return exists
    return key == taint["key"] and (exists or str(toleration.get("value") or "") == taint.get("value", ""))


def _expressions(term: Mapping[str, Any]) -> dict[str, list[frozenset[str]]]:
    found: dict[str, list[frozenset[str]]] = {}
    for expression in mappings(term.get("matchExpressions")):
        if expression.get("operator") == "In":
            values = expression.get("values")
            named = frozenset(map(str, values)) if is_list(values) else frozenset[str]()
            found.setdefault(str(expression.get("key")), []).append(named)
    return found


def _may_have(pool: Pool, term: Mapping[str, Sequence[frozenset[str]]]) -> bool:
    for label, wanted in term.items():
        values = pool.labels.get(label)
        if values is None:
            if label.startswith(SET_ELSEWHERE) or label in ALSO_SET_ELSEWHERE:
                continue
            return False
        if not all(values & allowed for allowed in wanted):
            return False
    return True
