import pulumi_aws as aws

from policies.rules.budgets_present import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_gpu_pools_without_a_budget_are_reported_once(preview: bool) -> None:
    def build() -> None:
        pool("a")
        pool("b")

    assert messages(RULE, build, preview=preview) == [
        "a: the stack has 2 GPU pools and no aws.budgets.Budget; it must have one."
    ]


def test_a_budget_or_a_stack_without_gpus_is_quiet(preview: bool) -> None:
    def with_budget() -> None:
        pool()
        aws.budgets.Budget(
            "budget", budget_type="COST", time_unit="MONTHLY", limit_amount=later("100"), limit_unit="USD"
        )

    assert messages(RULE, with_budget, preview=preview) == []
    assert messages(RULE, lambda: pool(types=("m7i.xlarge",)), preview=preview) == []


def test_unknown_instance_types_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        pool(types=later(["g6.2xlarge"]))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
