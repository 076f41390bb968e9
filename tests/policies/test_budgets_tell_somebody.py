from typing import Any

import pulumi_aws as aws

from policies.rules.budgets_tell_somebody import RULE
from tests.policies.judging import later, messages


def test_a_budget_that_tells_nobody_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.budgets.Budget("b", budget_type="COST", time_unit="ANNUALLY", limit_amount="1", limit_unit="USD")

    assert messages(RULE, build, preview=preview) == [
        "b: has no notifications; it must tell people of what was spent and of what will be.",
        "b: timeUnit is ANNUALLY; it must be MONTHLY or DAILY, or the year is over before anybody hears of it.",
    ]


def test_a_notification_without_readers_or_too_late_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.budgets.Budget(
            "b",
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount="1",
            limit_unit="USD",
            notifications=[
                {
                    "comparison_operator": "GREATER_THAN",
                    "threshold": 800,
                    "threshold_type": "PERCENTAGE",
                    "notification_type": "ACTUAL",
                    "subscriber_email_addresses": [],
                },
            ],
        )

    assert messages(RULE, build, preview=preview) == [
        "b: has no notification of type FORECASTED; one must come before the money is spent.",
        "b: notifications[0] speaks at 800 per cent; it must speak at 100 at the latest.",
        "b: notifications[0] tells nobody; it must name mail addresses or a topic.",
    ]


def test_a_budget_that_speaks_in_time_and_one_of_savings_plans_are_quiet(preview: bool) -> None:
    def build() -> None:
        told: dict[str, Any] = {
            "comparison_operator": "GREATER_THAN",
            "threshold": 80,
            "threshold_type": "PERCENTAGE",
            "subscriber_email_addresses": ["a@example.com"],
        }
        notices: list[Any] = [{**told, "notification_type": kind} for kind in ("ACTUAL", "FORECASTED")]
        aws.budgets.Budget(
            "b",
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount="1",
            limit_unit="USD",
            notifications=notices,
        )
        aws.budgets.Budget("sp", budget_type="SAVINGS_PLANS_UTILIZATION", time_unit="QUARTERLY")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_threshold_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        told: dict[str, Any] = {
            "comparison_operator": "GREATER_THAN",
            "threshold_type": "PERCENTAGE",
            "subscriber_email_addresses": ["a@example.com"],
        }
        notices: list[Any] = [{**told, "threshold": later(200), "notification_type": "FORECASTED"}]
        aws.budgets.Budget(
            "b",
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount="1",
            limit_unit="USD",
            notifications=notices,
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "b: notifications[0] speaks at 200 per cent; it must speak at 100 at the latest.",
    ]
