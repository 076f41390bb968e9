"""Where a pod may go, as the scheduler would have it."""

from typing import Any

import pytest

from gpufleet.lint import placing, workloads
from tests.gpufleet.lint import stacks

TAINT = {"key": "team", "value": "vision", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("toleration", "fits"),
    [
        ({"key": "team", "value": "vision", "effect": "NoSchedule"}, True),
        ({"key": "team", "operator": "Equal", "value": "vision"}, True),
        ({"key": "team", "operator": "Exists"}, True),
        ({"operator": "Exists"}, True),
        ({"key": "team", "value": "speech"}, False),
        ({"key": "team", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "other", "operator": "Exists"}, False),
        ({"value": "vision"}, False),
    ],
)
def test_a_toleration_is_compared_as_kubernetes_does(toleration: dict[str, Any], fits: bool) -> None:
    assert placing.tolerates(toleration, TAINT) is fits


def places(selector: dict[str, str], **spec: Any) -> set[str]:
    made = stacks.job("plain")
    stacks.spec_of(made).update(nodeSelector=selector, tolerations=[{"operator": "Exists"}], **spec)
    (document,) = stacks.parsed(made)
    (workload,) = workloads.of(document)
    return {pool.name for pool in placing.of(workload, stacks.stack()).open}


@pytest.mark.parametrize(
    ("selector", "reached"),
    [
        ({"gpufleet.io/pool": "efa"}, {"efa"}),
        ({"karpenter.sh/nodepool": "spot"}, {"spot"}),
        ({"karpenter.sh/capacity-type": "spot"}, {"spot"}),
        ({"node.kubernetes.io/instance-type": "p5.48xlarge"}, {"efa", "group-efa"}),
        ({"topology.kubernetes.io/zone": "us-east-1b", "node.kubernetes.io/instance-type": "p5.48xlarge"}, set[str]()),
        ({"gpufleet.io/efa": "true", "topology.kubernetes.io/zone": "us-east-1b"}, {"trainium"}),
        # Labels that daemons give are not known; labels that nobody gives are.
        ({"nvidia.com/gpu.product": "NVIDIA-L40S", "gpufleet.io/pool": "plain"}, {"plain"}),
        ({"team": "vision"}, set[str]()),
    ],
)
def test_a_selector_leads_to_the_pools_whose_nodes_may_have_it(selector: dict[str, str], reached: set[str]) -> None:
    assert places(selector) == reached


def test_of_the_terms_of_an_affinity_one_is_enough() -> None:
    terms = [
        {"matchExpressions": [{"key": "gpufleet.io/pool", "operator": "In", "values": [name]}]}
        for name in ("plain", "spot")
    ]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    assert places({}, affinity=affinity) == {"plain", "spot"}


def test_without_a_selector_a_pod_goes_where_its_accelerator_is() -> None:
    assert places({}) == set(stacks.POOLS) - {"trainium"}
