from typing import Any

import pulumi

from policies.rules.spend_monthly_floor import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool

P5 = 55.04
"""USD an hour of one p5.48xlarge in us-east-1."""


class _Budget(pulumi.ComponentResource):
    def __init__(self, monthly: Any) -> None:
        super().__init__("gpufleet:index:SpendBudget", "budget", {"monthlyUsd": monthly})
        self.register_outputs({"monthlyUsd": monthly})


def _pool(minimum: Any, **more: Any) -> None:
    scaling = {"min_size": minimum, "max_size": 9, "desired_size": 0}
    pool("train", types=("p5.48xlarge",), scaling_config=scaling, **more)


def test_a_budget_below_the_floor_is_reported_with_both_sums(preview: bool) -> None:
    def build() -> None:
        _Budget(40_000)
        _pool(1)

    assert messages(RULE, build, preview=preview) == [
        f"budget: the budget is 40000.00 USD a month, and everything at its floor costs {P5 * 730:.2f}; the dearest "
        f"is train (1 x p5.48xlarge), {P5 * 730:.2f}."
    ]


def test_a_budget_that_pays_the_floor_or_a_pool_that_has_none_is_quiet(preview: bool) -> None:
    def build(monthly: float, minimum: int, **more: Any) -> None:
        _Budget(monthly)
        _pool(minimum, **more)

    assert messages(RULE, lambda: build(41_000, 1), preview=preview) == []
    assert messages(RULE, lambda: build(1, 0), preview=preview) == []
    assert messages(RULE, lambda: build(5_000, 1, capacity_type="SPOT"), preview=preview) == []


def test_a_floor_that_is_unknown_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        _Budget(10)
        _pool(later(1))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
