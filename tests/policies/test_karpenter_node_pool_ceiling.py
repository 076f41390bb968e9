from policies.rules.karpenter_node_pool_ceiling import RULE
from tests.policies.elastic import node_pool, requirements
from tests.policies.judging import later, messages


def test_a_pool_without_a_limit_or_with_too_high_a_one_is_reported(preview: bool) -> None:
    def build() -> None:
        node_pool(limits=None)
        node_pool("high", limits={"nvidia.com/gpu": "800"})

    assert messages(RULE, build, preview=preview) == [
        "high: spec.limits.nvidia.com/gpu is 800; the ceiling of a pool is 64.",
        "train: spec.limits.nvidia.com/gpu is not set; a pool of GPUs must have a number as its ceiling.",
    ]


def test_a_pool_within_the_ceiling_and_one_of_cpus_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_pool()
        node_pool("cpu", limits=None, node={"taints": [], "requirements": []})

    assert messages(RULE, build, preview=preview) == []


def test_parts_of_gpus_are_no_gpus_where_the_nodes_are_limited_too(preview: bool) -> None:
    cut = {"nvidia.com/gpu": "112", "nodes": "2"}

    def build(types: tuple[str, ...] = ("p5.48xlarge",)) -> None:
        node_pool(
            node={"requirements": requirements(types)}, limits=cut, labels={"nvidia.com/mig.config": "all-1g.10gb"}
        )

    assert messages(RULE, build, preview=preview) == []
    assert len(messages(RULE, lambda: build(("a-type-of-tomorrow",)), preview=preview)) == 1


def test_an_unknown_limit_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        node_pool(limits={"nvidia.com/gpu": later("800")})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "train: spec.limits.nvidia.com/gpu is 800; the ceiling of a pool is 64.",
    ]
