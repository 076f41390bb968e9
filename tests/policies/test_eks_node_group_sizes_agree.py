from policies.rules.eks_node_group_sizes_agree import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_bounds_that_contradict_each_other_are_reported(preview: bool) -> None:
    def build() -> None:
        pool(scaling_config={"min_size": 5, "desired_size": 2, "max_size": 1})

    assert messages(RULE, build, preview=preview) == [
        "gpu: scalingConfig.desiredSize is 2 and maxSize 1; they must not fall from minSize over "
        "desiredSize to maxSize.",
        "gpu: scalingConfig.minSize is 5 and desiredSize 2; they must not fall from minSize over "
        "desiredSize to maxSize.",
    ]


def test_bounds_in_order_are_quiet(preview: bool) -> None:
    def build() -> None:
        pool(scaling_config={"min_size": 0, "desired_size": 2, "max_size": 2})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_bound_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(scaling_config={"min_size": later(5), "desired_size": 2, "max_size": 9})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: scalingConfig.minSize is 5 and desiredSize 2; they must not fall from minSize over "
        "desiredSize to maxSize.",
    ]
