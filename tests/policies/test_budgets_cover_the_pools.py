import pulumi_aws as aws

from policies.rules.budgets_cover_the_pools import RULE
from tests.policies.elastic import node_class, node_pool
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_a_budget_that_counts_other_tags_is_reported(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template", tag_specifications=[{"resource_type": "instance", "tags": {"team": "vision"}}]
        )
        pool(launch_template={"id": template.id, "version": "1"})
        aws.budgets.Budget(
            "b",
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount="1000",
            limit_unit="USD",
            cost_filters=[{"name": "TagKeyValue", "values": ["user:team$language"]}],
        )

    assert messages(RULE, build, preview=preview) == [
        "b: counts team=language, and the nodes of gpu do not bear it; they must.",
    ]


def test_a_budget_that_nothing_can_reach_is_reported(preview: bool) -> None:
    def build() -> None:
        pool()
        aws.budgets.Budget("b", budget_type="COST", time_unit="MONTHLY", limit_amount="9000000", limit_unit="USD")

    assert messages(RULE, build, preview=preview) == [
        "b: limitAmount is 9000000.00 USD a month, and everything at its ceiling costs 2854.59; such a "
        "budget never speaks.",
    ]


def test_a_budget_of_the_pools_tag_and_one_without_filter_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_class(tags={"team": "vision"})
        node_pool()
        aws.budgets.Budget(
            "b",
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount="1000",
            limit_unit="USD",
            cost_filters=[{"name": "TagKeyValue", "values": ["user:team$vision"]}],
        )
        aws.budgets.Budget("all", budget_type="COST", time_unit="MONTHLY", limit_amount="1000", limit_unit="USD")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_tag_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template", tag_specifications=[{"resource_type": "instance", "tags": {"team": later("vision")}}]
        )
        pool(launch_template={"id": template.id, "version": "1"})
        aws.budgets.Budget(
            "b",
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount="1000",
            limit_unit="USD",
            cost_filters=[{"name": "TagKeyValue", "values": ["user:team$language"]}],
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "b: counts team=language, and the nodes of gpu do not bear it; they must.",
    ]
