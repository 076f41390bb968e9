from policies.rules.karpenter_node_pool_gpu_taint import RULE
from tests.policies.elastic import TAINT, node_pool
from tests.policies.judging import later, messages


def test_a_pool_without_a_taint_that_keeps_pods_out_is_reported(preview: bool) -> None:
    def build() -> None:
        node_pool(node={"taints": [{"key": "nvidia.com/gpu", "effect": "PreferNoSchedule"}]})
        node_pool("efa", labels={"gpufleet.io/efa": "true"})

    assert messages(RULE, build, preview=preview) == [
        "efa: spec.template.spec.taints has none of key aws.amazon.com/efa that keeps pods out; it must "
        "have one with effect NoSchedule.",
        "train: spec.template.spec.taints has none of key nvidia.com/gpu that keeps pods out; it must "
        "have one with effect NoSchedule.",
    ]


def test_a_pool_with_its_taints_is_quiet(preview: bool) -> None:
    def build() -> None:
        node_pool()
        node_pool(
            "efa",
            labels={"gpufleet.io/efa": "true"},
            node={"taints": [TAINT, {"key": "aws.amazon.com/efa", "effect": "NoSchedule"}]},
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_effect_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        node_pool(node={"taints": [{"key": "nvidia.com/gpu", "effect": later("PreferNoSchedule")}]})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "train: spec.template.spec.taints has none of key nvidia.com/gpu that keeps pods out; it must "
        "have one with effect NoSchedule.",
    ]
