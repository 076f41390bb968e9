"""What brings and takes the nodes."""

import pytest

from components.compute.design import decide
from components.compute.design.request import PoolRequest
from tests.components.compute.design.requests import bought, reason, refusal, wish


@pytest.mark.parametrize(
    ("request_", "scaler"),
    [
        (wish("g6.xlarge"), "karpenter"),
        (wish("g6.xlarge", min_nodes=1), "node-group"),
        (wish("g6.xlarge", scaler="node-group"), "node-group"),
        (wish("p4d.24xlarge", use="training"), "karpenter"),
        (bought(wish("p4d.24xlarge"), "reservation"), "node-group"),
        (bought(wish("p4d.24xlarge"), "capacity-block"), "node-group"),
        (bought(wish("p6e-gb200.36xlarge", zones=("us-east-1-dfw-2a",)), "capacity-block"), "karpenter"),
    ],
)
def test_elastic_pools_are_karpenters_and_steady_ones_node_groups(request_: PoolRequest, scaler: str) -> None:
    assert decide(request_).scaler == scaler


def test_karpenter_keeps_no_floor() -> None:
    refused = refusal(wish("g6.xlarge", scaler="karpenter", min_nodes=1))
    assert (refused.rule, refused.path, refused.nearest) == ("karpenter-floor", "nodes.min", "scaler: node-group")


def test_there_are_no_node_groups_in_local_zones() -> None:
    assert refusal(wish("g6.xlarge", zones=("us-east-1-dfw-2a",), scaler="node-group")).rule == "local-zone"


def test_an_empty_node_group_is_warned_of() -> None:
    assert decide(wish("g6.xlarge", scaler="node-group")).warnings == (
        "a node group without a floor begins empty and stays so until somebody sets its desired size",
    )


def test_consolidation_never_moves_a_training_job() -> None:
    disruption = decide(wish("g6.xlarge", use="training", longest_job_hours=72)).disruption
    assert (disruption.consolidation_policy, disruption.expire_after) == ("WhenEmpty", "Never")
    assert disruption.termination_grace_period == "72h"
    assert [(budget.nodes, budget.reasons) for budget in disruption.budgets] == [
        ("0", ("Drifted", "Underutilized")),
        ("100%", ("Empty",)),
    ]


def test_servers_are_moved_one_at_a_time() -> None:
    disruption = decide(wish("g6.xlarge", use="inference")).disruption
    assert (disruption.consolidation_policy, disruption.budgets[0].nodes) == ("WhenEmptyOrUnderutilized", "1")


def test_a_fraction_of_a_gpu_is_for_node_groups_since_karpenter_counts_none() -> None:
    assert refusal(wish("g6f.large", scaler="karpenter")).rule == "karpenter-fractional"
    design = decide(wish("g6f.large"))
    assert design.scaler == "node-group"
    assert reason(design, "scaler") == "Karpenter takes the fraction of a GPU that g6f.large have for none"


def test_the_ceiling_is_kept_in_nodes_and_in_gpus() -> None:
    design = decide(wish("g6.xlarge", "g6.12xlarge", max_nodes=3))
    assert dict(design.limits) == {"nodes": 3, "nvidia.com/gpu": 12}
    assert design.gpus_at_ceiling == 12


@pytest.mark.parametrize(("use", "count"), [("training", 2), ("interactive", 2), ("inference", 0)])
def test_faults_that_are_most_often_the_programs_own_reboot_no_shared_node(use: str, count: int) -> None:
    overrides = decide(wish("g6.xlarge", use=use, repair="lenient")).repair_overrides
    assert [(o.reason, o.action) for o in overrides] == [
        ("NvidiaXID13Error", "NoAction"),
        ("NvidiaXID31Error", "NoAction"),
    ][:count]


def test_where_nothing_is_said_eks_repairs_as_it_does_and_the_explanation_names_the_way_out() -> None:
    design = decide(wish("g6.xlarge"))
    assert design.repair_overrides == ()
    assert reason(design, "node repair") == (
        "XID 13 and 31 cause no repair: the agent, pinned to v1.7.0-eksbuild.1, reports them as events only since "
        "v1.6.4; repair: lenient rules them out for older agents too"
    )
    lenient = decide(wish("g6.xlarge", repair="lenient"))
    assert reason(lenient, "node repair").endswith("as events only since v1.6.4; the overrides are for older agents")


def test_an_update_ends_no_node_before_its_successor_is_up_unless_that_is_asked_for() -> None:
    assert decide(wish("p4d.24xlarge", min_nodes=1)).update_strategy == "DEFAULT"
    design = decide(bought(wish("p4d.24xlarge"), "reservation"))
    assert (design.update_strategy, design.max_unavailable) == ("DEFAULT", 1)
    assert "or set updates: minimal" in reason(design, "update")
    assert decide(bought(wish("p4d.24xlarge", updates="minimal"), "reservation")).update_strategy == "MINIMAL"


def test_where_karpenters_image_cannot_be_had_pools_are_node_groups() -> None:
    design = decide(wish("g6.xlarge", closed=True, reaches_karpenter=False))
    assert design.scaler == "node-group"
    assert reason(design, "scaler").startswith("the closed network has no copy of Karpenter's image")
