from policies.rules.karpenter_node_pool_consolidates import RULE
from tests.policies.elastic import node_pool
from tests.policies.judging import later, messages


def test_a_pool_that_keeps_idle_gpus_is_reported(preview: bool) -> None:
    def build() -> None:
        node_pool(disruption={"consolidationPolicy": "WhenEmpty", "consolidateAfter": "Never"})
        node_pool("late", disruption={"consolidateAfter": "72h", "budgets": [{"nodes": "0"}]})
        node_pool("silent", disruption=None)

    assert messages(RULE, build, preview=preview) == [
        "late: no entry of spec.disruption.budgets lets empty nodes go; one for Empty (or for all) must allow some.",
        "late: spec.disruption.consolidateAfter is 72h; idle GPU nodes must go after 60 minutes at most.",
        "silent: spec.disruption.consolidateAfter is not set; idle GPU nodes must go after 60 minutes at most.",
        "train: spec.disruption.consolidateAfter is Never; idle GPU nodes must go after 60 minutes at most.",
    ]


def test_a_pool_that_keeps_only_busy_ones_is_quiet(preview: bool) -> None:
    def build() -> None:
        node_pool(
            disruption={
                "consolidateAfter": "1h",
                "budgets": [{"nodes": "0", "reasons": ["Drifted"]}, {"nodes": "100%", "reasons": ["Empty"]}],
            }
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_time_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        node_pool(disruption={"consolidateAfter": later("Never")})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "train: spec.disruption.consolidateAfter is Never; idle GPU nodes must go after 60 minutes at most.",
    ]
