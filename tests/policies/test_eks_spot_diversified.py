from policies.rules.eks_spot_diversified import RULE
from tests.policies.elastic import node_pool, requirements
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_spot_of_one_type_is_reported_for_both_kinds_of_pools(preview: bool) -> None:
    def build() -> None:
        pool(capacity_type="SPOT")
        node_pool(node={"requirements": requirements(["g6.2xlarge"], "spot")})

    assert messages(RULE, build, preview=preview) == [
        "gpu: spot of 1 instance type (g6.2xlarge); it should have 2 at least.",
        "train: spot of 1 instance type (g6.2xlarge); it should have 2 at least.",
    ]


def test_spot_of_several_and_one_type_on_demand_are_quiet(preview: bool) -> None:
    def build() -> None:
        pool(types=("g6.2xlarge", "g6.4xlarge"), capacity_type="SPOT")
        pool("on-demand")
        node_pool()

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_purchase_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(capacity_type=later("SPOT"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: spot of 1 instance type (g6.2xlarge); it should have 2 at least.",
    ]
