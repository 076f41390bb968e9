from policies.rules.karpenter_node_pools_disjoint import RULE
from tests.policies.elastic import EFA, TAINT, node_class, node_pool, requirements
from tests.policies.judging import messages


def test_pools_with_and_without_efa_that_fit_the_same_pod_are_reported(preview: bool) -> None:
    def build() -> None:
        node_class("efa", networkInterfaces=EFA)
        node_class("plain")
        for name in ("efa", "plain"):
            node_pool(name, node={"requirements": requirements(["p4d.24xlarge"])})

    assert messages(RULE, build, preview=preview) == [
        "efa: efa and plain may both launch p4d.24xlarge, one with EFA and one without, and no taint of "
        "the one with EFA tells them apart; it must have a taint that the other lacks.",
    ]


def test_pools_told_apart_by_a_taint_or_by_type_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_class("efa", networkInterfaces=EFA)
        node_class("plain")
        node_pool(
            "efa",
            node={
                "requirements": requirements(["p4d.24xlarge"]),
                "taints": [TAINT, {"key": "aws.amazon.com/efa", "effect": "NoSchedule"}],
            },
        )
        node_pool("plain", node={"requirements": requirements(["p4d.24xlarge"])})
        node_pool("small")

    assert messages(RULE, build, preview=preview) == []
