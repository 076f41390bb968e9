"""Karpenter's NodePools: the dearest nodes within their limits, and nothing at the floor."""

from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpufleet.pricing.mix import Candidate, dearest
from tests.gpufleet.pricing.plans import CLUSTER, bill, reasons, resource

NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
SPOT = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]}


def families(*names: str) -> dict[str, Any]:
    return {"key": "karpenter.k8s.aws/instance-family", "operator": "In", "values": list(names)}


def types(*names: str) -> dict[str, Any]:
    return {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": list(names)}


def node_pool(limits: dict[str, Any], *requirements: dict[str, Any], **spec: Any) -> dict[str, Any]:
    inside = {"requirements": list(requirements), "nodeClassRef": {"name": "gpu"}}
    inputs = {"metadata": {"name": "gpu"}, "spec": {"limits": limits, "template": {"spec": inside}, **spec}}
    return resource(NODE_POOL, "gpu", inputs)


def node_class(**spec: Any) -> dict[str, Any]:
    return resource(NODE_CLASS, "gpu", {"metadata": {"name": "gpu"}, "spec": spec})


def test_the_ceiling_is_the_dearest_mix_within_the_gpus_and_the_floor_is_nothing() -> None:
    cost = bill(node_pool({"nvidia.com/gpu": "8"}, families("g6", "p5")), node_class())
    nodes = cost.lines[0]
    assert nodes.what == "1 x p5.48xlarge (dearest of 10 types within the limits)"
    assert (nodes.minimum_usd, nodes.maximum_usd, nodes.purchase) == (0, Decimal("55.04"), "on-demand")
    assert reasons(cost) == []


def test_seven_gpus_do_not_hold_a_node_of_eight() -> None:
    nodes = bill(node_pool({"nvidia.com/gpu": 7}, families("p5")), node_class()).lines[0]
    assert nodes.what == "7 x p5.4xlarge (dearest of 2 types within the limits)"
    assert nodes.maximum_usd == 7 * Decimal("6.88")


def test_two_limits_hold_at_the_same_time() -> None:
    nodes = bill(node_pool({"nvidia.com/gpu": 2, "cpu": "32"}, types("g6.4xlarge", "g6.16xlarge")), node_class()).lines[
        0
    ]
    assert nodes.what == "2 x g6.4xlarge (dearest of 2 types within the limits)"


def test_expected_are_the_cheapest_nodes_for_the_gpus_at_the_assumed_use_and_at_spot() -> None:
    nodes = bill(node_pool({"nvidia.com/gpu": "10"}, families("g6"), SPOT), node_class()).lines[0]
    # Nothing states a use: 30 % of ten g6.xlarge at half of 0.8048.
    assert (nodes.purchase, nodes.quantity_expected) == ("spot", 3)
    assert nodes.expected_usd == 3 * Decimal("0.8048") / 2


def test_the_volumes_are_those_of_the_node_class_on_as_many_nodes_as_fit() -> None:
    mapping = {"deviceName": "/dev/xvda", "ebs": {"volumeSize": "200Gi", "volumeType": "gp3"}}
    cost = bill(node_pool({"nvidia.com/gpu": 8}, families("g6", "p5")), node_class(blockDeviceMappings=[mapping]))
    volume = next(line for line in cost.lines if line.unit == "gib-month")
    assert (volume.quantity_minimum, volume.quantity_maximum) == (0, 8 * 200)


def test_a_node_class_that_names_no_volume_gets_karpenters_own() -> None:
    volume = bill(node_pool({"nvidia.com/gpu": 1}, types("g6.xlarge")), node_class()).lines[-1]
    assert (volume.what, volume.quantity_maximum) == ("volume /dev/xvda, gp3", 20)


def test_a_node_class_of_another_plan_leaves_the_nodes_priced() -> None:
    cost = bill(node_pool({"nvidia.com/gpu": 1}, types("g6.xlarge")))
    assert [line.maximum_usd for line in cost.lines] == [Decimal("0.8048")]
    assert reasons(cost) == ["its volumes: the EC2NodeClass 'gpu' is not in this plan"]


def test_a_pool_without_limits_is_listed() -> None:
    cost = bill(node_pool({}, families("g6")))
    assert (cost.lines, reasons(cost)) == ((), ["it has no limits: it may start any number of nodes"])


def test_a_limit_on_gpus_does_not_hold_nodes_without_any() -> None:
    assert reasons(bill(node_pool({"nvidia.com/gpu": 8}, types("g6.xlarge", "m7i.xlarge")))) == [
        "the limits nvidia.com/gpu do not hold every type it admits: it may start any number of nodes"
    ]


def test_a_type_without_a_price_is_listed_and_the_others_are_priced() -> None:
    cost = bill(node_pool({"nvidia.com/gpu": 8}, types("p5e.48xlarge", "p5.48xlarge", "p9.huge")), node_class())
    assert cost.lines[0].maximum_usd == Decimal("55.04")
    assert [reason.split(":")[0] for reason in reasons(cost)] == [
        "no on-demand list price is known for p5e.48xlarge (prices of 2026-07-20)",
        "unknown EC2 instance type 'p9.huge'",
    ]


def test_cpu_types_beyond_the_catalogue_are_said_to_be_admitted() -> None:
    category = {"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["m"]}
    assert reasons(bill(node_pool({"cpu": 100}, category), node_class())) == [
        "it also admits CPU types beyond those of the catalogue: name the types to hold the ceiling"
    ]


@pytest.mark.parametrize(
    ("rule", "dearest_type"),
    [
        ({"key": "karpenter.k8s.aws/instance-gpu-name", "operator": "In", "values": ["l4"]}, "g6.16xlarge"),
        ({"key": "karpenter.k8s.aws/instance-gpu-count", "operator": "Lt", "values": ["2"]}, "g6e.16xlarge"),
        ({"key": "karpenter.k8s.aws/instance-family", "operator": "NotIn", "values": ["p5"]}, "g6e.16xlarge"),
        ({"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}, "g5g.8xlarge"),
        ({"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["us-east-1a"]}, "g6e.16xlarge"),
    ],
)
def test_requirements_admit_by_karpenters_labels(rule: dict[str, Any], dearest_type: str) -> None:
    on_gpus = {"key": "karpenter.k8s.aws/instance-gpu-manufacturer", "operator": "In", "values": ["nvidia"]}
    nodes = bill(node_pool({"nvidia.com/gpu": 1}, on_gpus, rule), node_class()).lines[0]
    assert nodes.what.startswith(f"1 x {dearest_type} ")


@pytest.mark.parametrize("limit", ["many", True, None, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"])
def test_a_limit_that_is_no_quantity_is_listed(limit: object) -> None:
    cost = bill(node_pool({"nvidia.com/gpu": limit}, families("g6")))
    assert cost.lines == ()
    assert reasons(cost)[0].startswith("limits.nvidia.com/gpu is ")


def test_a_static_pool_has_its_replicas_at_the_floor() -> None:
    nodes = bill(node_pool({"nodes": 3}, types("g6.xlarge"), replicas=2), node_class()).lines[0]
    assert (nodes.minimum_usd, nodes.maximum_usd) == (2 * Decimal("0.8048"), 3 * Decimal("0.8048"))


def test_a_node_pool_is_where_the_only_cluster_is() -> None:
    nodes = node_pool({"nvidia.com/gpu": 1}, types("g6.xlarge"))
    cost = bill({**nodes, "provider": ""}, resource(CLUSTER, "main", {"region": "eu-west-1", "version": "1.35"}))
    assert {line.region for line in cost.lines} == {"eu-west-1"}


CANDIDATES = st.builds(
    Candidate,
    name=st.sampled_from("abcdef"),
    usd=st.integers(1, 50).map(Decimal),
    takes=st.fixed_dictionaries({"gpu": st.integers(0, 4), "cpu": st.integers(1, 6)}),
)


@given(
    candidates=st.lists(CANDIDATES, min_size=1, max_size=3, unique_by=lambda one: one.name),
    gpus=st.integers(0, 6),
    cpus=st.integers(0, 8),
)
def test_no_mix_within_the_limits_is_dearer_than_the_one_that_was_found(
    candidates: list[Candidate], gpus: int, cpus: int
) -> None:
    found = dearest(candidates, {"gpu": Decimal(gpus), "cpu": Decimal(cpus)})
    assert found is not None
    assert found.exact
    best = 0
    for counts in product(range(9), repeat=len(candidates)):
        taken = [sum(n * one.takes[key] for n, one in zip(counts, candidates, strict=True)) for key in ("gpu", "cpu")]
        if taken[0] <= gpus and taken[1] <= cpus:
            best = max(best, sum(n * int(one.usd) for n, one in zip(counts, candidates, strict=True)))
    assert found.usd == best


def test_limits_too_wide_to_count_have_a_bound_that_no_mix_goes_above() -> None:
    candidates = [Candidate("a", Decimal(3), {"gpu": 1, "cpu": 7}), Candidate("b", Decimal(7), {"gpu": 2, "cpu": 9})]
    found = dearest(candidates, {"gpu": Decimal(10**6), "cpu": Decimal(10**9)})
    assert found is not None
    assert (found.usd, found.exact) == (Decimal(7) / 2 * 10**6, False)
