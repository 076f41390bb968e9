from typing import Any

import pytest

from components.scheduling import node_pool
from tests.components.scheduling import builds
from tests.components.scheduling.designs import design


def spec(**changes: Any) -> node_pool.NodePoolSpec:
    return node_pool.spec(design(**changes))


def required(made: node_pool.NodePoolSpec) -> dict[str, list[str]]:
    return {one["key"]: one["values"] for one in made["template"]["spec"]["requirements"]}


def test_a_plain_pool_has_this_spec_and_nothing_else() -> None:
    assert spec() == {
        "template": {
            "metadata": {"labels": {"gpufleet.io/devices": "nvidia", "gpufleet.io/pool": "train"}},
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "train"},
                "requirements": [
                    {
                        "key": "node.kubernetes.io/instance-type",
                        "operator": "In",
                        "values": ["g6.xlarge", "g6.2xlarge"],
                    },
                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
                    {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
                    {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]},
                    {
                        "key": "topology.kubernetes.io/zone",
                        "operator": "In",
                        "values": ["us-east-1a", "us-east-1b"],
                    },
                    {"key": "karpenter.k8s.aws/instance-tenancy", "operator": "In", "values": ["default"]},
                ],
                "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
                "expireAfter": "720h",
                "terminationGracePeriod": "24h",
            },
        },
        "disruption": {
            "consolidationPolicy": "WhenEmpty",
            "consolidateAfter": "30m",
            "budgets": [
                {"nodes": "0", "reasons": ["Drifted", "Underutilized"]},
                {"nodes": "100%", "reasons": ["Empty"]},
            ],
        },
        "limits": {"nodes": "4", "nvidia.com/gpu": "4"},
    }


def test_the_number_of_nodes_is_never_said_so_a_deploy_never_resets_it() -> None:
    for changes in builds.POOLS.values():
        assert "replicas" not in spec(**changes)


@pytest.mark.parametrize(
    ("pool", "capacity"),
    [("on demand", "on-demand"), ("spot", "spot"), ("reservation", "reserved"), ("capacity block", "reserved")],
)
def test_nodes_are_bought_in_the_one_way_that_was_chosen(pool: str, capacity: str) -> None:
    assert required(spec(**builds.POOLS[pool]))["karpenter.sh/capacity-type"] == [capacity]


def test_nobody_gets_dedicated_hardware_but_by_a_pool_that_has_it() -> None:
    assert required(spec())["karpenter.k8s.aws/instance-tenancy"] == ["default"]
    assert required(spec(dedicated=True))["karpenter.k8s.aws/instance-tenancy"] == ["dedicated"]


def test_an_efa_pool_is_in_one_zone_and_carries_label_and_taint_that_others_lack() -> None:
    made = spec(**builds.POOLS["efa"])

    assert required(made)["topology.kubernetes.io/zone"] == ["us-east-1a"]
    assert made["template"]["metadata"]["labels"]["gpufleet.io/efa"] == "true"
    keys = [taint["key"] for taint in made["template"]["spec"]["taints"]]
    assert keys == ["nvidia.com/gpu", "aws.amazon.com/efa"]


def test_a_node_with_a_training_job_is_neither_tidied_away_nor_too_old() -> None:
    made = spec(use="training")

    assert made["disruption"]["consolidationPolicy"] == "WhenEmpty"
    assert made["template"]["spec"]["expireAfter"] == "Never"
    assert made["disruption"]["budgets"][0] == {"nodes": "0", "reasons": ["Drifted", "Underutilized"]}


def test_a_server_may_be_moved_to_a_fuller_node_one_at_a_time() -> None:
    made = spec(use="inference")

    assert made["disruption"]["consolidationPolicy"] == "WhenEmptyOrUnderutilized"
    assert made["disruption"]["budgets"] == [{"nodes": "1"}]


def test_the_ceiling_is_in_nodes_and_in_what_pods_ask_for() -> None:
    assert spec(instance_types=["g6.12xlarge"], max_nodes=3)["limits"] == {"nodes": "3", "nvidia.com/gpu": "12"}
    assert spec(**builds.POOLS["neuron"])["limits"] == {"nodes": "4", "aws.amazon.com/neuron": "4"}


def test_arm_nodes_are_asked_for_in_kubernetes_words() -> None:
    assert required(spec(**builds.POOLS["arm"]))["kubernetes.io/arch"] == ["arm64"]


def test_a_weight_says_which_of_several_pools_is_tried_first() -> None:
    assert node_pool.spec(design(), weight=10).get("weight") == 10
